"""Processor time of `motionfields survey` on generated and captured sets, and the statements that it makes.

    python benchmarks/bench_survey.py                    # all sets that are present
    python benchmarks/bench_survey.py --quick            # ten generated clips
    python benchmarks/bench_survey.py --set locomotion --set annotated
    python benchmarks/bench_survey.py --field large.field --keep report    # a field file, such as prove_large.py makes
    python benchmarks/bench_survey.py --bounds           # bounds of response beside trained controllers
    python benchmarks/bench_survey.py --worth            # worth of 15 generated takes beside training without each
    python benchmarks/bench_survey.py --worth --set locomotion
    python benchmarks/bench_survey.py --shots            # shot lists of five sets with one kind of motion held out
    python benchmarks/bench_survey.py --select           # few takes beside pruning and random choice; also with --set

Sets: samples (all generated clips), locomotion, walks_69, annotated, subject16 (its walks). Bounds: two minutes of
processor time per 50,000 states, with the pictures and the page; neither a problem nor a gap on the generated clips.
`--keep` leaves the report of each set in a folder.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from common import DATA, Bounds, clips_of_set, control_field, make_parser
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import wrap_angle
from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.pruning import kept_states, prune
from motionfields.measure.survey import (
    LEVELS,
    Performance,
    TakeTables,
    predicted_gains,
    response_bounds,
    save_report,
    select_takes,
    shot_list,
    survey,
)
from motionfields.measure.survey.bounds import TOLERANCE
from motionfields.measure.survey.page import SHOWN_OF_KIND
from motionfields.measure.survey.selection import reduced_field
from motionfields.measure.survey.shots import abilities, extended, own_clips, saved_seconds
from motionfields.measure.survey.statements import NOTE
from motionfields.measure.survey.tracks import find_starts, find_stops, measure_tracks
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats import load_clips
from motionfields.motion.samples import generate_samples, sample_names

SETS = {
    "locomotion": "locomotion",
    "walks_69": "perturbation/walks_69",
    "annotated": "annotated",
    "subject16": "large.zip",
}
TURNS = re.compile(
    r"walk_(forward|stop)|stand_idle|turn_left_(045|090|180)_quick"
    r"|turn_\w+_(060|120|180)_spin_\w+_(070_before|070_after|210_after|350_after)"
)
QUICK_TURNS = ("walk_forward", "turn_left_090_quick")
WORTH = re.compile(
    r"walk_(forward|fast|slow|stop|stop_other_foot|backward)|stand_idle|sidestep_left|turn_left_(045|090|180)_quick"
    r"|turn_left_(045|120)_gentle|turn_left_060_spin_inside_(070_before|210_after)"
)
QUICK_WORTH = ("walk_forward", "walk_stop", "turn_left_045_gentle", "turn_left_090_quick")
SHOT_CLIPS = re.compile(r"walk_(forward|fast|stop_other_foot)|stand_idle|turn_(left|right)_(060|120)_quick")
HELD_OUT = {
    "turn left": re.compile("turn_left"),
    "turn right": re.compile("turn_right"),
    "stop": re.compile("^stop"),
    "start": re.compile("^start"),
    "fast walk": re.compile("walk_fast"),
}
LIKENESS = 0.8  # least rank correlation of the worth from tables with that of training again
CLOSEST = 15.0  # per cent by which the best controller may take longer than its bound
LIMIT = 120.0  # seconds per 50,000 states
MANY = 50_000


def clips_of(name: str, *, quick: bool) -> list[Clip]:
    """Return the clips of the set called `name`; with `quick`, a tenth of the generated ones."""
    if name == "samples":
        wanted = sample_names()[::17] if quick else sample_names()
        return [sample.clip for sample in generate_samples(frame_rate=30.0, only=wanted)]
    return clips_of_set("D") if name == "subject16" else load_clips(DATA / SETS[name])


def warm_up() -> None:
    """Compile and import everything that a survey and its page need, so that it is not measured."""
    clips = [sample.clip for sample in generate_samples(frame_rate=30.0, only=["walk_fast", "walk_stop"])]
    field = control_field(clips)
    with tempfile.TemporaryDirectory() as folder:
        save_report(survey(field), field, folder)


def measure(name: str, field: MotionField, bounds: Bounds, *, quick: bool, keep: Path | None) -> None:
    """Survey one set, print its time and statements, and leave its report in the folder `keep`, if one is given."""
    count = field.database.state_count
    began, clock = time.process_time(), time.perf_counter()
    found = survey(field)
    surveyed = time.process_time() - began
    with tempfile.TemporaryDirectory() as folder:
        page = save_report(found, field, keep / name if keep else folder, title=f"Survey of {name}")
        size = page.stat().st_size
    seconds, waited = time.process_time() - began, time.perf_counter() - clock
    each = seconds * MANY / count
    levels = ", ".join(f"{len(found.of_level(level))} {level}s" for level in LEVELS)
    print(f"{name}: {count} states, survey {surveyed:.1f} s, with its page {seconds:.1f} s ({size / 1e6:.1f} MB)")
    print(
        f"  {each:.0f} s of processor time per {MANY:,} states ({waited * MANY / count:.0f} s by the clock); {levels}"
    )
    kinds = Counter(one.kind for one in found.statements)
    shown = Counter[str]()
    for one in found.statements:
        shown[one.kind] += 1
        if shown[one.kind] <= SHOWN_OF_KIND:
            more = kinds[one.kind] - SHOWN_OF_KIND if shown[one.kind] == SHOWN_OF_KIND else 0
            print(f"  {one.level}: {one.text}" + (f" ({more} more like this)" if more > 0 else ""))
    if not quick:
        bounds.require(each <= LIMIT, f"{name}: {each:.0f} s per {MANY:,} states, at most {LIMIT:.0f} s")
        alarms = [one for one in found.statements if one.level != NOTE]
        bounds.require(name != "samples" or not alarms, f"{name}: {len(alarms)} false alarms, expected none")


def compare_bounds(bounds: Bounds, *, quick: bool) -> None:
    """Print the response of trained controllers beside its bounds, and require that none is sooner in any trial."""
    clips = [sample.clip for sample in generate_samples(frame_rate=30.0, only=QUICK_TURNS if quick else TURNS)]
    field, settings = control_field(clips), ControlSettings(neighbor_count=20 if quick else 100)
    before = response_bounds(field, settings=settings)
    print(f"bounds of response: {field.database.state_count} states")
    closest = np.inf
    for agility in (1.0,) if quick else (0.5, 1.0):
        controller = train(field, Direction(), settings=settings, agility=agility)
        states, angles, took = turn_trials(controller, count=64 if quick else 400, seed=77)
        done = np.isfinite(took)
        own = response_bounds(field, transitions=controller.transitions)
        least, least_own = before.seconds(states, angles), own.seconds(states, angles)
        late = f"{(~done).sum()} of {len(took)} not within 3 s"
        print(f"  agility {agility:g}: {took[done].mean():.3f} s on average, {late}")
        for name, bound in (("all candidates", least), ("its own transitions", least_own)):
            over = 100.0 * (took[done].mean() / bound[done].mean() - 1.0)
            closest = min(closest, over) if bound is least else closest
            print(f"    bound by {name}: {bound[done].mean():.3f} s; the controller takes {over:.0f} % longer")
            beaten = int((took < bound - 1e-9).sum())
            bounds.require(beaten == 0, f"agility {agility:g}: {beaten} trials sooner than the bound by {name}")
    bounds.require(quick or closest <= CLOSEST, f"the best takes {closest:.0f} % longer, at most {CLOSEST:.0f} %")


def turn_trials(controller: FieldController, *, count: int, seed: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return states [count], uniform turns [count] in radians, and the seconds [count] that characters take for them.

    Time counts until the followed state faces the goal within 5 degrees, without the smoothing of the displayed pose.
    """
    crowd = controller.crowd(count, seed=seed, plant=False)
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, count)
    goals = crowd.ground.facing[:, np.newaxis].copy()
    for _ in range(60):
        crowd.step(goals)
    states = crowd.followers.state.copy()
    goals = (crowd.ground.facing + angles)[:, np.newaxis]
    took = np.full(count, np.inf)
    for frame in range(91):
        near = np.abs(wrap_angle(goals[:, 0] - crowd.ground.facing)) <= TOLERANCE
        took = np.where(near & np.isinf(took), frame * controller.field.database.frame_time, took)
        crowd.step(goals)
    return states, angles, took


