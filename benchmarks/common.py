"""Helpers of the benchmarks: data folders, data sets, argument parsing, timing and bounds.

Captured motion is read from the folder that MOTIONFIELDS_DATA names, by default `shared/data` next to the repository.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips
from motionfields.motion.samples import generate_samples

REPO = Path(__file__).resolve().parents[1]
IMAGES = REPO / "docs" / "images"
DATA = Path(os.environ.get("MOTIONFIELDS_DATA", REPO.parent / "shared" / "data"))
QUICK_CLIPS = ("walk_forward", "turn_left_090_quick", "turn_right_090_quick", "turn_left_180_quick")


def make_parser(text: str | None, *, quick: str | None = None) -> argparse.ArgumentParser:
    """Return a parser with the help text `text`, and with the option `--quick` if its help `quick` is given."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if quick is not None:
        parser.add_argument("--quick", action="store_true", help=quick)
    return parser


def write_json(path: Path | None, figures: object) -> None:
    """Write `figures` to the JSON file `path`, if one is given."""
    if path is not None:
        path.write_text(json.dumps(figures, indent=1) + "\n")


def sample_clips(names: Sequence[str] | None = None) -> list[Clip]:
    """Return the generated clips with these names, or all of them, in the order of generation."""
    return [sample.clip for sample in generate_samples(only=names)]


def control_field(clips: Iterable[Clip]) -> MotionField:
    """Return a field for control; it keeps standing states and clip ends, because the values account for them."""
    return MotionField(MotionDatabase.build(clips))


def sample_controller(*, quick: bool) -> FieldController:
    """Return a controller for the direction task, trained on all generated clips, or on QUICK_CLIPS."""
    return train(MotionField(MotionDatabase.build(sample_clips(QUICK_CLIPS if quick else None))), Direction())


def clips_of_set(name: str) -> list[Clip]:
    """Return the clips of a set of data.

    A is the captured `locomotion` set, B that and `walks_69` (which has side steps), C the generated samples, D the
    walks of subject 16, and `quick` the few generated clips of QUICK_CLIPS.
    """
    if name in ("C", "quick"):
        return sample_clips(QUICK_CLIPS if name == "quick" else None)
    if name == "D":
        with tempfile.TemporaryDirectory() as folder:
            extract_walks(Path(folder))
            return load_clips(Path(folder))
    walks = load_clips(DATA / "perturbation" / "walks_69") if name == "B" else []
    return load_clips(DATA / "locomotion") + walks


def extract_walks(folder: Path) -> None:
    """Extract the walks of subject 16, chosen by their descriptions in manifest.json, into `folder`."""
    listed = json.loads((DATA / "manifest.json").read_text())
    wanted = {
        Path(entry["file"]).stem for entry in listed if str(entry["subject"]) == "16" and "walk" in entry["description"]
    }
    with zipfile.ZipFile(DATA / "large.zip") as archive:
        for name in archive.namelist():
            if Path(name).stem in wanted:
                (folder / Path(name).name).write_bytes(archive.read(name))


def best_time(work: Callable[[], object], rounds: int, *, clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the shortest time in seconds that one of `rounds` runs of `work` took by `clock`."""
    seconds = []
    for _ in range(rounds):
        start = clock()
        work()
        seconds.append(clock() - start)
    return min(seconds)


class Bounds:
    """Collector of the bounds that a benchmark misses; `exit_code` reports them."""

    def __init__(self) -> None:
        self.missed: list[str] = []

    def require(self, held: bool, message: str) -> None:
        """Add `message` to the missed bounds, and print it, unless `held`."""
        if not held:
            self.missed.append(message)
            print(f"MISSED {message}", flush=True)

    def exit_code(self) -> int:
        """Print the missed bounds, or that all hold; return 1 if any was missed, else 0."""
        print("\n" + ("\n".join(f"MISSED {line}" for line in self.missed) or "every bound holds"))
        return 1 if self.missed else 0
