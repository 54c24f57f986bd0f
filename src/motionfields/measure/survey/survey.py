"""Survey of a motion field: coverage, reachability, redundancy and faults of its takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.field import MotionField
from motionfields.measure.survey.bounds import TurnTime, response_bounds, turn_times
from motionfields.measure.survey.coverage import MotionMap, coverage_statements, motion_map
from motionfields.measure.survey.faults import Take, TakeFigures, figures, report_faults, take_faults
from motionfields.measure.survey.reaching import (
    Reach,
    cut_off,
    find_links,
    no_choice,
    reach_statements,
    reach_times,
    single_entries,
    speed_out_of_reach,
    step_graph,
)
from motionfields.measure.survey.redundancy import (
    duplicate_takes,
    looped_takes,
    repeated,
    repeated_statements,
)
from motionfields.measure.survey.shots import Shot, shot_list
from motionfields.measure.survey.statements import LEVELS, Statement
from motionfields.measure.survey.tracks import (
    Tracks,
    labelled_clips,
    measure_tracks,
    motion_kinds,
    take_name,
    take_numbers,
)
from motionfields.measure.survey.worth import Worth, take_worth
from motionfields.motion.body import find_body

CHEAP = frozenset(  # statements worth a warning before training, which need no search
    {"cannot-turn", "no-turn-to-side", "hardly-walks", "speed-out-of-reach", "lost-take", "dead-end", "unreached-start"}
)


@dataclass(frozen=True, eq=False)
class Survey:
    """Findings about a motion field: statements, maps, times and a table of its takes; see `survey`."""

    statements: tuple[Statement, ...]  # problems first, then gaps, then notes
    motion_map: MotionMap
    seconds: dict[str, float]  # of each kind of motion, mirror images included
    reach: dict[str, Reach]  # how soon characters reach each kind of motion that the set has
    takes: dict[str, NDArray[Any]]  # by column name, one row for each take
    turn_times: tuple[TurnTime, ...]  # least times to turn, if they were asked for
    worth: Worth | None  # worth of each take, if it was asked for
    shots: tuple[Shot, ...] | None  # motion to capture next, if it was asked for
    frame_time: float  # seconds
    state_count: int
    mirrored: bool

    def of_level(self, level: str) -> list[Statement]:
        """Return the statements of `level`: problem, gap or note."""
        return [statement for statement in self.statements if statement.level == level]

    def frame(self) -> dict[str, NDArray[Any]]:
        """Return a table with a row for each take as arrays by column name, which `pandas.DataFrame` accepts.

        Seconds and frames are without mirror images; the frames are those of the field. `in_core` is the share of the
        frames that characters can play, `repeated` the share that another take shows too. Speeds are m/s, turning rates
        degrees per second (98th percentiles of the smoothed motion), lengths metres, jerk m/s3.
        """
        return dict(self.takes)

    def as_json(self) -> dict[str, Any]:
        """Return the survey as plain dictionaries, lists and numbers; numbers that are not finite become None."""
        return {
            "state_count": self.state_count,
            "frame_rate": 1.0 / self.frame_time,
            "mirrored": self.mirrored,
            "statements": [
                {
                    "part": one.part,
                    "level": one.level,
                    **{name: _plain(value) for name, value in one._asdict().items()},
                    "advice": one.advice,
                }
                for one in self.statements
            ],
            "seconds": self.seconds,
            "reach": {
                name: {key: _plain(value) for key, value in one._asdict().items()} for name, one in self.reach.items()
            },
            "map": {name: [_plain(v) if np.ndim(v) == 0 else v.tolist() for v in values]
                    for name, values in self.motion_map._asdict().items()},
            "turn_times": [{key: _plain(value) for key, value in one._asdict().items()} for one in self.turn_times],
            "worth": None if self.worth is None else self.worth.as_json(),
            "shots": None if self.shots is None else [shot.as_json() for shot in self.shots],
            "takes": {name: [_plain(value) for value in column.tolist()] for name, column in self.takes.items()},
        }  # fmt: skip


def survey(
    field: MotionField,
    *,
    bounds: bool = False,
    worth: bool = False,
    shots: bool = False,
    on_progress: Callable[[str], None] | None = None,
) -> Survey:
    """Survey `field`: coverage, reachability, redundancy and faults of its takes, as statements in words.

    With `bounds`, it also searches the least time of every turn (`response_bounds`); with `worth`, it also measures
    what each take is worth (`take_worth`); with `shots`, it also lists what to capture next (`shot_list`). All three
    take longer. `on_progress` is called with a description of the work.
    """
    database, core = field.database, field.connectivity.core
    tracks, features = measure_tracks(database), np.asarray(database.features)
    kinds, links = motion_kinds(tracks), find_links(field)
    times = reach_times(step_graph(links, tracks.starts, tracks.frame_time), kinds, core, tracks.frame_time)
    shares, lengths = repeated(features, links, tracks), np.bincount(take_numbers(tracks)[tracks.clip_of])
    found, faults = _faults(field)
    statements = [
        *coverage_statements(tracks, mirrored=database.report.mirrored),
        *cut_off(field, tracks, links),
        *speed_out_of_reach(core, tracks),
        *reach_statements(times, kinds, tracks),
        *no_choice(links, core, tracks),
        *single_entries(links, core, tracks),
        *duplicate_takes(features, tracks),
        *looped_takes(features, links, tracks),
        *repeated_statements(shares, lengths),
        *faults,
    ]
    return Survey(
        tuple(sorted(statements, key=lambda one: LEVELS.index(one.level))),
        motion_map(tracks),
        {name: tracks.seconds(mask) for name, mask in kinds.items()},
        times,
        _table(tracks, kinds, core, shares, found, faults),
        tuple(turn_times(response_bounds(field), tracks, core)) if bounds else (),
        take_worth(field, on_progress=on_progress) if worth else None,
        tuple(shot_list(field, on_progress=on_progress)) if shots else None,
        tracks.frame_time,
        database.state_count,
        database.report.mirrored,
    )


def quick_statements(field: MotionField) -> list[Statement]:
    """Return the problems that a build or training should mention, found without a search or a look at the poses."""
    tracks = measure_tracks(field.database)
    found = [
        *coverage_statements(tracks, mirrored=field.database.report.mirrored),
        *speed_out_of_reach(field.connectivity.core, tracks),
        *cut_off(field, tracks),
    ]
    return [statement for statement in found if statement.kind in CHEAP]


def _faults(field: MotionField) -> tuple[list[TakeFigures], list[Statement]]:
    """Return the figures of each take, and the faults of all; mirror images are left out."""
    found, faults = list[TakeFigures](), report_faults(field.database.report)
    known = {(one.kind, one.take) for one in faults}
    for take in _takes(field):
        found.append(figures(take))
        faults += [fault for fault in take_faults(take, found[-1]) if (fault.kind, fault.take) not in known]
    return found, faults


def _takes(field: MotionField) -> Iterator[Take]:
    """Yield the takes of `field` without their mirror images."""
    body = find_body(field.database.skeleton)
    for clip, contacts in labelled_clips(field.database):
        if take_name(clip.name) == clip.name:
            yield Take(clip, contacts, body, field.stance)


def _table(
    tracks: Tracks,
    kinds: dict[str, BoolArray],
    core: BoolArray,
    repeated_shares: FloatArray,
    found: list[TakeFigures],
    faults: list[Statement],
) -> dict[str, NDArray[Any]]:
    """Return the columns of `Survey.frame`."""
    own = [clip for clip, name in enumerate(tracks.names) if take_name(name) == name]
    parts = [slice(int(tracks.starts[clip]), int(tracks.starts[clip + 1])) for clip in own]
    rate, speed = np.degrees(tracks.turning), tracks.speed

    def column(of: Any) -> NDArray[Any]:
        return np.array([of(part) for part in parts])

    counts = {name: len(list(group)) for name, group in groupby(sorted(one.take for one in faults))}
    return {
        "take": np.array([tracks.names[clip] for clip in own]),
        "seconds": column(lambda part: (part.stop - part.start) * tracks.frame_time),
        "frames": column(lambda part: part.stop - part.start),
        "in_core": column(lambda part: core[part].mean()),
        "repeated": repeated_shares,
        "speed": column(lambda part: np.percentile(speed[part], 98.0)),
        "left_turn": column(lambda part: max(0.0, np.percentile(rate[part], 98.0))),
        "right_turn": column(lambda part: max(0.0, -np.percentile(rate[part], 2.0))),
        **{f"{name.replace(' ', '_')}_seconds": column(lambda part, mask=mask: tracks.seconds(mask[part]))
           for name, mask in kinds.items()},
        "jerk": np.array([one.jerk for one in found]),
        "jitter": np.array([one.jitter for one in found]),
        "slide": np.array([one.slide for one in found]),
        "floor": np.array([one.floor for one in found]),
        "drift": np.array([one.drift for one in found]),
        "depth": np.array([one.depth for one in found]),
        "faults": np.array([counts.get(tracks.names[clip], 0) for clip in own]),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """Return `value` with None instead of a number that is not finite."""
    return None if isinstance(value, float) and not np.isfinite(value) else value
