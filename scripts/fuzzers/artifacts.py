"""Saved fields, controllers, shards of builds and files of work folders with other content and repaired checksums."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from scripts.fuzz import Case
from scripts.fuzzers.mutations import changed_array, changed_json
from scripts.fuzzers.small import small_clips

from motionfields.base.artifacts.layout import LENGTH_BYTES
from motionfields.base.artifacts.reading import read_artifact
from motionfields.base.artifacts.writing import _header, _plan, _write_array
from motionfields.base.errors import MotionFieldsError
from motionfields.control.compression import compress
from motionfields.control.contract import Controller, find_method, load_controller
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Lane, Line, Task, Velocity
from motionfields.control.training import train
from motionfields.control.training.work import Checkpoint, TransitionParts, ValuesFile
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.database.building import BuildSettings
from motionfields.field.database.shards import PLAN_NAME, _earlier_plan, _is_whole, make_shards, plan_shards, read_shard
from motionfields.field.database.streaming import _joined
from motionfields.field.database.survey import Recipe, Survey
from motionfields.motion.formats import save_clip

SHARED_MEMORY = Path("/dev/shm")
KNOWN_BYTES: dict[int, tuple[bytes, str]] = {}  # by the identity of arrays that live as long as the fuzzer
SETTINGS = ControlSettings(neighbor_count=4, candidate_factor=2)


class Sound(NamedTuple):
    """A file to start from."""

    name: str
    kind: str
    version: int
    arrays: dict[str, Any]
    facts: dict[str, Any]
    use: Callable[[Path], str | None]


def cases(folder: Path) -> Callable[[Random], Case]:
    """Return the function that makes a case by chance; `folder` is for files."""
    place = SHARED_MEMORY if SHARED_MEMORY.is_dir() else folder
    path = place / f"fuzz-{os.getpid()}.artifact"
    sound = sound_files(folder)
    KNOWN_BYTES.update({id(array): array_bytes(array) for one in sound for array in one.arrays.values()})
    for one in sound:  # compile what they need, before limits hold
        path.write_bytes(artifact_bytes(one, one.arrays, one.facts))
        assert one.use(path) is None
        if one.use is use_controller:
            assert step_crowd(load_controller(path)) is None

    def make(chance: Random) -> Case:
        one = chance.choice(sound)
        data = changed(one, chance)

        def run() -> str | None:
            path.write_bytes(data)
            try:
                return one.use(path)
            finally:
                path.unlink()

        return Case(one.name, data, run, (MotionFieldsError,))

    return make


def changed(one: Sound, chance: Random) -> bytes:
    """Return the bytes of `one` with other content; mostly with right checksums."""
    arrays, facts = dict(one.arrays), one.facts
    kind = chance.random() if arrays else 0.7
    if kind < 0.5:
        for _ in range(chance.choice((1, 1, 2))):
            name = chance.choice(list(arrays))
            arrays[name] = changed_array(arrays[name], chance)
    elif kind < 0.9:
        made = changed_json(facts, chance)
        facts = made if isinstance(made, dict) else facts
    elif kind < 0.95 and len(arrays) > 1:
        name, other = chance.sample(list(arrays), 2)
        arrays[name], arrays[other] = arrays[other], arrays[name]
    else:
        del arrays[chance.choice(list(arrays))]
    data = artifact_bytes(one, arrays, facts)
    if chance.random() < 0.03:
        place = chance.randrange(len(data))
        data = chance.choice((data[:place], data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]))
    return data


def artifact_bytes(one: Sound, arrays: dict[str, Any], facts: dict[str, Any]) -> bytes:
    """Return the bytes that `write_artifact` would write, without a file."""
    entries = _plan({name: np.asarray(array) for name, array in arrays.items()})
    try:
        text = json.dumps(facts, default=dict, sort_keys=True, allow_nan=False)
    except ValueError:  # numbers that no file can hold
        text = json.dumps(one.facts, default=dict)
    about = {"kind": one.kind, "version": str(one.version), "facts": text}
    pieces = {name: array_bytes(arrays[name]) for name in entries}
    header = _header(about, entries, {name: digest for name, (_, digest) in pieces.items()})
    body = b"".join(data for data, _ in pieces.values())
    return len(header).to_bytes(LENGTH_BYTES, "little") + header + body


def array_bytes(array: Any) -> tuple[bytes, str]:
    """Return the bytes of `array` in a file, and their checksums; those of arrays of sound files are kept."""
    found = KNOWN_BYTES.get(id(array))
    if found is None:
        body = io.BytesIO()
        digest = _write_array(body, np.asarray(array))
        found = body.getvalue(), digest
    return found


def sound_files(folder: Path) -> list[Sound]:
    """Return files of every kind that this package writes, of little motion."""
    field = MotionField(MotionDatabase.build(small_clips(), mirror=False), neighbor_count=5)
    made: list[Sound] = []
    field.save(folder / "a.field")
    made.append(opened("field", folder / "a.field", use_field))
    old = opened("field of version 1", folder / "a.field", use_field)
    made.append(old._replace(facts={**old.facts, "field": {**old.facts["field"], "tail": 20, "standing": False}}))
    controllers = {type(task).__name__: train(field, task, settings=SETTINGS, tolerance=1.0) for task in tasks()}
    controllers["warped"] = train(field, Direction(), settings=SETTINGS, tolerance=1.0, warp=Warp())
    controllers["compressed"] = compress(controllers["Direction"], loss=1.0)
    for name, controller in controllers.items():
        controller.save(folder / f"{name}.controller")
        made.append(opened(name, folder / f"{name}.controller", use_controller))
    for method in ("matching", "graph", "paper"):
        options = {"tolerance": 1.0} if method != "matching" else {}
        find_method(method).train(field, Direction(), **options).save(folder / f"{method}.controller")
        made.append(opened(method, folder / f"{method}.controller", use_controller))
    return [*made, *work_files(folder, field), *shard_files(folder)]


def tasks() -> tuple[Task, ...]:
    return Direction(), Line(), Velocity(), Lane()


def opened(name: str, path: Path, use: Callable[[Path], str | None]) -> Sound:
    """Return the content of the file `path`."""
    from motionfields.base.artifacts import artifact_kind

    kind = artifact_kind(path)
    artifact = read_artifact(path, kind=kind, newest_version=10**6)
    arrays = {part: np.array(artifact.arrays[part]) for part in artifact.arrays}
    return Sound(name, kind, artifact.version, arrays, json.loads(json.dumps(artifact.facts, default=dict)), use)


def use_field(path: Path) -> str | None:
    """Load a field, and synthesise a few frames."""
    field = MotionField.load(path)
    try:
        poses = field.synthesize(field.start(2), 4.0 * field.database.frame_time).poses
    except ValueError as error:
        if str(error).startswith("database: expected states"):  # a sound field, too small for passive synthesis
            return None
        raise
    return None if all(np.isfinite(track).all() for track in poses) else "poses that are not finite"


def use_controller(path: Path) -> str | None:
    """Load a controller, and step a crowd."""
    controller = load_controller(path)
    if path.stat().st_size % 4:  # to load is what most files do; a crowd takes 20 times as long
        return None
    return step_crowd(controller)


def step_crowd(controller: Controller) -> str | None:
    """Step a crowd of `controller`, and return what is wrong with its frames."""
    crowd = controller.crowd(2)
    command = np.full(len(controller.task.command_names), 0.5)
    for _ in range(4):
        frame = crowd.step(command)
        if not (np.isfinite(frame.rotations).all() and np.isfinite(frame.root_position).all()):
            return "poses that are not finite"
        if not ((frame.states >= 0) & (frame.states < controller.field.database.state_count)).all():
            return "states outside the database"
    return None


def work_files(folder: Path, field: MotionField) -> list[Sound]:
    """Return a part of the transitions and a checkpoint, as training leaves them in its folder."""
    work = folder / "work"
    train(field, Direction(), settings=SETTINGS, tolerance=1.0, work=work, checkpoint_sweeps=1)
    (part,) = work.glob("choices-*")
    whole = opened("part of a work folder", part, lambda path: None)
    count, transitions, variants, _ = whole.arrays["costs"].shape
    parts = TransitionParts(str(work), str(whole.facts["of"]), count, transitions, variants)

    def use_part(path: Path) -> str | None:
        part.write_bytes(path.read_bytes())
        if parts.missing():
            return None
        rows, costs, _ = parts.read(range(count), np.zeros(count, np.float32))
        good = rows.min() >= 0 and rows.max() < count and np.isfinite(costs).all()
        return None if good else "transitions outside the database"

    shape = (count, 37)
    file = ValuesFile(str(work / "values-0.training"), "0" * 64)
    file.write(Checkpoint(np.zeros(shape, np.float32), 3))
    saved = opened("checkpoint of a work folder", Path(file.location), lambda path: None)

    def use_checkpoint(path: Path) -> str | None:
        Path(file.location).write_bytes(path.read_bytes())
        found = file.read(shape)
        return None if found is None or np.isfinite(found.values).all() else "values that are not finite"

    return [whole._replace(use=use_part), saved._replace(use=use_checkpoint)]


def shard_files(folder: Path) -> list[Sound]:
    """Return a shard and a plan, as an interrupted build leaves them in its folder."""
    clips, shards, scratch = folder / "clips", folder / "shards", folder / "scratch"
    for made in (clips, shards, scratch):
        made.mkdir(exist_ok=True)  # a child before this one may have ended by a signal
    for clip in small_clips():
        save_clip(clip, clips / f"{clip.name}.bvh")
    survey = Survey(Recipe(BuildSettings(mirrored=False)))
    surveyed = survey.run([str(clips)], lambda text: None)
    (plan,) = plan_shards(surveyed, str(shards), survey)
    make_shards([str(clips)], [plan], str(shards), survey, lambda text: None)

    def use_shard(path: Path) -> str | None:
        (shards / plan.name).write_bytes(path.read_bytes())
        if not _is_whole(str(shards), plan, survey):  # the build makes it again
            return None
        database = _joined([read_shard(str(shards), plan.name)], survey, scratch, lambda text: None).database
        return None if np.isfinite(database.features).all() else "features that are not finite"

    def use_plan(path: Path) -> str | None:
        (shards / PLAN_NAME).write_bytes(path.read_bytes())
        _earlier_plan(str(shards))
        return None

    return [
        opened("shard", shards / plan.name, use_shard),
        opened("plan of shards", shards / PLAN_NAME, use_plan),
    ]
