"""Which states of a database are nearest: one search API, several ways to do it, one result.

`PlainIndex` defines the result in numpy; `ExactIndex` and `BoundedIndex` give the same bits sooner. A neighbour graph
of a whole database, exact or by faiss, comes from `build_neighbor_graph`. `check_index` tests any index.
"""

from motionfields.neighbors.bounded import BoundedIndex
from motionfields.neighbors.checking import check_index
from motionfields.neighbors.contract import NeighborIndex, Neighbors
from motionfields.neighbors.exact import ExactIndex
from motionfields.neighbors.graph import NeighborGraph, build_neighbor_graph
from motionfields.neighbors.plain import PlainIndex

__all__ = [
    "BoundedIndex",
    "ExactIndex",
    "NeighborGraph",
    "NeighborIndex",
    "Neighbors",
    "PlainIndex",
    "build_neighbor_graph",
    "check_index",
]
