"""Conversion of broadcastable operands to the flat, contiguous batches that the compiled kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import FloatArray


def checked(name: str, values: ArrayLike, width: int) -> FloatArray:
    """Return `values` as a float array [..., width]; float32 stays float32, everything else becomes float64."""
    array = np.asarray(values)
    if array.dtype != np.float32:
        array = array.astype(np.float64, copy=False)
    if array.shape[-1:] != (width,):
        what = "unit quaternions wxyz" if width == 4 else f"vectors of {width}"
        raise ValueError(f"{name}: expected {what} [..., {width}], got shape {array.shape}")
    return array


def flattened(*operands: FloatArray) -> tuple[tuple[int, ...], list[FloatArray]]:
    """Return the common batch shape, and each operand [..., width] broadcast to it as a contiguous [batch, width]."""
    batch = operands[0].shape[:-1]
    if any(operand.shape[:-1] != batch for operand in operands):
        batch = np.broadcast_shapes(*(operand.shape[:-1] for operand in operands))
        operands = tuple(np.broadcast_to(operand, (*batch, operand.shape[-1])) for operand in operands)
    dtype: np.dtype[Any] = np.result_type(*operands)
    return batch, [np.ascontiguousarray(operand, dtype=dtype).reshape(-1, operand.shape[-1]) for operand in operands]
