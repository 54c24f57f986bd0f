"""Redo the tables of chapter 3 of Lo's thesis: motion graphs of frames, A*, and search from both ends with a cut.

    python benchmarks/bench_frames.py [--quick] [--only NAME ...] [--picture FILE] [--json FILE]

Uses takes of the captured `locomotion` set without mirror images: twelve for `cuts` (figure 3.7 of the thesis), six for
`inflation` (3.11), `long` (3.13) and `reasons`, which shows what the speed-up of a search from both ends depends on;
`graphs` prints the size of all graphs. Times are CPU seconds of one thread. A search that runs out of memory counts
with what it expanded until then. `--quick` searches generated motion and exits 1 if a search from both ends finds a
motion that costs more than its tolerances allow. `--picture` draws the motion along the bend from above.
"""

from __future__ import annotations

import math
import re
import sys
import time
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from common import DATA, Bounds, make_parser, sample_clips, write_json
from motionfields.authoring.plan.frames import (
    Ends,
    Followed,
    FrameGraph,
    FrameSettings,
    MixedGraph,
    Weights,
    follow,
    make_sheet,
    show,
    well_connected,
)
from motionfields.authoring.plan.frames.cutting import Kind
from motionfields.base.arrays import FloatArray
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion import footwork, quality
from motionfields.motion.clip import Clip
from motionfields.motion.formats import load_clips

SHORT = re.compile("69_(01|05|17|18|2.|3.)")  # single walks and turns, 54 s
WALKS = re.compile("69_(01|05|22|24|28|31)")  # straight on, and turns to both sides, 22 s
SETTINGS = FrameSettings(threshold=0.08)
SMOOTH = FrameSettings(threshold=0.06, partners=3)
SPEED = 1.2  # m/s of the strokes
MOST = 1 << 23  # states of each tree
NAMES = ("graphs", "cuts", "inflation", "long", "reasons")
SHOWN = {"one": "A*", "cut": "both ends, cut", "moving": "both ends, moving cut"}


class Case(NamedTuple):
    """A stroke over the ground, and the facing at its end beside its direction there."""

    points: FloatArray  # [n, 2], metres
    turned: float = 0.0  # radians


def straight(length: float, turned: float = 0.0) -> Case:
    """Return a straight stroke of `length` metres."""
    return Case(np.array([(0.0, 0.0), (0.0, length)]), turned)


def waves(length: float, width: float, count: float) -> Case:
    """Return a stroke that swings `width` metres to a side `count` half times over `length` metres."""
    z = np.linspace(0.0, length, 200)
    return Case(np.stack([0.5 * width * (1.0 - np.cos(z / length * math.pi * count)), z], axis=1))


BEND = waves(7.0, 1.6, 1.0)
CASES = {
    "straight, 6 m": straight(6.0),
    "bend, 7 m": BEND,
    "S, 12 m": waves(12.0, 2.0, 2.0),
    "turned back at the end, 10 m": straight(10.0, math.pi),
}


class Figure(NamedTuple):
    """One search."""

    kind: str
    seconds: float  # CPU
    expanded: tuple[int, int]  # states from the start and from the end
    cost: float  # seconds
    lasts: float  # seconds of motion
    off: float  # metres from the stroke, mean
    moves: int
    finished: bool


def main() -> None:
    parser = make_parser(__doc__, quick="searches generated motion")
    parser.add_argument("--only", action="append", choices=NAMES, help="print these tables only")
    parser.add_argument("--picture", type=Path, help="draw a motion along the bend to this file")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    bounds = Bounds()
    figures: dict[str, object] = {}
    if options.quick:
        figures["quick"] = quick(bounds)
    elif options.picture:
        draw(options.picture)
    else:
        for name in options.only or NAMES:
            print(f"\n{name}", flush=True)
            figures[name] = TABLES[name]()
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


@cache
def field_of(wanted: re.Pattern[str]) -> MotionField:
    """Return the field of some takes, without mirror images."""
    clips = [clip for clip in load_clips(DATA / "locomotion") if wanted.match(clip.name)]
    return MotionField(MotionDatabase.build(clips, mirror=False))


@cache
def graph_of(wanted: re.Pattern[str], kind: str) -> FrameGraph | MixedGraph:
    """Return the graph of some takes: plain, smooth (plain, with SMOOTH settings), connected or mixed."""
    if kind == "mixed":
        base = graph_of(wanted, "plain")
        assert isinstance(base, FrameGraph)
        return MixedGraph.build(base)
    if kind == "connected":
        return well_connected(field_of(wanted), settings=SMOOTH)
    return FrameGraph.build(field_of(wanted), settings=SETTINGS if kind == "plain" else SMOOTH)


