"""`check_index`, an executable check of the neighbour search contract for any index."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import require
from motionfields.field.neighbors.contract import NeighborIndex, Neighbors
from motionfields.field.neighbors.plain import PlainIndex

BATCH_SIZES = (1, 7)  # tested in addition to one batch of all queries


def check_index(
    index: NeighborIndex, queries: ArrayLike | None = None, *, neighbor_count: int = 15, exact: bool = True
) -> None:
    """Raise `AssertionError`, with the expected and the actual value, if `index` breaks the contract.

    `queries` [query, dimension] default to states, points between states, and points off them. `neighbor_count` is
    lowered to the number of states. With `exact=False` the index need not agree with `PlainIndex`.
    """
    features = _checked_features(index)
    points = _probes(features) if queries is None else np.asarray(queries, dtype=np.float32)
    for count in sorted({1, min(neighbor_count, len(features))}):
        found = index.search(points, count)
        _check_form(found, points, features, count)
        _check_order(found)
        _check_batches(index, points, found)
        if exact:
            _check_agreement(found, PlainIndex(features).search(points, count))
    _check_input(index, points)
    _check_refusals(index, points)


def _checked_features(index: NeighborIndex) -> FloatArray:
    features = index.features
    require(
        isinstance(features, np.ndarray) and features.ndim == 2 and features.dtype == np.float32,
        f"features: expected a float32 array [state, dimension], got {type(features).__name__} "
        f"{getattr(features, 'dtype', '')} {getattr(features, 'shape', '')}",
    )
    require(not features.flags.writeable, "features: expected a read-only array")
    return features


def _probes(features: FloatArray) -> FloatArray:
    """Return states, points between consecutive states, and points off them, [query, dimension] float32."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, len(features), 24)
    after = np.minimum(rows + 1, len(features) - 1)
    spread = features.std(axis=0, dtype=np.float64) + 1e-3
    between = 0.5 * features[rows] + 0.5 * features[after]
    off = between + 0.1 * spread * rng.normal(size=between.shape)
    far = features[:1] + 100.0 * spread
    return np.concatenate([features[rows], between, off, far]).astype(np.float32)


def _check_form(found: Neighbors, points: FloatArray, features: FloatArray, count: int) -> None:
    shape = (len(points), count)
    for name, array, dtype in (("indices", found.indices, np.int64), ("distances", found.distances, np.float32)):
        require(
            array.shape == shape and array.dtype == dtype,
            f"{name}: expected {np.dtype(dtype)} {shape}, got {array.dtype} {array.shape}",
        )
    inside = (found.indices >= 0) & (found.indices < len(features))
    require(bool(inside.all()), f"indices: expected rows 0 to {len(features) - 1}, got {found.indices[~inside]}")
    ordered = np.sort(found.indices, axis=1)
    require(bool((np.diff(ordered, axis=1) > 0).all()), "indices: expected each state once, got one twice")


def _check_order(found: Neighbors) -> None:
    steps, turns = np.diff(found.distances, axis=1), np.diff(found.indices, axis=1)
    require(bool((steps >= 0.0).all()), "distances: expected the nearest first")
    require(bool((turns[steps == 0.0] > 0).all()), "indices: expected equal distances in the order of their indices")


def _check_batches(index: NeighborIndex, points: FloatArray, found: Neighbors) -> None:
    for size in BATCH_SIZES:
        parts = [index.search(points[i : i + size], found.indices.shape[1]) for i in range(0, len(points), size)]
        for name, whole, split in zip(found._fields, found, zip(*parts, strict=True), strict=True):
            require(
                np.array_equal(np.concatenate(split), whole), f"{name}: expected the same bits in batches of {size}"
            )


def _check_agreement(found: Neighbors, plain: Neighbors) -> None:
    for name, ours, theirs in zip(found._fields, plain, found, strict=True):
        wrong = np.nonzero((ours != theirs).any(axis=1))[0]
        if len(wrong) > 0:
            query = int(wrong[0])
            raise AssertionError(f"{name} of query {query}: expected {ours[query]} as PlainIndex, got {theirs[query]}")


def _check_input(index: NeighborIndex, points: FloatArray) -> None:
    """Check that float64 and strided queries give the result of float32, and an empty batch an empty result."""
    expected = index.search(points, 1)
    for kind, same in (("float64", points.astype(np.float64)), ("strided", np.repeat(points, 2, axis=0)[::2])):
        found = index.search(same, 1)
        require(np.array_equal(found.indices, expected.indices), f"queries: expected {kind} to give the same result")
    empty = index.search(points[:0], 1)
    require(empty.indices.shape == (0, 1), f"indices: expected (0, 1) for no queries, got {empty.indices.shape}")


def _check_refusals(index: NeighborIndex, points: FloatArray) -> None:
    holed = points[:1].copy()
    holed[0, 0] = np.nan
    refused = (
        ("queries with NaN", holed, 1),
        ("queries of another width", np.zeros((1, points.shape[1] + 1), np.float32), 1),
        ("a single query without its batch axis", points[0], 1),
        ("neighbor_count 0", points[:1], 0),
        ("more neighbours than states", points[:1], len(index.features) + 1),
    )
    for what, queries, count in refused:
        try:
            index.search(queries, count)
        except ValueError:
            continue
        raise AssertionError(f"search: expected ValueError for {what}")
