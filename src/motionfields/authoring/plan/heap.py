"""Binary heaps in arrays, for compiled searches: the least key first, and of equal keys the lowest item."""

from __future__ import annotations

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel


@kernel
def heap_push(keys: FloatArray, items: IntArray, size: int, key: float, item: int) -> int:
    """Add `item` with `key` to the binary heap of `size` entries; return its new size. Ties: the lower item first."""
    child = size
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] < key or (keys[parent] == key and items[parent] <= item):
            break
        keys[child], items[child] = keys[parent], items[parent]
        child = parent
    keys[child], items[child] = key, item
    return size + 1


@kernel
def heap_pop(keys: FloatArray, items: IntArray, size: int) -> int:
    """Remove the first entry of the heap, which the caller has read; return the new size."""
    size -= 1
    key, item = keys[size], items[size]
    parent = 0
    while True:
        child = 2 * parent + 1
        if child >= size:
            break
        other = child + 1
        if other < size and (keys[other] < keys[child] or (keys[other] == keys[child] and items[other] < items[child])):
            child = other
        if keys[child] > key or (keys[child] == key and items[child] >= item):
            break
        keys[parent], items[parent] = keys[child], items[child]
        parent = child
    keys[parent], items[parent] = key, item
    return size
