"""The compiled loops over quaternions do what their Python source does, which checks every index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import kernels, quat_normalize

COUNT = 7


def turns(rng: np.random.Generator, *shape: int) -> FloatArray:
    return quat_normalize(rng.normal(size=(*shape, 4)))


def inputs(name: str, rng: np.random.Generator) -> tuple[Any, ...]:
    """The arguments of the kernel `name` without its output."""
    first, second, vectors = turns(rng, COUNT), turns(rng, COUNT), rng.normal(size=(COUNT, 3))
    weights = rng.random((COUNT, 3)) + 0.1
    known: dict[str, tuple[Any, ...]] = {
        "multiply": (first, second),
        "rotate": (first, vectors),
        "log": (first,),
        "exp": (vectors,),
        "slerp": (first, second, rng.random((COUNT, 1))),
        "average": (turns(rng, COUNT, 3), weights / weights.sum(axis=-1, keepdims=True), 1e-12),
    }
    return known[name]


@pytest.mark.parametrize("name", ["multiply", "rotate", "log", "exp", "slerp", "average"])
def test_a_compiled_loop_stays_in_its_arrays_and_gives_the_result_of_its_source(
    name: str, rng: np.random.Generator
) -> None:
    compiled: Any = getattr(kernels, name)
    source: Callable[..., None] = compiled.py_func
    width = 3 if name in {"rotate", "log"} else 4
    results = []
    given = inputs(name, rng)
    for run in (compiled, source):
        out = np.full((COUNT, width), np.nan)
        run(*given, out)
        results.append(out)
    np.testing.assert_allclose(results[0], results[1], rtol=1e-12, atol=1e-14)
