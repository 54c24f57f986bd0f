"""Armatures: their joints at rest, their actions as motion, and motion as an action.

Blender is z up and motionfields y up: (x, y, z) of motionfields is (x, -z, y) of Blender.
"""

import math
import re
from collections.abc import Generator
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from .child import JobError
from .motion import Motion

UP = np.array(
    [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)]
)  # turns the axes of Blender into those of motionfields
HIPS = re.compile(r"(^|[^a-z])(hips?|pelvis)$", re.IGNORECASE)
MADE = "motionfields"  # property of actions that this add-on has baked
MOST_APART = 0.002  # metres by which the joints of a motion may differ from those of the rig
LINEAR = 1  # interpolation of keys
Tracks = dict[tuple[str, int], list[float]]  # values of the keys of each curve, by its data path and index


def metres(scene: Any) -> float:
    """Return the metres of a unit of `scene`."""
    return float(scene.unit_settings.scale_length)


def ours(points: Any) -> Any:
    """Return points or vectors [..., 3] of Blender in the axes of motionfields."""
    return np.array(points, np.float64) @ UP.T


def hips_of(rig: Any) -> Any:
    """Return the bone that carries the body: the highest one called hips or pelvis, or else the first that branches."""
    branching = [bone for bone in rig.data.bones if len(bone.children) > 1]
    found = [bone for bone in branching if HIPS.search(bone.name)] or branching
    if not found:
        raise JobError(f"{rig.name} has no bone that branches into legs and a spine; select the armature of a body.")
    return min(found, key=lambda bone: (len(bone.parent_recursive), -len(bone.children_recursive)))


def joints_of(rig: Any) -> list[Any]:
    """Return the joints, parents before children: the hips, and bones below that deform or carry bones that do."""
    hips = hips_of(rig)
    found = [bone for bone in hips.children_recursive if any(b.use_deform for b in (bone, *bone.children_recursive))]
    return [hips, *sorted(found, key=lambda bone: len(bone.parent_recursive))]


def rest_of(rig: Any, scene: Any) -> Motion:
    """Return the joints of `rig` at rest, without frames."""
    world = rig.matrix_world
    if world.is_negative or max(world.to_scale()) > 1.0001 * min(world.to_scale()):
        raise JobError(f"{rig.name} is mirrored or scaled unevenly; apply its scale (Object > Apply > Scale).")
    bones = joints_of(rig)
    if bones[0].use_connect:
        raise JobError(f"The bone {bones[0].name} is connected to its parent and cannot move; disconnect it.")
    names = [bone.name for bone in bones]
    parents = [names.index(bone.parent.name) if number else -1 for number, bone in enumerate(bones)]
    heads = ours([world @ bone.head_local for bone in bones]) * metres(scene)
    tails = ours([world @ bone.tail_local for bone in bones]) * metres(scene)
    offsets = np.array([heads[n] - heads[parent] if parent >= 0 else np.zeros(3) for n, parent in enumerate(parents)])
    tips = {number: tails[number] - heads[number] for number in set(range(len(bones))) - set(parents)}
    rate = scene.render.fps / scene.render.fps_base
    return Motion(names, parents, offsets, tips, np.zeros((0, 3)), np.zeros((0, len(bones), 3, 3)), 1.0 / rate)


def curves_of(action: Any) -> list[Any]:
    """Return the animation curves of `action`."""
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


def actions_of(rig: Any) -> list[Any]:
    """Return the actions that move joints of `rig`, without those that this add-on has baked."""
    paths = {path_of(bone) for bone in joints_of(rig)}
    others = [action for action in bpy.data.actions if MADE not in action]
    return [one for one in others if any(curve.data_path.rpartition(".")[0] in paths for curve in curves_of(one))]


def path_of(bone: Any) -> str:
    """Return the data path of a bone in actions."""
    return f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"]'


def assign(rig: Any, action: Any) -> None:
    """Make `action` the action of `rig`."""
    data = rig.animation_data or rig.animation_data_create()
    data.action = action
    if action is not None and data.action_slot is None and data.action_suitable_slots:
        data.action_slot = data.action_suitable_slots[0]


