"""Public functions and methods with odd arguments: numbers, texts and arrays; objects stay what they should be."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from scripts.fuzz import Case
from scripts.fuzzers.authoring_calls import authoring_calls
from scripts.fuzzers.call import Call
from scripts.fuzzers.small import small_clips

import motionfields as mf
from motionfields.base import geometry
from motionfields.base.errors import MotionFieldsError
from motionfields.control import tasks
from motionfields.control.methods.graph.settings import GraphSettings
from motionfields.control.methods.matching.settings import MatchingSettings
from motionfields.control.methods.paper.actions import PaperSettings
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import actions, similarity_weights
from motionfields.field.neighbors import make_index
from motionfields.field.passive import PassiveSettings
from motionfields.motion import quality
from motionfields.motion.planting import FootPlanter
from motionfields.runtime.passive import PassiveCrowd

ODD: list[Any] = [
    *(None, True, -1, 0, 1, 2, 3, 10**6, 2**31, 2**63, 10**30, 1.5, -0.5, 1e-320, 1e300, -1e300),
    *(float("nan"), float("inf"), "", "x", "Hips", b"x", 1j, [], [0.0], [1, 2, 3], [[0.0, 1.0]], "nan", (), {}),
    *(np.zeros(0), np.zeros((0, 3)), np.zeros((2, 5)), np.full(3, np.nan), np.full((1, 3), 1e300), np.array("x")),
    *(np.int64(5), np.float32(0.5), np.ma.masked_array([0.5], [True]), np.array([10**9]), np.array([-1])),
    *(np.zeros((1, 3), np.complex128), np.array([True]), np.array([2**63], np.uint64), slice(None), slice(-5, 99)),
]
ALLOWED = (MotionFieldsError, ValueError, TypeError)
ARRAY_ERRORS = (IndexError,)  # what numpy raises for arrays of a wrong shape, in the plain functions of geometry


def cases(folder: Path) -> Callable[[Random], Case]:
    """Return the function that makes a case by chance; files go to `folder`."""
    os.chdir(folder)  # a text may be taken for the name of a file
    calls = all_calls(folder)
    for call in calls:  # compile what they need
        with contextlib.suppress(*ALLOWED):  # arguments of geometry are guessed by name
            made = [] if call.fresh is None else [call.fresh()]
            call.function(*made, *call.arguments, **call.options)
            for one in made:
                after(one)

    def make(chance: Random) -> Case:
        call = chance.choice(calls)
        arguments, options = list(call.arguments), dict(call.options)
        places: list[Any] = [n for n, value in enumerate(arguments) if not is_object(value)]
        places += [name for name, value in options.items() if not is_object(value)]
        for place in chance.sample(places, min(len(places), chance.choice((1, 1, 2)))):
            value = chance.choice(ODD)
            if isinstance(place, int):
                arguments[place] = value
            else:
                options[place] = value
        text = f"{call.name}({', '.join([*map(brief, arguments), *(f'{k}={brief(v)}' for k, v in options.items())])})"

        def run() -> str | None:
            if call.fresh is None:
                return unsound(call.function(*arguments, **options), arguments)
            made = call.fresh()
            returned = unsound(call.function(made, *arguments, **options), arguments)
            return returned or after(made)

        plain = call.name.startswith("geometry.")
        return Case(text[:300], b"", run, (*ALLOWED, *ARRAY_ERRORS) if plain else ALLOWED)

    return make


def is_object(value: Any) -> bool:
    """Return whether `value` is one of our objects, some of them, a function, or what a file holds."""
    if type(value) in (tuple, list) and value:
        return any(map(is_object, value))
    return type(value).__module__.startswith("motionfields") or callable(value) or isinstance(value, (bytes, Path))


def brief(value: Any) -> str:
    if is_object(value):
        return type(value).__name__
    return " ".join(repr(value).split())[:60]


def after(made: Any) -> str | None:
    """Step a crowd that was changed: it must go on, and stay finite."""
    if isinstance(made, mf.Crowd):
        for _ in range(3):
            fault = unsound(made.step(np.full(len(made.controller.task.command_names), 0.4)), [])
            if fault:
                return f"{fault}, frames later"
    return None


def unsound(value: Any, arguments: list[Any]) -> str | None:
    """Return what is wrong with a result: numbers that are not finite, unless numbers given were not."""
    given = [part for part in arguments if isinstance(part, (float, np.ndarray, list))]
    if any(part is None or (isinstance(part, str) and part == "nan") for part in arguments):  # numpy reads both as NaN
        return None
    with np.errstate(all="ignore"):
        for part in given:
            numbers = np.asarray(part) if not isinstance(part, list) else np.zeros(0)
            if numbers.dtype.kind in "fc" and not np.isfinite(numbers).all():
                return None  # NaN in, NaN out is how arrays behave
        parts = value if isinstance(value, (tuple, list)) else [value]
        for part in parts:
            if isinstance(part, (tuple, list)):
                if fault := unsound(part, []):
                    return fault
                continue
            numbers = np.asarray(part) if isinstance(part, (float, np.ndarray)) else np.zeros(0)
            if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
                return "a result that is not finite"
    return None


def all_calls(folder: Path) -> list[Call]:
    """Return calls of public functions and methods that succeed as they are."""
    clips = small_clips()
    walk = mf.trim(clips[0], 0, 60)
    field = mf.MotionField(mf.MotionDatabase.build(clips, mirror=False), neighbor_count=5)
    settings = ControlSettings(neighbor_count=4, candidate_factor=2)
    kinds = (tasks.Direction(), tasks.Line(), tasks.Velocity(), tasks.Lane())
    trained = [train(field, task, settings=settings, tolerance=1.0) for task in kinds]
    made = [*clip_calls(walk, clips), *field_calls(field), *setting_calls(), *geometry_calls()]
    made += authoring_calls(folder)
    for controller in trained:
        made += crowd_calls(controller)
    made.append(Call("PassiveCrowd", PassiveCrowd, (field, 2), {"seed": 0, "plant": True}))
    return made


def clip_calls(walk: mf.Clip, clips: list[mf.Clip]) -> list[Call]:
    skeleton, feet = walk.skeleton, mf.detect_contacts(walk)
    planter = FootPlanter(
        skeleton, mf.MotionField(mf.MotionDatabase.build(clips, mirror=False)).stance, frame_time=0.03
    )
    root, turns = walk.root_position[np.newaxis], walk.rotations[np.newaxis]
    return [
        Call("Clip", mf.Clip, (skeleton, walk.root_position, walk.rotations, 0.03), {"name": "a"}),
        Call("Skeleton", mf.Skeleton, (("a", "b"), np.array([-1, 0]), np.zeros((2, 3)))),
        Call("resample", mf.resample, (walk, 30.0)),
        Call("low_pass", mf.low_pass, (walk, 6.0)),
        Call("trim", mf.trim, (walk, 2, 20)),
        Call("rescale", mf.rescale, (walk, 2.0)),
        Call("forward_kinematics", mf.forward_kinematics, (skeleton, walk.root_position, walk.rotations)),
        Call("joint_speed", quality.joint_speed, (walk,)),
        Call("planter.run", planter.run, (root, turns), {"contact_votes": feet[np.newaxis].astype(float)}),
        Call(
            "MotionDatabase.build",
            mf.MotionDatabase.build,
            ([walk],),
            {"frame_rate": 30.0, "mirror": False, "cutoff": 6.0},
        ),
    ]


def field_calls(field: mf.MotionField) -> list[Call]:
    database, start = field.database, field.draw(2)
    near = field.neighbors(start)
    weights = similarity_weights(near.distances)
    index = make_index(database.features, "exact")
    return [
        Call("MotionField", mf.MotionField, (database,), {"neighbor_count": 5, "drift": 0.1, "search": "exact"}),
        Call("neighbors", field.neighbors, (start, 5)),
        Call("blend", field.blend, (near.indices, weights)),
        Call("integrate", field.integrate, (start, near, weights), {"drift": 0.1, "target": near.indices[:, 0]}),
        Call("draw", field.draw, (2,), {"seed": 0}),
        Call("start", field.start, (2,), {"seed": 0}),
        Call("synthesize", field.synthesize, (start, 0.1), {"seed": 0}),
        Call("database.states", database.states, (np.array([1, 2]),)),
        Call("database.poses", database.poses, (np.array([1, 2]),)),
        Call("database.velocities", database.velocities, (np.array([1, 2]),)),
        Call("database.successors", database.successors, (np.array([1, 2]),)),
        Call("database.with_column", database.with_column, ("label", np.zeros(database.state_count))),
        Call("database.stands", database.stands, (0.5,)),
        Call("index.search", index.search, (database.features[:3], 4)),
        Call(
            "make_index", lambda features: make_index(features, "exact").search(features[:1], 1), (database.features,)
        ),
        Call("similarity_weights", similarity_weights, (near.distances,)),
        Call("actions", actions, (weights,), {"strength": 1.0}),
    ]


def setting_calls() -> list[Call]:
    made = []
    for kind in (
        *(ControlSettings, GraphSettings, MatchingSettings, PaperSettings, PassiveSettings, mf.MetricSettings, mf.Warp),
        *(tasks.Direction, tasks.Line, tasks.Velocity, tasks.Lane, mf.ContactSettings),
    ):
        usual = kind()
        made.append(Call(kind.__name__, kind, (), dict(vars(usual))))
    return made


def geometry_calls() -> list[Call]:
    quat, vector = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)), np.ones((3, 3))
    known = {"quat": quat, "q": quat, "a": quat, "b": quat, "later": quat, "earlier": quat, "first": quat}
    made = []
    for name in geometry.__all__:
        function = getattr(geometry, name)
        if not callable(function) or isinstance(function, type):
            continue
        arguments: list[Any] = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.default is inspect.Parameter.empty and parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
                arguments.append(known.get(parameter.name, quat if "quat" in parameter.name else vector))
        if arguments:
            made.append(Call(f"geometry.{name}", function, tuple(arguments)))
    return made


def crowd_calls(controller: mf.FieldController) -> list[Call]:
    def crowd() -> mf.Crowd:
        made: mf.Crowd = controller.crowd(2, seed=1)
        return made

    command = np.full(len(controller.task.command_names), 0.4)
    state = controller.field.draw(2)
    table = controller.values
    task = type(controller.task).__name__
    return [
        Call(f"{task} crowd", controller.crowd, (2,), {"seed": 1, "plant": True}),
        Call(f"{task} step", mf.Crowd.step, (command,), {}, crowd),
        Call(f"{task} place", mf.Crowd.place, (slice(None), np.zeros((2, 2)), np.zeros(2)), {}, crowd),
        Call(f"{task} set_detail", mf.Crowd.set_detail, (slice(None),), {"every": 1, "plant": True}, crowd),
        Call(f"{task} resized", mf.Crowd.resized, (3,), {"seed": 1}, crowd),
        Call(f"{task} start_from", mf.Crowd.start_from, (state, slice(None)), {}, crowd),
        Call(f"{task} push", mf.Crowd.push, (0, "Hips", (50.0, 0.0, 0.0)), {"point": None, "duration": 0.1}, crowd),
        Call(f"{task} throw", mf.Crowd.throw, ((0.0, 1.0, 2.0), (0.0, 0.0, -5.0)), {"mass": 1.0, "radius": 0.1}, crowd),
        Call(f"{task} params", mf.Crowd.params, (command,), {}, crowd),
        Call(f"{task} lookup", table.lookup, (np.array([3]), np.zeros((1, len(table.axes))))),
    ]