def worth_clips(name: str, *, quick: bool) -> list[Clip]:
    """Return the takes whose worth is measured: 15 generated ones, or those of another set."""
    if name != "samples":
        return clips_of(name, quick=quick)
    return [sample.clip for sample in generate_samples(frame_rate=30.0, only=QUICK_WORTH if quick else WORTH)]


def worth_settings(name: str, *, quick: bool) -> ControlSettings:
    """Return settings with fewer transitions than usual, since training is repeated for every take."""
    return ControlSettings(neighbor_count=20 if quick or name != "samples" else 50)


def compare_worth(bounds: Bounds, name: str, *, quick: bool) -> None:
    """Print what is lost without each take, from tables and by training again, and require the same ranks."""
    field, settings = control_field(worth_clips(name, quick=quick)), worth_settings(name, quick=quick)
    began = time.process_time()
    tables = TakeTables.of(field, settings=settings)
    whole = tables.performance(np.ones(tables.take_count, np.bool_))
    trained, most = time.process_time() - began, tables.worth(whole)
    print(f"worth of {tables.take_count} takes of {name}, {field.database.state_count} states")
    print(f"  all takes: turns take {whole.response:.2f} s, {whole.speed:.2f} m/s; training took {trained:.0f} s")
    print("  without             lost, %: tables  trained | turns slower, s: tables  trained")
    figures, seconds = [], np.zeros(2)
    for take, label in enumerate(tables.names):
        kept = np.arange(tables.take_count) != take
        began = time.process_time()
        cheap = tables.performance(kept)
        middle = time.process_time()
        rest = MotionField(kept_states(field.database, kept[tables.take_of]))
        exact = TakeTables.of(rest, settings=settings, task=tables.task).performance(kept[kept])
        seconds += middle - began, time.process_time() - middle
        row = [1.0 - tables.worth(one) / most for one in (cheap, exact)]
        row += [one.response - whole.response for one in (cheap, exact)]
        figures.append(row)
        print(f"  {label:36} {100 * row[0]:6.2f} {100 * row[1]:6.2f} | {row[2]:6.3f} {row[3]:6.3f}", flush=True)
    lost, lost_exact, slower, slower_exact = np.array(figures).T
    likeness = [float(spearmanr(*pair).statistic) for pair in ((lost, lost_exact), (slower, slower_exact))]
    print(f"  rank correlation: {likeness[0]:.3f} of the loss, {likeness[1]:.3f} of the response")
    cheap_time, exact_time = seconds / len(figures)
    print(f"  processor time of a take: {cheap_time:.1f} s from tables, {exact_time:.1f} s by training")
    bounds.require(quick or likeness[0] >= LIKENESS, f"{name}: rank correlation {likeness[0]:.2f}, at least {LIKENESS}")