def search(
    graph: FrameGraph | MixedGraph,
    case: Case,
    kind: Kind,
    inflation: float = 1.0,
    weights: Weights | None = None,
    most: int = MOST,
) -> tuple[Figure, Followed]:
    """Return the figures of one search with enough memory, up to `most` states, and its motion."""
    points = case.points
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    sheet = make_sheet(points, way / SPEED)
    first, last = points[1] - points[0], points[-1] - points[-2]
    rests = np.flatnonzero(graph.rests)
    if isinstance(graph, MixedGraph):
        rests = rests[graph.share[rests] == 0.0]
    # Without standing in the data, motions end in the pose in which they begin.
    nodes = rests[:1] if graph.rests.all() else rests
    start = Ends(nodes[:1], np.array([[*points[0], math.atan2(*first)]]))
    end = Ends(nodes, np.tile([*points[-1], math.atan2(*last) + case.turned], (len(nodes), 1)))
    # With more and more memory: to set it aside would take most of the time of a small search.
    for capacity in (1 << 15, 1 << 19, most):
        begin = time.process_time()
        found = follow(graph.links, sheet, start, end, kind=kind, inflation=inflation, weights=weights, most=capacity)
        seconds = time.process_time() - begin
        if found.finished:
            break
    lasts = float(graph.links.seconds[found.links].sum())
    cells = np.round((found.poses[:, :2] - sheet.corner) / 0.02).astype(np.int64)
    off = float(sheet.distance[cells[:, 0], cells[:, 1]].mean()) if len(cells) else math.inf
    return Figure(kind, seconds, found.expanded, found.cost, lasts, off, found.moves, found.finished), found


def compile_loops() -> None:
    """Run a small search, so that compilation is not measured."""
    search(graph_of(WALKS, "plain"), straight(1.0), "moving", most=1000)


HEAD = (
    "| search | CPU | expanded states | cost | motion | off the stroke | faster | fewer states |\n|---|" + "---:|" * 7
)


def rows(label: str, figures: list[Figure]) -> None:
    """Print the rows of a table; the first search is what the others are compared with."""
    base = figures[0]
    for one in figures:
        more = "" if one.finished else "more than "
        least = "" if base.finished else "over "
        fewer = sum(base.expanded) / max(1, sum(one.expanded))
        found = (
            f"{one.cost:.2f} s | {one.lasts:.1f} s | {100 * one.off:.0f} cm" if math.isfinite(one.cost) else "- | - | -"
        )
        states = " + ".join(f"{part:,}" for part in one.expanded if part)
        moved = f", {one.moves} moves" if one.kind == "moving" else ""
        print(
            f"| {label}: {SHOWN[one.kind]}{moved} | {one.seconds:.2f} s | {more}{states} | {found} "
            f"| {least}{base.seconds / max(1e-3, one.seconds):.1f} | {least}{fewer:.1f} |",
            flush=True,
        )


def print_graphs() -> list[object]:
    """Print the sizes of all graphs."""
    print("| takes | graph | frames | transitions | nodes | links | rests | build |\n|---|---|" + "---:|" * 6)
    out: list[object] = []
    for wanted, kinds in ((SHORT, ("plain", "smooth", "connected")), (WALKS, ("plain", "mixed"))):
        for kind in kinds:
            begin = time.process_time()
            graph = graph_of(wanted, kind)
            seconds = time.process_time() - begin
            base = graph.base if isinstance(graph, MixedGraph) else graph
            rests = "none" if base.rests.all() else str(int(base.rests.sum()))
            row = [len(base.frames.run), len(base.transitions.source), len(graph.rests), len(graph.links.source)]
            takes = len(field_of(wanted).database.clip_names)
            name = f"{kind}, {base.settings.threshold:g} m"
            print(
                f"| {takes} | {name} | " + " | ".join(f"{n:,}" for n in row) + f" | {rests} | {seconds:.0f} s |",
                flush=True,
            )
            out.append([kind, *row, seconds])
    return out


def print_cuts() -> list[object]:
    """Print A*, the cut and the moving cut on strokes (figure 3.7)."""
    compile_loops()
    print(HEAD)
    out: list[object] = []
    kinds: tuple[Kind, ...] = ("one", "cut", "moving")
    for name, case, graph in [*((*item, "plain") for item in CASES.items()), ("bend, 7 m", BEND, "connected")]:
        found = [search(graph_of(SHORT, graph), case, kind)[0] for kind in kinds]
        rows(f"{graph}, {name}", found)
        out.append([graph, name, found])
    return out


def print_inflation() -> list[object]:
    """Print A* and the moving cut with inflated bounds on both graphs (figure 3.11)."""
    compile_loops()
    print(HEAD)
    out: list[object] = []
    for graph, inflation in product(("plain", "mixed"), (1.0, 3.0, 10.0)):
        kinds: tuple[Kind, ...] = ("one", "moving")
        found = [search(graph_of(WALKS, graph), BEND, kind, inflation)[0] for kind in kinds]
        rows(f"{graph}, inflation {inflation:g}", found)
        out.append([graph, inflation, found])
    return out


