"""Measure how time and memory of training grow with the data and the task's grid; extrapolate to larger data.

    python benchmarks/measure_scale.py --field large.field [--work FOLDER] [--json FILE]
    python benchmarks/measure_scale.py --quick

Measured on whole clips that make up 1/64, 1/16, 1/4 and all of the states: processor seconds on one thread to find the
transitions of a state (from 8,192 states), and of a full and a cheap sweep for the direction task; on 1/16 of the
states also for tasks with one, two and three parameters. `--work` is the folder of a training on the whole field, whose
transitions are then read instead of found again.

Models fitted to the measurements: finding transitions costs a * states^(1 + p); a full sweep b * states * nodes *
actions; a cheap one c * states * nodes. Bytes follow from the array sizes. From these the cost of 10^7 and 10^8 states
on 100 workers is extrapolated, with the measured number of sweeps and the assumed bandwidth `NETWORK`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from common import best_time, control_field, make_parser, sample_clips, write_json
from motionfields.control.grids import grid_size
from motionfields.control.root_motion import RootMotion, measure_root_motion
from motionfields.control.tasks import TASKS, Direction, Task
from motionfields.control.training import Actions, Job, LocalBackend, TaskTable, TransitionParts, evaluate, improve_here
from motionfields.control.training.sweeps import KEPT_SWEEPS, Buffers, sweep_once
from motionfields.control.training.work import transitions_fingerprint
from motionfields.control.transitions import ControlSettings, TransitionFinder, Transitions
from motionfields.field import MotionField
from motionfields.field.pruning import kept_states

SHARES = (1 / 64, 1 / 16, 1 / 4, 1.0)
GRID_SHARE = 1 / 16
ASKED = 8_192  # states whose transitions are timed
NETWORK = 1.25e9  # bytes per second: 10 Gbit/s, assumed
WORKERS = 100
CORES = 32  # of the computer that trains, assumed
SWEEPS = 33  # as measured on 586,582 states; 17 were enough for 4,878
DISCOUNTING = (0.99, 1.0 / 60.0)
processor_time = partial(best_time, clock=time.process_time)


class Size(NamedTuple):
    """Costs at one size of data; seconds are of one thread."""

    states: int
    nodes: int
    actions: int
    transition_seconds: float  # to find the transitions of one state
    full_seconds: float  # to find the best actions once
    cheap_seconds: float  # of one cheap sweep
    table_bytes: int
    transition_bytes: int


def subset(field: MotionField, share: float) -> MotionField:
    """Return the field of whole clips, spread over the data, that make up about `share` of the states."""
    if share == 1.0:
        return field
    database = field.database
    chosen = np.arange(database.clip_count) % round(1.0 / share) == 0
    return MotionField(kept_states(database, chosen[database.clip_of]))


def measure(field: MotionField, task: Task, work: Path, *, timed: bool = True) -> Size:
    """Measure the costs of `task` on `field`; without `timed`, skip the time to find transitions."""
    settings, database = ControlSettings().agile(0.5), field.database
    moves, state_count = measure_root_motion(database), database.state_count
    seconds = search_seconds(field, moves, settings) if timed else float("nan")
    parts = TransitionParts(str(work), transitions_fingerprint(field, None, settings), state_count)
    with LocalBackend().hire(Job(field, moves, None, settings, parts)) as workers:
        transitions = workers.transitions(lambda found: None)
    fitted = task.adapted(database)
    table = TaskTable.build(fitted, database, moves)
    full, cheap = sweep_seconds(table, transitions)
    arrays = (table.rewards, table.first, table.shares)
    return Size(
        state_count,
        grid_size(fitted.axes),
        transitions.states.shape[1],
        seconds,
        full,
        cheap,
        sum(array.nbytes for array in arrays),
        transitions.states.nbytes + transitions.costs.nbytes,
    )


def search_seconds(field: MotionField, moves: RootMotion, settings: ControlSettings) -> float:
    """Return the processor seconds to find the transitions of one state, from runs of states across the data."""
    finder, count = TransitionFinder(field, moves, settings), field.database.state_count
    finder.find(np.arange(min(300, count)))  # compile first
    size = min(ASKED // 2, count // 2)
    runs = [np.arange(start, start + size) for start in (count // 4, count // 2)]
    return sum(processor_time(lambda run=run: finder.find(run), 1) for run in runs) / (2 * size)  # type: ignore[misc]


def sweep_seconds(table: TaskTable, transitions: Transitions) -> tuple[float, float]:
    """Return the processor seconds to find the best actions, and of a cheap sweep, after one sweep."""
    actions, shape = Actions.of(transitions), table.rewards.shape
    buffers = Buffers(np.empty(shape, np.float32), np.empty(shape, np.uint16), np.empty(shape, np.float32))
    values = sweep_once(table, actions, np.zeros(shape, np.float32), buffers, DISCOUNTING, improve_here)
    buffers = buffers._replace(after=np.empty_like(values))
    whole = processor_time(lambda: sweep_once(table, actions, values, buffers, DISCOUNTING, improve_here), 3)
    full = processor_time(lambda: improve_here(actions, buffers.action_values, buffers.after, buffers.best), 3)
    kept = processor_time(lambda: evaluate(buffers.action_values, *actions, buffers.best, buffers.after), 3)
    return full, max(0.0, whole - full) + kept


@dataclass(frozen=True)
class Model:
    """Costs as functions of size; seconds are of one thread."""

    search: float  # a
    growth: float  # p
    full: float  # b
    cheap: float  # c

    @classmethod
    def fitted(cls, sizes: Sequence[Size]) -> Model:
        """Fit the search to all sizes, by least squares of logarithms, and sweeps to the largest.

        Caches help least at the largest size.
        """
        states = np.array([size.states for size in sizes], float)
        growth, start = np.polyfit(np.log(states), np.log([size.transition_seconds for size in sizes]), 1)
        last = sizes[-1]
        full = last.full_seconds / (last.states * last.nodes * last.actions)
        return cls(float(np.exp(start)), float(growth), full, last.cheap_seconds / (last.states * last.nodes))

    def lines(self, states: float, nodes: int, actions: int) -> list[str]:
        """Return lines of text with the cost of training on `states` states."""
        values = 4.0 * states * nodes
        search = self.search * states ** (1.0 + self.growth)
        full = self.full * states * nodes * actions
        cheap = self.cheap * states * nodes * KEPT_SWEEPS
        moved = values * WORKERS + values / 2.0  # the action values to each worker, the best actions back
        sending = values * (np.log2(WORKERS) + 0.5) / NETWORK  # workers that have received the data pass it on
        hours = (search / WORKERS + SWEEPS * (full / WORKERS + cheap / CORES + sending)) / 3600.0
        alone = (search + SWEEPS * (full + cheap)) / CORES / 3600.0
        memory = states * (nodes * (8 + 4 + 4 + 4 + 4 + 2) + actions * 16)
        return [
            f"{states:.0e} states, {nodes} nodes: finding transitions {search / 3600:.1f} h of one core, a sweep "
            f"{full:.0f} s full and {cheap:.0f} s cheap of one core, {moved / 1e9:.0f} GB moved in {sending:.0f} s",
            f"    {WORKERS} workers: {hours:.1f} h; one computer of {CORES} cores: {alone:.1f} h; memory of the one "
            f"that trains: {memory / 1e9:.0f} GB",
        ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__, quick="a few generated clips")
    parser.add_argument("--field", type=Path, help="the field; default: of generated samples")
    parser.add_argument("--work", type=Path, help="the folder of a training on it")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args(arguments)
    numba.set_num_threads(1)
    if options.field is None:
        clips = sample_clips()[:: 8 if options.quick else 1]
        field = control_field(clips)
    else:
        field = MotionField.load(options.field)
    with tempfile.TemporaryDirectory() as folder:
        work = options.work or Path(folder)
        shares = SHARES[-2:] if options.quick else SHARES
        print(f"{'states':>9} {'nodes':>5}  search for 1 state   full    cheap sweep   table, transitions")
        sizes = [measure(subset(field, share), Direction(), work) for share in shares]
        for size in sizes:
            show(size)
        part = subset(field, shares[0] if options.quick else GRID_SHARE)
        names = [name for name in ("direction", "line", "lane") if name in TASKS]
        grids = [measure(part, TASKS.load(name)(), work, timed=False) for name in names]
        for size in grids:
            show(size)
    model = Model.fitted(sizes)
    print(f"model: {model}")
    for states in (1e7, 1e8):
        for line in model.lines(states, sizes[-1].nodes, sizes[-1].actions):
            print(line)
    write_json(options.json, {"states": [s._asdict() for s in sizes], "grids": [g._asdict() for g in grids]})


def show(size: Size) -> None:
    print(
        f"{size.states:9,} {size.nodes:5}  {1e3 * size.transition_seconds:12.3f} ms  {size.full_seconds:9.3f} "
        f"{size.cheap_seconds:9.3f} s   {size.table_bytes / 1e6:8.1f} {size.transition_bytes / 1e6:8.1f} MB",
        flush=True,
    )


if __name__ == "__main__":
    main()
