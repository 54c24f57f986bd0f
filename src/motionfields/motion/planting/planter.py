"""Foot locking: feet stay in place during contacts, online, for any number of characters at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray, read_only
from motionfields.base.errors import SkeletonError
from motionfields.base.wording import counted
from motionfields.motion.body import Body, find_body
from motionfields.motion.clip import Clip
from motionfields.motion.planting.kernel import step_characters
from motionfields.motion.planting.limb import Rig
from motionfields.motion.planting.settings import PlantingSettings, numbers_of
from motionfields.motion.planting.stance import Stance, measure_stance
from motionfields.motion.planting.state import PlantedPose, PlantedRuns, PlantingState
from motionfields.motion.planting.votes import votes_from_contacts
from motionfields.motion.skeleton import Skeleton


class FootPlanter:
    """Locks feet in place while they are in contact, with the same result for one character or thousands.

    A foot whose contact vote rises is brought to rest and locked. The root follows the locked feet permanently; where a
    leg cannot reach, first the pelvis sinks, then the heel rises; on release the correction fades. The floor is level,
    at the height that `stance` implies. With `carries_shift` the planter accumulates the root's shifts itself. Without
    it, the caller adds each frame's `root_shift` to its own root before the next frame, so that tasks see the
    character's true position.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        stance: Stance,
        *,
        frame_time: float,
        settings: PlantingSettings | None = None,
        body: Body | None = None,
        carries_shift: bool = True,
    ) -> None:
        if not 0.0 < frame_time < np.inf:
            raise ValueError(f"frame_time: expected a positive number of seconds, got {frame_time}")
        self.skeleton = skeleton
        self.stance = stance
        self.frame_time = frame_time
        self.settings = settings or PlantingSettings()
        self.carries_shift = carries_shift
        self.rig = _rig_of(skeleton, body or find_body(skeleton), stance)
        self.numbers = numbers_of(self.settings, frame_time)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy; numpy copies read-only arrays as writeable ones, for which the loops are not compiled."""
        self.__dict__.update(state)
        fixed = {name: read_only(getattr(self.rig, name)) for name in ("parents", "offsets", "toe_heights")}
        self.rig = self.rig._replace(**fixed)

    def start(self, count: int) -> PlantingState:
        """Return the state of `count` characters before their first frame."""
        return PlantingState.fresh(count)

    def step(
        self,
        state: PlantingState,
        root_position: FloatArray,
        rotations: FloatArray,
        *,
        contact_votes: FloatArray,
        root_push: FloatArray | None = None,
    ) -> PlantedPose:
        """Return this frame's poses with their feet locked, and the next state; the arguments are not changed.

        `root_position` [character, 3] is in metres; `rotations` [character, joint, 4] are as in a `Clip`, float32 or
        float64; `contact_votes` [character, 2] between 0 and 1 are the confidence that the left and the right foot are
        in contact. `root_push` [character, 2] is the part of the root's motion since the last frame, x and z in metres,
        that an outside force caused: the character leans over its locked feet by that distance and returns to them
        slowly.
        """
        count = len(state.frames)
        root = np.array(root_position, dtype=np.float64)
        turns = np.array(rotations, dtype=np.float64)  # the only type that the step is compiled for
        votes = np.ascontiguousarray(contact_votes, dtype=np.float64)
        for name, array, shape in (
            ("root_position", root, (count, 3)),
            ("rotations", turns, (count, self.skeleton.joint_count, 4)),
            ("contact_votes", votes, (count, 2)),
        ):
            if array.shape != shape:
                raise ValueError(
                    f"{name}: expected shape {shape} for a state of {counted(count, 'character')}, got {array.shape}"
                )
        if not np.all((votes >= 0.0) & (votes <= 1.0)):
            raise ValueError("contact_votes: expected numbers between 0 and 1")
        if not np.isfinite(root).all():
            raise ValueError("root_position: expected finite numbers of metres")
        if not np.isfinite(turns).all():
            raise ValueError("rotations: expected finite numbers")
        after = state.copy()
        if root_push is not None:
            if root_push.shape != (count, 2) or not np.isfinite(root_push).all():
                raise ValueError(f"root_push: expected finite metres of shape {(count, 2)}, got {root_push.shape}")
            after.lean[:] += root_push[:, np.newaxis]
        shift, reached = np.empty((count, 3)), np.empty((count, 2), np.bool_)
        step_characters(self.rig, self.numbers, after, votes, root, turns, shift, reached, self.carries_shift)
        shown = turns.astype(np.float32) if rotations.dtype == np.float32 else turns
        return PlantedPose(root, shown, shift, after.locked, reached, after.drop[:, 0], after)

    def run(self, root_position: FloatArray, rotations: FloatArray, *, contact_votes: FloatArray) -> PlantedRuns:
        """Lock the feet of whole motions, frame by frame: as `step`, with a frame axis after that of the characters."""
        root_position, rotations, contact_votes = map(np.asarray, (root_position, rotations, contact_votes))
        if root_position.ndim != 3:
            raise ValueError(f"root_position: expected [character, frame, 3], got shape {root_position.shape}")
        count, frame_count = root_position.shape[:2]
        if not root_position.shape[:2] == rotations.shape[:2] == contact_votes.shape[:2]:
            raise ValueError(
                f"expected root_position, rotations and contact_votes of one [character, frame], "
                f"got {root_position.shape}, {rotations.shape} and {contact_votes.shape}"
            )
        root, turns = np.array(root_position, dtype=np.float64), rotations.copy()
        reached, drop = np.empty((count, frame_count, 2), np.bool_), np.empty((count, frame_count))
        state = self.start(count)
        for frame in range(frame_count):
            pose = self.step(state, root[:, frame], turns[:, frame], contact_votes=contact_votes[:, frame])
            root[:, frame], turns[:, frame], state = pose.root_position, pose.rotations, pose.state
            reached[:, frame], drop[:, frame] = pose.reached, pose.pelvis_drop
        return PlantedRuns(root, turns, reached, drop)


def plant_clip(
    clip: Clip,
    contacts: BoolArray | FloatArray,
    *,
    stance: Stance | None = None,
    settings: PlantingSettings | None = None,
    body: Body | None = None,
) -> Clip:
    """Lock the feet of `clip` during `contacts` [frame, 2], which are labels or votes between 0 and 1.

    Works frame by frame with a `FootPlanter`. `stance` defaults to that of the clip in its own contacts.
    """
    if np.shape(contacts) != (clip.frame_count, 2):
        raise ValueError(f"contacts: expected shape {(clip.frame_count, 2)}, got {np.shape(contacts)}")
    votes: FloatArray = np.asarray(contacts, dtype=np.float64)
    if np.asarray(contacts).dtype == np.bool_:
        votes = votes_from_contacts(votes >= 0.5, clip.frame_time)
    if stance is None:
        stance = measure_stance(clip, [votes >= 0.5], body=body)
    planter = FootPlanter(clip.skeleton, stance, frame_time=clip.frame_time, settings=settings, body=body)
    planted = planter.run(clip.root_position[np.newaxis], clip.rotations[np.newaxis], contact_votes=votes[np.newaxis])
    return replace(clip, root_position=planted.root_position[0], rotations=planted.rotations[0])


def _rig_of(skeleton: Skeleton, body: Body, stance: Stance) -> Rig:
    """Return the facts about the skeleton that the compiled step needs."""
    paths = [skeleton.path_to(leg.toe) for leg in body.legs]
    joints = np.array([[leg.hip, leg.knee, leg.ankle, leg.toe] for leg in body.legs])
    for path, leg in zip(paths, joints.tolist(), strict=True):
        places = [path.index(joint) if joint in path else -1 for joint in leg]
        if not 0 < places[0] < places[1] < places[2] <= places[3]:
            names = [skeleton.names[joint] for joint in leg]
            raise SkeletonError(f"body: expected hip, knee, ankle and toe in order below the root, got {names}")
    padded = np.full((2, max(map(len, paths))), -1)
    for side, path in enumerate(paths):
        padded[side, : len(path)] = path
    return Rig(
        skeleton.parents,
        skeleton.offsets,
        padded,
        joints,
        _knee_hinges(skeleton, joints, paths),
        stance.toe_heights,
        _heel_pitches(skeleton, joints, stance),
        np.linalg.norm(skeleton.offsets[joints[:, 3]], axis=-1),
        np.array([_tip_length(skeleton, leg.toe) for leg in body.legs]),
        joints[:, 2] != joints[:, 3],
    )


def _heel_pitches(skeleton: Skeleton, joints: IntArray, stance: Stance) -> FloatArray:
    """Return the pitch [2] in radians of a standing foot: the slope from its ball up to its ankle."""
    lengths = np.linalg.norm(skeleton.offsets[joints[:, 3]], axis=-1)
    return np.asarray(np.arcsin(np.clip(stance.heel_heights / np.maximum(lengths, 1e-9), -0.99, 0.99)))


def _tip_length(skeleton: Skeleton, toe: int) -> float:
    """Return the distance in metres from the ball to the tip of the toes; half the foot if the skeleton has no tip."""
    tips = np.linalg.norm(skeleton.tip_offsets[skeleton.tip_joints == toe], axis=-1)
    longest = float(tips.max(initial=0.0))
    return longest if longest > 0.0 else 0.5 * float(np.linalg.norm(skeleton.offsets[toe]))


def _knee_hinges(skeleton: Skeleton, joints: IntArray, paths: list[list[int]]) -> FloatArray:
    """Return the axis [2, 3] about which each knee bends, in its thigh's frame: leftward at rest, across the thigh."""
    hips = [
        skeleton.offsets[path[1 : path.index(leg[0]) + 1]].sum(axis=0)
        for path, leg in zip(paths, joints.tolist(), strict=True)
    ]
    hinges = np.empty((2, 3))
    for side, leg in enumerate(joints.tolist()):
        bone = skeleton.offsets[leg[1]]
        left = hips[0] - hips[1]
        across = left - (left @ bone) / (bone @ bone) * bone
        hinges[side] = across / np.linalg.norm(across)
    return hinges