def compare_selection(bounds: Bounds, name: str, *, quick: bool) -> None:
    """Print the performance of selected takes beside that of pruned fields and of random takes."""
    settings = ControlSettings(neighbor_count=20 if quick else 100 if name == "samples" else 50)
    tables = TakeTables.of(control_field(worth_clips(name, quick=quick)), settings=settings)
    sizes = (1, 2) if quick else (1, 2, 4, 6)
    chosen = select_takes(tables.field, sizes[-1], tables=tables)
    numbers = [tables.names.index(step.take) for step in chosen.steps]
    whole = tables.performance(np.ones(tables.take_count, np.bool_))
    print(f"selection from {tables.take_count} takes of {name}, {tables.field.database.state_count} states")
    print("  way        takes  states  performance  turns    cost   speed   (performance: share of that of all takes)")
    most = tables.worth(whole)
    print_performance("all", tables.take_count, tables.field.database.state_count, whole, 1.0)
    rng = np.random.default_rng(5)
    for size in sizes:
        kept = np.isin(np.arange(tables.take_count), numbers[:size])
        small = reduced_field(tables, kept)
        count = small.database.state_count
        last = trained_performance(small, tables)
        print_performance("selected", size, count, last, tables.worth(last) / most)
        drawn = [np.isin(np.arange(tables.take_count), rng.permutation(tables.take_count)[:size]) for _ in range(5)]
        found = [(tables.performance(one), int(one[tables.take_of].sum())) for one in drawn[: 2 if quick else 5]]
        middle, drawn_states = sorted(found, key=lambda one: one[0].reward)[len(found) // 2]
        print_performance("random", size, drawn_states, middle, tables.worth(middle) / most)
    pruned = pruned_to(tables.field, count)
    other = trained_performance(pruned, tables)
    print_performance("pruned", 0, pruned.database.state_count, other, tables.worth(other) / most)
    share = tables.worth(last) / most
    bounds.require(quick or share >= 0.95, f"{name}: {sizes[-1]} takes reach {100 * share:.0f} %, at least 95 %")
    slower = 1.0 - last.speed / whole.speed
    bounds.require(quick or slower <= 0.05, f"{name}: selected takes walk {100 * slower:.0f} % slower, at most 5 %")
    for way, one in (("all", tables.field), ("selected", small)):
        controller = train(one, tables.task, settings=settings)
        took = turn_trials(controller, count=64 if quick else 400, seed=78)[2]
        done = np.isfinite(took)
        print(f"  trials, {way}: {took[done].mean():.2f} s to turn, {(~done).sum()} of {len(took)} not within 3 s")
    compare_gains(tables, numbers[:4])


def compare_gains(tables: TakeTables, numbers: list[int]) -> None:
    """Print the correlation of predicted with true gains of each take that could be added to each selection."""
    likeness, pairs = [], []
    for size in range(1, len(numbers) + 1):
        kept = np.isin(np.arange(tables.take_count), numbers[:size])
        others, before = np.flatnonzero(~kept), tables.performance(kept).reward
        predicted = predicted_gains(tables, kept)[others]
        after = [tables.performance(kept | (np.arange(tables.take_count) == take)).reward for take in others]
        pairs.append(np.stack([predicted, np.array(after) - before]))
        likeness.append(float(np.corrcoef(pairs[-1])[0, 1]))
    every = float(np.corrcoef(np.concatenate(pairs, axis=1))[0, 1])
    steps = ", ".join(f"{one:.2f}" for one in likeness)
    print(f"  correlation of predicted with true gains: {every:.2f} in all; {steps} with 1, 2, ... takes kept")


def trained_performance(field: MotionField, tables: TakeTables) -> Performance:
    """Return the performance of `field`, trained by itself with the task and settings of `tables`."""
    own = TakeTables.of(field, settings=tables.settings, task=tables.task)
    return own.performance(np.ones(own.take_count, np.bool_))


def pruned_to(field: MotionField, count: int) -> MotionField:
    """Return `field` pruned by spacing to at most `count` states, or as far as pruning goes."""
    reach, pruned = 1.0, field.database
    while pruned.state_count > count and reach < 100.0:
        reach *= 1.3
        pruned, _ = prune(field.database, reach=reach)
    return MotionField(pruned)


def print_performance(way: str, takes: int, states: int, one: Performance, share: float) -> None:
    """Print one line of the table of `compare_selection`; 0 takes stand for parts of takes."""
    print(
        f"  {way:9} {takes or 'parts':>6} {states:7} {100.0 * share:10.0f} % {one.response:6.2f} s {one.cost:7.3f}"
        f" {one.speed:5.2f} m/s",
        flush=True,
    )


def compare_shots(bounds: Bounds, *, quick: bool) -> None:
    """Print the shot lists of sets with one kind of motion held out, and what the real motion brings."""
    clips = {sample.clip.name: sample.clip for sample in generate_samples(frame_rate=30.0, only=SHOT_CLIPS)}
    halves = clips.pop("walk_stop_other_foot")  # it comes to stand, stands, and walks off
    tracks = measure_tracks(MotionDatabase.build([halves], mirror=False))
    middle = (find_stops(tracks)[0].last + find_starts(tracks)[0].first) // 2
    clips["stop"] = replace(trim(halves, 0, middle), name="stop")
    clips["start"] = replace(trim(halves, middle), name="start")
    named, kept = 0, 0
    kinds = list(HELD_OUT)[:1] if quick else list(HELD_OUT)
    for kind in kinds:
        rest = [clip for name, clip in clips.items() if not HELD_OUT[kind].search(name)]
        held = [clip for name, clip in clips.items() if HELD_OUT[kind].search(name)]
        field = MotionField(MotionDatabase.build(rest, mirror=False))
        shots = shot_list(field)
        before, after = (abilities(extended(field, own_clips(field.database), more)) for more in ([], held))
        print(f"without {kind}: it takes {before[kind]:.2f} s, with the real takes {after[kind]:.2f} s")
        for place, shot in enumerate(shots, start=1):
            print(f"  {place}. {shot.text} {shot.before:.2f} s -> {shot.after:.2f} s, saves {shot.gain:.2f} s")
        found = [shot for shot in shots[:3] if shot.kind == kind]
        named += len(found)
        kept += sum(saved_seconds(before, after) >= 0.5 * shot.gain for shot in found)
        print(f"  the real takes save {saved_seconds(before, after):.2f} s")
    print(f"the first three shots name what was held out in {named} of {len(kinds)} sets")
    print(f"the real takes bring at least half of the promised gain in {kept} of them")
    bounds.require(named >= min(4, len(kinds)), f"named in {named} of {len(kinds)} sets, at least 4")
    bounds.require(kept >= named, f"half of the promised gain in {kept} of {named} sets, expected all")


def main() -> None:
    parser = make_parser(__doc__, quick="ten generated clips, without bounds")
    parser.add_argument("--set", action="append", choices=["samples", *SETS], help="a set; default: all present")
    parser.add_argument("--field", type=Path, help="survey this field file instead of a set")
    parser.add_argument("--keep", type=Path, help="leave the reports in this folder")
    parser.add_argument("--bounds", action="store_true", help="compare bounds of response with trained controllers")
    parser.add_argument("--worth", action="store_true", help="compare the worth of takes with training without each")
    parser.add_argument("--select", action="store_true", help="compare selected takes with pruned and random ones")
    parser.add_argument("--shots", action="store_true", help="check shot lists by holding out one kind of motion")
    given = parser.parse_args()
    present = [name for name, folder in SETS.items() if Path(DATA / folder).exists()]
    names = ["samples"] if given.quick else given.set or ["samples", *present]
    bounds = Bounds()
    if given.bounds:
        compare_bounds(bounds, quick=given.quick)
        raise SystemExit(bounds.exit_code())
    if given.shots:
        compare_shots(bounds, quick=given.quick)
        raise SystemExit(bounds.exit_code())
    if given.worth or given.select:
        compare = compare_worth if given.worth else compare_selection
        for name in given.set or ["samples"]:
            compare(bounds, name, quick=given.quick)
        raise SystemExit(bounds.exit_code())
    warm_up()
    if given.field is not None:
        measure(given.field.stem, MotionField.load(given.field), bounds, quick=False, keep=given.keep)
        raise SystemExit(bounds.exit_code())
    for name in names:
        field = control_field(clips_of(name, quick=given.quick))
        measure(name, field, bounds, quick=given.quick, keep=given.keep)
    raise SystemExit(bounds.exit_code())


if __name__ == "__main__":
    main()
