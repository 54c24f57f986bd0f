"""Compare decision methods of Lee's thesis (chapters 3 and 4) with a dense table of values, on clips of one step.

    python benchmarks/bench_thesis.py              # all tables on generated clips; about 5 minutes
    python benchmarks/bench_thesis.py --quick      # smaller tables, without bounds
    python benchmarks/bench_thesis.py --only cells --set locomotion

Costs are means of a step in radians, discounted, by rollouts from random states: less is better.
"""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

import numpy as np

from common import Bounds, clips_of_set, make_parser, sample_clips
from motionfields.base.arrays import IntArray
from motionfields.control.methods.graph.cutting import StepClips, cut_steps
from motionfields.control.methods.thesis import (
    Basis,
    Cells,
    Checkerboard,
    Fit,
    FixedObstacle,
    Heading,
    MovingObstacle,
    Path,
    Problem,
    RevolvingDoors,
    Skill,
    Steps,
    Switch,
    Table,
    bridge_clips,
    even_samples,
    fit_lp,
    fit_lspi,
    gaussians,
    mean_cost,
    monomials,
    nothing,
    product,
    refine,
    solve_cells,
    step_table,
    varied_clips,
    whole_clips,
)
from motionfields.control.root_motion import measure_root_motion
from motionfields.field.database import MotionDatabase

TURNS = tuple(f"turn_left_{angle}_quick" for angle in ("045", "090", "135", "180"))
WALKS = ("walk_forward", "walk_fast", "walk_slow")
SKILLS = ("walk_slow", "walk_fast", "walk_backward", "sidestep_left")
BETWEEN = ("walk_forward", "walk_stop", "walk_stop_other_foot", "walk_speed_up", "walk_slow_down", *TURNS,
           "turn_left_120_spin_inside_070_before")  # fmt: skip
WARPS = (-0.6, 0.0, 0.6), (0.8, 1.0, 1.2)  # radians, and factors of the length
SEED = 11  # of the rollouts that are reported; refinement draws its starts with another


class Cut(NamedTuple):
    """Clips of one step of a database."""

    database: MotionDatabase
    clips: StepClips

    def of(self, chosen: IntArray) -> Cut:
        """Return the `chosen` clips [n] alone."""
        return Cut(self.database, StepClips(*(part[chosen] for part in self.clips)))

    def steps(self) -> Steps:
        """Return the outcomes of playing them one after the other."""
        return step_table(*self)

    def takes(self) -> list[str]:
        """Return the name of the take of each clip, the same for its mirror image."""
        numbers = self.database.clip_of[self.clips.start].tolist()
        return [self.database.clip_names[number].removesuffix(".mirror") for number in numbers]


def cut_of(name: str) -> Cut:
    """Return the steps of a set: generated walks and turns, or the captured set locomotion."""
    clips = clips_of_set("A") if name == "locomotion" else sample_clips([*WALKS, *TURNS])
    database = MotionDatabase.build(clips)
    return Cut(database, cut_steps(database))


def polynomials(problem: Problem, *degrees: int) -> Basis:
    """Return the products of powers of each parameter up to `degrees`."""
    parts = [(axis, monomials(degree, problem.spans[axis])) for axis, degree in enumerate(degrees)]
    return product(parts)


