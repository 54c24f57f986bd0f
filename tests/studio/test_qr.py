"""QR codes: known vectors of the standard and of another encoder."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.studio.qr import LONGEST, QUIET, _masked, _patterns, _remainder, qr_code, terminal_text

ADDRESS = "http://10.0.0.2:8017/token-1234/"
# The rows of its code as the package qrcode 8.2 writes them: version 2, level L, mask 3.
ROWS = (
    "1fdf47f 104a441 175295d 175095d 175425d 1041941 1fd557f 0002200 1e5d29d 1b83402 "
    "18cf850 0631f6c 0b7bb77 0898e51 09e8506 178e549 0674bff 0013d11 1fc055f 1043512 "
    "17485f0 1756a74 175b8de 105aed4 1fd7e3f"
)


def test_a_code_is_that_of_another_encoder() -> None:
    expected = np.array([[int(bit) for bit in f"{int(row, 16):025b}"] for row in ROWS.split()], bool)
    np.testing.assert_array_equal(qr_code(ADDRESS), expected)


def test_correction_words_are_those_of_the_standards_example() -> None:
    words = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]  # HELLO WORLD, 1-M
    assert _remainder(words, 10) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]


@pytest.mark.parametrize(("mask", "word"), [(0, 0b111011111000100), (5, 0b110001100011000), (7, 0b110100101110110)])
def test_the_format_is_that_of_the_standards_table(mask: int, word: int) -> None:
    modules = _masked(*_patterns(1), np.zeros(26 * 8, bool), mask)
    first = [*modules[8, [0, 1, 2, 3, 4, 5, 7, 8]], *modules[[7, 5, 4, 3, 2, 1, 0], 8]]
    second = [*modules[-1:-8:-1, 8], *modules[8, -8:]]
    for bits in (first, second):
        assert int("".join(str(int(bit)) for bit in bits), 2) == word


@pytest.mark.parametrize(("length", "size"), [(17, 21), (18, 25), (32, 25), (53, 29), (78, 33), (LONGEST, 37)])
def test_the_smallest_version_is_used(length: int, size: int) -> None:
    assert qr_code("a" * length).shape == (size, size)


def test_text_too_long_for_a_code_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 106 bytes"):
        qr_code("a" * (LONGEST + 1))


def test_a_terminal_shows_two_rows_in_a_line_with_a_light_frame() -> None:
    lines = terminal_text(np.array([[True, False], [False, True]])).split("\n")
    assert len(lines) == QUIET + 1
    assert [line.removeprefix("\x1b[30;107m").removesuffix("\x1b[0m") for line in lines][2] == "    ▀▄    "
