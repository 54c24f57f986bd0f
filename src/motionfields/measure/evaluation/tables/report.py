"""The report: tables, sentences that interpret them, and the same figures in machine-readable form."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, NamedTuple

import motionfields
from motionfields.base.wording import counted
from motionfields.measure.evaluation.figures import FOOTWORK_GATES, GATES, within_gate
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.comparing import mean_ratio
from motionfields.measure.evaluation.tables.document import Block, Grid, Heading, Picture, Points, Words
from motionfields.measure.evaluation.tables.measuring import TableSettings
from motionfields.measure.evaluation.tables.reading import reading
from motionfields.measure.evaluation.tables.registry import Registry, without_paper
from motionfields.measure.evaluation.tables.running import Results
from motionfields.measure.evaluation.tables.wording import bytes_shown, seconds_shown, with_error

TITLE = "Motion fields, motion graphs and motion matching on the same data"
TIMES = {"fastest": "min", "mean": "mean", "p95": "p95", "slowest": "max", "settled": "settled"}
RATIOS = ("jerk", "turning_jerk", "joint_speed", "skate", "distance")
DETERMINISTIC = ("figures", "missed", "size", "trials")
DEFINITIONS = (
    "Response is the time from a change of the goal until the character faces within 5 degrees of it (line: and is "
    "within 10 cm). Settled is the time until it also stays within 10 degrees for half a second. A failure is a change "
    "that was not completed within 6 s; times marked with a star exclude failures.",
    "Jerk, turning jerk (in frames that turn faster than 60 degrees per second), joint speed and skate are divided by "
    "those of the data. Distance is the 95th percentile of the distance to the data, divided by that between states of "
    "the data. An exclamation mark is a missed gate: the motion is not good enough, so the response does not count.",
    "Footwork: the supporting foot is the one whose ball is lower. Its speed (mean and 95th percentile), the share of "
    "frames in which it is faster than 0.6 m/s, and its yaw speed (spin) are over frames that turn faster than 60 "
    "degrees per second. Twist is the 95th percentile of the torso's yaw against the pelvis. All are divided by those "
    "of the data. Flight is the share of frames without a foot on the ground, above that of the data. Replayed is the "
    "share of turning frames that show a recent moment again, and largest share the time spent in one clip.",
    "The number after ± is the standard error, by the bootstrap over characters; ignore it for minima and maxima. "
    "Standard errors of costs are over repeated timings.",
    "Sampled every N states: keeps every N-th value of a value function trained in full. Packed: our compression.",
    "File is the size of the saved controller including the motion; memory is that of all arrays in use. Cost is per "
    "character and frame in a crowd of {crowd} on one thread.",
    "Warp: turns may be a fifth larger than captured. The graph always warps its clips. Graph, ahead: the same graph, "
    "deciding half a clip ahead, as it must if clips are cross-faded.",
    "The paper's own figures are for other data: compare patterns, not values.",
)
ABOUT_PAPER = (
    "Lee et al. 2010: the paper's controller. As published has every number as printed; anchors xN are trained at "
    "every N-th state alone (eq. 14); our reward has the reward, grid and goal changes of the field."
)


class Drawn(NamedTuple):
    """A picture with its data set and task; an empty string means that it belongs to none in particular."""

    data: str
    case: str
    picture: Picture


def report_blocks(
    results: Results, settings: TableSettings, registry: Registry, drawn: Sequence[Drawn] = ()
) -> list[Block]:
    """Return the blocks of the whole report."""
    names = list(results.sources)
    blocks: list[Block] = [Heading(1, TITLE)]
    count = f"at least {counted(settings.trials, 'change')} of the goal over {counted(settings.seeds, 'seed')}"
    count += f" from {settings.first_seed} on"
    blocks.append(
        Words(
            f"The tables of Lee et al. 2010 (Tables 1 and 2, Fig. 7) on {counted(len(names), 'set')} of "
            f"data. Every row follows the same commands: {count}. motionfields {motionfields.__version__}."
        )
    )
    definitions = [text.format(crowd=settings.crowd) for text in DEFINITIONS]
    blocks.append(Points(definitions if registry == without_paper(registry) else [*definitions, ABOUT_PAPER]))
    blocks += [Heading(2, "At a glance"), _summary_grid(results, settings, registry)]
    for name in names:
        blocks += [Heading(2, name), Words(_about(results.sources[name]))]
        for case in registry.cases:
            blocks += _task_blocks(results, settings, registry, name, case)
            blocks += [one.picture for one in drawn if (one.data, one.case) == (name, case)]
        blocks += [one.picture for one in drawn if (one.data, one.case) == (name, "")]
    return blocks


def missed_by_main(results: Results, registry: Registry) -> list[str]:
    """Return one line of text for each gate that a main row misses."""
    return [
        f"{data}, {case}, {row}: {gate}"
        for (data, case, row), content in results.rows.items()
        if row in registry.main
        for gate in content["missed"]
    ]


def report_facts(results: Results, settings: TableSettings, registry: Registry) -> dict[str, Any]:
    """Return the report as plain data: reproducible figures under `results`, measured times under `timings`."""
    rows = {" / ".join(key): {name: content[name] for name in DETERMINISTIC} for key, content in results.rows.items()}
    sweeps = {
        f"{data} / {row} / {agility:g}": {"figures": content["figures"], "missed": content["missed"]}
        for (data, row, agility), content in results.sweeps.items()
    }
    courses = {
        " / ".join(key): {name: content[name] for name in ("seconds", "off_deg")}
        for key, content in results.courses.items()
    }
    return {
        "bench": "tables",
        "motionfields": motionfields.__version__,
        "settings": asdict(settings),
        "gates": {name: list(bounds) for name, bounds in GATES.items()},
        "paper": {
            name: {row: list(times) for row, times in case.paper.items()} for name, case in registry.cases.items()
        },
        "results": {"sources": results.sources, "rows": rows, "sweeps": sweeps, "courses": courses},
        "timings": {" / ".join(key): content["timings"] for key, content in results.rows.items()},
        "machine": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba", "scipy")},
            "platform": platform.platform(),
            "cores": os.cpu_count(),
        },
    }


def _summary_grid(results: Results, settings: TableSettings, registry: Registry) -> Grid:
    """Return the mean response of the main rows on all sets and tasks, and the reference's ratio to each rival."""
    reference, rivals = registry.reference, registry.main[:-1]
    table = []
    for name in results.sources:
        for case in registry.cases:
            rows = {row: results.rows.get((name, case, row)) for row in registry.main}
            means = ["-" if one is None else _mean_shown(one) for one in rows.values()]
            ratios = [_ratio_shown(rows[reference], rows[rival], settings) for rival in rivals]
            table.append([f"{name}: {case}", *means, *ratios])
    heads = ["mean response, s", *registry.main, *(f"{reference} to {rival}" for rival in rivals)]
    return Grid("Means over completed changes; an exclamation mark is a missed gate", heads, table)