def sampled(rig: Any, action: Any, scene: Any) -> Generator[None, None, Motion]:
    """Play `action`, yield after each frame, and return its motion; the scene is left as it was."""
    motion = rest_of(rig, scene)
    bones = [rig.pose.bones[name] for name in motion.names]
    rest = turns_of(rig.matrix_world, [bone.bone.matrix_local for bone in bones])
    data = rig.animation_data or rig.animation_data_create()
    before, slot, layered, frame = data.action, data.action_slot, data.use_nla, scene.frame_current
    poses = [(thing, thing.matrix_basis.copy()) for thing in (rig, *rig.pose.bones)]
    frames = range(round(action.frame_range[0]), round(action.frame_range[1]) + 1)
    places, turns = np.zeros((len(frames), 3)), np.zeros((len(frames), len(bones), 3, 3))
    try:
        data.use_nla = False
        for bone in rig.pose.bones:
            bone.matrix_basis = Matrix.Identity(4)  # what the action does not key is at rest
        assign(rig, action)
        for number, moment in enumerate(frames):
            scene.frame_set(moment)
            places[number] = ours(rig.matrix_world @ bones[0].head) * metres(scene)
            turns[number] = turns_of(rig.matrix_world, [bone.matrix for bone in bones])
            yield None
    finally:
        data.use_nla, data.action = layered, before
        if slot is not None:
            data.action_slot = slot
        for thing, basis in poses:
            thing.matrix_basis = basis
        scene.frame_set(frame)
    motion.places = places
    motion.turns = UP @ turns @ rest.swapaxes(-1, -2) @ UP.T
    return motion


def turns_of(world: Any, matrices: list[Any]) -> Any:
    """Return the rotations [n, 3, 3] of `matrices` in the world, without their scale and shear."""
    left, _, right = np.linalg.svd(np.array([(world @ matrix).to_3x3() for matrix in matrices], np.float64))
    return left @ right


def fitted(rig: Any, motion: Motion, scene: Any) -> tuple[Motion, Any]:
    """Return the rest of `rig`, and the rotations [frame, joint, 3, 3] of `motion` since that rest.

    The rest pose of `motion` may be turned. Raises `JobError` if the motion was made for another rig.
    """
    rest = rest_of(rig, scene)
    if sorted(rest.names) != sorted(motion.names):
        odd = sorted(set(rest.names) ^ set(motion.names))[0]
        raise JobError(f"The controller was built from another rig: {odd} is a bone of one of them only. Build again.")
    order = [motion.names.index(name) for name in rest.names]
    mine, other = rest.offsets, motion.offsets[order]
    left, _, right = np.linalg.svd(other.T @ mine)
    turn = left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right
    if np.abs(mine @ turn.T - other).max() > MOST_APART:
        raise JobError("The controller was built from another rig, or the rig was scaled since: build again.")
    return rest, motion.turns[:, order] @ turn


def bake(rig: Any, motion: Motion, scene: Any, name: str, *, start: float, height: float = 0.0) -> Any:
    """Return a new action of `rig` with `motion`, from the frame `start` of the scene, on ground at `height`."""
    moving = [one for one in bpy.data.objects if one.animation_data and one.animation_data.action]
    for mover in [one.name for one in moving if rig in one.children_recursive]:
        raise JobError(f"{mover} moves {rig.name}; clear that parent (Object > Parent > Clear) before you bake.")
    rest, turns = fitted(rig, motion, scene)
    inside = rig.matrix_world.inverted()
    upright = turns_of(rig.matrix_world, [rig.data.bones[joint].matrix_local for joint in rest.names])
    turns = turns_of(inside, [Matrix()])[0] @ UP.T @ turns @ UP @ upright
    places = motion.places @ UP / metres(scene) + (0.0, 0.0, height)
    above = rig.data.bones[rest.names[0]].parent_recursive
    tracks: Tracks = {}
    before: dict[str, Any] = {}
    for place, pose in zip(places, turns, strict=True):
        made: dict[str, Any] = {bone.name: bone.matrix_local for bone in above}  # bones above the hips stay at rest
        for number, (joint, turned) in enumerate(zip(rest.names, pose, strict=True)):
            bone = rig.data.bones[joint]
            upper, lower = (made[bone.parent.name], bone.parent.matrix_local) if bone.parent else (Matrix(), Matrix())
            made[joint] = matrix = Matrix(turned.tolist()).to_4x4()
            matrix.translation = upper @ lower.inverted() @ bone.head_local if number else inside @ Vector(place)
            basis = bone.convert_local_to_pose(
                matrix, bone.matrix_local, parent_matrix=upper, parent_matrix_local=lower, invert=True
            )
            _note(tracks, before, rig.pose.bones[joint], basis, moves=number == 0)
    for bone in above:
        _note(tracks, before, rig.pose.bones[bone.name], Matrix.Identity(4), moves=True)
    rate = scene.render.fps / scene.render.fps_base
    return _action(rig, name, tracks, start + np.arange(len(places)) * motion.frame_time * rate)


