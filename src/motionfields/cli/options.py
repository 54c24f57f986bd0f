"""Arguments, options and helpers that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.errors import FormatError

if TYPE_CHECKING:
    from motionfields.field import MotionField
    from motionfields.motion.clip import Clip
    from motionfields.motion.formats import Character
    from motionfields.motion.formats.options import LoadOptions

MOST_WARNINGS = 5  # about the data, printed by one command
COMPILES = "(the first run also compiles: up to a minute)"
Source = Annotated[
    list[Path], typer.Argument(metavar="SOURCE...", help="Motion files, folders or zip archives.", show_default=False)
]
# Strings, not paths: an artifact may be a URL, and `Path` would collapse its double slash.
Field = Annotated[str, typer.Argument(metavar="FIELD", help="A motion field, .field, or its URL.", show_default=False)]
Controller = Annotated[str, typer.Argument(metavar="CTRL", help="A controller, .ctrl, or its URL.", show_default=False)]
Agility = Annotated[float, typer.Option(help="From 0, smoothest motion, to 1, fastest response.", min=0.0, max=1.0)]
Warped = Annotated[
    bool, typer.Option("--warp", help="Let characters turn up to 20 % further than the captured motion.")
]
OneFile = Annotated[Path, typer.Argument(metavar="CLIP", help="A motion file.", show_default=False)]
Scale = Annotated[
    str | None, typer.Option(help="Metres per file unit, or a unit: m, cm, mm, inch, foot, cmu. Default: detected.")
]
FileRate = Annotated[
    float | None, typer.Option(help="True frames per second of the file. Default: the rate in the file.")
]
RestFrames = Annotated[
    int | None, typer.Option(help="Rest pose frames to drop at the start. Default: detected.", min=0)
]
JointNames = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="CLIP=TARGET", help="Joint name in the clips and in the target skeleton; repeatable."
    ),
]


class Axis(StrEnum):
    """Signed axis of a motion file."""

    PLUS_X = "+x"
    MINUS_X = "-x"
    PLUS_Y = "+y"
    MINUS_Y = "-y"
    PLUS_Z = "+z"
    MINUS_Z = "-z"


Up = Annotated[Axis | None, typer.Option(help="Up axis of the file. Default: detected.")]
Facing = Annotated[
    Axis | None, typer.Option(help="Axis that the character faces at zero root rotation. Default: detected.")
]


def load_options(
    *,
    scale: str | None = None,
    up: Axis | None = None,
    facing: Axis | None = None,
    rest_frames: int | None = None,
    file_rate: float | None = None,
) -> LoadOptions:
    """Return the keyword arguments of `load_clip` for the options given on the command line."""
    return {
        "scale": _number_or_name(scale),
        "up": None if up is None else up.value,
        "facing": None if facing is None else facing.value,
        "rest_frames": rest_frames,
        "frame_rate": file_rate,
    }


def read_clips(
    source: list[Path],
    options: LoadOptions | None = None,
    *,
    on_error: Callable[[FormatError], None] | None = None,
) -> list[Clip]:
    """Read all clips of `source`, with a progress bar on standard error; `on_error` as in `iter_clips`."""
    from rich.console import Console
    from rich.progress import track

    from motionfields.motion.formats import iter_clips

    console = Console(stderr=True)
    found = (clip for one in source for clip in iter_clips(one, on_error=on_error, **(options or load_options())))
    # Without a terminal, the bar would leave an empty line behind.
    bar = track(found, description="reading", transient=True, console=console, disable=not console.is_terminal)
    return list(bar)


def sample_clips() -> list[Clip]:
    """Return the generated sample clips."""
    from motionfields.motion.samples import generate_samples

    return [sample.clip for sample in generate_samples()]


@contextmanager
def status_line(first: str = "") -> Iterator[Callable[[str], None]]:
    """Show a status line on standard error, with the text `first`, and yield a function that updates it.

    If the environment variable MOTIONFIELDS_PROGRESS is "lines", each text is printed as a line for programs to read.
    """
    if os.environ.get("MOTIONFIELDS_PROGRESS") == "lines":
        if first:
            _print_progress(first)
        yield _print_progress
        return
    from rich.console import Console

    with Console(stderr=True).status(first) as status:
        yield status.update


def say_notes(character: Character | None, path: Path | None) -> None:
    """Print the notes from reading `character`, if there is one, from the file `path`."""
    for note in () if character is None else character.notes:
        print(f"  {path}: {note}")


def _print_progress(text: str) -> None:
    print(f"progress: {text}", file=sys.stderr, flush=True)


class Skipped:
    """Collects the errors of motion files that a command skips; raises those of files that the user named."""

    def __init__(self, source: list[Path]) -> None:
        self._named = tuple(str(path) for path in source)
        self.errors: list[FormatError] = []

    def __call__(self, error: FormatError) -> None:
        """Keep `error`, or raise it if its file was named and not found in a folder or archive."""
        if (error.path or "").partition("#")[0] in self._named:
            raise error
        self.errors.append(error)

    def check(self, clip_count: int) -> None:
        """Raise the first error if no clip is left."""
        if self.errors and clip_count == 0:
            raise self.errors[0]

    def warnings(self) -> list[str]:
        """Return a warning for each file that was skipped."""
        return [f"skipped {error}; repair or remove it, or pass --strict to stop here" for error in self.errors]


def warn_about_data(field: MotionField, path: str) -> None:
    """Print warnings about what characters of `field`, saved at `path`, cannot do, with what to do about it."""
    from motionfields.measure.survey import quick_statements

    found = quick_statements(field)
    say_warnings([f"{one.text} {one.advice}" for one in found[:MOST_WARNINGS]])
    if len(found) > MOST_WARNINGS:
        say_warnings([f"{len(found) - MOST_WARNINGS} more: run motionfields survey {path} -o report"])


def say_warnings(texts: Iterable[str]) -> None:
    """Print `texts` as warnings on standard error."""
    for text in texts:
        print(f"warning: {text}", file=sys.stderr)


def say_next(command: str) -> None:
    """Print the suggested next command, if standard output is a terminal."""
    if sys.stdout.isatty():
        print(f"next: motionfields {command}")


def joint_names(pairs: list[str] | None) -> dict[str, str]:
    """Parse the pairs of `--map` into a mapping from joint names of the clips to those of the target."""
    names: dict[str, str] = {}
    for pair in pairs or []:
        ours, sign, theirs = pair.partition("=")
        if not (ours and sign and theirs):
            raise ValueError(f"--map: expected CLIP=TARGET, two joint names, got {pair!r}")
        if names.setdefault(ours, theirs) != theirs:
            raise ValueError(f"--map: expected one target for {ours}, got {names[ours]} and {theirs}")
    return names


def checked_output(path: Path | str, suffixes: tuple[str, ...]) -> str:
    """Return the suffix of the output `path` after checking it: one of `suffixes`, in an existing folder.

    If `path` is a URL, the server must answer and the bucket must exist.
    """
    from motionfields.base.storage import exists, is_remote, shown

    suffix = Path(path).suffix.lower()
    if suffix not in suffixes:
        raise FormatError(f"expected an output name that ends in {' or '.join(suffixes)}", path=shown(path))
    if suffix in (".usda", ".usdc"):
        from motionfields.motion.formats.usd import require_usd

        require_usd()
    if is_remote(path):
        exists(path)
    elif not (folder := Path(path).parent).is_dir():
        raise FormatError("the folder does not exist; create it first", path=str(folder))
    return suffix


def _number_or_name(scale: str | None) -> float | str | None:
    if scale is None:
        return None
    try:
        return float(scale)
    except ValueError:
        return scale


def make_folder(folder: Path) -> None:
    """Create `folder` if it does not exist; raise `FormatError` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FormatError(
            "cannot be created: a file has that name; choose another folder name", path=str(folder)
        ) from None
    except OSError as error:
        raise FormatError(f"cannot be created: {error.strerror or error}", path=str(folder)) from None


def checked_name(option: str, name: str, known: Iterable[str]) -> None:
    """Raise a usage error unless `name` is among `known`; the message suggests the closest known name, if any."""
    names = list(known)
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        message = f"expected one of {', '.join(names)}, got {name!r}{hint}"
        raise typer.BadParameter(message, param_hint=f"'{option}'")
