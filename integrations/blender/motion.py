"""BVH files that this add-on exchanges with motionfields. This module does not need Blender."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

CENTIMETRE = 0.01


@dataclass
class Motion:
    """Joints, parents before children, with their motion; y is up."""

    names: list[str]
    parents: list[int]  # -1 for the root
    offsets: Any  # [joint, 3], metres, from the parent at rest; that of the root is 0
    tips: dict[int, Any]  # joint without children: the end of its bone [3], metres from the joint
    places: Any  # [frame, 3], metres: of the root
    turns: Any  # [frame, joint, 3, 3]: world rotation of each joint since the rest pose
    frame_time: float  # seconds


def write_bvh(path: Path, motion: Motion) -> None:
    """Write a motion in centimetres, with rotations in the order Z, Y, X."""
    lines, order = ["HIERARCHY"], list[int]()

    def offset(vector: Any) -> str:
        return "OFFSET " + " ".join(f"{number:.8f}" for number in vector / CENTIMETRE)

    def tell(joint: int) -> None:
        order.append(joint)
        kind, channels = ("JOINT", "3") if joint else ("ROOT", "6 Xposition Yposition Zposition")
        lines.extend((f"{kind} {motion.names[joint]}", "{", offset(motion.offsets[joint])))
        lines.append(f"CHANNELS {channels} Zrotation Yrotation Xrotation")
        for child in np.flatnonzero(np.array(motion.parents) == joint):
            tell(int(child))
        if joint in motion.tips:
            lines.extend(("End Site", "{", offset(motion.tips[joint]), "}"))
        lines.append("}")

    tell(0)
    above = np.array(motion.parents)[1:]
    local = motion.turns.copy()
    local[:, 1:] = motion.turns[:, above].swapaxes(-1, -2) @ motion.turns[:, 1:]
    table = np.concatenate([motion.places / CENTIMETRE, _angles(local)[:, order].reshape(len(local), -1)], axis=1)
    lines += ["MOTION", f"Frames: {len(table)}", f"Frame Time: {motion.frame_time:.10g}"]
    lines += [" ".join(f"{number:.8f}" for number in row) for row in table]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _angles(turns: Any) -> Any:
    """Return the angles [..., 3] in degrees about Z, Y and X of rotations Rz Ry Rx [..., 3, 3]."""
    about_z = np.arctan2(turns[..., 1, 0], turns[..., 0, 0])
    about_y = np.arctan2(-turns[..., 2, 0], np.hypot(turns[..., 2, 1], turns[..., 2, 2]))
    about_x = np.arctan2(turns[..., 2, 1], turns[..., 2, 2])
    return np.degrees(np.stack([about_z, about_y, about_x], axis=-1))


def read_bvh(path: Path) -> Motion:
    """Return the motion in a file that motionfields has written, in centimetres."""
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    names, parents, offsets, channels, open_joints = list[str](), list[int](), list[Any](), list[Any](), list[int]()
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word in ("ROOT", "JOINT", "End"):
            if word != "End":
                parents.append(open_joints[-1] if open_joints else -1)
                names.append(rest)
            open_joints.append(len(names) - 1 if word != "End" else -2)
        elif word == "OFFSET" and open_joints[-1] >= 0:
            offsets.append([float(number) * CENTIMETRE for number in rest.split()])
        elif word == "CHANNELS":
            channels += [(open_joints[-1], name) for name in rest.split()[1:]]
        elif word == "}":
            open_joints.pop()
        elif word == "MOTION":
            break
    next(lines)
    frame_time = float(next(lines).split(":")[1])
    table = np.array([[float(number) for number in line.split()] for line in lines])
    places, turns = np.zeros((len(table), 3)), np.tile(np.eye(3), (len(table), len(names), 1, 1))
    for (joint, name), column in zip(channels, table.T, strict=True):
        axis, angle = "XYZ".index(name[0]), np.radians(column)
        if name.endswith("position"):
            places[:, axis] = column * CENTIMETRE
        else:
            turn, (i, j) = np.tile(np.eye(3), (len(table), 1, 1)), ((axis + 1) % 3, (axis + 2) % 3)
            turn[:, i, i] = turn[:, j, j] = np.cos(angle)
            turn[:, j, i], turn[:, i, j] = np.sin(angle), -np.sin(angle)
            turns[:, joint] = turns[:, joint] @ turn
    for joint, parent in enumerate(parents[1:], 1):
        turns[:, joint] = turns[:, parent] @ turns[:, joint]
    offsets[0] = [0.0, 0.0, 0.0]
    return Motion(names, parents, np.array(offsets), {}, places, turns, frame_time)