def compare_bases(bounds: Bounds, cut: Cut, *, quick: bool) -> None:
    """Print the cost of each task of table 3.1 with values from bases, and with greedy and planned decisions."""
    steps, few = (
        cut.of(varied_clips(cut.database, cut.clips, size).ravel()).steps() for size in (8 if quick else 12, 6)
    )
    heading, path, obstacle, moving = Heading(steps, spin=1.0), Path(steps), FixedObstacle(few), MovingObstacle(few)
    theta = (2, monomials(2, obstacle.spans[2]))
    bumps = product([(0, gaussians(-1.5, 1.5, 4)), (1, gaussians(0.0, 0.0, 1)), theta])
    grid = product([(0, gaussians(-2.0, 2.0, 5)), (1, gaussians(-2.0, 2.0, 5)), theta])
    tasks: list[tuple[str, Problem, str, Basis, tuple[int, ...], int]] = [
        ("N", path, "P2(x) P2(a)", polynomials(path, 2, 2), (17, 33), 8),
        ("SN", heading, "P2(a)", polynomials(heading, 2), (33,), 8),
        ("FOA", obstacle, "P4(x) P2(z) P2(a) + 4 G", polynomials(obstacle, 4, 2, 2).joined(bumps), (13, 13, 17), 5),
        ("MOA", moving, "P2(a) + G5(x) G5(z) P2(a)", product([theta]).joined(grid), (13, 13, 17), 5),
    ]
    print("bases (table 3.1); x, z metres, a angle; P powers, G bumps")
    print(
        "  task  clips  basis                       functions   greedy      LP    LSPI   table   LP s  LSPI s", end=""
    )
    print("  bytes LP  table")
    for name, problem, words, basis, nodes, samples in tasks[: 2 if quick else 4]:
        greedy = mean_cost(problem, nothing, seed=SEED, count=500)
        table = Table(problem, nodes)
        values = table.solve()
        planned = mean_cost(problem, partial(table.values_at, values), seed=SEED, count=500)
        fits: list[tuple[float, float]] = []
        for fit in (fit_lp, fit_lspi):
            began = time.process_time()
            found: Fit = fit(problem, basis, even_samples(problem, samples))
            seconds = time.process_time() - began
            fits.append((mean_cost(problem, found.values(), seed=SEED, count=500), seconds))
        (lp, lp_time), (lspi, lspi_time) = fits
        print(
            f"  {name:5} {problem.steps.clip_count:5}  {words:27} {basis.size:9}"
            f" {greedy:8.3f} {lp:7.3f} {lspi:7.3f} {planned:7.3f}"
            f" {lp_time:6.1f} {lspi_time:7.1f} {8 * problem.steps.clip_count * basis.size:9} {8 * values.size:6}",
            flush=True,
        )
        if not quick:
            bounds.require(lp < greedy, f"{name}: LP costs {lp:.3f}, less than greedy decisions ({greedy:.3f})")
            bounds.require(planned <= lp, f"{name}: the table costs {planned:.3f}, at most LP ({lp:.3f})")


def compare_degrees(cut: Cut, *, quick: bool) -> None:
    """Print the difference of the values of low degrees of the angle from those of a high one (figure 3.9)."""
    steps = cut.of(varied_clips(cut.database, cut.clips, 8).ravel()).steps()
    problem = Heading(steps)
    states = even_samples(problem, 24)
    found = {d: fit_lp(problem, polynomials(problem, d), states) for d in ((2, 6) if quick else (0, 1, 2, 4, 6, 10))}
    most = max(found)
    best = found[most].values()(*states)
    print(f"degrees (figure 3.9): difference from the values of degree {most}, and the cost of the policy")
    for degree, fit in found.items():
        gap = np.linalg.norm(fit.values()(*states) - best) / np.linalg.norm(best)
        cost = mean_cost(problem, fit.values(), seed=SEED, count=500)
        print(f"  degree {degree:2}: {100 * gap:5.1f} %, {cost:.3f}", flush=True)


def compare_cells(bounds: Bounds, cut: Cut, *, quick: bool) -> None:
    """Print the cost of uniform and of refined cells on the checkerboard and the revolving doors (4.6.4 and 4.6.5)."""
    steps = cut.of(varied_clips(cut.database, cut.clips, 4 if quick else 6).ravel()).steps().warped(*WARPS)
    uniform: dict[str, tuple[Problem, list[tuple[int, ...]], int]] = {
        "checkerboard": (Checkerboard(steps), [(4, 4, 8), (8, 8, 8), (8, 8, 16), (16, 16, 16)], 4),
        "doors": (RevolvingDoors(steps), [(4, 4, 4, 4), (6, 8, 6, 6), (8, 8, 8, 8), (10, 12, 10, 10)], 3),
    }
    for name, (problem, sizes, rounds) in uniform.items():
        print(f"cells (figures 4.4 and 4.6), {name}: {steps.clip_count} clips, {len(steps.clip)} actions")
        rows: list[tuple[str, int, float]] = []
        refined = Cells.uniform(problem, sizes[0])
        plan = [("uniform", Cells.uniform(problem, size)) for size in (sizes[:2] if quick else sizes)]
        plan += [("refined", refined)] * (2 if quick else rounds)
        for kind, cells in plan:
            use = refined if kind == "refined" else cells
            began = time.process_time()
            solved = solve_cells(problem, use)
            seconds = time.process_time() - began
            rows.append((kind, use.cell_count, mean_cost(problem, solved.at(), seed=SEED, count=500, horizon=30)))
            print(f"  {kind} {use.cell_count:7} cells: cost {rows[-1][2]:.3f}, solved in {seconds:.1f} s", flush=True)
            if kind == "refined":
                refined = refine(problem, solved)
        report_cells(bounds, name, rows, quick=quick)


