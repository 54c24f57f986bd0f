"""Redo the scenes in the figures of Arikan and Forsyth (2002) and Arikan, Forsyth and O'Brien (2003) on our labels.

    python benchmarks/compose_scenes.py [--field FILE] [--json FILE] [--films FOLDER]

Uses the annotated takes, as `benchmarks/bench_compose.py` does. Their data has football (2003) and falls (2002), ours
has everyday actions, so missing actions are replaced: tripping by hopping, pushing by punching, lying by sitting.

Prints a line for each scene: share of asked frames that show their label, metres that a goal is missed by, warp, jerk
and highest jerk at a seam over the captured ones, and CPU seconds of one thread. `--films` writes a filmstrip of each.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np

from common import DATA, write_json
from motionfields.authoring.compose import (
    Composer,
    ComposeSettings,
    Composition,
    JointGoal,
    LabelGoal,
    PlaceGoal,
    PoseGoal,
    ReachSettings,
    Timeline,
    with_layer,
)
from motionfields.authoring.compose.cuts import COST_UNIT
from motionfields.authoring.compose.goals import goal_frame
from motionfields.authoring.compose.pieces import unmirrored
from motionfields.authoring.compose.posing import MOST_EXTRA, POSE_COST, joint_heights, pose_distance, pose_gap
from motionfields.authoring.compose.solving import solve
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import ComposeError
from motionfields.control.transitions import joint_places
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.analysis.filmstrip import render_filmstrip
from motionfields.measure.evaluation.composing import SourceTracks, compose_figures, source_tracks
from motionfields.motion import quality
from motionfields.motion.annotations import read_annotations
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips
from motionfields.motion.skeleton import forward_kinematics

WIDTH = ReachSettings(width=6000, endings=2000)
LEFT_OUT = 20  # poses whose takes are left out


@dataclass(frozen=True)
class Scene:
    """A figure of a paper and the timeline that redoes it."""

    figure: str
    what: str
    timeline: Timeline


def label(name: str, start: float, end: float, *, wanted: bool = True) -> LabelGoal:
    return LabelGoal(name, start, end, wanted)


def pose_of(composer: Composer, name: str, time: float) -> PoseGoal:
    """Return a goal at `time`: the pose in the middle of the longest stretch with the label `name`."""
    database, labels = composer.field.database, composer.labels
    states = np.flatnonzero(labels.values[:, labels.column_of(name)] == 1)
    runs = np.split(states, np.flatnonzero(np.diff(states) != 1) + 1)
    state = int(max(runs, key=len)[len(max(runs, key=len)) // 2])
    clip = int(database.clip_of[state])
    return PoseGoal(time, database.clip_names[clip], float(state - database.clip_starts[clip]) * database.frame_time)


def scenes(composer: Composer) -> list[Scene]:
    """Return the scenes of both papers."""
    database, labels = composer.field.database, composer.labels
    head = next(name for name in database.skeleton.names if "Head" in name)
    jumping = labels.values[:, labels.column_of("jump")] == 1
    high = float(np.percentile(joint_heights(database, database.skeleton.index(head))[jumping], 95.0))
    no_wave, walk = label("wave", 0, 8, wanted=False), label("walk", 0, 8)
    return [
        Scene(
            "2003, 1",
            "hop, run, jump while running",
            Timeline(8.0, (label("hop", 0, 2), label("run", 3, 8), label("jump", 6, 7))),
        ),
        Scene("2003, 5 top", "walk, not wave", Timeline(8.0, (walk, no_wave))),
        Scene(
            "2003, 5 middle",
            "walk, wave in the second half",
            Timeline(8.0, (walk, label("wave", 0, 4, wanted=False), label("wave", 4.5, 8))),
        ),
        Scene("2003, 5 bottom", "walk and wave", Timeline(8.0, (walk, label("wave", 0, 8)))),
        Scene(
            "2003, 6",
            "run, a punching pose at 4 s, run",
            Timeline(8.0, (label("run", 0, 3), label("run", 5, 8)), poses=(pose_of(composer, "punch", 4.0),)),
        ),
        Scene(
            "2003, 7",
            "walk to a place and heading",
            Timeline(6.0, (label("walk", 0, 6),), (PlaceGoal(6.0, 2.0, 5.0, 1.2),)),
        ),
        Scene(
            "2002, 5",
            "start and end",
            Timeline(5.0, (), (PlaceGoal(0.0, 0.0, 0.0, 0.0), PlaceGoal(5.0, 1.5, 4.0, 0.8))),
        ),
        Scene(
            "2002, 6",
            "through a checkpoint",
            Timeline(8.0, (), (PlaceGoal(4.0, 1.5, 3.0, 0.8), PlaceGoal(8.0, 5.0, 3.5, 1.6))),
        ),
        Scene(
            "2002, 7",
            "head high between places",
            Timeline(6.0, (), (PlaceGoal(6.0, 1.0, 4.5, 0.0),), joints=(JointGoal(3.0, head, high, 5.0),)),
        ),
        Scene(
            "2002, 8",
            "sitting at a place at the end",
            Timeline(
                10.0,
                (label("walk", 0, 3), label("sit", 8, 10)),
                (PlaceGoal(9.5, 0.5, 2.5),),
                poses=(pose_of(composer, "sit", 9.5),),
            ),
        ),
        Scene(
            "2002, 9",
            "one of two who meet",
            Timeline(
                6.0, (label("walk", 0, 4),), (PlaceGoal(6.0, 0.0, 4.5, 0.0),), poses=(pose_of(composer, "punch", 6.0),)
            ),
        ),
        Scene(
            "2002, 9",
            "the other",
            Timeline(
                6.0,
                (label("walk", 0, 4),),
                (PlaceGoal(0.0, 0.0, 9.5, np.pi), PlaceGoal(6.0, 0.0, 5.6, np.pi)),
                poses=(pose_of(composer, "catch", 6.0),),
            ),
        ),
        Scene(
            "joint",
            "a hand at a place",
            Timeline(4.0, (label("walk", 0, 2),), joints=(JointGoal(4.0, "RightHand", 1.2, x=0.8, z=2.6),)),
        ),
        Scene(
            "free length",
            "walk to a place in 4 to 7 s",
            Timeline(7.0, (label("walk", 0, 7),), (PlaceGoal(7.0, 0.5, 5.5, 0.0),), shortest=4.0),
        ),
        Scene(
            "two goals",
            "pick up at A, carry to B",
            Timeline(
                12.0,
                (label("walk", 0, 3), label("pick_up", 4, 6), label("carry", 7, 12)),
                (PlaceGoal(5.0, 0.3, 3.5), PlaceGoal(12.0, 2.5, 6.0)),
            ),
        ),
    ]


def missed_by(composer: Composer, timeline: Timeline, found: Composition) -> float:
    """Return the largest distance in metres by which `found` misses a place or a joint, or must change a pose."""
    database, clip, gaps = composer.field.database, found.clip, [0.0]
    count = clip.frame_count
    shown = forward_kinematics(clip.skeleton, clip.root_position, clip.rotations).positions
    for place in timeline.places:
        at = clip.root_position[goal_frame(place, clip.frame_time, count)]
        gaps.append(float(np.hypot(at[0] - place.x, at[2] - place.z)))
    for pose in timeline.poses:
        gaps.append(pose_gap(database, pose, int(found.path[goal_frame(pose, clip.frame_time, count)])))
    for joint in timeline.joints:
        at = shown[goal_frame(joint, clip.frame_time, count), database.skeleton.index(joint.joint)]
        gaps.append(abs(float(at[1]) - joint.height))
        if joint.x is not None and joint.z is not None:
            gaps.append(float(np.hypot(at[0] - joint.x, at[2] - joint.z)))
    return max(gaps)


def play(composer: Composer, scene: Scene, source: SourceTracks, films: Path | None) -> list[object]:
    """Compose one scene and print its line."""
    begin = time.process_time()
    try:
        found = composer.compose(scene.timeline)
    except ComposeError as error:
        print(f"{scene.figure:15s} {scene.what:33s} refused: {error}", flush=True)
        return [scene.figure, scene.what, str(error)]
    cpu = time.process_time() - begin
    figures = compose_figures(composer.field, found, source)
    missed, shift = missed_by(composer, scene.timeline, found), found.warp.shift_share
    print(
        f"{scene.figure:15s} {scene.what:33s} labels {found.labels_met:.2f}  missed by {missed:.3f} m  "
        f"warp {shift:.1%}  jerk {figures.jerk:.2f}  seam {figures.worst_seam:.2f}  "
        f"{found.clip.duration:.1f} s  {cpu:.1f} CPU s",
        flush=True,
    )
    if films is not None:
        name = f"{scene.figure} {scene.what}".replace(",", "").replace(" ", "_")
        render_filmstrip(found.clip, films / f"{name}.png")
    return [scene.figure, scene.what, found.labels_met, missed, shift, figures.jerk, figures.worst_seam, cpu]


def layered(composer: Composer) -> list[float]:
    """Compose a walk and a wave, take the waving arm from the wave, and print how high the hand is and the jerk."""
    walk = composer.compose(Timeline(8.0, (label("walk", 0, 8), label("wave", 0, 8, wanted=False))))
    wave = composer.compose(Timeline(8.0, (label("stand", 0, 3), label("wave", 3.5, 8))))
    names, asked = walk.clip.skeleton.names, slice(round(4.0 / walk.clip.frame_time), None)

    def heights(clip: Clip, joint: str) -> FloatArray:
        places = forward_kinematics(clip.skeleton, clip.root_position, clip.rotations).positions
        return np.asarray(places[asked, names.index(joint), 1])

    side = max(("Left", "Right"), key=lambda one: float(heights(wave.clip, f"{one}Hand").mean()))
    clip = with_layer(walk.clip, wave.clip, f"{side}Shoulder", start=3.5, end=8.0)
    high = float((heights(clip, f"{side}Hand") > heights(clip, f"{side}Arm")).mean())
    jerk = float(quality.jerk(clip).mean() / quality.jerk(walk.clip).mean())
    print(f"layer: walk, one arm from a wave: hand above the shoulder {high:.0%} of the time, jerk {jerk:.2f}")
    return [high, jerk]


def left_out(composer: Composer) -> dict[str, float]:
    """Ask for poses whose takes, with their mirror images, may not be shown; compare with the nearest other frame."""
    database, ratios, gaps = composer.field.database, [], []
    images = unmirrored(database, np.arange(database.state_count))
    for state in np.linspace(333, database.state_count // 2 + 700, LEFT_OUT).astype(np.int64).tolist():
        timeline = Timeline(4.0)
        clip = database.clip_of[images[state]]
        banned = database.clip_of[images] == clip
        away = pose_distance(database, joint_places(database, database.poses(np.array([state])))[0])
        costs = composer.state_costs(timeline)
        units = np.minimum(COST_UNIT * POSE_COST * away, COST_UNIT * MOST_EXTRA).astype(np.int32)
        costs = costs._replace(
            parts=(costs.parts + np.where(banned, 100 * COST_UNIT, 0)).astype(np.int32),
            frames=np.array([60]),
            extra=units[np.newaxis],
        )
        path = solve(composer.cuts, database.frames_left, costs, stay=composer.stay).path
        ratios.append(float(away[path[60]] / away[~banned].min()))
        gaps.append(float(away[path[60]]))
    found = {"worst ratio": max(ratios), "median ratio": float(np.median(ratios)), "median m": float(np.median(gaps))}
    print("poses of takes left out: " + ", ".join(f"{name} {value:.3f}" for name, value in found.items()))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--field", type=Path, help="a field of the annotated takes, to save the time of building it")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--films", type=Path, help="write filmstrips to this folder")
    options = parser.parse_args()
    numba.set_num_threads(1)
    if options.field is not None:
        field = MotionField.load(options.field)
    else:
        clips = load_clips(DATA / "annotated", scale=0.056444)
        field = MotionField(MotionDatabase.build(clips, frame_rate=30.0))
    labels = read_annotations(DATA / "annotated" / "labels.csv")
    composer = Composer(field, labels, settings=ComposeSettings(reach=WIDTH))
    composer.compose(Timeline(1.0))  # compiles
    source = source_tracks(field)
    figures: dict[str, object] = {"poses left out": left_out(composer), "layer": layered(composer)}
    figures["scenes"] = [play(composer, scene, source, options.films) for scene in scenes(composer)]
    write_json(options.json, figures)


if __name__ == "__main__":
    main()
