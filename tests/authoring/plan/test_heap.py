"""Heaps in arrays beside sorting."""

from __future__ import annotations

import numpy as np

from motionfields.authoring.plan.heap import heap_pop, heap_push


def test_a_heap_gives_keys_in_order_and_the_lower_item_of_equal_ones() -> None:
    keys, items = np.empty(50), np.empty(50, np.int64)
    given = [(float(key), item) for item, key in enumerate(np.random.default_rng(5).integers(0, 9, 40))]
    size = 0
    for key, item in given:
        size = heap_push(keys, items, size, key, item)
    found = []
    while size:
        found.append((float(keys[0]), int(items[0])))
        size = heap_pop(keys, items, size)
    assert found == sorted(given)
