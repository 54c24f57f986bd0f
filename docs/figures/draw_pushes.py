"""Draw pushes, pulls and balls on a character that walks or stands, as filmstrips and animations.

    python docs/figures/draw_pushes.py [--output docs/images] [--samples]

The character uses the captured `locomotion` set, or the generated samples with `--samples` or without that data.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gallery import DATA, IMAGES
from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import heading_vector, quat_normalize, quat_rotate
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.analysis import Marks, render_filmstrip, render_gif, side_camera
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import forward_kinematics
from motionfields.runtime import Crowd

CAPTURE = DATA / "locomotion"
SETTLE = 4.0  # seconds before the event
LEAD, SHOWN = 0.2, 2.2  # seconds shown before the event, and in total
ARROW_TIME = 0.2  # shortest time in seconds for which the arrow of a push is drawn
BALL_DISTANCE = 1.5  # metres from the target at which a ball is thrown
ARROW = 1.0 / 600.0  # metres of arrow per newton


class Scene(NamedTuple):
    """Event of one picture. Directions are degrees to the left of the character's goal."""

    name: str
    title: str
    standing: bool
    joint: str
    direction: float  # direction of the push or throw, degrees
    force: float  # newtons; for a ball, its speed in m/s
    seconds: float = 0.1  # duration of the push; 0 for a ball


SCENES = (
    Scene("push_front", "300 N for 0.1 s on the chest, from the front", False, "chest", 180.0, 300.0),
    Scene("push_back", "300 N for 0.1 s on the chest, from behind", False, "chest", 0.0, 300.0),
    Scene("push_left", "300 N for 0.1 s on the chest, from its left", False, "chest", -90.0, 300.0),
    Scene("push_right", "300 N for 0.1 s on the chest, from its right", False, "chest", 90.0, 300.0),
    Scene("push_standing", "300 N for 0.1 s on the chest, from its left, standing", True, "chest", -90.0, 300.0),
    Scene("pull_walking", "60 N for 1 s on the left hand, to its left", False, "LeftHand", 90.0, 60.0, 1.0),
    Scene("pull_standing", "60 N for 1 s on the left hand, to its left, standing", True, "LeftHand", 90.0, 60.0, 1.0),
    Scene("ball_walking", "a ball of 3 kg at 12 m/s, from its right", False, "chest", 90.0, 12.0, 0.0),
    Scene("ball_standing", "a ball of 3 kg at 12 m/s, from the front, standing", True, "chest", 180.0, 12.0, 0.0),
)


def play(controller: FieldController, scene: Scene, *, seed: int) -> tuple[Clip, Marks, float]:
    """Return the clip around the event, its arrows and balls, and the yaw of the push."""
    database = controller.field.database
    crowd = controller.crowd(1, seed=seed)
    heading = float(crowd.ground.facing[0])
    command = np.array([[heading, 0.0]]) if scene.standing else np.array([[heading]])
    yaw = heading + np.radians(scene.direction)
    joint = chest_of(crowd) if scene.joint == "chest" else database.skeleton.index(scene.joint)
    roots: list[FloatArray] = []
    turns: list[FloatArray] = []
    arrows, balls = [], []
    first = round(SETTLE / database.frame_time)
    drawn = max(scene.seconds, ARROW_TIME) if scene.seconds else 0.0
    for frame in range(first + round((SHOWN - LEAD) / database.frame_time) + 1):
        if frame == first:
            happen(crowd, scene, joint, yaw, roots, turns[-1])
        shown = crowd.step(command)
        roots.append(shown.root_position[0])
        turns.append(shown.rotations[0])
        acting = first <= frame < first + drawn / database.frame_time
        arrows.append(arrow_of(crowd, joint, scene.force * heading_vector(yaw), roots[-1], turns[-1], shown=acting))
        place = crowd.balls[0].position if crowd.balls else np.full(3, np.nan)
        balls.append(np.stack([place, place]))
    kept = slice(first - round(LEAD / database.frame_time), None)
    rotations = quat_normalize(np.array(turns[kept], dtype=np.float64))
    clip = Clip(database.skeleton, np.array(roots[kept]), rotations, database.frame_time, name=scene.name)
    ends = np.stack([arrows, balls], axis=1)[kept]
    return clip, Marks(ends, np.array([[0.045, 0.004], [0.12, 0.12]])), yaw


def chest_of(crowd: Crowd) -> int:
    """Return the topmost joint of the spine."""
    return max(segment.joint for segment in crowd.pushes.body.segments if segment.part == "spine")


def happen(crowd: Crowd, scene: Scene, joint: int, yaw: float, roots: list[FloatArray], turns: FloatArray) -> None:
    """Apply the push or pull of `scene`, or throw its ball."""
    direction = heading_vector(yaw)
    if scene.seconds:
        crowd.push(0, joint, scene.force * direction, duration=scene.seconds)
        return
    flight = BALL_DISTANCE / scene.force
    # Aim at the predicted position of the target; the ball flies level when it arrives.
    ahead = flight * (roots[-1] - roots[-2]) / crowd.field.database.frame_time
    target = middle_of(crowd, joint, roots[-1], turns) + ahead * np.array([1.0, 0.0, 1.0])
    fall = np.array([0.0, 9.81 * flight, 0.0])
    crowd.throw(target - BALL_DISTANCE * direction - 0.5 * flight * fall, scene.force * direction + fall, mass=3.0)


def middle_of(crowd: Crowd, joint: int, root: FloatArray, turns: FloatArray) -> FloatArray:
    """Return the world position of the centre of the body segment of `joint`, [3] metres."""
    body = crowd.pushes.body
    world = forward_kinematics(body.skeleton, root, turns)
    segment = body.segment_of(joint)
    return np.asarray(world.positions[joint] + quat_rotate(world.rotations[joint], body.centres[segment]))


def arrow_of(
    crowd: Crowd, joint: int, force: FloatArray, root: FloatArray, turns: FloatArray, *, shown: bool
) -> FloatArray:
    """Return the ends [2, 3] of an arrow with its tip where `force` [3] acts; NaN if it is not `shown`."""
    if not shown:
        return np.full((2, 3), np.nan)
    tip = middle_of(crowd, joint, root, turns)
    length = max(float(np.linalg.norm(force)) * ARROW, 0.25)
    return np.stack([tip - length * force / np.linalg.norm(force), tip])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=IMAGES)
    parser.add_argument("--samples", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args(arguments)
    captured = CAPTURE.is_dir() and not options.samples
    clips = load_clips(CAPTURE) if captured else [sample.clip for sample in generate_samples()]
    field = MotionField(MotionDatabase.build(clips))
    walker, stander = train(field, Direction()), train(field, Velocity())
    options.output.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if options.only not in (None, scene.name):
            continue
        clip, marks, yaw = play(stander if scene.standing else walker, scene, seed=options.seed)
        camera = side_camera(yaw)
        target = options.output / scene.name
        render_filmstrip(
            clip,
            target.with_suffix(".png"),
            pose_count=16,
            poses_per_row=8,
            title=f"{scene.title}, at {LEAD} s",
            camera=camera,
            marks=marks,
            dpi=70.0,
        )
        render_gif(clip, target.with_suffix(".gif"), size=(320, 300), frame_rate=15.0, camera=camera, marks=marks)


if __name__ == "__main__":
    main()
