"""Random changes of JSON values and arrays, shared by the fuzzers."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

ODD_JSON: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 2**31, 2**53, 2**63, 10**30, 1e308, -1e308, 5e-324, 1e-320, 1.5, 0.999999),
    *("", "x", "nan", "inf", "1", "direction", "velocity", [], {}, [[]], [0], [None], ["a", "b"], {"a": 1}),
]
ODD_FLOATS = [np.nan, np.inf, -np.inf, 3e38, -3e38, 1e30, 1e9, 1e-45, 0.0, -1.0, 1.0, 2e9]
ODD_INTS = [-1, 0, 1, 2**31 - 1, -(2**31), 2**62, 2**63 - 1, -(2**63), 10**6]
DTYPES = (np.float32, np.float64, np.int32, np.int64, np.uint8, np.bool_, np.float16, np.uint64)


def json_paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to all parts of a JSON value."""
    paths = [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        if len(paths) > 400:
            break
        paths += json_paths(part, (*path, key))
    return paths


def changed_json(document: Any, chance: Random) -> Any:
    """Return a copy of `document` with one to three parts replaced, removed, repeated or moved."""
    made = copy.deepcopy(document)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        paths = json_paths(made)
        path = chance.choice(paths)
        if not path:
            continue
        parent = _at(made, path[:-1])
        key, kind = path[-1], chance.random()
        if kind < 0.5:
            parent[key] = copy.deepcopy(chance.choice(ODD_JSON))
        elif kind < 0.62:
            del parent[key]
        elif kind < 0.72 and isinstance(parent, list):
            parent.insert(chance.randrange(len(parent) + 1), copy.deepcopy(chance.choice(parent)))
        elif kind < 0.85 and type(parent[key]) in (int, float):
            number = parent[key]
            parent[key] = chance.choice((number + 1, number - 1, -number, number * 1000, number / 3, float(number)))
        else:
            parent[key] = copy.deepcopy(_at(made, chance.choice(paths)))
    return made


def changed_array(array: NDArray[Any], chance: Random) -> NDArray[Any]:
    """Return `array` with other numbers, another type or another shape."""
    kind = chance.random()
    if kind < 0.7 and array.size:
        made = array.copy()
        flat = made.reshape(-1)
        odd = ODD_FLOATS if array.dtype.kind == "f" else ODD_INTS if array.dtype.kind in "iu" else [0, 1]
        with np.errstate(all="ignore"):
            if chance.random() < 0.15:
                flat[:] = np.array(chance.choice(odd)).astype(array.dtype)
            else:
                for _ in range(chance.choice((1, 1, 2, 10))):
                    flat[chance.randrange(flat.size)] = np.array(chance.choice(odd)).astype(array.dtype)
        return made
    if kind < 0.8:
        with np.errstate(all="ignore"):
            return array.astype(chance.choice(DTYPES))
    if kind < 0.9 and array.ndim and len(array):
        return np.concatenate([array, array[-1:]]) if chance.random() < 0.5 else array[:-1].copy()
    return chance.choice((array.reshape(-1), array[..., np.newaxis], array[:0].copy() if array.ndim else array))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value
