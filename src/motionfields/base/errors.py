"""The errors that this package raises on purpose.

Every error that a wrong file, a wrong name or a missing package can cause derives from `MotionFieldsError`. Its message
is one line that says what was expected, what was found and what to do. Wrong arguments raise `ValueError`.
"""

from __future__ import annotations

from functools import partial
from typing import Any


class MotionFieldsError(Exception):
    """Base of every error this package raises on purpose."""


class FormatError(MotionFieldsError):
    """A file cannot be used; `path` and `line` (1-based) say where, as far as they are known."""

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.reason = message
        self.path = path
        self.line = line
        place = ":".join(str(part) for part in (path, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)


class BvhError(FormatError):
    """A BVH file breaks the format, or a limit that protects the reader."""


class GltfError(FormatError):
    """A glTF file breaks the format, or a limit that protects the reader, or holds no motion that can be read."""


class AnnotationError(FormatError):
    """A file of labels or a timeline breaks its format, or a limit that protects the reader."""


class ArtifactError(FormatError):
    """A saved database, field or controller is damaged, of another kind, too new, or not an artifact at all."""


class SkeletonError(MotionFieldsError, ValueError):
    """A skeleton lacks what an operation needs, or two skeletons do not match."""


class ComposeError(MotionFieldsError):
    """No motion of the data meets the constraints of a timeline; the message names the constraint that fails."""


class ClusterError(MotionFieldsError):
    """A cluster cannot be joined, or a job on it cannot continue."""


class DownloadError(MotionFieldsError):
    """A file cannot be downloaded or does not match its checksum; the next attempt resumes a partial download."""


class MissingExtraError(MotionFieldsError, ImportError):
    """An optional package is not installed; the message names the extra that installs it."""

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(f'this needs {package}: pip install "motionfields[{extra}]"')
        self.package = package
        self.extra = extra

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), extra=self.extra), (self.package,)


def require(held: bool, message: str) -> None:
    """Raise `AssertionError` with `message` unless `held` is true; contract checks such as `check_task` fail so."""
    if not held:
        raise AssertionError(message)
