"""The guard of crowds: characters whose state is not finite or out of range are found at every frame."""

from __future__ import annotations

import warnings

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.errors import CharacterWarning
from motionfields.control.followers import Followers

NAMED = 5  # characters that a warning names


def unsound_followers(followers: Followers, state_count: int, variant_count: int) -> IntArray:
    """Return the characters [m] with numbers that are not finite, or a state or variant that does not exist."""
    count = len(followers.state)
    found = np.zeros(count, np.bool_)
    bad = _check_followers(
        followers.position,
        followers.yaw,
        followers.state,
        followers.variant,
        followers.offset.reshape(count, -1),
        followers.offset_rate.reshape(count, -1),
        state_count,
        variant_count,
        found,
    )
    return np.flatnonzero(found) if bad else NOBODY


def unsound_poses(root_position: FloatArray, rotations: FloatArray) -> IntArray:
    """Return the characters [m] whose displayed pose, `root_position` [n, 3] and `rotations`, is not finite."""
    count = len(root_position)
    found = np.zeros(count, np.bool_)
    return np.flatnonzero(found) if _check_poses(root_position, rotations.reshape(count, -1), found) else NOBODY


NOBODY = np.zeros(0, np.int64)


def warn_of(characters: IntArray, frame: int) -> None:
    """Warn that `characters` [m] start again at frame number `frame`."""
    names = ", ".join(map(str, characters[:NAMED])) + (", ..." if len(characters) > NAMED else "")
    which = f"character {names}" if len(characters) == 1 else f"{len(characters)} characters ({names})"
    message = f"{which}: the state was not finite or out of range at frame {frame}, and was reset"
    warnings.warn(message, CharacterWarning, stacklevel=4)


@kernel
def _check_followers(
    position: FloatArray,
    yaw: FloatArray,
    state: IntArray,
    variant: IntArray,
    offset: FloatArray,
    offset_rate: FloatArray,
    state_count: int,
    variant_count: int,
    found: BoolArray,
) -> int:
    """Mark characters in `found` [n] that are not sound; return their number."""
    total = 0
    for i in range(len(state)):
        bad = state[i] < 0 or state[i] >= state_count or variant[i] < 0 or variant[i] >= variant_count
        bad |= _leftover(position[i]) + (yaw[i] - yaw[i]) != 0.0
        bad |= _leftover(offset[i]) + _leftover(offset_rate[i]) != 0.0
        found[i] = bad
        total += bad
    return total


@kernel
def _check_poses(root_position: FloatArray, rotations: FloatArray, found: BoolArray) -> int:
    """Mark characters in `found` [n] whose pose is not finite; return their number."""
    total = 0
    for i in range(len(root_position)):
        bad = _leftover(root_position[i]) + _leftover(rotations[i]) != 0.0
        found[i] = bad
        total += bad
    return total


@lean_kernel
def _leftover(numbers: FloatArray) -> float:
    """Return the sum over `numbers` [k] of each minus itself: 0 if all are finite, otherwise NaN."""
    # Four sums, so that additions need not wait for each other.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    last = len(numbers) - len(numbers) % 4
    for k in range(0, last, 4):
        a += numbers[k] - numbers[k]
        b += numbers[k + 1] - numbers[k + 1]
        c += numbers[k + 2] - numbers[k + 2]
        d += numbers[k + 3] - numbers[k + 3]
    for k in range(last, len(numbers)):
        a += numbers[k] - numbers[k]
    return a + b + c + d