def _mean_shown(content: Content) -> str:
    return with_error(*content["figures"]["mean"]) + (" !" if content["missed"] else "")


def _ratio_shown(content: Content | None, rival: Content | None, settings: TableSettings) -> str:
    if content is None or rival is None:
        return "-"
    return with_error(*mean_ratio(content, rival, resamples=settings.resamples, seed=settings.first_seed))


def _about(source: Content) -> str:
    p95, p99, most = source["turning_deg_s"]
    return (
        f"{counted(source['clips'], 'clip')}, {counted(source['states'], 'state', spec=',')} including mirror images "
        f"at {source['frame_rate']:g} frames/s. "
        f"The data turns at {p95:.0f}, {p99:.0f} and {most:.0f} degrees per second (95th and 99th percentile, "
        f"maximum); at the first of these rates a mean turn takes {source['limit_s']:.2f} s."
        f"{_about_steps(source['step_s'])}"
    )


def _about_steps(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return (
        f" A step takes {seconds:.2f} s on average. So a method that decides once per step reacts to a new goal after "
        f"{seconds / 2.0:.2f} s on average, and one that decides half a step ahead after {seconds:.2f} s."
    )


def _task_blocks(
    results: Results, settings: TableSettings, registry: Registry, name: str, case: str
) -> Iterator[Block]:
    rows = {row: content for (data, task, row), content in results.rows.items() if (data, task) == (name, case)}
    if not rows:
        return
    limit = results.sources[name]["limit_s"] if case == "direction" else None
    yield Heading(3, f"{name}: {case}")
    yield _response_grid(rows, case, limit)
    yield _gate_grid("Motion quality and its gates", "ratio to the data", rows, RATIOS, {"warped": "warped frames"})
    yield _gate_grid(
        "Footwork and its gates",
        "footwork, to the data",
        rows,
        tuple(FOOTWORK_GATES),
        {"largest_share": "largest share"},
    )
    yield _cost_grid(rows, registry.reference)
    yield Heading(3, f"How to read this: {name}, {case}")
    yield Points(reading(rows, registry, settings))


def _response_grid(rows: dict[str, Content], case: str, limit: float | None) -> Grid:
    heads = [f"{case}: response, s", *TIMES.values(), "failures", "turning p99, deg/s", "m/s"]
    table = []
    for row, content in rows.items():
        figures = content["figures"]
        star = "*" if figures["failures"][0] else ""
        times = [_starred(with_error(*figures[name]), star) for name in TIMES]
        failures = _gated(content, "failures", with_error(*figures["failures"], scale=100.0, unit=" %"))
        turning = with_error(*figures["turning_p99"], scale=57.29578)
        table.append([row, *times, failures, turning, with_error(*figures["speed"])])
    known = f"; the limit of the data is {limit:.2f} s" if limit is not None else ""
    trials = max(int(content["figures"]["trial_count"][0]) for content in rows.values())
    return Grid(f"Response to {counted(trials, 'change')}, seconds{known}", heads, table)


def _starred(text: str, star: str) -> str:
    return text if text == "-" else text + star


def _gate_grid(title: str, head: str, rows: dict[str, Content], names: Sequence[str], shares: dict[str, str]) -> Grid:
    """Return a grid of the figures `names` below their gates, and of the figures in `shares` in per cent."""
    gates = ["gate", *(_allowed(*GATES[name]) for name in names), *("" for _ in shares)]
    table = [
        [
            row,
            *(_gated(content, name, with_error(*content["figures"][name])) for name in names),
            *(with_error(*content["figures"][name], scale=100.0, unit=" %") for name in shares),
        ]
        for row, content in rows.items()
    ]
    return Grid(title, [head, *(name.replace("_", " ") for name in names), *shares.values()], [gates, *table])


def _cost_grid(rows: dict[str, Content], reference: str) -> Grid:
    table = []
    for row, content in rows.items():
        size, timings = content["size"], content["timings"]
        cost = timings["cost"]
        table.append(
            [
                row,
                *(bytes_shown(size[name]) for name in ("file", "values", "memory")),
                seconds_shown(timings["training_s"]),
                with_error(cost["microseconds"], cost["error"]),
                with_error(cost["ratio"], cost["ratio_error"]),
            ]
        )
    heads = ["size and cost", "file", "its values", "memory", "training", "cost, µs", f"to {reference}"]
    return Grid("Size, memory and time", heads, table)


def _allowed(low: float, high: float) -> str:
    return f"{low:g} to {high:g}" if low else f"up to {high:g}"


def _gated(content: Content, name: str, shown: str) -> str:
    """Return `shown`, with an exclamation mark if the figure misses its gate."""
    value = content["figures"][name][0]
    return shown if value is not None and within_gate(name, value) else f"{shown} !"
