"""Names of the array types that all modules share."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]

Parts = TypeVar("Parts", bound=tuple[Any, ...])


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of `array` that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def frozen(parts: Parts) -> Parts:
    """Return the named tuple `parts` with read-only views of its arrays."""
    made: Any = type(parts)
    return made(*(read_only(part) if isinstance(part, np.ndarray) else part for part in parts))  # type: ignore[no-any-return]
