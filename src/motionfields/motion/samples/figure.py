"""The whole figure: turns footsteps into a clip with exact contacts."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d

from motionfields.base.arrays import BoolArray, FloatArray, read_only
from motionfields.base.geometry import quat_conjugate, quat_continuous, quat_identity, quat_multiply, quat_rotate
from motionfields.motion.clip import Clip
from motionfields.motion.samples.arms import swing_arm
from motionfields.motion.samples.curves import slow_drift, smoothed
from motionfields.motion.samples.feet import FootTrack, foot_track
from motionfields.motion.samples.footsteps import LEFT, RIGHT, FootstepPlan
from motionfields.motion.samples.legs import ankle_position, place_leg
from motionfields.motion.samples.pelvis import Gait, PelvisTrack, gait_of, hip_height, pelvis_over
from motionfields.motion.samples.skeleton import ANKLE_HEIGHT, sample_skeleton
from motionfields.motion.samples.splice import Join
from motionfields.motion.samples.upper_body import chest_rotation, head_rotation, lean_of, shared_bend, tilted
from motionfields.motion.skeleton import Skeleton

FULL_REACH = 0.994  # share of the leg's length; the knee is never fully straight
KNEE_FOLLOWS_FOOT = 0.55  # share by which the knee points in the foot's direction rather than the pelvis'
FADE, BODY_FADE = 0.25, 0.75  # seconds in which a spinning body departs from its walk: limbs, path on the ground
SIDES = ((LEFT, "Left"), (RIGHT, "Right"))


@dataclass(frozen=True, eq=False)
class Sample:
    """A generated clip with its contact labels."""

    clip: Clip
    contacts: BoolArray  # [frame, 2], left and right: true while the ball of the foot stands (see `feet.STILL_SPEED`)


class Figure(NamedTuple):
    """A figure without its legs, which follow from the rest."""

    gait: Gait
    pelvis: PelvisTrack
    feet: list[FootTrack]  # left, right
    root: FloatArray  # [frame, 3], metres
    rotations: FloatArray  # [frame, joint, 4], the root's in the world, the others' relative to their parents


def animate(
    plan: FootstepPlan,
    span: tuple[float, float],
    *,
    name: str,
    frame_rate: float,
    rng: np.random.Generator,
    usual: FootstepPlan | None = None,
) -> Sample:
    """Animate the figure walking `plan`, cut to the seconds `span` (from, to).

    If `plan` has a spin, `usual` are the footsteps of an undisturbed walk, which is followed until the spin begins.
    """
    skeleton = sample_skeleton()
    time = np.arange(0.0, span[1] + 1.0, 1.0 / frame_rate)
    if usual is None:
        figure = _figure(skeleton, plan, time, rng)
    else:
        walk = _figure(skeleton, usual, time, copy.deepcopy(rng))
        figure = _figure(skeleton, plan, time, rng, out_of=walk)
    rotations = figure.rotations
    _set_legs(rotations, skeleton, figure.root, figure.pelvis, figure.feet)
    keep = (time >= span[0]) & (time <= span[1])
    clip = Clip(skeleton, figure.root[keep], quat_continuous(rotations[keep]), 1.0 / frame_rate, name=name)
    contacts = np.stack([foot.contact for foot in figure.feet], axis=-1)[keep]
    return Sample(clip, read_only(contacts))


def _figure(
    skeleton: Skeleton,
    plan: FootstepPlan,
    time: FloatArray,
    rng: np.random.Generator,
    *,
    out_of: Figure | None = None,
) -> Figure:
    """Return the figure that walks `plan` at `time` [frame] in seconds, equal to `out_of` until its spin begins."""
    join = None if out_of is None else Join(time, float(np.nanmin(plan.spin_time)), FADE)
    gait = gait_of(plan, time)
    pelvis = pelvis_over(plan, gait, time, rng)
    if join and out_of:
        pelvis = _joined_pelvis(join, out_of.pelvis, pelvis)
    feet = [foot_track(plan, side, time, pelvis) for side, _ in SIDES]
    if join and out_of:
        feet = [_joined_foot(join, plan, *pair) for pair in zip(out_of.feet, feet, strict=True)]
    world_from_hips = tilted(pelvis.yaw, pelvis.pitch, pelvis.roll)
    root = _root_path(skeleton, world_from_hips, gait, pelvis, feet)
    rotations = quat_identity(len(time), skeleton.joint_count)
    rotations[:, 0] = world_from_hips
    _set_spine(rotations, skeleton, gait, pelvis, rng)
    _set_arms(rotations, skeleton, gait, pelvis, feet, rng)
    if join and out_of:
        root[:, 1] = join.over(out_of.root[:, 1], root[:, 1])
        root[:, 1] -= _lack(skeleton, world_from_hips, gait, root, feet)
        rotations = join.over_rotations(out_of.rotations, rotations)
    return Figure(gait, pelvis, feet, root, rotations)


def _joined_pelvis(join: Join, walk: PelvisTrack, spin: PelvisTrack) -> PelvisTrack:
    ground = join._replace(within=BODY_FADE).over(walk.ground, spin.ground)
    yaw, pitch, roll = (join.over(*pair) for pair in zip(walk[2:5], spin[2:5], strict=True))
    return spin._replace(ground=ground, yaw=yaw, pitch=pitch, roll=roll)


def _joined_foot(join: Join, plan: FootstepPlan, walk: FootTrack, spin: FootTrack) -> FootTrack:
    """Return the foot of a `walk` until the join, then that of a `spin`; their difference has faded at touch-down."""
    downs = plan.down_time[plan.down_time > join.at + 0.02]
    use = join._replace(within=min(join.within, float(downs[0]) - join.at))
    toe, yaw, pitch, bend = (use.over(*pair) for pair in zip(walk[:4], spin[:4], strict=True))
    return FootTrack(toe, yaw, pitch, bend, np.where(join.time <= join.at, walk.contact, spin.contact))


def _root_path(
    skeleton: Skeleton, world_from_hips: FloatArray, gait: Gait, pelvis: PelvisTrack, feet: list[FootTrack]
) -> FloatArray:
    """Return root positions [frame, 3] in metres over the pelvis' path, as high as gait and leg lengths allow."""
    thigh, shank = _leg_lengths(skeleton)
    middle = np.insert(pelvis.ground, 1, hip_height(gait, thigh + shank, ANKLE_HEIGHT), axis=1)
    hip_offset = skeleton.offsets[skeleton.index("LeftUpLeg")]
    root = middle - quat_rotate(world_from_hips, hip_offset * np.array([0.0, 1.0, 1.0]))
    root[:, 1] -= _lack(skeleton, world_from_hips, gait, root, feet)
    return root


