"""The guard of crowds: characters whose state is not finite or out of range are found at every frame."""

from __future__ import annotations

import warnings

import numpy as np

from motionfields.base import native
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.compiled import kernel, lean_kernel
from motionfields.base.errors import CharacterWarning
from motionfields.control.followers import Followers

NAMED = 5  # characters that a warning names


def unsound_followers(followers: Followers, state_count: int, variant_count: int) -> IntArray:
    """Return the characters [m] with numbers that are not finite, or a state or variant that does not exist."""
    state, variant = followers.state, followers.variant
    found = (state < 0) | (state >= state_count) | (variant < 0) | (variant >= variant_count)
    for track in (followers.position, followers.yaw, followers.offset, followers.offset_rate):
        _mark(track, found)
    return np.flatnonzero(found)


def unsound_poses(root_position: FloatArray, rotations: FloatArray) -> IntArray:
    """Return the characters [m] whose displayed pose, `root_position` [n, 3] and `rotations`, is not finite."""
    found = np.zeros(len(root_position), np.bool_)
    _mark(root_position, found)
    _mark(rotations, found)
    return np.flatnonzero(found)


def _mark(track: FloatArray, found: BoolArray) -> None:
    """Mark the rows of `track` [n, ...] in `found` [n] that hold a number that is not finite."""
    numbers = track.reshape(len(track), -1)
    runtime = native.library()
    if runtime is not None and native.fits(numbers, np.float64):
        runtime.mfp_not_finite(*numbers.shape, native.address(numbers), native.address(found))
    else:
        _mark_rows(numbers, found)


def warn_of(characters: IntArray, frame: int) -> None:
    """Warn that `characters` [m] start again at frame number `frame`."""
    names = ", ".join(map(str, characters[:NAMED])) + (", ..." if len(characters) > NAMED else "")
    which = f"character {names}" if len(characters) == 1 else f"{len(characters)} characters ({names})"
    message = f"{which}: the state was not finite or out of range at frame {frame}, and was reset"
    warnings.warn(message, CharacterWarning, stacklevel=4)


@kernel
def _mark_rows(numbers: FloatArray, found: BoolArray) -> None:
    """Mark the rows of `numbers` [n, k] in `found` [n] that hold a number that is not finite."""
    for i in range(len(numbers)):
        if _leftover(numbers[i]) != 0.0:
            found[i] = True


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
