"""Output of `motionfields bench response`: tables on the terminal and a JSON file of all figures."""

from __future__ import annotations

import json
import math
import platform
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.console import Console
from rich.table import Table

import motionfields

if TYPE_CHECKING:
    from motionfields.field import MotionField
    from motionfields.measure.evaluation import Figures, SourceFigures

QUALITY = ("jerk", "turning_jerk", "joint_speed", "skate", "distance")
FOOTWORK = {  # figures and their heads, short enough for 80 columns
    "turning_foot_speed": "foot",
    "turning_foot_p95": "p95",
    "turning_fast_feet": "fast",
    "foot_spin": "spin",
    "twist": "twist",
    "flight": "flight",
    "replayed": "replayed",
}


class Measured(NamedTuple):
    """Measures of one method."""

    figures: Figures
    seeds: dict[int, tuple[int, float]]  # by seed: number of trials, and mean response time in seconds
    angles: list[float]  # radians, goal change of each trial
    reached: list[float]  # seconds until each trial reached its goal; infinite if it did not
    settled: list[float]  # seconds until each trial stayed at its goal
    sweeps: int
    residual: float
    training_seconds: float


def print_tables(source: SourceFigures, measured: dict[str, Measured]) -> None:
    """Print the tables of response, quality and footwork, one row per method, then failures and missed gates."""
    from motionfields.measure.evaluation import missed_gates

    console = Console()
    console.print(_response_table(source, measured))
    console.print(_quality_table(measured))
    console.print(_gate_table("footwork", FOOTWORK, measured, {}))
    lines = [
        f"  * {name}: times of the {_done(one)} completed changes, out of {one.figures.trial_count}"
        for name, one in measured.items()
        if one.figures.failures
    ]
    missed = {name: missed_gates(one.figures) for name, one in measured.items()}
    lines += [f"  [yellow]missed:[/] {name}: {gate}" for name, gates in missed.items() for gate in gates]
    if any(missed.values()):
        lines.append(f"  responses that miss a gate do not count: {', '.join(n for n in missed if missed[n])}")
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)


def _done(one: Measured) -> int:
    return sum(math.isfinite(seconds) for seconds in one.reached)


def _response_table(source: SourceFigures, measured: dict[str, Measured]) -> Table:
    heads = ("response, s", "min", "mean", "p95", "max", "settled", "failures", "of limit", "turning, deg/s", "m/s")
    table = _table(heads)
    rate = source.turning_rate
    limit = f"{source.limit:.3f} s"
    table.add_row("source", "", "", "", "", "", "", limit, f"{_degrees(rate.p99)} to {_degrees(rate.maximum)}", "")
    for name, one in measured.items():
        figures = one.figures
        table.add_row(
            name,
            _time(figures, figures.fastest),
            _time(figures, figures.mean, f" +- {figures.error:.3f}"),
            _time(figures, figures.p95),
            _time(figures, figures.slowest),
            _time(figures, figures.settled),
            _gated(figures, "failures", f"{100.0 * figures.failures:.1f} %"),
            _time(figures, figures.mean / source.limit),
            f"{_degrees(figures.turning_p99)} to {_degrees(figures.turning_max)}",
            f"{figures.speed:.2f}",
        )
    return table


def _time(figures: Figures, value: float, rest: str = "") -> str:
    """Format `value`, with a star if some changes failed and are left out of it, and as a dash if all failed."""
    if math.isnan(value):
        return "-"
    return f"{value:.3f}{rest}{'*' if figures.failures else ''}"


def _quality_table(measured: dict[str, Measured]) -> Table:
    heads = {name: name.replace("_", " ") for name in QUALITY}
    warped = [f"{100.0 * one.figures.warped:.1f} %" for one in measured.values()]
    return _gate_table("ratio to source", heads, measured, {"warped": warped})


def _gate_table(corner: str, heads: dict[str, str], measured: dict[str, Measured], rest: dict[str, list[str]]) -> Table:
    """Return a table of figures below their gates, by the `heads` of their columns; then the columns of `rest`."""
    from motionfields.measure.evaluation import GATES

    table = _table((corner, *heads.values(), *rest))
    table.add_row("gate", *(_allowed(*GATES[name]) for name in heads), *("" for _ in rest))
    for row, (name, one) in enumerate(measured.items()):
        ratios = (_gated(one.figures, ratio, f"{getattr(one.figures, ratio):.3f}") for ratio in heads)
        table.add_row(name, *ratios, *(column[row] for column in rest.values()))
    return table


def _table(heads: tuple[str, ...]) -> Table:
    table = Table(box=None, pad_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", no_wrap=True)
    return table


def _allowed(low: float, high: float) -> str:
    return f"{low:g} to {high:g}" if low else f"<= {high:g}"


def _gated(figures: Figures, name: str, shown: str) -> str:
    """Return `shown`, highlighted if the figure `name` misses its gate."""
    from motionfields.measure.evaluation import within_gate

    return shown if within_gate(name, getattr(figures, name)) else f"[bold red]{shown} ![/]"


def _degrees(rate: float) -> str:
    return f"{math.degrees(rate):.0f}"


def write_figures(
    path: Path, settings: dict[str, Any], field: MotionField, source: SourceFigures, measured: dict[str, Measured]
) -> None:
    """Write all figures to `path` as JSON, atomically, in degrees, seconds and metres; null for missing figures."""
    from motionfields.base.files import replacing
    from motionfields.measure.evaluation import GATES
    from motionfields.measure.evaluation.tables.cells import finite

    rate = source.turning_rate
    facts = {
        "bench": "response",
        "settings": settings,
        "versions": {
            "motionfields": motionfields.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba", "scipy")},
            "platform": platform.platform(),
        },
        "source": {
            "states": field.database.state_count,
            "findable": len(field.findable),
            "frame_rate": 1.0 / field.database.frame_time,
            "jerk_m_s3": source.jerk,
            "turning_jerk_m_s3": source.turning_jerk,
            "skate_m_s": source.skate,
            "turning_p95_deg_s": math.degrees(rate.p95),
            "turning_p99_deg_s": math.degrees(rate.p99),
            "turning_max_deg_s": math.degrees(rate.maximum),
            "limit_s": source.limit,
            "footwork": source.feet.labelled(),
        },
        "gates": {name: list(bounds) for name, bounds in GATES.items()},
        "methods": {name: _method_facts(source, one) for name, one in measured.items()},
    }
    text = json.dumps(finite(facts), indent=2, allow_nan=False)
    with replacing(path) as file:
        file.write(f"{text}\n".encode())


def _method_facts(source: SourceFigures, one: Measured) -> dict[str, Any]:
    from motionfields.measure.evaluation import missed_gates

    figures = one.figures._asdict()
    turning = {f"{name}_deg_s": math.degrees(figures.pop(name)) for name in ("turning_p99", "turning_max")}
    seeds = [{"seed": seed, "trial_count": count, "mean": mean} for seed, (count, mean) in one.seeds.items()]
    return {
        **figures,
        **turning,
        "done_count": _done(one),
        "of_limit": one.figures.mean / source.limit,
        "missed": missed_gates(one.figures),
        "by_seed": seeds,
        "training": {"sweeps": one.sweeps, "residual": one.residual, "seconds": one.training_seconds},
        "changes": {
            "angle_deg": [round(math.degrees(angle), 3) for angle in one.angles],
            "reached_s": one.reached,
            "settled_s": one.settled,
        },
    }
