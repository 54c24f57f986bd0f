"""Compiled loops of the BVH reader: rows of decimal numbers, and rotations from their angles.

This module is small because every new installation compiles it once, for its first file.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import kernel

LARGEST_VALUE: Final = 1e12
"""Largest accepted number in a BVH file: far beyond any motion, and its square still fits in float32."""

ROWS_READ: Final = 0
BAD_NUMBER: Final = 1  # not a decimal number, or above LARGEST_VALUE
ROW_TOO_SHORT: Final = 2
ROW_TOO_LONG: Final = 3
ROWS_MISSING: Final = 4
TEXT_AFTER_ROWS: Final = 5

_TAB, _NEWLINE, _RETURN, _BLANK, _PLUS, _MINUS, _POINT, _ZERO, _NINE = (ord(c) for c in "\t\n\r +-.09")
_MANTISSA_FULL: Final = 10**17  # below this, one more decimal digit still fits in 63 bits
_EXACT_MANTISSA: Final = 2**53
_POWERS_OF_TEN: Final = np.array([float(f"1e{power}") for power in range(309)])


@kernel
def read_rows(text: IntArray, start: int, values: FloatArray) -> tuple[int, int, int]:
    """Fill `values` [row, column] with the numbers of `text` (uint8) from byte `start` on, one row per line.

    Returns the status (ROWS_READ or the first fault), the byte offset of the fault, and the number of complete rows.
    Lines end in LF, CR or CRLF. Blank lines are allowed between and after rows; nothing else may follow the rows.
    """
    row_count, column_count = values.shape
    end = len(text)
    row, column, pos = 0, 0, start
    # Invariant at the top: `row` rows and `column` values of the next one are read, and `pos` is the next unread byte.
    # Every round moves `pos` forward or returns, so the loop takes time linear in the text, whatever it holds.
    while True:
        while pos < end and (text[pos] == _BLANK or text[pos] == _TAB):
            pos += 1
        if pos == end or text[pos] == _NEWLINE or text[pos] == _RETURN:
            if column == column_count:
                row, column = row + 1, 0
            elif column > 0:
                return ROW_TOO_SHORT, pos, row
            if pos == end:
                return (ROWS_READ if row == row_count else ROWS_MISSING), pos, row
            pos += 1
            continue
        if row == row_count:
            return TEXT_AFTER_ROWS, pos, row
        if column == column_count:
            return ROW_TOO_LONG, pos, row
        value, after = read_number(text, pos)
        if after < 0:
            return BAD_NUMBER, pos, row
        values[row, column] = value
        column, pos = column + 1, after


@kernel
def read_number(text: IntArray, start: int) -> tuple[float, int]:
    """Return the decimal number at byte `start` of `text` (uint8), and the byte after it (-1 if there is no number).

    The grammar is [+-] digits [. digits] [e [+-] digits], with digits on at least one side of the point, up to a blank,
    a line end or the end of the text. The result equals Python's `float` for up to 15 significant digits, as long as
    the last of them counts 1e-22 or more; beyond that it is within 2 units in the last place. Numbers above
    LARGEST_VALUE are refused.
    """
    end = len(text)
    pos = start
    negative = text[pos] == _MINUS
    if negative or text[pos] == _PLUS:
        pos += 1
    first_digit = pos
    # Invariant: the digits read so far mean mantissa * 10**exponent. Digits that no longer fit in the mantissa are
    # dropped, and before the point they raise the exponent instead; `points` is 1 once the point was read.
    mantissa, exponent, points = 0, 0, 0
    while pos < end:
        digit = int(text[pos]) - _ZERO
        if 0 <= digit <= 9:
            if mantissa < _MANTISSA_FULL:
                mantissa = mantissa * 10 + digit
                exponent -= points
            else:
                exponent += 1 - points
        elif text[pos] == _POINT and points == 0:
            points = 1
        else:
            break
        pos += 1
    if pos - first_digit == points:  # no digit
        return 0.0, -1
    if pos < end and (text[pos] | 32) == 101:  # e or E
        written, pos = read_exponent(text, pos + 1)
        if pos < 0:
            return 0.0, -1
        exponent += written
    if pos < end and text[pos] not in (_BLANK, _NEWLINE, _RETURN, _TAB):
        return 0.0, -1
    value = scaled(mantissa, exponent)
    if not value <= LARGEST_VALUE:
        return 0.0, -1
    return (-value if negative else value), pos


@kernel
def read_exponent(text: IntArray, start: int) -> tuple[int, int]:
    """Return the signed integer at byte `start`, limited to +-1e15, and the byte after it (-1 if it has no digits)."""
    end = len(text)
    pos = start
    negative = pos < end and text[pos] == _MINUS
    if pos < end and (text[pos] == _MINUS or text[pos] == _PLUS):
        pos += 1
    first_digit = pos
    written = 0
    while pos < end and _ZERO <= text[pos] <= _NINE:
        if written < 10**14:  # no file has enough digits for a mantissa to offset an exponent beyond this
            written = written * 10 + (int(text[pos]) - _ZERO)
        pos += 1
    if pos == first_digit:
        return 0, -1
    return (-written if negative else written), pos


@kernel
def scaled(mantissa: int, exponent: int) -> float:
    """Return `mantissa` (not negative) times ten to the power `exponent`; infinity for exponents above 22."""
    if mantissa == 0:
        return 0.0
    # Powers of ten up to 1e22 and integers up to 2**53 are exact in float64, so one product or quotient of them is
    # correctly rounded. Trailing zeros are moved to the exponent to get there more often.
    while mantissa > _EXACT_MANTISSA and mantissa % 10 == 0:
        mantissa //= 10
        exponent += 1
    if exponent > 22:
        return math.inf
    if exponent >= 0:
        return float(mantissa * _POWERS_OF_TEN[exponent])
    if exponent >= -308:
        return float(mantissa / _POWERS_OF_TEN[-exponent])
    return float(mantissa / 1e308 / _POWERS_OF_TEN[min(-exponent - 308, 308)])


@kernel
def compose_rotations(values: FloatArray, columns: IntArray, axes: IntArray, rotations: FloatArray) -> None:
    """Fill `rotations` [frame, joint, 4] (wxyz, unit) from angles in degrees, in `values` [frame, column].

    `columns` and `axes` [joint, turn] give, in channel order, the column and the axis (0, 1, 2 for x, y, z) of each
    rotation; a column of -1 ends a joint's rotations. Channels Z Y X give Rz Ry Rx.
    """
    for frame in range(values.shape[0]):
        for joint in range(columns.shape[0]):
            # (w, x, y, z) is the product of the channels so far; each is multiplied on the right, in channel order.
            # A single-axis factor needs 8 products instead of the 16 of a general one.
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for turn in range(columns.shape[1]):
                column = columns[joint, turn]
                if column < 0:
                    break
                angle = values[frame, column]
                if angle == 0.0:
                    continue
                half = angle * (math.pi / 360.0)
                c, s = math.cos(half), math.sin(half)
                axis = axes[joint, turn]
                if axis == 0:
                    w, x, y, z = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
                elif axis == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
            rotations[frame, joint, 0] = w
            rotations[frame, joint, 1] = x
            rotations[frame, joint, 2] = y
            rotations[frame, joint, 3] = z
