"""The nearest states of every state: the neighbour graph of a database, exact or by faiss (extra `faiss`)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from motionfields.arrays import FloatArray, IntArray
from motionfields.errors import MissingExtraError
from motionfields.neighbors.bounded import BoundedIndex
from motionfields.neighbors.contract import Neighbors, checked_count, checked_features

Method = Literal["exact", "hnsw", "ivf"]
METHODS: tuple[Method, ...] = ("exact", "hnsw", "ivf")
HNSW_LINKS = 32  # of each state on each level
IVF_PROBE_SHARE = 0.1  # of the cells that a query looks into
SAMPLE_COUNT = 500  # states whose neighbours are checked


@dataclass(frozen=True, eq=False)
class NeighborGraph:
    """The neighbours of every state, itself left out, and how many of them are right."""

    neighbors: IntArray  # [state, k] int64, nearest first
    recall: float  # share that is as near as the true k-th neighbour, over the sample
    sample_count: int  # how many states the recall was measured on


def build_neighbor_graph(features: ArrayLike, neighbor_count: int, *, method: Method = "exact") -> NeighborGraph:
    """The `neighbor_count` nearest other states of each state of `features` [state, dimension].

    "exact" is `BoundedIndex`; "hnsw" and "ivf" are approximate indices of faiss for databases of a million states and
    more. An HNSW graph built by several threads can differ from run to run. Faiss indices live only in memory here:
    none is ever read from a file.
    """
    if method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    states = checked_features(features)
    count = checked_count(neighbor_count, len(states) - 1)
    index = BoundedIndex(states)
    if method == "exact":
        return NeighborGraph(_without_self(index.search(states, count + 1).indices), 1.0, len(states))
    found = _search_faiss(_faiss_index(states, method), states, count + 1)
    missing = np.nonzero((found < 0).any(axis=1))[0]
    found[missing] = index.search(states[missing], count + 1).indices
    neighbors = _without_self(found)
    sample = np.unique(np.linspace(0, len(states) - 1, min(SAMPLE_COUNT, len(states))).astype(np.int64))
    return NeighborGraph(neighbors, _recall(index, neighbors, sample), len(sample))


def _without_self(found: IntArray) -> IntArray:
    """`found` [state, k + 1] without the state itself, or without the last where equal states pushed it out."""
    other = found != np.arange(len(found))[:, np.newaxis]
    other[other.all(axis=1), -1] = False
    return np.asarray(found[other].reshape(len(found), -1))


def _faiss_index(states: FloatArray, method: Method) -> Any:
    try:
        faiss: Any = import_module("faiss")
    except ImportError:
        raise MissingExtraError("faiss-cpu", extra="faiss") from None
    state_count, dimension = states.shape
    if method == "hnsw":
        index = faiss.IndexHNSWFlat(dimension, HNSW_LINKS)
        index.hnsw.efConstruction = 100
        index.hnsw.efSearch = 100
    else:
        cell_count = max(1, min(state_count // 39, round(4.0 * state_count**0.5)))  # faiss wants 39 points a cell
        index = faiss.IndexIVFFlat(faiss.IndexFlatL2(dimension), dimension, cell_count)
        index.nprobe = max(1, round(IVF_PROBE_SHARE * cell_count))
        index.train(states)
    index.add(states)
    return index


def _search_faiss(index: Any, states: FloatArray, count: int) -> IntArray:
    _, found = index.search(states, count)
    return np.asarray(found, dtype=np.int64)


def _recall(index: BoundedIndex, neighbors: IntArray, sample: IntArray) -> float:
    """The share of `neighbors` [state, k] that are no farther than the true k-th, over the states `sample` [any]."""
    count = neighbors.shape[1]
    true: Neighbors = index.search(index.features[sample], count + 1)
    states = index.features.astype(np.float64)
    gaps = np.linalg.norm(states[neighbors[sample]] - states[sample, np.newaxis], axis=-1)
    # The state itself, at distance 0, is the first of the count + 1; equally distant states are equally right.
    return float(np.mean(gaps <= true.distances[:, -1:] * (1.0 + 1e-5)))