def print_long() -> list[object]:
    """Print a longer stroke on the interpolated graph (figure 3.13)."""
    compile_loops()
    print(HEAD)
    case = waves(18.0, 2.5, 3.0)
    wanted: tuple[tuple[Kind, float], ...] = (("one", 2.0), ("moving", 2.0), ("one", 10.0), ("moving", 10.0))
    out: list[object] = []
    for kind, inflation in wanted:
        found = search(graph_of(WALKS, "mixed"), case, kind, inflation)[0]
        rows(f"inflation {inflation:g}", [found])
        out.append([inflation, found])
    return out


def print_reasons() -> list[object]:
    """Print how the speed-up depends on the merging of repeated states and on the length of the stroke."""
    compile_loops()
    print(HEAD)
    out: list[object] = []
    for length in (2.0, 3.0, 4.0, 5.0):
        for cell in (0.5, 0.05):
            kinds: tuple[Kind, ...] = ("one", "moving")
            weights = Weights(cell=cell)
            found = [search(graph_of(WALKS, "plain"), straight(length), kind, weights=weights)[0] for kind in kinds]
            rows(f"{length:g} m, cells of {100 * cell * weights.place:.1f} cm", found)
            out.append([length, cell, found])
    found = [search(graph_of(WALKS, "plain"), BEND, kind, 0.0)[0] for kind in ("one", "moving")]
    rows("bend, 7 m, no bound", found)
    out.append(["no bound", found])
    return out


def quick(bounds: Bounds) -> list[object]:
    """Search a small graph of generated motion with all searches."""
    clips = sample_clips(["walk_stop", "turn_left_090_quick"])
    field = MotionField(MotionDatabase.build(clips, mirror=False))
    graph = FrameGraph.build(field, settings=FrameSettings(threshold=0.12, shares=(0.5,), partners=2, branching=6))
    mixed = MixedGraph.build(graph)
    print(HEAD)
    kinds: tuple[Kind, ...] = ("one", "cut", "moving")
    out: list[object] = []
    for name, one in (("plain", graph), ("mixed", mixed)):
        found = [search(one, straight(3.0), kind, most=1 << 18)[0] for kind in kinds]
        rows(name, found)
        slack = 4.0 * Weights().gap * (Weights().place + Weights().turn)
        bounds.require(all(figure.finished for figure in found), f"{name}: ran out of memory")
        apart = max(figure.cost for figure in found) - min(figure.cost for figure in found)
        bounds.require(apart <= slack, f"{name}: costs differ by {apart:.2f} s, expected at most {slack:.2f}")
        out.append([name, found])
    return out


def draw(path: Path) -> None:
    """Draw the motion along the bend on both graphs: from above, and as a film strip from the side."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(3, 1, figsize=(12, 8))
    axes[0].plot(BEND.points[:, 1], BEND.points[:, 0], color="black", linewidth=1.0, label="stroke")
    for strip, kind, inflation in ((axes[1], "plain", 1.0), (axes[2], "mixed", 3.0)):
        graph = graph_of(WALKS, kind)
        clip = show(graph, search(graph, BEND, "moving", inflation)[1])
        describe(kind, clip, graph)
        axes[0].plot(clip.root_position[:, 2], clip.root_position[:, 0], label=f"root, {kind}, inflation {inflation:g}")
        world, parents = clip.world().positions, clip.skeleton.parents
        for place, frame in enumerate(range(0, clip.frame_count, 7)):
            for joint in range(1, len(parents)):
                bone = world[frame, [joint, parents[joint]]]
                strip.plot(bone[:, 2] + 0.25 * place, bone[:, 1], color="0.3", linewidth=1.0)
        strip.set_title(f"{kind}, inflation {inflation:g}: {clip.frame_count * clip.frame_time:.1f} s")
    for axis in axes:
        axis.set_aspect("equal")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=80)


def describe(name: str, clip: Clip, graph: FrameGraph | MixedGraph) -> None:
    """Print the quality of a displayed motion beside that of the takes."""
    field = (graph.base if isinstance(graph, MixedGraph) else graph).field
    takes = field.database.source_clips()
    jerk = quality.jerk(clip).mean() / np.mean([quality.jerk(take).mean() for take in takes])
    slow, fast = (
        np.percentile(np.concatenate([footwork.lower_foot_speed(one, field.stance) for one in some]), 95.0)
        for some in (takes, [clip])
    )
    print(f"{name}: jerk {jerk:.2f} and speed of the lower foot (95th percentile) {fast / slow:.2f} times the takes'")


TABLES = {
    "graphs": print_graphs,
    "cuts": print_cuts,
    "inflation": print_inflation,
    "long": print_long,
    "reasons": print_reasons,
}


if __name__ == "__main__":
    main()
