"""The whole figure: footsteps in, a clip with its exact contacts out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

from motionfields.arrays import BoolArray, FloatArray
from motionfields.clip import Clip
from motionfields.geometry import quat_conjugate, quat_continuous, quat_identity, quat_multiply, quat_rotate
from motionfields.samples.arms import swing_arm
from motionfields.samples.curves import slow_drift, smoothed
from motionfields.samples.feet import FootTrack, foot_track
from motionfields.samples.footsteps import LEFT, RIGHT, FootstepPlan
from motionfields.samples.legs import ankle_position, place_leg
from motionfields.samples.pelvis import Gait, PelvisTrack, gait_of, hip_height, pelvis_over
from motionfields.samples.skeleton import ANKLE_HEIGHT, sample_skeleton
from motionfields.samples.upper_body import chest_rotation, head_rotation, lean_of, shared_bend, tilted
from motionfields.skeleton import Skeleton

FULL_REACH = 0.994  # of the leg's length: the knee is never quite straight
KNEE_FOLLOWS_FOOT = 0.55  # how far the knee points towards the foot's direction rather than the pelvis'
SIDES = ((LEFT, "Left"), (RIGHT, "Right"))


@dataclass(frozen=True, eq=False)
class Sample:
    """A generated clip and when its feet stand."""

    clip: Clip
    contacts: BoolArray  # [frame, 2], left and right: true while the ball of the foot stands (see `feet.STILL_SPEED`)


def animate(
    plan: FootstepPlan, span: tuple[float, float], *, name: str, frame_rate: float, rng: np.random.Generator
) -> Sample:
    """The figure walking `plan`, cut to the seconds `span` (from, to)."""
    skeleton = sample_skeleton()
    time = np.arange(0.0, span[1] + 1.0, 1.0 / frame_rate)
    gait = gait_of(plan, time)
    pelvis = pelvis_over(plan, gait, time, rng)
    feet = [foot_track(plan, side, time, pelvis) for side, _ in SIDES]
    world_from_hips = tilted(pelvis.yaw, pelvis.pitch, pelvis.roll)
    root = _root_path(skeleton, world_from_hips, gait, pelvis, feet)
    rotations = quat_identity(len(time), skeleton.joint_count)
    rotations[:, 0] = world_from_hips
    _set_legs(rotations, skeleton, root, pelvis, feet)
    _set_spine(rotations, skeleton, gait, pelvis, rng)
    width = _stance_width(pelvis, feet)
    for side, prefix in SIDES:
        arm = swing_arm(gait, pelvis, side, stance_width=width, rng=rng)
        for part, rotation in zip(("Shoulder", "Arm", "ForeArm", "Hand"), arm, strict=True):
            rotations[:, skeleton.index(f"{prefix}{part}")] = rotation
    keep = (time >= span[0]) & (time <= span[1])
    clip = Clip(skeleton, root[keep], quat_continuous(rotations[keep]), 1.0 / frame_rate, name=name)
    return Sample(clip, np.stack([foot.contact for foot in feet], axis=-1)[keep])


def _root_path(
    skeleton: Skeleton, world_from_hips: FloatArray, gait: Gait, pelvis: PelvisTrack, feet: list[FootTrack]
) -> FloatArray:
    """Root positions [frame, 3] over the pelvis' path, as high as the gait wants and both legs allow."""
    thigh, shank = _leg_lengths(skeleton)
    middle = np.insert(pelvis.ground, 1, hip_height(gait, thigh + shank, ANKLE_HEIGHT), axis=1)
    hip_offset = skeleton.offsets[skeleton.index("LeftUpLeg")]
    root = middle - quat_rotate(world_from_hips, hip_offset * np.array([0.0, 1.0, 1.0]))
    lack = np.zeros(len(root))
    for (_, side), foot in zip(SIDES, feet, strict=True):
        hip = root + quat_rotate(world_from_hips, skeleton.offsets[skeleton.index(f"{side}UpLeg")])
        way = hip - ankle_position(foot, skeleton.offsets[skeleton.index(f"{side}ToeBase")])
        across = np.hypot(way[:, 0], way[:, 2])
        highest = np.sqrt(np.maximum((FULL_REACH * (thigh + shank)) ** 2 - across**2, 0.01))
        lack = np.maximum(lack, way[:, 1] - highest)
    window = 2 * round(0.09 / gait.frame_time) + 1
    drop = smoothed(maximum_filter1d(lack, window), width=0.035, frame_time=gait.frame_time)
    root[:, 1] -= drop
    return root


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


def _stance_width(pelvis: PelvisTrack, feet: list[FootTrack]) -> FloatArray:
    """How far the left foot is to the left of the right one, as the pelvis faces, [frame] in metres."""
    apart = feet[LEFT].toe - feet[RIGHT].toe
    return np.asarray(apart[:, 0] * np.cos(pelvis.yaw) - apart[:, 2] * np.sin(pelvis.yaw))


def _leg_lengths(skeleton: Skeleton) -> tuple[float, float]:
    """Thigh and shank in metres."""
    thigh, shank = (float(np.linalg.norm(skeleton.offsets[skeleton.index(n)])) for n in ("LeftLeg", "LeftFoot"))
    return thigh, shank