def _note(tracks: Tracks, before: dict[str, Any], bone: Any, basis: Any, *, moves: bool) -> None:
    """Add the local transform `basis` of a bone to `tracks`, in its own kind of rotation."""
    path, quaternion = path_of(bone), basis.to_quaternion()
    if bone.rotation_mode == "QUATERNION":
        near = quaternion.dot(before.get(bone.name, quaternion)) >= 0.0  # of the two signs, that of the last frame
        value, kind = quaternion if near else -quaternion, "rotation_quaternion"
    elif bone.rotation_mode == "AXIS_ANGLE":
        length = math.hypot(*quaternion[1:])  # Blender's own to_axis_angle is off by 0.02 mm at the hands
        axis = [part / length for part in quaternion[1:]] if length else (0.0, 1.0, 0.0)
        value, kind = (2.0 * math.atan2(length, quaternion.w), *axis), "rotation_axis_angle"
    else:
        last = [before[bone.name]] if bone.name in before else []
        value, kind = quaternion.to_euler(bone.rotation_mode, *last), "rotation_euler"
    before[bone.name] = value
    for index, number in enumerate(value):
        tracks.setdefault((f"{path}.{kind}", index), []).append(number)
    for index, number in enumerate(basis.translation if moves else ()):
        tracks.setdefault((f"{path}.location", index), []).append(number)


def _action(rig: Any, name: str, tracks: Tracks, frames: Any) -> Any:
    """Return a new action with linear keys at `frames`, and make it the action of `rig`."""
    action = bpy.data.actions.new(name)
    action[MADE] = True
    slot = action.slots.new(id_type="OBJECT", name=rig.name)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    for (path, index), values in tracks.items():
        curve = bag.fcurves.new(path, index=index)
        curve.keyframe_points.add(len(values))
        curve.keyframe_points.foreach_set("co", np.stack([frames[: len(values)], values], axis=1).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(values), LINEAR, np.int32))
        curve.update()
    if rig.animation_data and rig.animation_data.action:
        rig.animation_data.action.use_fake_user = True  # it stays when nothing else uses it
    assign(rig, action)
    return action


def points_of(curve: Any, scene: Any) -> tuple[Any, float]:
    """Return the points [k, 2], x and z in metres, of the first spline of a curve, and the height of its start."""
    data = curve.data.copy()
    holder = bpy.data.objects.new("path", data)
    try:
        for spline in list(data.splines)[1:]:
            data.splines.remove(spline)
        data.bevel_depth, data.extrude, data.bevel_object, data.resolution_u = 0.0, 0.0, None, 48
        places = [curve.matrix_world @ vertex.co for vertex in holder.to_mesh().vertices]
        places += places[:1] if places and data.splines[0].use_cyclic_u else []
    finally:
        bpy.data.objects.remove(holder)
        bpy.data.curves.remove(data)
    if len(places) < 2:
        raise JobError(f"{curve.name} has no spline with at least two points.")
    return ours(places)[:, ::2] * metres(scene), float(places[0].z)
