"""Execution of a report: measure all its cells in order, or take them from an earlier run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionfields.control.contract import Controller
from motionfields.control.methods import cut_steps
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation.tables.cells import Cells, Content, cell_key
from motionfields.measure.evaluation.tables.costs import measure_cost, measure_size
from motionfields.measure.evaluation.tables.measuring import TableSettings, course, measured, run_trials
from motionfields.measure.evaluation.tables.registry import REGISTRY, Registry, Row
from motionfields.measure.evaluation.tables.workshop import DataSet, WarmUp, Workshop, slug

SWEPT = "direction"  # task of sweeps and courses
FIXED_EFFORT = 200.0  # effort of a cell independent of the amount of data, as seconds of data
USUAL_PACE = 0.03  # seconds per unit of effort on two cores, before this run has timed its own cells
OnProgress = Callable[["Progress"], None]


class Progress(NamedTuple):
    """Progress of a report."""

    number: int  # of this cell, from 1
    cell_count: int
    doing: str
    seconds_left: float  # estimate: from the usual pace at first, then increasingly from the cells measured in this run


class Results(NamedTuple):
    """Contents of all cells."""

    sources: dict[str, Content]  # by data set
    rows: dict[tuple[str, str, str], Content]  # by data set, task and row
    courses: dict[tuple[str, str], Content]  # by data set and row
    sweeps: dict[tuple[str, str, float], Content]  # by data set, row and agility


class _Cell(NamedTuple):
    """One part of a report: how to measure it, and where its content goes."""

    name: str
    doing: str
    effort: float  # relative duration, in any unit
    key: str
    make: Callable[[], Content]
    keep: Callable[[Results, Content], None]


def run_tables(
    sets: Sequence[DataSet],
    folder: Path,
    settings: TableSettings,
    *,
    registry: Registry = REGISTRY,
    fresh: bool = False,
    on_progress: OnProgress = lambda progress: None,
) -> Results:
    """Return the content of all cells, reusing those that `folder` holds from an earlier run unless `fresh`.

    Each cell is written as soon as it is measured, so an interrupted run resumes where it stopped.
    """
    slugs = [data.slug for data in sets]
    if not slugs or "" in slugs or len(set(slugs)) < len(slugs):
        raise ValueError(f"sets: expected names that differ in letters and digits, got {[one.name for one in sets]}")
    cells = Cells(folder)
    warm_up = WarmUp(registry)
    plan = [cell for data in sets for cell in _Plan(data, settings, registry, warm_up).cells()]
    found = [None if fresh else cells.read(cell.name, cell.key) for cell in plan]
    missing = [cell.effort for cell, content in zip(plan, found, strict=True) if content is None]
    left, trust = sum(missing), max(missing, default=1.0)
    results, made, began = Results({}, {}, {}, {}), 0.0, time.perf_counter()
    for number, (cell, content) in enumerate(zip(plan, found, strict=True), 1):
        if content is None:
            # Weight the usual pace like one large cell, so that the first few cells do not distort the estimate.
            pace = (time.perf_counter() - began + USUAL_PACE * trust) / (made + trust)
            on_progress(Progress(number, len(plan), cell.doing, pace * (left - made)))
            content = cells.write(cell.name, cell.key, cell.make())
            made += cell.effort
        cell.keep(results, content)
    return results


class _Plan:
    """The cells of one data set."""

    def __init__(self, data: DataSet, settings: TableSettings, registry: Registry, warm_up: WarmUp) -> None:
        self.data, self.settings, self.registry = data, settings, registry
        self._workshop = Workshop(data, "", registry, warm_up, {})
        self._effort = FIXED_EFFORT + sum(clip.duration for clip in data.clips)

    def cells(self) -> Iterator[_Cell]:
        """Yield all cells, in an order that lets cells share trained controllers."""
        data = self.data
        key = cell_key(kind="data", data=data.digest)
        yield _Cell(
            f"{data.slug}.source",
            f"{data.name}: measuring the data",
            0.3 * self._effort,
            key,
            self._source,
            lambda r, c: r.sources.update({data.name: c}),
        )
        for case in self.registry.cases:
            for row in self.registry.rows:
                yield self._row_cell(case, row)
                if case == SWEPT and row.name in self.registry.main:
                    yield self._course_cell(row)
                    yield from (self._sweep_cell(row, agility) for agility in self.settings.agilities)

    def _row_cell(self, case: str, row: Row) -> _Cell:
        data, use = self.data, self.settings
        method = self.registry.methods[row.method]
        agility = method.agility[case]
        how = {"trials": use.trials, "seeds": use.seeds, **self._how()}
        key = cell_key(kind="row", data=data.digest, case=case, row=row.name, agility=agility, crowd=use.crowd, **how)
        return _Cell(
            f"{data.slug}.{case}.{slug(row.name)}",
            f"{data.name}, {case}: {row.name}",
            method.effort * (1.0 + use.trials / 250.0) * self._effort,
            key,
            lambda: self._row(case, row),
            lambda results, content: results.rows.update({(data.name, case, row.name): content}),
        )

    def _course_cell(self, row: Row) -> _Cell:
        data = self.data
        agility = self.registry.methods[row.method].agility[SWEPT]
        key = cell_key(kind="course", data=data.digest, row=row.name, agility=agility, seed=self.settings.first_seed)
        return _Cell(
            f"{data.slug}.course.{slug(row.name)}",
            f"{data.name}: course of {row.name}",
            0.3 * self._effort,
            key,
            lambda: course(self._at(SWEPT).made(row).controller, seed=self.settings.first_seed),
            lambda results, content: results.courses.update({(data.name, row.name): content}),
        )

    def _sweep_cell(self, row: Row, agility: float) -> _Cell:
        data, use = self.data, self.settings
        how = {"trials": use.sweep_trials, **self._how()}
        key = cell_key(kind="sweep", data=data.digest, row=row.name, agility=agility, **how)
        return _Cell(
            f"{data.slug}.sweep.{slug(row.name)}.{round(1000 * agility):04d}",
            f"{data.name}, {SWEPT}: {row.name} with agility {agility:g}",
            (0.5 + use.sweep_trials / 260.0) * self._effort,
            key,
            lambda: self._sweep(row, agility),
            lambda results, content: results.sweeps.update({(data.name, row.name, agility): content}),
        )

    def _how(self) -> dict[str, int]:
        """Return the settings that all trials depend on."""
        use = self.settings
        return {"seed": use.first_seed, "changes": use.changes, "resamples": use.resamples}

    def _at(self, case: str) -> Workshop:
        """Return the workshop for the task `case`; the workshop of another task is dropped with its controllers."""
        if self._workshop.case != case:
            self._workshop = Workshop(self.data, case, self.registry, self._workshop.warm_up, {})
        return self._workshop

    def _source(self) -> Content:
        field, source = self.data.field, self.data.source
        return {
            "clips": len(self.data.clips),
            "states": field.database.state_count,
            "frame_rate": 1.0 / field.database.frame_time,
            "jerk_m_s3": source.jerk,
            "turning_jerk_m_s3": source.turning_jerk,
            "skate_m_s": source.skate,
            "turning_deg_s": np.degrees(source.turning_rate).tolist(),
            "limit_s": source.limit,
            "footwork": source.feet.labelled(),
            "step_s": _mean_step(field.database),
        }

    def _row(self, case: str, row: Row) -> Content:
        use, workshop = self.settings, self._at(case)
        made = workshop.made(row)
        beside = workshop.trained(self.registry.reference).controller
        began = time.perf_counter()
        content = self._measured(case, made.controller, use.trials, use.seeds)
        seconds = time.perf_counter() - began
        cost = measure_cost(made.controller, beside, count=use.crowd, seed=use.first_seed)
        timings = {"training_s": made.seconds, "trials_s": seconds, "cost": cost._asdict()}
        return {**content, "size": measure_size(made.controller)._asdict(), "timings": timings}

    def _sweep(self, row: Row, agility: float) -> Content:
        made = self._at(SWEPT).trained(row.method, agility)
        return self._measured(SWEPT, made.controller, self.settings.sweep_trials, 1)

    def _measured(self, case: str, controller: Controller, count: int, seeds: int) -> Content:
        use = self.settings
        ran = run_trials(
            controller,
            self.registry.cases[case],
            count=count,
            seeds=seeds,
            first_seed=use.first_seed,
            change_count=use.changes,
        )
        return measured(self.data.field, self.data.source, ran, resamples=use.resamples, seed=use.first_seed)


def _mean_step(database: MotionDatabase) -> float | None:
    """Return the mean duration in seconds of a step in the data; None if it contains no steps."""
    length = cut_steps(database).length
    return float(length.mean() * database.frame_time) if length.size else None
