"""Show the footwork of single turns beside that of captured turns.

    python benchmarks/bench_turns.py [--quick] [--set A] [--count 24] [--strip FILE] [--json FILE]

Trains a direction controller and commands three courses: a 180-degree turn out of steady walking, the same from
standing, with the step-off, and eight turns of 90 degrees at intervals of 0.4 s. Half of the characters turn left, the
others right. Prints, over the turning frames of each course, the speed of the supporting foot (mean and 95th
percentile), the share of frames in which it is faster than 60 cm/s, the share of replayed frames, and the time until
the character faces the last heading within 5 degrees. `--strip` draws every second frame of the 180-degree turn of the
character with the fastest feet, above a captured turn. Prints figures only. `--quick` runs few generated clips.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from common import clips_of_set, control_field, make_parser, write_json
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_normalize
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.measure.analysis import render_comparison
from motionfields.measure.evaluation.footing import (
    FootFigures,
    foot_figures,
    foot_tracks,
    replayed_frames,
    replayed_share,
)
from motionfields.measure.evaluation.trials import stacked
from motionfields.motion import quality
from motionfields.motion.clip import Clip, trim
from motionfields.runtime import Crowd

SEED = 11
STEADY, AFTER = 2.0, 2.5  # seconds of walking before a turn, and seconds after the last change
QUICK_TURNS, QUICK_EVERY = 8, 0.4  # number of 90-degree changes, and seconds between them
SHOWN = 1.6  # seconds of a filmstrip, from just before the change
SPREAD = 10  # the standing characters start from every tenth of the slowest states


class Course(NamedTuple):
    """Changes of heading: `turns` [change] in radians, `times` [change] in seconds; from a stand if `standing`."""

    turns: FloatArray
    times: FloatArray
    standing: bool = False


class Turned(NamedTuple):
    """Motion of all characters on a course, from the first change on."""

    clips: list[Clip]
    states: IntArray  # [character, frame]
    seconds: FloatArray  # [character], until the last heading was reached, from its change on; infinite if never


COURSES = {
    "180 degrees": Course(np.array([np.pi]), np.array([STEADY])),
    "180 degrees from standing": Course(np.array([np.pi]), np.array([0.0]), standing=True),
    "8 x 90 degrees": Course(np.full(QUICK_TURNS, np.pi / 2), STEADY + QUICK_EVERY * np.arange(QUICK_TURNS)),
}


def standing_states(field: MotionField, count: int) -> IntArray:
    """Return `count` states of the data that stand: slow roots, and the slowest joints."""
    database = field.database
    speed = np.linalg.norm(database.root_step[:, ::2], axis=-1) / database.frame_time
    held = np.flatnonzero((speed < quality.STILL_ROOT_SPEED) & (database.frames_left > 1))
    order = held[np.argsort(database.joint_speed[held], kind="stable")]
    return np.resize(order[: SPREAD * count : SPREAD], count)


def run_course(controller: FieldController, course: Course, count: int) -> Turned:
    """Run `count` characters over `course`; odd ones turn to the right."""
    field, frame_time = controller.field, controller.field.database.frame_time
    crowd = Crowd(controller, count, seed=SEED)
    if course.standing:
        crowd.start_from(field.database.states(standing_states(field, count)))
    changes = np.round(course.times / frame_time).astype(np.int64)
    heading, side = crowd.ground.facing, np.where(np.arange(count) % 2, -1.0, 1.0)
    frames = []
    for frame in range(int(changes[-1]) + round(AFTER / frame_time)):
        heading = heading + side * course.turns[changes == frame].sum()
        frames.append(crowd.step(heading))
    place, turns = stacked(frames)
    first = max(0, int(changes[0]) - 2)  # two frames before, so that the strip begins with the walk
    clips = [
        Clip(field.database.skeleton, one[first:], quat_normalize(two[first:]), frame_time)
        for one, two in zip(place, turns, strict=True)
    ]
    late = int(changes[-1]) - first
    seconds = [
        quality.response_time(quality.facing_yaw(clip)[late:], goal, frame_time).reached
        for clip, goal in zip(clips, heading, strict=True)
    ]
    return Turned(clips, np.stack([frame.states for frame in frames], axis=1)[:, first:], np.array(seconds))


def row(label: str, feet: FootFigures, rest: str = "") -> None:
    print(
        f"{label:28} {100 * feet.turning_foot_speed:6.1f} {100 * feet.turning_foot_p95:6.0f} "
        f"{100 * feet.turning_fast_feet:8.2f} {np.degrees(feet.foot_spin):6.0f} {np.degrees(feet.twist):6.1f}{rest}",
        flush=True,
    )


def measure_course(field: MotionField, label: str, turned: Turned) -> dict[str, float]:
    """Print and return the figures of one course."""
    tracks = [foot_tracks(clip, field.stance) for clip in turned.clips]
    again = [replayed_frames(states, field.database.frame_time) for states in turned.states]
    feet, replayed = foot_figures(tracks), replayed_share(again, [track.turning for track in tracks])
    done = turned.seconds[np.isfinite(turned.seconds)]
    mean, late = float(done.mean()) if done.size else float("nan"), len(turned.seconds) - len(done)
    row(label, feet, f" {100 * replayed:10.1f} {mean:10.2f}{f'  ({late} never)' if late else ''}")
    return {**feet.labelled(), "replayed": replayed, "seconds": mean, "never": late}


def worst_character(field: MotionField, turned: Turned) -> int:
    """Return the character whose supporting foot is the fastest on average in the shown part of its turn."""
    part = round(SHOWN / field.database.frame_time)
    return int(np.argmax([foot_tracks(clip, field.stance).speed[:part].mean() for clip in turned.clips]))


def captured_turn(field: MotionField) -> Clip:
    """Return the part of the data, as long as a filmstrip, that turns the most."""
    frames = round(SHOWN / field.database.frame_time)
    best, chosen = -1.0, None
    for clip in field.database.iter_source_clips():
        yaw = quality.facing_yaw(clip)
        if len(yaw) > frames and np.abs(yaw[frames:] - yaw[:-frames]).max() > best:
            turns = np.abs(yaw[frames:] - yaw[:-frames])
            start = int(turns.argmax())
            best, chosen = float(turns[start]), trim(clip, start, start + frames + 1)
    if chosen is None:
        raise SystemExit(f"--strip needs a clip of at least {SHOWN} s")
    return chosen


def draw_strip(field: MotionField, turned: Turned, path: Path) -> None:
    """Draw every second frame of the worst turn, and of a captured one."""
    frames, worst = round(SHOWN / field.database.frame_time), worst_character(field, turned)
    clips = [trim(turned.clips[worst], 0, frames + 1), captured_turn(field)]
    titles = [f"character {worst}, the fastest supporting foot", f"captured: {clips[1].name}"]
    render_comparison(clips, path, titles=titles, pose_count=frames // 2 + 1, width=30.0, dpi=90.0)


def main(build: Callable[[MotionField], FieldController] = lambda field: train(field, Direction())) -> int:
    parser = make_parser(__doc__, quick="few generated clips and characters")
    parser.add_argument("--set", choices=tuple("ABCD"), default="A", help="set of data, as in bench_response.py")
    parser.add_argument("--count", type=int, default=24, help="number of characters")
    parser.add_argument("--strip", type=Path, help="draw the worst turn and a captured one here")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    field = control_field(clips_of_set("quick" if options.quick else options.set))
    count = 4 if options.quick else options.count
    controller = build(field)
    print(f"{'in turns':28}   foot    p95  >60 cm/s   spin  twist   replayed       time\n"
          f"{'':28}   cm/s   cm/s         %  deg/s    deg          %   to face s")  # fmt: skip
    source = foot_figures([foot_tracks(clip, field.stance) for clip in field.database.iter_source_clips()])
    row("captured", source)
    results: dict[str, dict[str, float]] = {"captured": source.labelled()}
    for label, course in COURSES.items():
        turned = run_course(controller, course, count)
        results[label] = measure_course(field, label, turned)
        if options.strip is not None and label == "180 degrees":
            draw_strip(field, turned, options.strip)
    write_json(options.json, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
