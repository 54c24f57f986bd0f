"""Smaller numbers for packs: 16-bit poses and transitions, 8-bit costs and values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import FloatArray
from motionfields.control.transitions import BLOCKED, REPLAY

Sections = dict[str, NDArray[Any]]

POSE_UNIT: Final = 32_767
LARGEST_VALUE: Final = 127
OPEN_COSTS: Final = 254  # places of the book for available transitions; the last two are replays and blocked ones
SMALLEST_COST: Final = 0.05  # radians: costs below are spaced evenly, above it in equal ratios


def compact_motion(sections: Sections) -> Sections:
    """Return the arrays of motion with joint rotations as 16-bit integers; turns to the next frame follow from them."""
    small = {name: array for name, array in sections.items() if name not in ("joint_rotations", "joint_turns")}
    rotations = sections["joint_rotations"].astype(np.float64)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    rotations = np.where(rotations[..., :1] < 0.0, -rotations, rotations)
    small["joints16"] = np.rint(rotations[..., 1:] * POSE_UNIT).astype("<i2")
    return small


def compact_policy(sections: Sections) -> Sections:
    """Return the tables of decisions with 8-bit costs and values, and 16-bit transitions where they suffice."""
    small = dict(sections)
    if len(sections["outlines"]) <= 1 << 16:
        small["targets16"] = small.pop("targets").astype("<u2")
    costs = small.pop("costs")
    book = cost_book(costs)
    small["cost_book"], small["costs8"] = book, nearest_places(book, costs)
    values = small.pop("values").astype(np.float64)
    mean = values.mean(axis=0).astype("<f4")
    rest = values - mean
    low, high = rest.min(axis=1), rest.max(axis=1)
    base = (0.5 * (low + high)).astype("<f4")
    step = np.maximum((high - low) / (2 * LARGEST_VALUE), 1e-12).astype("<f4")
    places = np.rint((rest - base[:, np.newaxis]) / step[:, np.newaxis])
    small["values8"] = np.clip(places, -LARGEST_VALUE, LARGEST_VALUE).astype("i1")
    small |= {"value_base": base, "value_step": step, "value_mean": mean}
    return small


def cost_book(costs: FloatArray) -> FloatArray:
    """Return the 256 rising costs, float32, that stand for all `costs` of transitions."""
    open_costs = costs[costs < REPLAY]
    most = max(float(open_costs.max(initial=0.0)), SMALLEST_COST)
    even = np.linspace(0.0, np.log1p(most / SMALLEST_COST), OPEN_COSTS)
    book = np.empty(256, "<f4")
    book[:OPEN_COSTS] = SMALLEST_COST * np.expm1(even)
    book[OPEN_COSTS:] = max(float(REPLAY), most), BLOCKED
    return book


def nearest_places(book: FloatArray, costs: FloatArray) -> NDArray[np.uint8]:
    """Return the places [...] of `costs` [...] in a rising `book`; blocked transitions stay blocked, others open."""
    blocked = costs >= BLOCKED
    between = 0.5 * (book[: OPEN_COSTS - 1].astype(np.float64) + book[1:OPEN_COSTS])
    places = np.searchsorted(between, costs).astype(np.uint8)
    places[costs >= REPLAY] = OPEN_COSTS
    places[blocked] = OPEN_COSTS + 1
    return places
