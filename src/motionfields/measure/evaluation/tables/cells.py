"""Cells: the parts of a report, each kept in a file as soon as it is done, and used again by the next run."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, Final

import motionfields
from motionfields.base.files import remove_abandoned_drafts, replacing

CELL_VERSION: Final = 1  # of what a cell holds
Content = dict[str, Any]
"""What a cell holds: only what JSON can, and None for numbers that it cannot."""


class Cells:
    """The cells in a folder, which is made if it does not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned_drafts(folder)

    def read(self, name: str, key: str) -> Content | None:
        """What the cell `name` holds; None if there is none, or it is of another `key`, or damaged."""
        try:
            stored = json.loads((self.folder / f"{name}.json").read_bytes())
            content: Content = stored["content"]
            intact = stored["key"] == key and stored["digest"] == _digest(content)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return content if intact and isinstance(content, dict) else None

    def write(self, name: str, key: str, content: Content) -> Content:
        """Keep `content` under `name`, in one step; what `read` will give comes back."""
        kept: Content = json.loads(json.dumps(finite(content), allow_nan=False))
        text = json.dumps({"key": key, "digest": _digest(kept), "content": kept}, allow_nan=False)
        with replacing(self.folder / f"{name}.json") as file:
            file.write(f"{text}\n".encode())
        return kept


def cell_key(**facts: Any) -> str:
    """What stands for `facts`, the version of the package, and that of cells."""
    return _digest({"cells": CELL_VERSION, "motionfields": motionfields.__version__, **facts})


def finite(value: Any) -> Any:
    """`value` with None for every number that JSON cannot hold."""
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, allow_nan=False).encode()).hexdigest()
