"""QR codes for addresses, so that a phone opens the page without typing (ISO/IEC 18004).

Only what an address needs: bytes, error correction level L, versions 1 to 5, which have one block of code words.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from motionfields.base.arrays import BoolArray, IntArray

CODEWORDS = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}  # by version: of data, of correction
LONGEST = CODEWORDS[5][0] - 2  # bytes of text in the largest version
FORMAT_MASK = 0b101010000010010
QUIET = 4  # modules around the code that stay light


def qr_code(text: str) -> BoolArray:
    """Return the modules [row, column] of the QR code of `text`, True for dark ones, without the quiet zone.

    Raises ValueError if `text` has more than `LONGEST` bytes in UTF-8.
    """
    data = text.encode()
    version = next((version for version, (room, _) in CODEWORDS.items() if len(data) + 2 <= room), None)
    if version is None:
        raise ValueError(f"text: expected at most {LONGEST} bytes for a QR code, got {len(data)}")
    empty, reserved = _patterns(version)
    bits = np.unpackbits(np.array(_codewords(data, *CODEWORDS[version]), np.uint8)).astype(bool)
    filled = [_masked(empty, reserved, bits, mask) for mask in range(8)]
    return min(filled, key=_penalty)


def terminal_text(modules: BoolArray) -> str:
    """Return `modules` [row, column] as lines for a terminal, two rows in a line, black on white."""
    framed = np.pad(modules, QUIET)
    framed = np.pad(framed, ((0, len(framed) % 2), (0, 0)))
    signs = np.array([" ", "▄", "▀", "█"])[2 * framed[0::2] + framed[1::2]]
    return "\n".join(f"\x1b[30;107m{''.join(line)}\x1b[0m" for line in signs)


def _codewords(data: bytes, room: int, correction: int) -> list[int]:
    """Return the code words of `data` in byte mode: `room` words, and `correction` words of Reed-Solomon."""
    bits = f"0100{len(data):08b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    words = [int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8)]
    words += [(0xEC, 0x11)[number % 2] for number in range(room - len(words))]
    return words + _remainder(words, correction)


@cache
def _powers() -> tuple[list[int], dict[int, int]]:
    """Return the powers of 2 in the field of 256 elements with the polynomial 0x11D, and their exponents."""
    powers = [1]
    while len(powers) < 255:
        doubled = 2 * powers[-1]
        powers.append(doubled ^ 0x11D if doubled > 255 else doubled)
    return powers, {power: exponent for exponent, power in enumerate(powers)}


def _times(one: int, other: int) -> int:
    powers, exponents = _powers()
    return powers[(exponents[one] + exponents[other]) % 255] if one and other else 0


def _remainder(words: list[int], count: int) -> list[int]:
    """Return the remainder of `words` divided by the generator polynomial of degree `count`."""
    generator = [1]
    for exponent in range(count):
        shifted = [_times(factor, _powers()[0][exponent]) for factor in generator]
        generator = [high ^ low for high, low in zip([*generator, 0], [0, *shifted], strict=True)]
    left = [*words, *([0] * count)]
    for at in range(len(words)):
        first = left[at]
        for step, factor in enumerate(generator):
            left[at + step] ^= _times(factor, first)
    return left[len(words) :]


def _patterns(version: int) -> tuple[BoolArray, BoolArray]:
    """Return the fixed modules of a version, and which modules are fixed or hold the format."""
    size = 17 + 4 * version
    modules = np.zeros((size, size), np.bool_)
    reserved = modules.copy()
    modules[6, ::2] = modules[::2, 6] = True  # timing
    reserved[6, :] = reserved[:, 6] = True
    reserved[:9, :9] = reserved[:9, -8:] = reserved[-8:, :9] = True
    away = np.abs(np.arange(7) - 3)
    rings = np.maximum.outer(away, away)
    for row, column in ((0, 0), (0, size - 7), (size - 7, 0)):
        modules[max(row - 1, 0) : row + 8, max(column - 1, 0) : column + 8] = False
        modules[row : row + 7, column : column + 7] = rings != 2
    if version > 1:
        place = slice(size - 9, size - 4)
        modules[place, place] = rings[1:-1, 1:-1] != 1
        reserved[place, place] = True
    modules[size - 8, 8] = True
    return modules, reserved


def _masked(empty: BoolArray, reserved: BoolArray, bits: BoolArray, mask: int) -> BoolArray:
    """Return the code with `bits` placed in zigzag from the lower right, under one of the eight masks."""
    modules, size = empty.copy(), len(empty)
    row, column = np.arange(size)[:, np.newaxis], np.arange(size)
    pattern = (
        (row + column) % 2,
        row % 2,
        column % 3,
        (row + column) % 3,
        (row // 2 + column // 3) % 2,
        row * column % 2 + row * column % 3,
        (row * column % 2 + row * column % 3) % 2,
        ((row + column) % 2 + row * column % 3) % 2,
    )[mask]
    places = _zigzag(size)
    places = places[~reserved[places[:, 0], places[:, 1]]]
    rows, columns = places.T
    modules[rows, columns] = np.append(bits, np.zeros(len(places) - len(bits), bool))
    modules[rows, columns] ^= np.broadcast_to(pattern, modules.shape)[rows, columns] == 0
    _put_format(modules, mask)
    return modules


def _zigzag(size: int) -> IntArray:
    """Return the places [module, 2] in which data is laid: pairs of columns from the right, up and down in turn."""
    rights = [right if right > 6 else right - 1 for right in range(size - 1, 0, -2)]  # column 6 is the timing
    places = []
    for number, right in enumerate(rights):
        rows = range(size - 1, -1, -1) if number % 2 == 0 else range(size)
        places += [(row, column) for row in rows for column in (right, right - 1)]
    return np.array(places)


def _put_format(modules: BoolArray, mask: int) -> None:
    """Write the level (L) and the `mask` with their correction bits, twice."""
    data = (0b01 << 3) | mask
    rest = data << 10
    for bit in range(14, 9, -1):
        if rest >> bit & 1:
            rest ^= 0b10100110111 << (bit - 10)
    word = (data << 10 | rest) ^ FORMAT_MASK
    bits = np.array([word >> bit & 1 for bit in range(15)], np.bool_)  # lowest first
    modules[[0, 1, 2, 3, 4, 5, 7, 8], 8] = bits[:8]
    modules[8, [7, 5, 4, 3, 2, 1, 0]] = bits[8:]
    modules[8, -1:-9:-1] = bits[:8]
    modules[-7:, 8] = bits[8:]


def _penalty(modules: BoolArray) -> int:
    """Return how hard the code is to read, by the four rules of the standard."""
    total = 0
    finder = (1, 0, 1, 1, 1, 0, 1)
    for lines in (modules, modules.T):
        for line in lines:
            ends = np.flatnonzero(np.diff(line, prepend=~line[:1], append=~line[-1:]))
            runs = np.diff(ends)
            total += int((runs[runs >= 5] - 2).sum())
            text = line.astype(int).tolist()
            for at in range(len(text) - 10):
                window = tuple(text[at : at + 11])
                total += 40 * (window == (*finder, 0, 0, 0, 0)) + 40 * (window == (0, 0, 0, 0, *finder))
    blocks = modules[:-1, :-1].astype(int) + modules[1:, :-1] + modules[:-1, 1:] + modules[1:, 1:]
    total += 3 * int(np.isin(blocks, (0, 4)).sum())
    return total + 10 * int(abs(modules.mean() * 100 - 50) // 5)
