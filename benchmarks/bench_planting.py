"""Measure foot locking on motion that slides, and its cost; see `motionfields.motion.planting`.

    python benchmarks/bench_planting.py [--quick] [--seeds N]

Captured turns in place (69_17, 69_18, 69_13; 8 Hz low-pass, 30 frames per second) are replayed with a drifting root and
noise on every joint, foot-locked by the contact votes of the clean clip, and compared with the clean clip ("source")
and with the noisy one ("input"). Then every clip is foot-locked unchanged, which should hardly alter it. Without
captured motion (MOTIONFIELDS_DATA), generated turns are used. Exits 1 if a figure misses its bound.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from common import DATA, make_parser
from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.base.geometry import quat_exp, quat_from_yaw, quat_multiply, quat_rotate
from motionfields.motion import quality
from motionfields.motion.clip import Clip, low_pass, resample
from motionfields.motion.contacts import detect_contacts
from motionfields.motion.formats import load_clip
from motionfields.motion.planting import FootPlanter, PlantingSettings, Stance, measure_stance, votes_from_contacts
from motionfields.motion.planting.measures import deepest_toe, knee_speed, leg_jerk, low_foot_skate
from motionfields.motion.quality import contact_skate
from motionfields.motion.samples import generate_samples

TURNS = ("69_17", "69_18", "69_13")
FRAME_RATE = 30.0
LEAST_SOURCE_SKATE = 0.02  # m/s; generated feet do not slide, so their own skate cannot serve as a reference


@dataclass(frozen=True)
class Disturbance:
    """Noise added to a clip so that its feet slide."""

    joint_noise: float = float(np.radians(1.5))  # rms rotation of each joint, 1 to 3 Hz; peaks are near 4 degrees
    drift: float = 0.08  # m/s by which the root drifts, in circles of 10 s
    yaw_drift: float = float(np.radians(8.0))  # rad/s, fastest turning of the whole character, back and forth


class Take(NamedTuple):
    """A clean clip and its contacts."""

    clip: Clip
    contacts: BoolArray  # [frame, 2]


class Planted(NamedTuple):
    """Clips after foot locking, with reach and pelvis drop."""

    clips: list[Clip]
    reached: BoolArray  # [frame, clip, 2]
    drop: FloatArray  # [frame, clip], metres


class Figure(NamedTuple):
    """One column of the table."""

    name: str
    value: float
    most: float = np.inf


def captured(names: Sequence[str]) -> list[Take]:
    """Load the named clips of the locomotion set as they enter a database; none if there is no captured motion."""
    folder = DATA / "locomotion"
    if not folder.is_dir():
        return []
    clips = [resample(low_pass(load_clip(folder / f"{name}.bvh")), FRAME_RATE) for name in names]
    return [Take(clip, detect_contacts(clip)) for clip in clips]


def disturbed(clip: Clip, seed: int, amount: Disturbance | None = None) -> Clip:
    """Return `clip` with a drifting root and smooth noise on all joints but the root."""
    use, rng = amount or Disturbance(), np.random.default_rng(seed)
    seconds = np.arange(clip.frame_count) * clip.frame_time
    waves = rng.uniform([[1.0], [0.0]], [[3.0], [1.0]], (clip.skeleton.joint_count, 3, 4, 2, 1))
    noise = np.sin(2.0 * np.pi * (waves[..., 0, :] * seconds + waves[..., 1, :])).sum(axis=2) / np.sqrt(2.0)
    turns = use.joint_noise / np.sqrt(3.0) * noise.transpose(2, 0, 1)
    turns[:, 0] = 0.0
    rotations = quat_multiply(clip.rotations, quat_exp(turns))
    angle = 2.0 * np.pi * (0.1 * seconds + rng.uniform())
    velocity = use.drift * np.stack([np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=-1)
    yaw = use.yaw_drift * np.cumsum(np.sin(2.0 * np.pi * (0.07 * seconds + rng.uniform()))) * clip.frame_time
    start = clip.root_position[0] * np.array([1.0, 0.0, 1.0])
    turned = quat_rotate(quat_from_yaw(yaw), clip.root_position - start) + start
    rotations[:, 0] = quat_multiply(quat_from_yaw(yaw), rotations[:, 0])
    return replace(clip, root_position=turned + np.cumsum(velocity, axis=0) * clip.frame_time, rotations=rotations)


def plant_all(clips: Sequence[Clip], votes: FloatArray, stance: Stance, settings: PlantingSettings) -> Planted:
    """Lock the feet of all `clips`, which share their length and `votes` [frame, 2], as one batch of characters."""
    planter = FootPlanter(clips[0].skeleton, stance, frame_time=clips[0].frame_time, settings=settings)
    roots, rotations = (np.stack([getattr(c, name) for c in clips]) for name in ("root_position", "rotations"))
    same = np.broadcast_to(votes, (len(clips), *votes.shape))
    planted = planter.run(roots, rotations, contact_votes=same)
    done = [
        replace(clip, root_position=root, rotations=turns)
        for clip, root, turns in zip(clips, planted.root_position, planted.rotations, strict=True)
    ]
    return Planted(done, planted.reached, planted.pelvis_drop)


def noisy_figures(take: Take, seeds: Sequence[int], settings: PlantingSettings | None = None) -> list[Figure]:
    """Return the figures of foot locking on disturbed replays of one clip, with their bounds."""
    source, contacts = take
    votes, stance = votes_from_contacts(contacts, source.frame_time), measure_stance(source, [contacts])
    inputs = [disturbed(source, seed) for seed in seeds]
    clips, reached, drop = plant_all(inputs, votes, stance, settings or PlantingSettings())
    standing = votes >= 0.5

    def mean(measure: Callable[[Clip], float], of: Sequence[Clip]) -> float:
        return float(np.mean([measure(clip) for clip in of]))

    def skate(clip: Clip) -> float:
        return float(contact_skate(clip, standing).mean())

    def low_skate(clip: Clip) -> float:
        return low_foot_skate(clip, stance)

    own_skate, own_low = max(skate(source), LEAST_SOURCE_SKATE), max(low_skate(source), LEAST_SOURCE_SKATE)
    knees, knees_in, knees_source = (
        np.array([knee_speed(clip) for clip in group]) for group in (clips, inputs, [source])
    )
    p99, fastest = knees[:, 0].mean(), knees[:, 1].max()
    return [
        Figure("skate/source", mean(skate, clips) / own_skate, 0.05),
        Figure("in/source", mean(skate, inputs) / own_skate),
        Figure("low/source", mean(low_skate, clips) / own_low, 0.40),
        Figure("in/source", mean(low_skate, inputs) / own_low),
        Figure("knee99/in", p99 / knees_in[:, 0].mean(), 1.05),
        Figure("/source", p99 / knees_source[0, 0]),
        Figure("max/in", fastest / knees_in[:, 1].max(), 1.2),
        Figure("/source", fastest / knees_source[0, 1]),
        Figure("depth mm", 1e3 * max(deepest_toe(clip, stance) for clip in clips), 10.0),
        Figure("unreached %", 100.0 * float(1.0 - reached.mean()), 0.1),
        Figure("drop99 cm", 100.0 * float(np.percentile(drop, 99)), 4.0),
        Figure("leg jerk/in", mean(leg_jerk, clips) / mean(leg_jerk, inputs), 1.25),
        Figure("body jerk/in", mean(quality.mean_jerk, clips) / mean(quality.mean_jerk, inputs)),
    ]


def clean_figures(take: Take, settings: PlantingSettings | None = None) -> list[Figure]:
    """Return the figures of foot locking on a clip that needs little of it."""
    clip, contacts = take
    votes, stance = votes_from_contacts(contacts, clip.frame_time), measure_stance(clip, [contacts])
    planted = plant_all([clip], votes, stance, settings or PlantingSettings())
    after, standing = planted.clips[0], votes >= 0.5
    from_root = [c.world().positions - c.root_position[:, np.newaxis] for c in (after, clip)]
    own_low = max(low_foot_skate(clip, stance), LEAST_SOURCE_SKATE)
    return [
        Figure("skate cm/s", 100.0 * float(contact_skate(after, standing).mean()), 0.3),
        Figure("before", 100.0 * float(contact_skate(clip, standing).mean())),
        Figure("low ratio", low_foot_skate(after, stance) / own_low),
        Figure("leg jerk ratio", leg_jerk(after) / leg_jerk(clip), 1.25),
        Figure("knee99 ratio", knee_speed(after).p99 / knee_speed(clip).p99),
        Figure("change mm", 1e3 * float(np.linalg.norm(from_root[0] - from_root[1], axis=-1).mean()), 4.0),
        Figure("drop99 cm", 100.0 * float(np.percentile(planted.drop, 99)), 4.0),
    ]


def print_table(title: str, rows: Sequence[tuple[str, list[Figure]]]) -> bool:
    """Print `rows` of a name and its figures; return whether all bounds hold."""
    print(f"\n{title}")
    columns = [figure.name for figure in rows[0][1]]
    widths = [max(len(name), 7) for name in columns]
    print(f"{'clip':16}" + " ".join(name.rjust(width) for name, width in zip(columns, widths, strict=True)))
    for name, figures in rows:
        cells = (f"{f.value:.3f}".rjust(width) for f, width in zip(figures, widths, strict=True))
        print(f"{name[:15]:16}" + " ".join(cells))
    values = np.array([[figure.value for figure in figures] for _, figures in rows])
    print(
        f"{'mean':16}" + " ".join(f"{v:.3f}".rjust(width) for v, width in zip(values.mean(axis=0), widths, strict=True))
    )
    bounds = ("" if np.isinf(f.most) else f"{f.most:g}" for f in rows[0][1])
    print(f"{'at most':16}" + " ".join(bound.rjust(width) for bound, width in zip(bounds, widths, strict=True)))
    missed = [(name, f) for name, figures in rows for f in figures if not f.value <= f.most]
    for name, figure in missed:
        print(f"  MISSED: {name}: {figure.name} is {figure.value:.3f}, at most {figure.most:g} allowed")
    return not missed


def print_cost(take: Take, *, rounds: int) -> None:
    """Print the time per frame and character, on one thread."""
    clip, contacts = take
    stance, votes = measure_stance(clip, [contacts]), votes_from_contacts(contacts, clip.frame_time)
    planter = FootPlanter(clip.skeleton, stance, frame_time=clip.frame_time)
    print(f"\ncost, {clip.skeleton.joint_count} joints, one thread")
    for count in (1, 100, 1000):
        frames = np.arange(count) % clip.frame_count
        root, turns = clip.root_position[frames], clip.rotations[frames].astype(np.float32)
        state = planter.start(count)
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            state = planter.step(state, root, turns, contact_votes=votes[frames]).state
            times.append(time.perf_counter() - start)
        print(f"  {count:5} characters: {1e6 * float(np.median(times)) / count:7.2f} us a frame and character")


def main() -> int:
    parser = make_parser(__doc__, quick="two seeds and fewer clips, for CI")
    parser.add_argument("--seeds", type=int, default=8, help="how many disturbed replays of each clip")
    parser.add_argument("--first-seed", type=int, default=0)
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + (2 if arguments.quick else arguments.seeds))
    samples = [Take(sample.clip, sample.contacts) for sample in generate_samples(frame_rate=FRAME_RATE)]
    walking = [take for take in samples if "stand" not in take.clip.name]
    turns = captured(TURNS)
    if not turns:
        print(f"no motion capture at {DATA}; set MOTIONFIELDS_DATA for it. Generated turns stand in.")
        turns = [take for take in samples if "turn" in take.clip.name and "180" in take.clip.name]
    held = [
        print_table(f"disturbed replays, {len(seeds)} each", [(t.clip.name, noisy_figures(t, seeds)) for t in turns])
    ]
    every = captured([path.stem for path in sorted((DATA / "locomotion").glob("69_*.bvh"))])
    for title, takes in (("captured clips as they are", every), ("generated clips as they are", walking)):
        chosen = takes[::5] if arguments.quick else takes
        if chosen:
            held.append(print_table(title, [(take.clip.name, clean_figures(take)) for take in chosen]))
    print_cost(turns[0], rounds=50 if arguments.quick else 300)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
