"""Fixed runs of the package, each reduced to a few figures. `python -m tests.record.runs` writes them to record.json.

The runs use generated clips and cover the defaults of all settings, the database, foot locking, passive synthesis,
training, every method, pushes and thrown balls.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import motionfields as mf
from motionfields.base.geometry import quat_exp, quat_multiply
from motionfields.control.methods import GraphSettings, MatchingSettings, PaperSettings
from motionfields.control.methods.graph.solving import solve_graph
from motionfields.control.tasks import Axis, Direction, Lane, Line, Task, Velocity
from motionfields.control.training.train import estimate_memory
from motionfields.field.database.building import BuildSettings
from motionfields.field.database.metric import bone_lengths
from motionfields.field.database.streaming import least_memory
from motionfields.motion.body import find_body
from motionfields.motion.contacts import ContactSettings
from motionfields.motion.planting import FootPlanter, PlantingSettings, measure_stance, votes_from_contacts
from motionfields.motion.samples import generate_samples
from motionfields.runtime.frames import Frame
from motionfields.runtime.passive import PassiveCrowd
from motionfields.runtime.planters import PLANTING
from tests.control.training.small import small_field

RECORD = Path(__file__).with_name("record.json")
Figures = dict[str, Any]
COUNT = 9  # characters


def figure_of(values: Any) -> float:
    """Return one number that depends on every one of `values`: their sum with weights between 1 and 2."""
    flat = np.nan_to_num(np.asarray(values, np.float64).ravel(), nan=12345.0, posinf=54321.0, neginf=-54321.0)
    return float(np.dot(flat, 1.5 + 0.5 * np.cos(np.arange(len(flat)))))


def figures_of(arrays: Mapping[str, Any]) -> Figures:
    """Return the figure of each array, and of each field of a named tuple."""
    found: Figures = {}
    for name, values in arrays.items():
        if hasattr(values, "_asdict"):
            found |= figures_of({f"{name}.{part}": value for part, value in values._asdict().items()})
        else:
            found[name] = figure_of(values)
    return found


# The runs


def settings() -> Figures:
    """Return the default of every setting."""
    kinds = (
        *(BuildSettings, mf.MetricSettings, ContactSettings, mf.PassiveSettings, mf.ControlSettings, mf.Warp),
        *(GraphSettings, MatchingSettings, PaperSettings, PlantingSettings),
    )
    found: Figures = {kind.__name__: asdict(kind()) for kind in kinds}
    found["foot locking of crowds"] = asdict(PLANTING)
    found["tasks"] = {type(task).__name__: asdict(task) for task in (Direction(), Line(), Velocity(), Lane())}
    found["agility of matching"] = {str(share): asdict(MatchingSettings().agile(share)) for share in (0.0, 0.4, 1.0)}
    functions = (mf.train, mf.methods.train_graph, mf.methods.train_matching, mf.methods.train_paper, solve_graph)
    for function in functions:
        parameters = inspect.signature(function).parameters.values()
        found[function.__name__] = {one.name: repr(one.default) for one in parameters if one.default is not one.empty}
    return dict(json.loads(json.dumps(found)))


def database() -> Figures:
    """Return figures of the database of the small field, and the memory that larger ones are said to need."""
    field = small_field()
    data = field.database
    states = np.arange(0, data.state_count, 7)
    near = field.neighbors(data.states(states))
    return figures_of(
        {
            "features": data.features,
            "contacts": data.contacts,
            "frames_left": data.frames_left,
            "joint_speed": data.joint_speed,
            "stands": data.stands(0.2),
            "states": data.states(slice(None)),
            "bones": bone_lengths(data.skeleton),
            "findable": field.findable,
            "spacing": field.spacing,
            "connectivity": field.connectivity,
            "neighbors": near,
            "votes": field.contact_votes(near, np.full(near.indices.shape, 1.0 / near.indices.shape[1])),
            "stance": [field.stance.toe_heights, field.stance.heel_heights],
            "least_memory": [least_memory(10**n, data.skeleton) for n in range(3, 8)],
            "choosing_memory": [training_memory(10**n, Coarse()) for n in range(3, 8)],
            "training_memory": [
                training_memory(10**n, task) for n in range(3, 8) for task in (Direction(), Lane(top=2.0))
            ],
        }
    )


@dataclass(frozen=True)
class Coarse(Direction):
    """A task with so few values that the search for transitions needs most of the memory."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the heading, at two nodes."""
        return (Axis("angle", np.array([-np.pi, np.pi]), wraps=True),)


def training_memory(state_count: int, task: Task) -> list[int]:
    """Return the memory said to be needed to train `task` on as many states, with a warp and few transitions or not."""
    database = SimpleNamespace(state_count=state_count, skeleton=small_field().database.skeleton)
    field: Any = SimpleNamespace(database=database, findable=range(state_count))
    few = mf.ControlSettings(neighbor_count=10)
    return [estimate_memory(field, task, warp=warp, settings=use) for warp in (None, mf.Warp()) for use in (None, few)]


