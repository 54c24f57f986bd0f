"""Build fields of 5,000, 50,000 and 500,000 captured states of one skeleton, and train controllers on them.

    python benchmarks/crowd_sets.py --out FOLDER [--set 5k] ...

All motion in large.zip of the shared data is retargeted to the skeleton of subject 16 and extended by its mirror
images. Clips are added until a set is full, so each set contains the smaller ones: first the walks of subject 16
(nearly all of 5k), then the plain walks of subject 69, which turn most, then those of all others (where 50k ends), then
everything else: runs, jumps, stairs, styles (500k). A clip is a plain walk if its description has only words about
walking and turning.

Each set becomes FOLDER/5k.field and FOLDER/5k.ctrl, a controller for the direction task; existing files are kept. The
processor seconds (of all cores) and memory used, and the figures of trials with the gates they miss, are printed and
stored in FOLDER/5k.json. 500,000 states take about 20 minutes on one core.
"""

from __future__ import annotations

import json
import re
import resource
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from common import DATA, make_parser
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import Progress, train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation import direction_trials, measure_source, measure_trials, missed_gates
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, retarget
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clips

SETS = {"5k": 5_000, "50k": 50_000, "500k": 500_000}
SUBJECT = 16  # all motion is retargeted to this subject's skeleton
TURNING_SUBJECT = 69
PLAIN_WORDS = (
    "a and angle around at back both brisk casual circle confident degree degrees digital direction directions down "
    "eight fast figure figures follow forward in left normal opposite pace path place quick random regular repeated "
    "right s slow smooth stand start still stop straight stride then turn turning turns veer walk walking wander "
    "zigzag"
)


def first_clips(size: int) -> list[Clip]:
    """Return the first clips, on one skeleton, that give at most `size` states with their mirror images."""
    by_name = all_clips()
    kept: list[Clip] = []
    for name in clip_order():
        size -= 2 * (by_name[name].frame_count - 1)
        if size < 0:
            break
        kept.append(by_name[name])
    return kept


@cache
def all_clips() -> dict[str, Clip]:
    """Return all clips of the archive by name, on the skeleton of subject 16.

    Subjects were captured with floors up to 7 cm apart, so each is raised or lowered to stand as high as subject 16.
    """
    clips = load_clips(DATA / "large.zip", scale="cmu", up="+y", facing="+z", rest_frames=1)
    by_subject: dict[str, list[Clip]] = {}
    for clip in clips:
        by_subject.setdefault(clip.name.split("_")[0], []).append(replace(clip, report=None))
    own = by_subject.pop(str(SUBJECT))
    ready = list(own)
    for takes in by_subject.values():
        moved = [retarget(clip, own[0].skeleton) for clip in takes]
        lift = np.array([0.0, standing_height(own) - standing_height(moved), 0.0])
        ready += [replace(clip, root_position=clip.root_position + lift) for clip in moved]
    return {clip.name: clip for clip in ready}


def standing_height(clips: Sequence[Clip]) -> float:
    """Return the median height of the balls of planted feet over the `clips` of one subject, in metres."""
    heights = []
    for clip in clips:
        contacts = detect_contacts(clip)
        if contacts.any():
            balls = clip.world().positions[:, [leg.toe for leg in find_body(clip.skeleton).legs], 1]
            heights.append(float(np.median(balls[contacts])))
    return float(np.median(heights))


def clip_order() -> list[str]:
    """Return the names of all clips, in the order in which they are added."""
    listed = [entry for entry in json.loads((DATA / "manifest.json").read_text()) if entry["file"].startswith("large/")]

    def rank(entry: dict[str, Any]) -> int:
        plain = is_plain_walk(entry["description"])
        if entry["subject"] == SUBJECT and "walk" in entry["description"]:
            return 0
        return (1 if entry["subject"] == TURNING_SUBJECT else 2) if plain else 3

    return [Path(entry["file"]).stem for entry in sorted(listed, key=rank)]


def is_plain_walk(description: str) -> bool:
    """Return whether `description` is about walking and turning alone; words may be joined, as in SlowWalk8."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", description)
    words = set(re.findall(r"[a-z]+", spaced.lower()))
    return bool(words & {"walk", "walking"}) and words <= set(PLAIN_WORDS.split())


def make_set(name: str, folder: Path) -> dict[str, Any]:
    """Build, train and save the set `name`; return sizes, times and memory."""
    clocks = [time.process_time()]
    clips = first_clips(SETS[name])
    clocks.append(time.process_time())
    database = MotionDatabase.build(clips)
    clocks.append(time.process_time())
    # As in the response trials, the field keeps standing states and clip ends, because the values account for them.
    field = MotionField(database)
    clocks.append(time.process_time())
    field.save(folder / f"{name}.field")
    controller = train(field, Direction(), on_progress=show_progress)
    clocks.append(time.process_time())
    controller.save(folder / f"{name}.ctrl")
    parts = ("loading", "database", "field", "training")
    return {
        "clips": len(clips),
        "states": database.state_count,
        "findable": len(field.findable),
        **{f"{part}_seconds": later - earlier for part, (earlier, later) in zip(parts, pairwise(clocks), strict=True)},
        "sweeps": controller.sweeps,
        "peak_gigabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def show_progress(progress: Progress) -> None:
    """Print the progress of training."""
    print(f"  sweep {progress.sweep}: residual {progress.residual:.4f}", flush=True)


def judge(controller: FieldController) -> dict[str, Any]:
    """Return the figures of 66 characters that change direction four times, and the gates they miss."""
    source = measure_source(controller.field)
    figures = measure_trials(controller.field, source, direction_trials(controller, seed=0))
    return {**figures._asdict(), "limit": source.limit, "missed": missed_gates(figures)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the folder for fields, controllers and figures")
    parser.add_argument("--set", choices=tuple(SETS), action="append", help="only this set")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.set or SETS:
        if (options.out / f"{name}.ctrl").exists():
            print(f"{name}: is there already")
            continue
        results = make_set(name, options.out)
        print(f"{name}: {results}", flush=True)
        results |= judge(FieldController.load(options.out / f"{name}.ctrl"))
        (options.out / f"{name}.json").write_text(json.dumps(results, indent=2))
        print(f"{name}: {results}", flush=True)


if __name__ == "__main__":
    main()
