"""JSON from anywhere: read whole, or refused in a few words."""

from __future__ import annotations

import pytest

from motionfields.base.errors import FormatError
from motionfields.base.json_files import MOST_BYTES, JsonReader, brief

READER = JsonReader("file.json")


def test_what_is_sound_is_read() -> None:
    facts = READER.fields(READER.parsed(b'{"a": 1, "c": [2.5]}'), ("a",), "the file", optional=("b", "c"))
    assert READER.number(facts["a"], "a") == 1.0
    assert READER.entries(facts["c"], "c") == [2.5]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", r"file\.json:1: expected JSON, .* at column 2"),
        (b'{"a": 1, "a": 2}', 'fields: expected every name once, got "a" twice'),
        (b'{"a": NaN}', "expected finite numbers, got NaN"),
        (b"\xff\xfe{", "expected JSON in UTF-8"),
        (b"[" * 100_000, "nesting that is too deep"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number that is too large or nesting"),
        (b" " * (MOST_BYTES + 1), "expected at most 16 MB"),
        (b"[]", "the file: expected an object with a, got a list of 0"),
        (b"{}", "the file: expected a; a is missing"),
        (b'{"a": 1, "\\u001b[2J": 2}', r'expected a; "\\u001b\[2J" is not one of them'),
    ],
)
def test_what_is_not_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        READER.fields(READER.parsed(content), ("a",), "the file")


@pytest.mark.parametrize("value", [True, "1", None, 10**400, [1]])
def test_numbers_are_finite_numbers(value: object) -> None:
    with pytest.raises(FormatError, match="a: expected a finite number"):
        READER.number(value, "a")


def test_a_value_is_told_in_few_words() -> None:
    assert brief("x" * 1000) == '"' + "x" * 35 + "..."
    assert brief({"a": 1}) == "an object"
    assert brief(10**30) == "a number that is too large"
