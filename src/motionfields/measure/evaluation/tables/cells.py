"""Cells: parts of a report, each stored in a file as soon as it is measured and reused by later runs."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, Final

import motionfields
from motionfields.base.files import remove_abandoned_drafts, replacing

CELL_VERSION: Final = 2  # version of the content of cells
Content = dict[str, Any]
"""Content of a cell: JSON values only, with None for numbers that are not finite."""


class Cells:
    """Cells stored in a folder, which is created if needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned_drafts(folder)

    def read(self, name: str, key: str) -> Content | None:
        """Return the content of the cell `name`, or None if it is missing, damaged, or stored under another `key`."""
        try:
            stored = json.loads((self.folder / f"{name}.json").read_bytes())
            content: Content = stored["content"]
            intact = stored["key"] == key and stored["digest"] == _digest(content)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return content if intact and isinstance(content, dict) else None

    def write(self, name: str, key: str, content: Content) -> Content:
        """Store `content` under `name` atomically, and return it as `read` will."""
        kept: Content = json.loads(json.dumps(finite(content), allow_nan=False))
        text = json.dumps({"key": key, "digest": _digest(kept), "content": kept}, allow_nan=False)
        with replacing(self.folder / f"{name}.json") as file:
            file.write(f"{text}\n".encode())
        return kept


def cell_key(**facts: Any) -> str:
    """Return a digest of `facts`, the package version and the cell version."""
    return _digest({"cells": CELL_VERSION, "motionfields": motionfields.__version__, **facts})


def finite(value: Any) -> Any:
    """Return `value` with every number that is not finite replaced by None."""
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, allow_nan=False).encode()).hexdigest()
