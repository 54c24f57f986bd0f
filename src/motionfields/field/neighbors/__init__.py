"""Neighbour search: the states of a database nearest to a query, with several indices behind one API.

`PlainIndex` defines the result in numpy; `ExactIndex` and `BoundedIndex` return the same bits faster. `FaissIndex`
finds most of the same states and measures its recall. `check_index` tests any index.
"""

from motionfields.field.neighbors.approximate import LEAST_RECALL, SEARCHES, FaissIndex, Recall, Search, make_index
from motionfields.field.neighbors.bounded import BoundedIndex
from motionfields.field.neighbors.checking import check_index
from motionfields.field.neighbors.contract import NeighborIndex, Neighbors
from motionfields.field.neighbors.exact import ExactIndex
from motionfields.field.neighbors.plain import PlainIndex

__all__ = [
    "LEAST_RECALL",
    "SEARCHES",
    "BoundedIndex",
    "ExactIndex",
    "FaissIndex",
    "NeighborIndex",
    "Neighbors",
    "PlainIndex",
    "Recall",
    "Search",
    "check_index",
    "make_index",
]