def _lack(
    skeleton: Skeleton, world_from_hips: FloatArray, gait: Gait, root: FloatArray, feet: list[FootTrack]
) -> FloatArray:
    """Return metres [frame] by which the root must sink so that both legs reach the floor, smooth over time."""
    thigh, shank = _leg_lengths(skeleton)
    lack = np.zeros(len(root))
    for (_, side), foot in zip(SIDES, feet, strict=True):
        hip = root + quat_rotate(world_from_hips, skeleton.offsets[skeleton.index(f"{side}UpLeg")])
        offset = hip - ankle_position(foot, skeleton.offsets[skeleton.index(f"{side}ToeBase")])
        across = np.hypot(offset[:, 0], offset[:, 2])
        highest = np.sqrt(np.maximum((FULL_REACH * (thigh + shank)) ** 2 - across**2, 0.01))
        lack = np.maximum(lack, offset[:, 1] - highest)
    window = 2 * round(0.09 / gait.frame_time) + 1
    return smoothed(maximum_filter1d(lack, window), width=0.035, frame_time=gait.frame_time)


def _set_legs(
    rotations: FloatArray, skeleton: Skeleton, root: FloatArray, pelvis: PelvisTrack, feet: list[FootTrack]
) -> None:
    """Fill the rotations [frame, joint, 4] of both legs."""
    thigh, shank = _leg_lengths(skeleton)
    world_from_hips = rotations[:, 0]
    for (_, side), foot in zip(SIDES, feet, strict=True):
        joints = [skeleton.index(f"{side}{part}") for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
        hip = root + quat_rotate(world_from_hips, skeleton.offsets[joints[0]])
        ankle = ankle_position(foot, skeleton.offsets[joints[3]])
        knee_yaw = pelvis.yaw + KNEE_FOLLOWS_FOOT * (foot.yaw - pelvis.yaw)
        leg = place_leg(hip, ankle, thigh=thigh, shank=shank, foot=foot, knee_yaw=knee_yaw)
        world_from_parent = world_from_hips
        for joint, world_from_joint in zip(joints, leg, strict=True):
            rotations[:, joint] = quat_multiply(quat_conjugate(world_from_parent), world_from_joint)
            world_from_parent = world_from_joint


def _set_spine(
    rotations: FloatArray, skeleton: Skeleton, gait: Gait, pelvis: PelvisTrack, rng: np.random.Generator
) -> None:
    """Fill the rotations [frame, joint, 4] of spine, neck and head."""
    time = np.arange(len(rotations)) * gait.frame_time
    drift = np.stack([slow_drift(rng, time, size=np.radians(size)) for size in (1.2, 0.5)], axis=-1)
    lean = lean_of(pelvis, gait)
    world_from_chest = chest_rotation(gait, pelvis, lean, drift)
    world_from_head = head_rotation(gait, pelvis, lean, drift)
    for part in ("Spine", "Spine1", "Spine2"):
        rotations[:, skeleton.index(part)] = shared_bend(rotations[:, 0], world_from_chest, 3)
    for part in ("Neck", "Head"):
        rotations[:, skeleton.index(part)] = shared_bend(world_from_chest, world_from_head, 2)


def _set_arms(
    rotations: FloatArray,
    skeleton: Skeleton,
    gait: Gait,
    pelvis: PelvisTrack,
    feet: list[FootTrack],
    rng: np.random.Generator,
) -> None:
    """Fill the rotations [frame, joint, 4] of both arms."""
    width = _stance_width(pelvis, feet)
    for side, prefix in SIDES:
        arm = swing_arm(gait, pelvis, side, stance_width=width, rng=rng)
        for part, rotation in zip(("Shoulder", "Arm", "ForeArm", "Hand"), arm, strict=True):
            rotations[:, skeleton.index(f"{prefix}{part}")] = rotation


def _stance_width(pelvis: PelvisTrack, feet: list[FootTrack]) -> FloatArray:
    """Return how far the left foot is to the left of the right one, as the pelvis faces, [frame] in metres."""
    apart = feet[LEFT].toe - feet[RIGHT].toe
    return np.asarray(apart[:, 0] * np.cos(pelvis.yaw) - apart[:, 2] * np.sin(pelvis.yaw))


def _leg_lengths(skeleton: Skeleton) -> tuple[float, float]:
    """Return the lengths of thigh and shank in metres."""
    thigh, shank = (float(np.linalg.norm(skeleton.offsets[skeleton.index(n)])) for n in ("LeftLeg", "LeftFoot"))
    return thigh, shank
