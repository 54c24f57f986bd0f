"""Workers on a real Ray cluster of this computer do what one process does, bit for bit, and survive their deaths."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import ArtifactError, ClusterError, MissingExtraError
from motionfields.control.cluster import RayBackend, _joined_cluster
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Direction
from motionfields.control.training import Actions, Found, Job, TransitionParts, improve_here, train
from motionfields.control.training.work import transitions_fingerprint
from motionfields.control.transitions import Transitions, find_transitions
from tests.control.training.small import SETTINGS, WARP, small_field

# Not imported here: Ray reads how it is to authenticate when it is.
pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="needs ray, which the extra dev installs")


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    """One cluster for all tests, since starting takes seconds."""
    with _joined_cluster(None):
        yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # Ray ends its processes and does not wait for them
        gc.collect()


@pytest.fixture(scope="module")
def transitions() -> Transitions:
    return find_transitions(small_field(), measure_root_motion(small_field().database, warp=WARP), SETTINGS)


def job_in(folder: Path) -> Job:
    field = small_field()
    fingerprint = transitions_fingerprint(field, WARP, SETTINGS)
    parts = TransitionParts(str(folder), fingerprint, field.database.state_count, size=300)
    return Job(field, measure_root_motion(field.database, warp=WARP), WARP, SETTINGS, parts)


def outlook_of(transitions: Transitions, rng: np.random.Generator) -> FloatArray:
    return rng.normal(size=(2 * len(transitions.states), 7)).astype(np.float32)


def test_workers_find_the_choices_and_the_best_of_them(
    transitions: Transitions, tmp_path: Path, rng: np.random.Generator
) -> None:
    action_values, actions = outlook_of(transitions, rng), Actions.of(transitions)
    expected = np.empty_like(action_values), np.empty(action_values.shape, np.uint16)
    improve_here(actions, action_values, *expected)
    job, told = job_in(tmp_path), list[Found]()
    with RayBackend(3).hire(job) as workers:
        found = workers.transitions(told.append)
        values, best = np.empty_like(action_values), np.empty(action_values.shape, np.uint16)
        workers.improve(actions, action_values, values, best)
        assert "3 workers on 1 node" in workers.note()
    assert job.parts is not None
    assert [step.done for step in told] == list(range(1, job.parts.count + 1))
    for array, other in zip((*found, values, best), (*transitions, *expected), strict=True):
        np.testing.assert_array_equal(array, other)


def test_a_worker_that_is_killed_is_replaced(
    transitions: Transitions, tmp_path: Path, rng: np.random.Generator
) -> None:
    action_values, actions, killed = outlook_of(transitions, rng), Actions.of(transitions), set[int]()
    values, best = np.empty_like(action_values), np.empty(action_values.shape, np.uint16)
    with RayBackend(2).hire(job_in(tmp_path)) as workers:

        def kill_once(found: Found) -> None:
            signs = workers._signs  # type: ignore[attr-defined]
            for sign in signs:
                if sign is not None and not killed:
                    killed.add(sign.process)
                    os.kill(sign.process, signal.SIGKILL)

        found = workers.transitions(kill_once)
        killed.clear()
        kill_once(Found(0, 0))
        workers.improve(actions, action_values, values, best)
        assert "replaced" in workers.note()
    for array, other in zip(found, transitions, strict=True):
        np.testing.assert_array_equal(array, other)
    expected = np.empty_like(action_values), np.empty(action_values.shape, np.uint16)
    improve_here(actions, action_values, *expected)
    np.testing.assert_array_equal(values, expected[0])
    np.testing.assert_array_equal(best, expected[1])


def test_training_by_workers_gives_the_same_controller(tmp_path: Path) -> None:
    alone = train(small_field(), Direction(), settings=SETTINGS, tolerance=0.1)
    work, backend = tmp_path / "work", RayBackend(2, threads=1)
    notes = list[str]()
    shared = train(
        small_field(),
        Direction(),
        settings=SETTINGS,
        tolerance=0.1,
        work=work,
        backend=backend,
        on_progress=lambda progress: notes.append(progress.note),
    )
    assert all("2 workers" in note for note in notes)
    alone.save(tmp_path / "alone.ctrl")
    shared.save(tmp_path / "shared.ctrl")
    assert (tmp_path / "alone.ctrl").read_bytes() == (tmp_path / "shared.ctrl").read_bytes()


def test_what_goes_wrong_in_a_worker_is_told_as_it_is(transitions: Transitions, tmp_path: Path) -> None:
    job = job_in(tmp_path)
    with RayBackend(1).hire(job) as workers:
        workers.transitions(lambda found: None)
        (path, *_) = tmp_path.glob("choices-*")
        path.write_bytes(path.read_bytes()[:-1])
        action_values = np.zeros((2 * len(transitions.states), 7), np.float32)
        with pytest.raises(ArtifactError, match=path.name) as caught:
            workers.improve(
                Actions.of(transitions), action_values, action_values.copy(), np.empty(action_values.shape, np.uint16)
            )
    assert "Traceback" not in str(caught.value)


def test_workers_need_a_folder_and_a_number(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="work: expected a folder"):
        train(small_field(), Direction(), backend=RayBackend())
    with pytest.raises(ValueError, match="workers: expected at least 1"):
        RayBackend(0)
    with pytest.raises(ValueError, match="threads: expected at least 1"):
        RayBackend(threads=0)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"motionfields\[cluster\]"), _joined_cluster(None):
        pass


def test_a_cluster_that_is_not_there_is_an_error_of_ours() -> None:
    import ray

    ray.shutdown()
    with pytest.raises(ClusterError, match=r"no cluster at 127\.0\.0\.1:1.*refused"), _joined_cluster("127.0.0.1:1"):
        pass
