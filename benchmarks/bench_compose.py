"""Measure composition: time, cost beside the searches of 2002 and 2003, labels, motion, places and a path.

    python benchmarks/bench_compose.py [--quick] [--field FILE] [--json FILE]

Uses the annotated takes with their labels.csv at 30 frames/s with mirror images (28,126 states). `--field` reuses a
field built from them. Times are CPU seconds of one thread; the time on 281,260 states is that of ten copies of the
cuts. Three timelines of 20 s are fixed; settings were chosen on them and on drawn ones. Ten more are drawn from seeds
on which nothing was chosen. Exits 1 if a bound is missed.
`--quick` composes short timelines of generated motion.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numba
import numpy as np

from common import DATA, Bounds, make_parser, write_json
from compose_blocks import BlockSearch
from compose_mutations import MutationSearch
from motionfields.authoring.compose import (
    Composer,
    ComposeSettings,
    Cuts,
    LabelGoal,
    PathGoal,
    PlaceGoal,
    Timeline,
)
from motionfields.authoring.compose.cuts import COST_UNIT, cut_features
from motionfields.authoring.compose.labels import UNKNOWN, YES, StateLabels
from motionfields.authoring.compose.learning import learn_labels, window_features
from motionfields.authoring.compose.objective import adherence
from motionfields.authoring.compose.pieces import mirror_images
from motionfields.authoring.compose.reaching import reach
from motionfields.authoring.compose.rendering import ground_path, track_of
from motionfields.authoring.compose.solving import StateCosts, solve
from motionfields.base.errors import ComposeError
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import original_clip
from motionfields.measure.evaluation.composing import SourceTracks, compose_figures, source_tracks
from motionfields.motion.annotations import Annotations, Span, read_annotations
from motionfields.motion.formats import load_clips
from motionfields.motion.samples import generate_samples

Paint = Sequence[tuple[float, float, str, bool]]
LINES: dict[str, Paint] = {
    "jump, carry, sit, wave": (
        *((0, 4, "walk", True), (4.5, 5.5, "jump", True), (6, 9, "walk", True), (6, 9, "carry", True)),
        *((11, 13, "sit", True), (14, 18, "walk", True), (0, 18, "backwards", False), (18, 20, "wave", True)),
    ),
    "run, pick up, kick": (
        *((0, 3, "stand", True), (3.5, 6, "run", True), (6.5, 9, "walk", True), (7, 9, "turn_left", True)),
        *((10, 12, "pick_up", True), (12, 14, "carry", True), (15, 18, "sideways_left", True)),
        (18.5, 20, "kick", True),
    ),
    "turn, dance, wash": (
        *((0, 5, "walk", True), (0, 5, "turn_left", False), (0, 5, "turn_right", False), (5, 9, "walk", True)),
        *((5, 9, "turn_right", True), (10, 14, "dance", True), (15, 19, "wash_window", True)),
    ),
}
SIXTY = [(a, a + 4, ("walk", "jump", "sit", "wave", "run", "carry")[a // 5 % 6], True) for a in range(0, 60, 5)]
AVOIDED = ("backwards", "sideways_left", "sideways_right", "airplane")
ANYTIME = (2.0, 20.0)  # CPU s after which the search of 2002 is stopped
PAINTED = 36  # frames of a painted stretch
FIRST_SEED = 400  # of drawn timelines and places


def main() -> None:
    parser = make_parser(__doc__, quick="short timelines of generated motion")
    parser.add_argument("--field", type=Path, help="a field of the annotated takes, to save the time of building it")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    numba.set_num_threads(1)
    bounds = Bounds()
    figures = quick(bounds) if options.quick else full(options.field, bounds)
    write_json(options.json, figures)
    sys.exit(bounds.exit_code())


def check(bounds: Bounds, name: str, value: float, low: float, high: float) -> None:
    bounds.require(low <= value <= high, f"{name}: {value:.4g}, expected {low:g} to {high:g}")


def timeline_of(seconds: float, paint: Paint) -> Timeline:
    """Return the timeline of painted labels: (start, end, label, wanted)."""
    return Timeline(seconds, tuple(LabelGoal(label, start, end, wanted) for start, end, label, wanted in paint))


def quick(bounds: Bounds) -> dict[str, float]:
    samples = generate_samples(only=re.compile("walk_forward|turn_left_(090|135)_quick"))
    field = MotionField(MotionDatabase.build([sample.clip for sample in samples]))
    spans = [
        Span(one.clip.name, 0.0, one.clip.duration, "turn_left" if "turn" in one.clip.name else "straight")
        for one in samples
    ]
    composer = Composer(field, Annotations(tuple(spans)))
    paint: Paint = ((0.0, 2.0, "straight", True), (2.5, 4.0, "turn_right", True), (4.5, 6.0, "turn_left", True))
    found = compose_figures(field, composer.compose(timeline_of(6.0, paint)), source_tracks(field))
    for name, value in found._asdict().items():
        print(f"{name:16s} {value:.3f}")
    check(bounds, "labels met", found.labels_met, 0.9, 1.0)
    check(bounds, "skate m/s", found.skate, 0.0, 0.005)
    check(bounds, "jerk", found.jerk, 0.0, 1.3)
    return found._asdict()


def full(path: Path | None, bounds: Bounds) -> dict[str, object]:
    if path is not None:
        field = MotionField.load(path)
    else:
        clips = load_clips(DATA / "annotated", scale=0.056444)
        field = MotionField(MotionDatabase.build(clips, frame_rate=30.0))
    composer = Composer(field, read_annotations(DATA / "annotated" / "labels.csv"))
    composer.compose(timeline_of(1.0, [(0.0, 1.0, "walk", True)]))  # compiles
    source = source_tracks(field)
    figures: dict[str, object] = {"time": times(composer, bounds)}
    figures["searches"] = beside_searches(composer, bounds)
    figures["motion"] = motions(composer, source, bounds)
    figures["alternatives"] = alternatives(composer, bounds)
    figures["held-out takes"] = held_out(composer, bounds)
    figures["learnt labels"] = learnt(composer, bounds)
    figures["places"] = places(composer, source, bounds)
    figures["path"] = path_figures(composer, source, bounds)
    return figures


def cpu_of_solving(cuts: Cuts, left: np.ndarray, costs: StateCosts, stay: int) -> float:
    begin = time.process_time()
    solve(cuts, left, costs, stay=stay)
    return time.process_time() - begin


def times(composer: Composer, bounds: Bounds) -> dict[str, float]:
    left, stay, count = composer.field.database.frames_left, composer.stay, composer.field.database.state_count
    first = next(iter(LINES.values()))
    found = {}
    for name, seconds, paint, most in (("20 s", 20.0, first, 1.2), ("60 s", 60.0, SIXTY, 4.0)):
        costs = composer.state_costs(timeline_of(seconds, paint))
        found[name] = cpu_of_solving(composer.cuts, left, costs, stay)
        check(bounds, f"CPU s for {name} over {count} states", found[name], 0.0, most)
    cuts, copies = composer.cuts, range(10)
    many = Cuts(
        np.concatenate([*(cuts.first[:-1] + n * len(cuts.targets) for n in copies), [10 * len(cuts.targets)]]),
        np.concatenate([cuts.targets + np.int32(n * count) for n in copies]),
        np.tile(cuts.costs, 10),
    )
    costs = composer.state_costs(timeline_of(10.0, SIXTY[:2]))
    wide = costs._replace(parts=np.tile(costs.parts, (1, 10)), extra=np.zeros((0, 10 * count), np.int32))
    found["10 s, ten copies"] = cpu_of_solving(many, np.tile(left, 10), wide, stay)
    check(bounds, f"CPU s for 10 s over {10 * count} states", found["10 s, ten copies"], 0.0, 5.0)
    for name, value in found.items():
        print(f"dynamic program, {name}: {value:.2f} CPU s")
    return found


def beside_searches(composer: Composer, bounds: Bounds) -> dict[str, list[float]]:
    """Compare costs with the block search of 2003 after 1 and 10 iterations, and with the search of 2002."""
    field, settings = composer.field, composer.settings.cuts
    database = field.database
    begin = time.process_time()
    blocks = BlockSearch(cut_features(field, settings), database.frames_left, settings)
    print(f"block search of 2003: {time.process_time() - begin:.1f} CPU s for clusters")
    begin = time.process_time()
    mutations = MutationSearch(composer.cuts, database.frames_left, database.clip_of, stay=composer.stay)
    print(f"search of 2002: {time.process_time() - begin:.1f} CPU s for clusters")
    found = {}
    for name, paint in LINES.items():
        costs = composer.state_costs(timeline_of(20.0, paint))
        begin = time.process_time()
        exact = solve(composer.cuts, database.frames_left, costs, stay=composer.stay).cost / COST_UNIT
        mine = time.process_time() - begin
        begin = time.process_time()
        history = [cost / COST_UNIT for cost in blocks.run(costs, iterations=10)[1]]
        theirs = time.process_time() - begin
        (early, _), (late, rounds) = mutations.run(costs, seconds=ANYTIME)
        found[name] = [exact, mine, history[0], history[-1], theirs, early / COST_UNIT, late / COST_UNIT, rounds]
        print(
            f"{name}: exact {exact:.1f} in {mine:.2f} CPU s; 2003: {history[0]:.1f} after one iteration, "
            f"{history[-1]:.1f} after ten in {theirs:.2f} CPU s; "
            f"2002: {early / COST_UNIT:.1f} after {ANYTIME[0]:g} and {late / COST_UNIT:.1f} after "
            f"{ANYTIME[1]:g} CPU s, {rounds} rounds"
        )
        check(bounds, f"{name}: cost over that of the block search", exact / history[-1], 0.0, 0.6)
    return found


def random_paint(composer: Composer, seed: int) -> Paint:
    rng = np.random.default_rng(seed)
    labels, left_out = composer.labels, ("stairs_up", "stairs_down", "climb_up", "climb_down")
    able = [n for c, n in enumerate(labels.names) if (labels.values[:, c] == 1).sum() > 200 and n not in left_out]
    paint, at = [], 0.0
    while at < 19.0:
        length = float(rng.uniform(1.5, 4.0))
        paint.append((at, min(20.0, at + length), str(rng.choice(able)), True))
        at += length + float(rng.uniform(0.3, 1.2))
    return paint


def motions(composer: Composer, source: SourceTracks, bounds: Bounds) -> dict[str, list[float]]:
    found = {}
    lines = {**LINES, **{f"seed {seed}": random_paint(composer, seed) for seed in range(FIRST_SEED, FIRST_SEED + 10)}}
    print(f"{'timeline':24s} jerk  speed  skate cm/s  lower foot  worst seam  replayed  cuts/s  labels")
    for name, paint in lines.items():
        one = compose_figures(composer.field, composer.compose(timeline_of(20.0, paint)), source)
        found[name] = list(one)
        print(
            f"{name:24s} {one.jerk:.3f} {one.joint_speed:.3f}  {100.0 * one.skate:.3f}       {one.lower_foot:.2f}"
            f"        {one.worst_seam:.2f}        {100.0 * one.replayed:4.1f} %"
            f"    {one.cuts_per_second:.2f}    {one.labels_met:.3f}"
        )
        check(bounds, f"{name}: replayed", one.replayed, 0.0, 0.005)
        if name in LINES:
            check(bounds, f"{name}: jerk", one.jerk, 0.0, 1.15)
            check(bounds, f"{name}: joint speed", one.joint_speed, 0.97, 1.05)
            check(bounds, f"{name}: skate m/s", one.skate, 0.0, 0.001)
            check(bounds, f"{name}: lower foot", one.lower_foot, 0.0, 1.5)
            check(bounds, f"{name}: worst seam", one.worst_seam, 0.0, 1.5)
            check(bounds, f"{name}: labels", one.labels_met, 0.96, 1.0)
    return found


def alternatives(composer: Composer, bounds: Bounds) -> list[list[float]]:
    best = composer.compose(timeline_of(20.0, next(iter(LINES.values()))), alternatives=3)
    motions = [best, *best.alternatives]
    found = []
    for number, one in enumerate(motions):
        shared = max((one.shared_moments(other, composer.field.database) for other in motions[:number]), default=0.0)
        ratio = one.costs.total / best.costs.total
        found.append([ratio, one.labels_met, shared])
        print(f"alternative {number + 1}: {ratio:.2f} times the cost, labels {one.labels_met:.3f}, shared {shared:.2f}")
        check(bounds, f"alternative {number + 1}: cost ratio", ratio, 0.0, 1.3)
        check(bounds, f"alternative {number + 1}: labels", one.labels_met, 0.9, 1.0)
        check(bounds, f"alternative {number + 1}: shared moments", shared, 0.0, 0.1)
    return found


def f1(right: np.ndarray, guessed: np.ndarray) -> float:
    return float(2.0 * (right & guessed).sum() / max(1, right.sum() + guessed.sum()))


def held_out(composer: Composer, bounds: Bounds) -> dict[str, list[float]]:
    """Learn the labels of each take from all other takes, and print F1 over the original states for each label.

    Labels of one take only cannot be learnt from others and are left out.
    """
    database, truth, features = composer.field.database, composer.labels, window_features(composer.field.database)
    clips = [original_clip(database, clip) for clip in range(database.clip_count)]
    takes = np.array([name for name, _ in clips])[database.clip_of]
    own = ~np.array([mirrored for _, mirrored in clips])[database.clip_of]
    counts = [len(np.unique(takes[column == YES])) for column in truth.values.T]
    able = np.flatnonzero(np.array(counts) >= 2)
    names, values = tuple(truth.names[column] for column in able), truth.values[:, able]
    share = np.zeros(values.shape)
    for take in np.unique(takes):
        inside = takes == take
        rest = StateLabels.of(names, np.where(inside[:, np.newaxis], UNKNOWN, values))
        share[inside] = learn_labels(database, rest, features=features).share[inside]
    found = {}
    for number, name in enumerate(names):
        right, sure = values[own, number] == YES, share[own, number]
        best = max(f1(right, sure > threshold) for threshold in np.quantile(sure, np.linspace(0.0, 1.0, 400)))
        found[name] = [f1(right, sure > 0.5), float(counts[able[number]]), best]
    for name, (score, count, _) in sorted(found.items(), key=lambda one: -one[1][0]):
        print(f"learnt from other takes: {name:15s} F1 {score:.2f}, {count:.0f} takes")
    scores = np.array(list(found.values()))
    macro, often = float(scores[:, 0].mean()), scores[:, 1] >= 4
    print(
        f"learnt from other takes: macro F1 {macro:.3f} over {len(names)} labels; "
        f"{scores[often, 0].mean():.3f} over those of four takes or more, {scores[~often, 0].mean():.3f} over others; "
        f"{scores[:, 2].mean():.3f} with the best threshold of each label, which needs the true labels"
    )
    check(bounds, "macro F1 of labels learnt from other takes", macro, 0.6, 1.0)
    return found


def learnt(composer: Composer, bounds: Bounds) -> dict[str, list[float]]:
    """Compose from labels of two stretches of 1.2 s for each label, and check what is used.

    After each composition a person says for the used states, with half a second around, which labels are right: here
    the true labels answer, and the labels are learnt again. Adherence is by the true labels.
    """
    database, truth = composer.field.database, composer.labels
    images, known = mirror_images(database), np.zeros(database.state_count, np.bool_)
    own = images >= np.arange(database.state_count)
    for column in range(len(truth.names)):
        states = np.flatnonzero((truth.values[:, column] == 1) & own)
        for place in (0.25, 0.75):  # of all states with the label
            run = states[int(place * len(states)) :][:PAINTED]
            known[run] = known[images[run]] = True
    painted = StateLabels.of(truth.names, np.where(known[:, np.newaxis], truth.values, UNKNOWN))
    begin, features = time.process_time(), window_features(database)
    filled = learn_labels(database, painted, features=features)
    seconds = float((known & own).sum()) * database.frame_time
    print(f"painted {seconds:.0f} s, learnt in {time.process_time() - begin:.0f} CPU s")
    found = {}
    for name, paint in LINES.items():
        timeline, seen, rounds = timeline_of(20.0, paint), known.copy(), []
        labels = filled
        for _ in range(6):
            learner = Composer(composer.field, labels, settings=composer.settings, cuts=composer.cuts)
            path = solve(learner.cuts, database.frames_left, learner.state_costs(timeline), stay=learner.stay).path
            judged = adherence(timeline, truth, path, frame_time=database.frame_time)
            rounds.append(float(np.mean([one.share for one in judged])))
            checked = float((seen & ~known & own).sum()) * database.frame_time
            used = np.zeros(database.state_count, np.bool_)
            for shift in range(-15, 16):
                used[np.clip(path + shift, 0, database.state_count - 1)] = True
            used |= used[images]
            new = used & ~seen
            if not (labels.values[new] != truth.values[new]).any():
                break
            seen |= used
            answered = StateLabels.of(truth.names, np.where(seen[:, np.newaxis], truth.values, UNKNOWN))
            labels = learn_labels(database, answered, features=features)
        found[name] = [*rounds, checked]
        print(f"{name}: adherence {' '.join(f'{value:.3f}' for value in rounds)}, {checked:.0f} s checked")
        check(bounds, f"{name}: adherence with learnt labels", rounds[-1], 0.95, 1.0)
        check(bounds, f"{name}: seconds checked", checked, 0.0, 60.0)
    return found


def walking(seconds: float) -> tuple[LabelGoal, ...]:
    return LabelGoal("walk", 0.0, seconds), *(LabelGoal(name, 0.0, seconds, False) for name in AVOIDED)


def reachable(composer: Composer, rng: np.random.Generator, seconds: float) -> tuple[int, float, float, float]:
    """Return a start state, and the x, z and heading at which a random walk from it through the labels ends."""
    labels, database, cuts = composer.labels, composer.field.database, composer.cuts
    good = labels.values[:, labels.column_of("walk")] == 1
    for name in AVOIDED:
        good &= labels.values[:, labels.column_of(name)] == 0
    while True:
        states, held = [int(rng.choice(np.flatnonzero(good)))], 8
        while len(states) < round(seconds / database.frame_time) and database.frames_left[states[-1]] >= 1:
            state, held = states[-1] + 1, held - 1
            own = slice(int(cuts.first[state]), int(cuts.first[state + 1]))
            able = cuts.targets[own][good[cuts.targets[own]] & (cuts.costs[own] < 6 * COST_UNIT)]
            if held <= 0 and len(able) and (rng.random() < 0.05 or not good[state]):
                state, held = int(rng.choice(able)), 8
            if not good[state]:
                break
            states.append(state)
        if len(states) == round(seconds / database.frame_time):
            path = np.array(states)
            facing = composer.root_motion.facing
            ground = ground_path(track_of(composer.field, composer.root_motion, path), yaw=-float(facing[path[0]]))
            return int(path[0]), *ground.place[-1].tolist(), float(ground.yaw[-1] + facing[path[-1]])


def places(composer: Composer, source: SourceTracks, bounds: Bounds) -> dict[str, float]:
    """Ask for 50 places and headings that can be reached from a fixed start."""
    rng, database = np.random.default_rng(FIRST_SEED), composer.field.database
    warps, jerks, cpu, refused = [], [], [], 0
    for _ in range(50):
        seconds = round(float(rng.uniform(3.0, 8.0)), 2)
        start, x, z, heading = reachable(composer, rng, seconds)
        timeline = Timeline(seconds, walking(seconds), (PlaceGoal(seconds, x, z, heading),))
        begin = time.process_time()
        costs = composer.state_costs(timeline)
        facts = (database, composer.root_motion, composer.cuts, costs, timeline)
        path = reach(*facts, stay=composer.stay, settings=composer.settings.reach, start=start).path
        try:
            found = composer.composition(timeline, costs, path)
        except ComposeError:
            refused += 1
            continue
        cpu.append(time.process_time() - begin)
        assert np.hypot(*(found.clip.root_position[-1, ::2] - [x, z])) < 0.01
        warps.append(found.warp.shift_share)
        jerks.append(compose_figures(composer.field, found, source).jerk)
    near = float((np.array(warps) <= 0.1).sum()) / 50.0
    result = {
        "within 1 cm at a warp of at most 10 %": near,
        "refused": refused / 50.0,
        "median warp": float(np.median(warps)),
        "mean jerk": float(np.mean(jerks)),
        "median CPU s": float(np.median(cpu)),
    }
    print("places: " + ", ".join(f"{name} {value:.3f}" for name, value in result.items()))
    check(bounds, "places within 1 cm at a warp of at most 10 %", near, 0.95, 1.0)
    return result


def path_figures(composer: Composer, source: SourceTracks, bounds: Bounds) -> dict[str, float]:
    """Walk along an S of 12 s."""
    along = np.linspace(0.0, 1.0, 91)
    points = tuple((float(1.5 * np.sin(2.0 * np.pi * s)), float(8.1 * s)) for s in along)
    path = PathGoal(points, 0.0, 12.0)
    settings = ComposeSettings(forced=True)
    free = Composer(composer.field, composer.labels, settings=settings, cuts=composer.cuts)
    found = free.compose(Timeline(12.0, walking(12.0), path=path))
    curve = path.at(np.linspace(0.0, 12.0, 3000))[0]
    off = np.linalg.norm(found.clip.root_position[:, np.newaxis, ::2] - curve, axis=-1).min(axis=1).mean()
    jerk = compose_figures(composer.field, found, source).jerk
    print(f"S-shaped path: {100.0 * off:.1f} cm off on average, jerk {jerk:.3f}, shift {found.warp.shift_share:.1%}")
    check(bounds, "path: mean m off", float(off), 0.0, 0.05)
    check(bounds, "path: jerk", jerk, 0.0, 1.15)
    return {"mean m off": float(off), "jerk": jerk, "shift": found.warp.shift_share}


if __name__ == "__main__":
    main()
