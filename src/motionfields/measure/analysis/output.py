"""Access to the optional drawing packages, and output of pictures to files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from motionfields.base.errors import MissingExtraError

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
# Dates and random identifiers would make two files of the same picture differ.
STABLE_METADATA: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def plotting_module(name: str) -> Any:
    """Import the module `name` of matplotlib or Pillow; raise `MissingExtraError` if it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError("matplotlib", extra="plots") from error


def checked_path(path: str | Path, suffixes: Sequence[str] = PICTURE_SUFFIXES) -> Path:
    """Return `path` if a picture can be written there; called before the work of drawing it."""
    target = Path(path)
    if target.suffix.lower() not in suffixes:
        raise ValueError(f"path: expected a name ending in {' or '.join(suffixes)}, got {target.name!r}")
    if target.is_dir():
        raise ValueError(f"path: {target} is a folder; expected a file name")
    if not target.parent.is_dir():
        raise ValueError(f"path: there is no folder {target.parent}; create it first")
    return target


def write_picture(path: Path, data: bytes) -> None:
    """Write `data` to the file `path`; raise `ValueError` if the system refuses."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise ValueError(f"path: cannot write {path}: {error.strerror or error}") from error


def new_figure(width: float, height: float) -> Any:
    """Return an empty white matplotlib figure of `width` x `height` inches, without global state."""
    figure = plotting_module("matplotlib.figure").Figure(figsize=(width, height), facecolor="white")
    plotting_module("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    return figure


def drawable(text: str) -> str:
    """Return `text` with a ? for each undecodable byte of a file name; draw it with `parse_math=False`."""
    return text.encode("utf-8", "replace").decode("utf-8")


def save_figure(figure: Any, path: Path, *, dpi: float) -> None:
    """Write `figure` to the file `path`, in the format of its suffix; equal figures give equal bytes.

    A letter missing from the font is drawn as a box.
    """
    suffix = path.suffix.lower()
    buffer = io.BytesIO()
    with plotting_module("matplotlib").rc_context({"svg.hashsalt": "motionfields"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from")
        figure.savefig(buffer, format=suffix[1:], dpi=dpi, metadata=STABLE_METADATA.get(suffix))
    write_picture(path, buffer.getvalue())
