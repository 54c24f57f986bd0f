"""The errors that this package raises on purpose.

Every error that a wrong file, a wrong name or a missing package can cause derives from `MotionFieldsError`. Its message
is one line that says what was expected, what was found and what to do. Wrong arguments raise `ValueError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final


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


class FbxError(FormatError):
    """An FBX file cannot be parsed, breaks a limit that protects the reader, or holds no motion that can be read."""


class AnnotationError(FormatError):
    """A file of labels or a timeline breaks its format, or a limit that protects the reader."""


class ArtifactError(FormatError):
    """A saved database, field or controller is damaged, of another kind, too new, or not an artifact at all."""


class SkeletonError(MotionFieldsError, ValueError):
    """A skeleton lacks what an operation needs, or two skeletons do not match."""


class ComposeError(MotionFieldsError):
    """No motion of the data meets the constraints of a timeline; the message names the constraint that fails."""


class PlanError(MotionFieldsError):
    """No motion of the data reaches the goal; the message says why."""


class MotionError(MotionFieldsError, ValueError):
    """Clips are unsuitable for the request, for example walking without a clip that moves forward."""


class ConcurrencyError(MotionFieldsError, RuntimeError):
    """A crowd was used from two threads at once, or compiled loops from a process that forked after they had run."""


class CharacterWarning(UserWarning):
    """A character of a crowd had a state that is not finite or out of range, and starts again."""


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


TRAINING: Final = ("numba", "llvmlite", "scipy")
"""Packages of the extra `train`, which playing does not need."""


@contextmanager
def naming_the_extra() -> Iterator[None]:
    """Raise `MissingExtraError` inside the block if a package of the extra `train` is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (package := (error.name or "").partition(".")[0]) not in TRAINING:
            raise
        raise MissingExtraError(package, extra="train") from error


INVALID: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that invalid content of a file may cause before it is checked; loaders raise `ArtifactError` instead."""


def invalid_reason(error: BaseException) -> str:
    """Return what `error`, one of `INVALID`, says about a file; a missing key alone says nothing."""
    return f"expected an entry {error}, which is missing" if isinstance(error, KeyError) else str(error)


def require(held: bool, message: str) -> None:
    """Raise `AssertionError` with `message` unless `held` is true; contract checks such as `check_task` fail so."""
    if not held:
        raise AssertionError(message)
