"""Sets of mixed captured motion with a style and a gait for every frame, for `bench_mixed.py`.

`annotated` is the everyday actions of one person, with the labels of labels.csv. `runners` is the locomotion of six
people in large.zip who walk and run, on one body; styles and gaits follow from the descriptions in manifest.json.
"""

from __future__ import annotations

import csv
import json
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from common import DATA, sample_clips
from motionfields.base.arrays import BoolArray, IntArray
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase, onto_one_body
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips
from motionfields.motion.quality import STILL_ROOT_SPEED, root_speed

NEUTRAL = 0  # style of plain standing, walking, running and turning
STAND, WALK, RUN = -1, 0, 1  # gaits; standing fits both of the others
PLAIN = ("stand", "walk", "run", "turn_left", "turn_right", "stop", "sideways_left", "sideways_right", "backwards")
RUNNERS = (16, 2, 9, 38, 104, 141)  # subjects; the first gives the body
LOCOMOTION = re.compile(r"walk|run|jog|jump", re.IGNORECASE)  # descriptions of the takes that are used
STYLED = re.compile(r"jump|Frankenstein|Happy|Excited|Stumble|Spastic|Stern|Zombie|Attitude|Over|Down", re.IGNORECASE)


class Labelled(NamedTuple):
    """Clips with a style and a gait for each of their frames."""

    clips: list[Clip]
    styles: list[IntArray]  # [frame] each; `NEUTRAL`, or the number of another style
    gaits: list[IntArray]  # [frame] each; `STAND`, `WALK` or `RUN`

    def only(self, keep: BoolArray) -> Labelled:
        """Return the clips that `keep` [clip] selects."""
        chosen = np.flatnonzero(keep).tolist()
        clips, styles, gaits = self
        return Labelled([clips[i] for i in chosen], [styles[i] for i in chosen], [gaits[i] for i in chosen])

    def field(self) -> MotionField:
        """Return a field whose database has the columns `style` and `gait`."""
        return MotionField(MotionDatabase.build(self.clips, columns={"style": self.styles, "gait": self.gaits}))


def annotated_clips() -> Labelled:
    """Return the clips of `annotated/`; a frame without a label has the labels of the nearest frame with one."""
    rows = list(csv.DictReader((DATA / "annotated" / "labels.csv").read_text().splitlines()))
    names = sorted({row["label"] for row in rows})
    special = [name for name in names if name not in PLAIN]
    clips = load_clips(DATA / "annotated")
    styles, gaits = [], []
    for clip in clips:
        spans = [row for row in rows if Path(row["file"]).stem == clip.name]
        labels = _filled(np.stack([_within(clip, [one for one in spans if one["label"] == name]) for name in names], 1))
        has = {name: labels[:, column] for column, name in enumerate(names)}
        style = np.full(clip.frame_count, NEUTRAL)
        for number, name in enumerate(special, start=NEUTRAL + 1):
            style[has[name]] = number
        runs, walks = has["run"] | has["stop"], has["walk"] | has["turn_left"] | has["turn_right"]
        styles.append(style)
        gaits.append(np.where(runs, RUN, np.where(walks, WALK, STAND)))
    return Labelled(clips, styles, gaits)


def navigation_clips() -> Labelled:
    """Return the clips of `annotated/` in plain style throughout: walks and runs ahead, sideways and backwards."""
    every = annotated_clips()
    plain = [bool((style == NEUTRAL).all() and (gait != STAND).any()) for style, gait in zip(*every[1:], strict=True)]
    return every.only(np.array(plain))


def sample_labels() -> Labelled:
    """Return a few generated clips; side steps have a style of their own."""
    names = (
        "walk_forward",
        "walk_fast",
        "walk_stop",
        "stand_idle",
        "sidestep_left",
        "walk_backward",
        "turn_left_090_quick",
    )
    clips = sample_clips(names)
    styles = [np.full(clip.frame_count, int(clip.name.startswith("sidestep"))) for clip in clips]
    gaits = [np.full(clip.frame_count, STAND if clip.name == "stand_idle" else WALK) for clip in clips]
    return Labelled(clips, styles, gaits)


def runner_clips(subjects: Sequence[int] = RUNNERS) -> Labelled:
    """Return the locomotion takes of `subjects` in large.zip, on the body of the first."""
    listed = [one for one in json.loads((DATA / "manifest.json").read_text()) if one["file"].startswith("large/")]
    entries = [one for one in listed if one["subject"] in subjects and LOCOMOTION.search(one["description"])]
    described = {Path(entry["file"]).stem: entry["description"] for entry in entries}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(DATA / "large.zip") as archive:
            for entry in entries:
                (Path(folder) / Path(entry["file"]).name).write_bytes(archive.read(entry["file"]))
        loaded = load_clips(Path(folder))
    target = next(clip for clip in loaded if clip.name.startswith(f"{subjects[0]:02d}_"))
    clips, _ = onto_one_body(loaded, target)
    kinds = sorted({found.group().lower() for text in described.values() if (found := STYLED.search(text))})
    styles, gaits = [], []
    for clip in clips:
        found = STYLED.search(described[clip.name])
        styles.append(np.full(clip.frame_count, NEUTRAL if found is None else 1 + kinds.index(found.group().lower())))
        moves = RUN if re.search("run|jog", described[clip.name], re.IGNORECASE) else WALK
        gaits.append(np.where(root_speed(clip) < STILL_ROOT_SPEED, STAND, moves))
    return Labelled(clips, styles, gaits)


def _within(clip: Clip, spans: Sequence[dict[str, str]]) -> BoolArray:
    """Return which frames [frame] of `clip` lie in one of `spans`."""
    time = np.arange(clip.frame_count) * clip.frame_time
    inside = np.zeros(clip.frame_count, np.bool_)
    for span in spans:
        inside |= (time >= float(span["start_s"])) & (time < float(span["end_s"]))
    return inside


def _filled(labels: BoolArray) -> BoolArray:
    """Return `labels` [frame, label] in which frames without a label have those of the nearest frame with one."""
    known = np.flatnonzero(labels.any(axis=1))
    place = np.searchsorted(known, np.arange(len(labels)))
    before, after = known[np.maximum(place - 1, 0)], known[np.minimum(place, len(known) - 1)]
    frames = np.arange(len(labels))
    return np.asarray(labels[np.where(np.abs(frames - before) <= np.abs(after - frames), before, after)])