def foot_locking() -> Figures:
    """Return figures of foot locking on a half turn that slides, sinks, begins in mid-step and lands on its toes."""
    sample = generate_samples(frame_rate=30.0, only=re.compile("turn_left_180.*"))[0]
    clip, frames = sample.clip, sample.clip.frame_count
    votes = votes_from_contacts(sample.contacts, clip.frame_time)
    rng = np.random.default_rng(4)
    slide = np.cumsum(rng.normal(0.0, 0.004, (COUNT, frames, 3)), axis=1) * np.array([1.0, 0.4, 1.0])
    turns = np.repeat(clip.rotations[np.newaxis].astype(np.float64), COUNT, axis=0)
    ankles = [leg.ankle for leg in find_body(clip.skeleton).legs]
    pitch = np.linspace(-0.3, 0.6, COUNT)[:, np.newaxis] * np.sin(0.9 * np.arange(frames))
    tipped = quat_exp(pitch[..., np.newaxis] * np.array([1.0, 0.0, 0.0]))[:, :, np.newaxis]
    turns[:, :, ankles] = quat_multiply(turns[:, :, ankles], np.repeat(tipped, len(ankles), axis=2))
    stance = measure_stance(clip, [sample.contacts])
    found: dict[str, Any] = {}
    for name, chosen in (("default", PlantingSettings()), ("crowds", PLANTING)):
        planter = FootPlanter(clip.skeleton, stance, frame_time=clip.frame_time, settings=chosen)
        every = np.repeat(votes[np.newaxis], COUNT, axis=0)
        found[name] = planter.run(clip.root_position + slide, turns, contact_votes=every)
        state = planter.start(COUNT)
        tracks = []
        for frame in range(frames // 3, frames):
            root = clip.root_position[frame] + slide[:, frame]
            pose = planter.step(state, root, turns[:, frame], contact_votes=every[:, frame])
            state = pose.state
            if frame == frames // 2:
                state = state.restarted(np.array([2, 5]))
            tracks.append([figure_of(part) for part in (*pose[:-1], *pose.state)])
        found |= {f"{name}, stepped: {n}": track for n, track in enumerate(np.transpose(tracks))}
    return figures_of(found)


def passive() -> Figures:
    """Return figures of passive synthesis, undisturbed and pushed."""
    field = small_field()
    found: dict[str, Any] = {"undisturbed": field.synthesize(field.start(COUNT), 2.0, seed=3)}
    crowd = PassiveCrowd(field, COUNT, seed=2)
    crowd.push(np.arange(0, COUNT, 2), "Spine", [120.0, 0.0, -60.0])
    found["pushed"] = frames_of(crowd.step() for _ in range(45))
    return figures_of(found)


def frames_of(frames: Iterable[Frame]) -> Frame:
    """Return the figures of every frame, in the field they belong to."""
    return Frame(*np.transpose([[figure_of(part) for part in frame] for frame in frames]))


def roll(controller: mf.Controller) -> Frame:
    """Return figures of a crowd that is steered, pushed, hit by a ball, moved and started elsewhere."""
    task: Task = controller.task
    crowd = controller.crowd(COUNT, seed=5)
    rng = np.random.default_rng(1)
    field = controller.field
    frames: list[Frame] = []
    for number in range(120):
        if number % 30 == 0:
            commands = rng.uniform(-1.0, 1.0, (COUNT, len(task.command_names))) * 2.0
        if number == 40:
            crowd.push(3, "Hips", [200.0, 0.0, 50.0])
            crowd.push(np.array([5, 6]), "Spine", [0.0, 0.0, -150.0], duration=0.3)
            hips = frames[-1].root_position[1]
            crowd.throw(hips + np.array([2.5, 0.3, 0.0]), [-8.0, 0.5, 0.0], mass=3.0)
        if number == 70:
            crowd.place(np.array([7]), [3.0, -1.0], 0.7)
            crowd.start_from(field.draw(2, seed=8), np.array([0, 8]))
        frames.append(crowd.step(commands))
    return frames_of(frames)


def training() -> Figures:
    """Return figures of the values of every task, and of crowds that follow them."""
    field = small_field()
    found: dict[str, Any] = {}
    for task, warp in ((Direction(), None), (Direction(), mf.Warp()), (Line(), None), (Velocity(), None)):
        controller = mf.train(field, task, warp=warp, settings=mf.ControlSettings(neighbor_count=40), tolerance=0.05)
        name = type(task).__name__ + ("" if warp is None else ", warped")
        found |= {f"{name}: values": controller.values.table(), f"{name}: transitions": controller.transitions}
        found |= {f"{name}: sweeps": [controller.sweeps, controller.residual], f"{name}: crowd": roll(controller)}
        if isinstance(task, Direction):
            packed = mf.compress(controller, factor=10.0)
            found[f"{name}: compressed"] = packed.values.lookup(np.arange(50), np.zeros((50, 1)))
    return figures_of(found)


def methods() -> Figures:
    """Return figures of crowds of the other methods."""
    field, task = small_field(), Direction()
    paper = PaperSettings(anchor_stride=6)
    return figures_of(
        {
            "graph": roll(mf.methods.train_graph(field, task, tolerance=0.05)),
            "graph, lines": roll(mf.methods.train_graph(field, Line(), tolerance=0.5)),
            "matching, lines": roll(mf.methods.train_matching(field, Line())),
            "matching": roll(mf.methods.train_matching(field, task)),
            "paper": roll(mf.methods.train_paper(field, task, tolerance=0.5, settings=paper)),
        }
    )


RUNS: tuple[Callable[[], Figures], ...] = (settings, database, foot_locking, passive, training, methods)


def main() -> None:
    """Write the figures of all runs."""
    RECORD.write_text(json.dumps({run.__name__: run() for run in RUNS}, indent=1) + "\n")


if __name__ == "__main__":
    main()
