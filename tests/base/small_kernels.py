"""Kernels that compile in milliseconds, for the tests of the kernel cache."""

from __future__ import annotations

from motionfields.base.compiled import kernel


@kernel
def doubled(x: float) -> float:
    return 2.0 * x


@kernel
def tripled(x: float) -> float:
    return 3.0 * x
