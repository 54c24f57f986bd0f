"""Measure characters in mixed data: speeds, styles, gaits and stops; and travel apart from facing.

    python benchmarks/bench_mixed.py [--quick] [--only annotated] [--count 60] [--seed 303] [--strips FOLDER]

Two sets of captured motion are mixed: `annotated`, everyday actions of one person with labels, and `runners`, the
locomotion of six people in large.zip. Velocity controllers are trained on each, first with the default settings, then
with `Styles`. Characters are told to go straight ahead at 1, 2 and 3 m/s for 8 s, then to turn twice by any angle, and
then to stop. The table shows the speed from second 2 to 8 along the heading; the share of characters whose speed is off
by more than 15 %; the share of frames in another style than the plain one, and in another gait than walking at 1 m/s
and running at 2 and 3 m/s, both from second 2 to the stop; the jerk relative to that of the followed states; the steps
of the stop, counted by `footwork.braking_steps`, with captured stops below; and the time until the root is slower than
0.15 m/s.

`navigation` trains the navigation task on the plain takes of `annotated`, with a choice of gait. It shows how far
facing, shoulders and direction of travel are off for side steps, walking backwards, walking and running.

`--strips` draws the worst stops, and side steps. Bounds: mean speed within 15 %, wrong style below 5 % of frames, 1 to
3 steps in 95 % of stops. `--quick` runs few generated clips and checks no bounds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from common import Bounds, make_parser, write_json
from mixed_sets import (
    NEUTRAL,
    RUN,
    WALK,
    Labelled,
    annotated_clips,
    navigation_clips,
    runner_clips,
    sample_labels,
)
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import angle_difference, quat_normalize
from motionfields.control.controller import FieldController
from motionfields.control.styles import Styles
from motionfields.control.tasks import Navigation, Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.measure.analysis import render_comparison
from motionfields.measure.evaluation.trials import stacked
from motionfields.motion import footwork, quality
from motionfields.motion.clip import Clip, trim
from motionfields.motion.contacts import detect_contacts
from motionfields.runtime import Crowd

SEED = 303
SPEEDS: tuple[float, ...] = (1.0, 2.0, 3.0)  # m/s
SETTLE, STRAIGHT, TURN, STOP = (
    2.0,
    8.0,
    4.0,
    4.0,
)  # seconds: until measured, of going straight, after each turn and stop
SPREAD = 1.0  # seconds over which the moment of the stop is drawn
RUNNING = 1.5  # m/s from which running is expected
STEADY = 0.85  # of its highest speed: a captured stop begins when the root was last as fast as that
TOLERANCE = 0.02  # radians, of training
WAYS = (  # label, course in degrees, speed in m/s, gait
    ("walk ahead", 0.0, 1.0, WALK),
    ("run ahead", 0.0, 2.0, RUN),
    ("walk to the left side", 90.0, 0.6, WALK),
    ("walk to the right side", -90.0, 0.6, WALK),
    ("walk half left", 45.0, 0.6, WALK),
    ("walk backwards", 180.0, 0.6, WALK),
    ("stand", 0.0, 0.0, WALK),
)


class Shown(NamedTuple):
    """Displayed motion of all characters."""

    clips: list[Clip]
    states: IntArray  # [character, frame]
    facing: FloatArray  # [character, frame], radians

    @classmethod
    def of(cls, controller: FieldController, count: int, seconds: float, command: Callable[..., FloatArray]) -> Shown:
        """Run `count` characters for `seconds`; `command` (frame, crowd) gives the commands [n, column]."""
        database, seed = controller.field.database, command(-1, None)
        crowd = Crowd(controller, count, seed=int(seed[0]))
        frames, facing = [], []
        for frame in range(round(seconds / database.frame_time)):
            frames.append(crowd.step(command(frame, crowd)))
            facing.append(crowd.ground.facing)
        place, turns = stacked(frames)
        clips = [
            Clip(database.skeleton, one, quat_normalize(two), database.frame_time)
            for one, two in zip(place, turns, strict=True)
        ]
        return cls(clips, np.stack([frame.states for frame in frames], axis=1), np.stack(facing, axis=1))


class Course:
    """Commands of the velocity trial: straight ahead, two turns by any angle, and a stop at a random moment."""

    def __init__(self, speed: float, count: int, seed: int, frame_time: float) -> None:
        rng = np.random.default_rng(seed)
        self.speed, self.seed = speed, seed
        self.turns = rng.uniform(-np.pi, np.pi, (2, count))
        self.changes = np.round((STRAIGHT + TURN * np.arange(2)) / frame_time).astype(np.int64)
        moments = STRAIGHT + 2 * TURN + rng.uniform(0.0, SPREAD, count)
        self.stops = np.round(moments / frame_time).astype(np.int64)  # [character], frames
        self.start: FloatArray = np.zeros(count)  # [character], heading of the first part

    def __call__(self, frame: int, crowd: Crowd | None) -> FloatArray:
        """Return the commands [n, 2] of `frame`; the seed for frame -1."""
        if crowd is None:
            return np.array([self.seed])
        if frame == 0:
            self.start = crowd.ground.facing.copy()
        heading = self.start + self.turns[self.changes <= frame].sum(axis=0)
        return np.stack([heading, np.where(frame < self.stops, self.speed, 0.0)], axis=-1)


def captured_jerk(field: MotionField) -> FloatArray:
    """Return the jerk [state] of the data around each state; NaN at clip ends."""
    database = field.database
    out = np.full(database.state_count, np.nan)
    for clip, start in zip(database.iter_source_clips(), database.clip_starts[:-1], strict=True):
        if clip.frame_count >= 4:
            values = quality.jerk(clip)
            out[start + 1 : start + 1 + len(values)] = values
    return out


def captured_stops(field: MotionField) -> list[tuple[float, int, float]]:
    """Return speed in m/s, steps and seconds of each stop in the data, without mirror images."""
    found = []
    frame_time = field.database.frame_time
    hold, before = round(footwork.STAND_TIME / frame_time), round(1.5 / frame_time)
    for clip in field.database.iter_source_clips():
        speed, contacts = quality.root_speed(clip), detect_contacts(clip)
        slow = speed < quality.STILL_ROOT_SPEED
        for frame in np.flatnonzero(slow[1:] & ~slow[:-1]) + 1:
            part = speed[max(0, frame - before) : frame]
            if clip.name.endswith(".mirror") or part.max() < 0.7 or not slow[frame : frame + hold].all():
                continue
            last = frame - len(part) + int(np.flatnonzero(part >= STEADY * part.max())[-1])
            steps = footwork.braking_steps(clip, contacts, stop=int(last))
            if steps is not None:
                found.append((float(part.max()), steps, float((frame - last) * frame_time)))
    return found


def measure_speed(controller: FieldController, speed: float, count: int, seed: int) -> tuple[dict[str, Any], Shown]:
    """Return the figures of characters that are told to go at `speed`, and their motion."""
    database = controller.field.database
    course = Course(speed, count, seed, database.frame_time)
    shown = Shown.of(controller, count, STRAIGHT + 2 * TURN + SPREAD + STOP, course)
    first, last = round(SETTLE / database.frame_time), round(STRAIGHT / database.frame_time) - 1
    ahead = np.stack([np.sin(course.start), np.cos(course.start)], axis=-1)
    places = np.stack([clip.root_position[[first, last], ::2] for clip in shown.clips])
    speeds = ((places[:, 1] - places[:, 0]) * ahead).sum(axis=-1) / ((last - first) * database.frame_time)
    going = [states[first:stop] for states, stop in zip(shown.states, course.stops, strict=True)]
    styles, gaits = database.columns["style"], database.columns["gait"]
    wanted = RUN if speed >= RUNNING else WALK
    jerks = captured_jerk(controller.field)[shown.states[:, first:last]]
    shaken = np.mean([quality.jerk(clip)[first:last].mean() for clip in shown.clips])
    steps, seconds = [], []
    for clip, stop in zip(shown.clips, course.stops, strict=True):
        taken = footwork.braking_steps(clip, detect_contacts(clip), stop=int(stop))
        steps.append(-1 if taken is None else taken)
        slow = np.flatnonzero(quality.root_speed(clip)[stop:] < quality.STILL_ROOT_SPEED)
        seconds.append(slow[0] * database.frame_time if slow.size else np.inf)
    figures = {
        "speed": float(speeds.mean()),
        "off": float((np.abs(speeds / speed - 1.0) > 0.15).mean()),
        "wrong style": float(np.mean([(styles[states] != NEUTRAL).mean() for states in going])),
        "wrong style after the stop": float(np.mean([
            (styles[states[stop:]] != NEUTRAL).mean() for states, stop in zip(shown.states, course.stops, strict=True)
        ])),
        "wrong gait": float(np.mean([(gaits[states] == WALK + RUN - wanted).mean() for states in going])),
        "jerk": float(shaken / np.nanmean(jerks)),
        "steps": [steps.count(number) for number in (-1, 0, 1, 2, 3)] + [sum(number > 3 for number in steps)],
        "seconds to stand": float(np.mean(seconds)),
        "stops": course.stops.tolist(),
        "taken": steps,
    }  # fmt: skip
    return figures, shown


def speed_table(name: str, field: MotionField, speeds: tuple[float, ...], options: Any, bounds: Bounds) -> Any:
    """Train with and without styles, print the table of one set, and return its figures."""
    print(f"\n{name}: {field.database.state_count} states\n"
          f"{'':26} speed   off by   wrong style, %   wrong    jerk  stops with steps              seconds\n"
          f"{'':26}   m/s   > 15 %   going stopped   gait, %   ratio never  0   1   2   3 more to stand")  # fmt: skip
    results: dict[str, Any] = {}
    for label, styles in (("no styles", None), ("styles", Styles("style", wanted=(NEUTRAL,)))):
        controller = train(field, Velocity(), settings=ControlSettings(styles=styles), tolerance=options.tolerance)
        for speed in speeds:
            figures, shown = measure_speed(controller, speed, options.count, options.seed)
            results[f"{label}, {speed} m/s"] = figures
            steps = " ".join(f"{number:3d}" for number in figures["steps"][1:5])
            print(
                f"{label + f', {speed:g} m/s':26} {figures['speed']:5.2f} {100 * figures['off']:6.0f} %"
                f" {100 * figures['wrong style']:8.1f} {100 * figures['wrong style after the stop']:7.1f}"
                f" {100 * figures['wrong gait']:9.1f} {figures['jerk']:7.2f} {figures['steps'][0]:6d} {steps}"
                f" {figures['steps'][5]:4d} {figures['seconds to stand']:8.2f}",
                flush=True,
            )
            if styles is not None and not options.quick:
                check(f"{name}, {speed:g} m/s", speed, figures, bounds)
                if options.strips is not None:
                    draw_stop(options.strips / f"{name}_stop_{speed:g}.png", field, shown, figures)
    for fastest, taken, seconds in sorted(captured_stops(field)):
        print(f"captured stop from {fastest:.2f} m/s: {taken} steps, {seconds:.2f} s")
    return results


def check(label: str, speed: float, figures: dict[str, Any], bounds: Bounds) -> None:
    """Check the bounds of one row."""
    bounds.require(abs(figures["speed"] / speed - 1.0) <= 0.15, f"{label}: speed {figures['speed']:.2f} m/s")
    bounds.require(figures["wrong style"] < 0.05, f"{label}: wrong style in {100 * figures['wrong style']:.1f} %")
    share = sum(figures["steps"][2:5]) / sum(figures["steps"])
    bounds.require(share >= 0.95, f"{label}: {100 * share:.0f} % of stops take 1 to 3 steps")


def draw_stop(path: Path, field: MotionField, shown: Shown, figures: dict[str, Any]) -> None:
    """Draw every second frame of the stop with the highest acceleration of the root."""
    frames = round(1.6 / field.database.frame_time)
    shakes = [
        np.abs(np.diff(quality.root_speed(clip)[stop : stop + frames])).max()
        for clip, stop in zip(shown.clips, figures["stops"], strict=True)
    ]
    worst = int(np.argmax(shakes))
    first = figures["stops"][worst] - 4
    title = f"{path.stem}: character {worst}, {figures['taken'][worst]} steps"
    clip = trim(shown.clips[worst], first, first + frames)
    render_comparison([clip], path, titles=[title], pose_count=frames // 2, width=30.0, dpi=60.0)


def navigation_table(field: MotionField, options: Any) -> Any:
    """Train the navigation task, print how it is fulfilled, and return the figures."""
    controller = train(field, Navigation(), tolerance=5.0 * options.tolerance)
    has_gaits = "gait" in controller.task.command_names
    print(f"\nnavigation: {field.database.state_count} states\n"
          f"{'':24} facing  shoulders  direction   speed, m/s     wrong\n"
          f"{'':24} off, degrees (means)             asked  shown  gait, %")  # fmt: skip
    results, frame_time = {}, field.database.frame_time
    for label, course, speed, gait in WAYS:
        rng = np.random.default_rng(options.seed)
        facing = rng.uniform(-np.pi, np.pi, options.count)
        columns = [facing + np.radians(course), np.full(options.count, speed), facing]
        command = np.stack([*columns, np.full(options.count, float(gait))][: 4 if has_gaits else 3], axis=-1)
        seed = np.array([options.seed])
        shown = Shown.of(controller, options.count, 10.0, lambda frame, crowd, c=command, s=seed: s if frame < 0 else c)
        first = round(5.0 / frame_time)
        places = np.stack([clip.root_position[[first, -1], ::2] for clip in shown.clips])
        way = places[:, 1] - places[:, 0]
        gone = np.linalg.norm(way, axis=-1) / ((shown.states.shape[1] - 1 - first) * frame_time)
        off = np.abs(angle_difference(shown.facing[:, first:], facing[:, np.newaxis]))
        twist = np.stack([footwork.torso_twist(clip)[first:] for clip in shown.clips])
        torso = np.abs(angle_difference(shown.facing[:, first:] + twist, facing[:, np.newaxis]))
        astray = np.abs(angle_difference(np.arctan2(way[:, 0], way[:, 1]), command[:, 0]))
        wrong = field.database.columns["gait"][shown.states[:, first:]] == WALK + RUN - gait
        results[label] = {
            "facing": float(np.degrees(off.mean())),
            "shoulders": float(np.degrees(torso.mean())),
            "direction": float(np.degrees(astray.mean())) if speed > 0.0 else float("nan"),
            "speed": float(gone.mean()),
            "wrong gait": float(wrong.mean()),
        }
        figures = results[label]
        print(
            f"{label:24} {figures['facing']:6.1f} {figures['shoulders']:10.1f} {figures['direction']:10.1f}"
            f" {speed:10.2f} {figures['speed']:6.2f} {100 * figures['wrong gait']:8.1f}",
            flush=True,
        )
        if options.strips is not None:
            part = trim(shown.clips[int(off.mean(axis=1).argmax())], first, first + round(2.0 / frame_time))
            path = options.strips / f"navigation_{label.replace(' ', '_')}.png"
            render_comparison([part], path, titles=[label], pose_count=20, width=30.0, dpi=60.0)
    return results


def main() -> int:
    parser = make_parser(__doc__, quick="few generated clips and characters")
    parser.add_argument("--only", choices=("annotated", "runners", "navigation"), help="run this part only")
    parser.add_argument("--count", type=int, default=60, help="number of characters for each speed")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of characters and commands")
    parser.add_argument("--strips", type=Path, help="draw filmstrips into this folder")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    options.tolerance, bounds = TOLERANCE, Bounds()
    speeds, sets = SPEEDS, {"annotated": annotated_clips, "runners": runner_clips}
    nav: Callable[[], Labelled] = navigation_clips
    if options.quick:
        options.count, options.tolerance, speeds = 4, 0.2, (0.9,)
        sets, nav = {"annotated": sample_labels}, sample_labels
    results: dict[str, Any] = {}
    for name, clips in sets.items():
        if options.only in (None, name):
            results[name] = speed_table(name, clips().field(), speeds, options, bounds)
    if options.only in (None, "navigation"):
        results["navigation"] = navigation_table(nav().field(), options)
    write_json(options.json, results)
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