def report_cells(bounds: Bounds, name: str, rows: list[tuple[str, int, float]], *, quick: bool) -> None:
    """Print how many uniform cells cost as much as refined ones, between those that were solved."""
    even = sorted((cost, count) for kind, count, cost in rows if kind == "uniform")
    costs, counts = np.array(even).T
    ratios = []
    for kind, count, cost in rows:
        if kind == "refined" and count > even[-1][1]:  # beyond the coarse cells that both begin with
            as_many = float(np.exp(np.interp(cost, costs, np.log(counts))))
            more = "more than " if cost < costs[0] else "about "
            print(f"  {count} refined cells do as well as {more}{as_many:.0f} uniform ones")
            ratios.append(as_many / count)
    if not quick:
        bounds.require(
            min(ratios) > 1.0, f"{name}: refined cells do as well as {min(ratios):.1f} times as many, above 1"
        )


def compare_bridges(bounds: Bounds, *, quick: bool) -> None:
    """Print the cost of switching between skills with 0 to 4 transitional clips (figure 4.3)."""
    database = MotionDatabase.build(sample_clips([*SKILLS, *BETWEEN]))
    every = Cut(database, cut_steps(database))
    takes = np.array(every.takes())
    groups = [np.flatnonzero(takes == name) for name in SKILLS] + [np.flatnonzero(~np.isin(takes, SKILLS))]
    sizes = [6] * len(SKILLS) + [20 if quick else 36]
    picked = np.concatenate(
        [rows[varied_clips(*every.of(rows), size)] for rows, size in zip(groups, sizes, strict=True)], axis=1
    )
    pair, cut = np.tile(np.arange(picked.shape[1]), 2), every.of(picked.ravel())
    takes, steps = np.array(cut.takes()), cut.steps().warped(WARPS[0], (1.0,))
    travel = whole_clips(measure_root_motion(database), cut.clips)[1]
    speed = np.linalg.norm(travel, axis=-1) / (cut.clips.length * database.frame_time)
    skills = [Skill(name, takes == name, float(speed[takes == name].mean())) for name in SKILLS]
    print(f"transition controllers (figure 4.3): {picked.shape[1]} clips and mirror images, 3 of each skill")
    print(
        "  from           to              direct   1 clip  2 clips  4 clips  all  | 11 random | predicted, true gains"
    )
    rng, closed, beaten = np.random.default_rng(5), [], 0
    pairs = [(one, other) for one in skills for other in skills if one is not other]
    for source, target in pairs[: 2 if quick else None]:
        switch = Switch(steps, pair, source, target)
        bridge = bridge_clips(switch, 4)
        others = np.unique(pair[~target.clips])
        random = np.mean([switch.cost(np.isin(pair, rng.choice(others, 11, replace=False))) for _ in range(5)])
        some = rng.choice(others, 8 if quick else 16, replace=False)
        true = [bridge.costs[0] - switch.cost(pair == one) for one in some]
        like = np.corrcoef(bridge.predicted[some], true)[0, 1]
        costs = bridge.costs
        print(
            f"  {source.name:14} {target.name:14} {costs[0]:7.3f} {costs[1]:8.3f} {costs[2]:8.3f} {costs[4]:8.3f}"
            f" {bridge.least:6.3f} | {random:9.3f} | {like:.2f}",
            flush=True,
        )
        closed.append((costs[0] - costs[2]) / (costs[0] - bridge.least))
        beaten += int(costs[2] <= random)
    print(f"  2 clips bring {100 * float(np.mean(closed)):.0f} % of what all bring, on average")
    print(f"  2 selected clips do at least as well as 11 random ones in {beaten} of {len(closed)} switches")
    bounds.require(quick or float(np.mean(closed)) >= 0.5, "2 clips bring at least half of what all bring")


def main() -> None:
    parser = make_parser(__doc__, quick="smaller tables, without bounds")
    parser.add_argument("--only", choices=["bases", "cells", "bridges"], help="print one of the tables")
    parser.add_argument("--set", choices=["samples", "locomotion"], default="samples", help="data of bases and cells")
    given = parser.parse_args()
    bounds = Bounds()
    if given.only != "bridges":
        cut = cut_of(given.set)
        print(f"{given.set}: {len(cut.clips.start)} clips of one step")
        if given.only != "cells":
            compare_bases(bounds, cut, quick=given.quick)
            compare_degrees(cut, quick=given.quick)
        if given.only != "bases":
            compare_cells(bounds, cut, quick=given.quick)
    if given.only in (None, "bridges"):
        compare_bridges(bounds, quick=given.quick)
    raise SystemExit(bounds.exit_code())


if __name__ == "__main__":
    main()
