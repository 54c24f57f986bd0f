"""Number formatting for the report."""

from __future__ import annotations

import math

MOST_DIGITS = 3  # most digits after the decimal point


def with_error(value: float | None, error: float | None, *, unit: str = "", scale: float = 1.0) -> str:
    """Format `scale` * `value` ± `scale` * `error` to two digits of the error; a dash if `value` is not finite."""
    if value is None or not math.isfinite(value):
        return "-"
    shown, known = scale * value, error is not None and math.isfinite(error)
    off = scale * error if known and error is not None else 0.0
    digits = MOST_DIGITS if off <= 0.0 else min(MOST_DIGITS, max(0, 1 - math.floor(math.log10(off))))
    if value == 0.0 and off == 0.0:
        return f"0{unit}"
    return f"{shown:.{digits}f} ± {off:.{digits}f}{unit}" if off > 0.0 else f"{shown:.{digits}f}{unit}"


def bytes_shown(count: float | None) -> str:
    """Format `count` bytes in kB or MB; None gives a dash."""
    if count is None:
        return "-"
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"


def seconds_shown(seconds: float | None) -> str:
    """Format `seconds` to about three digits, in minutes from 120 s; a dash if not finite."""
    if seconds is None or not math.isfinite(seconds):
        return "-"
    if seconds >= 120.0:
        return f"{seconds / 60.0:.1f} min"
    return f"{seconds:.2f} s" if seconds < 10.0 else f"{seconds:.0f} s"


def listed(names: list[str], *, mark: str = ",") -> str:
    """Join `names` into a list for a sentence, with `mark` between them and "and" before the last."""
    return names[0] if len(names) == 1 else f"{f'{mark} '.join(names[:-1])} and {names[-1]}"
