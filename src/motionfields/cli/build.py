"""`motionfields build`: build a motion field from motion files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import (
    Facing,
    FileRate,
    JointNames,
    RestFrames,
    Scale,
    Skipped,
    Source,
    Up,
    checked_output,
    joint_names,
    load_options,
    read_clips,
    say_next,
    say_warnings,
    status_line,
    warn_about_data,
)

if TYPE_CHECKING:
    from motionfields.field.database import MotionDatabase
    from motionfields.field.database.building import BuildSettings
    from motionfields.field.database.streaming import Recipe
    from motionfields.motion.clip import Clip, LoadReport
    from motionfields.motion.formats.options import LoadOptions


LITTLE = 10.0  # seconds of motion, mirror images included, below which a warning is printed


class SearchName(StrEnum):
    """Method of neighbour search."""

    EXACT = "exact"
    IVF = "ivf"
    HNSW = "hnsw"


BodyFile = Annotated[
    Path | None,
    typer.Option(
        help="Motion file with the skeleton to retarget all clips to. Default: all clips must share one skeleton."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory limit, such as 500M or 2G; the build then keeps its data in files. Default: all in memory.",
    ),
]
Shards = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder or URL for the temporary files of a build with --memory. Default: beside the output.",
    ),
]
ContactFile = Annotated[
    Path | None,
    typer.Option(
        "--contacts",
        metavar="FILE",
        help="CSV file of foot contacts (file,foot,start_s,end_s; seconds) for the files it names. Default: detected.",
    ),
]
Prune = Annotated[
    float | None,
    typer.Option(
        min=0.0,
        help="Remove parts of clips that repeat others within this multiple of the data's spacing. Default: keep all.",
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Stop at a motion file that cannot be used. Default: skip it with a warning, if it was found in a folder "
        "or archive.",
    ),
]
SearchMethod = Annotated[
    SearchName, typer.Option(help="Neighbour search: exact, or approximate with faiss (ivf, hnsw).")
]


def build(
    source: Source,
    output: Annotated[str, typer.Option("--output", "-o", help="Output file or URL, .field.", show_default=False)],
    frame_rate: Annotated[float, typer.Option(help="Frames per second of the field.", min=1.0, max=1000.0)] = 30.0,
    mirror: Annotated[bool, typer.Option(help="Add the mirror image of every clip.")] = True,
    cutoff: Annotated[float, typer.Option(help="Low-pass cutoff in Hz; 0 disables the filter.")] = 8.0,
    skeleton: BodyFile = None,
    names: JointNames = None,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
    memory: Memory = None,
    shards: Shards = None,
    prune: Prune = None,
    search: SearchMethod = SearchName.EXACT,
    contacts: ContactFile = None,
    strict: Strict = False,
) -> None:
    """Build a motion field from motion files with one skeleton; print a report with warnings about the data."""
    from motionfields.field import MotionField
    from motionfields.field.database.building import BuildSettings
    from motionfields.motion.contact_labels import read_contacts

    checked_output(output, (".field",))
    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    if names and skeleton is None:
        raise ValueError("--map: expected --skeleton too, the target of the mapping")
    if shards and memory is None:
        raise ValueError("--shards: expected --memory too; a build without it writes no temporary files")
    settings = BuildSettings(frame_rate, mirror, cutoff or None)
    if contacts is not None:
        settings = replace(settings, contacts=read_contacts(contacts))
    recipe = _recipe(settings, options, skeleton, joint_names(names))
    skipped = Skipped(source)
    on_error = None if strict else skipped
    make = (
        _in_memory(source, recipe, on_error)
        if memory is None
        else _streamed(source, recipe, memory, shards or f"{output}.shards", on_error)
    )
    with make as (built, say):
        database, cut = _pruned(built.database, prune, search, say)
        say(f"finding transitions between {counted(database.state_count, 'state')}")
        field = MotionField(database, search=search.value)
        say(f"writing {output}")
        field.save(output)
        lines = [*_findings(built.reports), *built.brought, *built.database.report.lines(), *cut]
        if search is not SearchName.EXACT:
            lines.append(f"search {search}: {100 * field.connectivity.recall:.1f} % of the true neighbours found")
        if database.report.seconds < LITTLE:
            lines.append(f"warning: only {database.report.seconds:.0f} s of motion; the character will repeat itself")
        say_warnings(skipped.warnings())
        warn_about_data(field, output)
        state_count, found, end_count = database.state_count, len(field.findable), database.clip_count
    print("\n".join(lines))
    dead_end_count = state_count - found - end_count
    print(f"{output}: {counted(state_count, 'state')}; characters can transition to {found} of them")
    print(f"no transitions to: last state of each clip ({end_count}), dead ends without a path back ({dead_end_count})")
    say_next(f"train {output} --task direction -o {Path(output).stem}.ctrl")


def _pruned(
    database: MotionDatabase, reach: float | None, search: SearchName, say: Callable[[str], None]
) -> tuple[MotionDatabase, list[str]]:
    """Return `database` without states within `reach` of the remaining ones, and lines that report what was removed."""
    if reach is None:
        return database, []
    from motionfields.field.pruning import prune

    say(f"pruning {counted(database.state_count, 'state')}")
    pruned, report = prune(database, reach=reach, search=search.value)
    return pruned, report.lines()


class _Built(NamedTuple):
    """A database, and the facts to report about its construction."""

    database: MotionDatabase
    reports: list[LoadReport]
    brought: list[str]  # one line per skeleton that clips were retargeted from


def _recipe(settings: BuildSettings, options: LoadOptions, skeleton: Path | None, names: dict[str, str]) -> Recipe:
    from motionfields.field.database.streaming import Recipe
    from motionfields.motion.formats import load_clip

    return Recipe(settings, options, None if skeleton is None else load_clip(skeleton), names)


@contextmanager
def _in_memory(
    source: list[Path], recipe: Recipe, on_error: Skipped | None
) -> Iterator[tuple[_Built, Callable[[str], None]]]:
    """Build the database in memory; yield it with a function that updates the status line."""
    from motionfields.field.database import MotionDatabase
    from motionfields.field.database.bodies import change_lines, onto_one_body

    clips = read_clips(source, recipe.options, on_error=on_error)
    brought: list[str] = []
    with status_line() as say:
        say(f"building states from {counted(len(clips), 'clip')} (the first run also compiles)")
        if recipe.target is not None:
            clips, changes = onto_one_body(clips, recipe.target, recipe.names, on_error=on_error)
            brought = change_lines(changes)
        elif on_error is not None:
            clips = _on_one_skeleton(clips, on_error)
        if on_error is not None:
            on_error.check(len(clips))
        reports = [clip.report for clip in clips if clip.report is not None]
        yield _Built(MotionDatabase.assemble(clips, recipe.settings), reports, brought), say


def _on_one_skeleton(clips: list[Clip], on_error: Skipped) -> list[Clip]:
    """Return the clips that have the skeleton of most; the others go to `on_error`."""
    from motionfields.field.database.columns import clip_key
    from motionfields.field.database.rigs import Rigs

    rigs = Rigs()
    for clip in clips:
        rigs.add(clip.skeleton, clip.name, clip_key(clip))
    return [clip for clip, keep in zip(clips, rigs.kept(on_error), strict=True) if keep]


@contextmanager
def _streamed(
    source: list[Path], recipe: Recipe, memory: str, folder: str, on_error: Skipped | None
) -> Iterator[tuple[_Built, Callable[[str], None]]]:
    """Build the database in `folder` within `memory`; yield it with a function that updates the status line."""
    from motionfields.field.database.bodies import change_lines
    from motionfields.field.database.streaming import streamed_database

    budget = byte_count(memory)
    with (
        status_line() as say,
        streamed_database(source, folder, recipe, memory=budget, on_progress=say, on_error=on_error) as streamed,
    ):
        changes = [clip.change for clip in streamed.clips if clip.change]
        yield _Built(streamed.database, [clip.report for clip in streamed.clips], change_lines(changes)), say


def byte_count(size: str) -> int:
    """Parse a size such as 500M or 2G into bytes."""
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)(?:i?B)?", size.strip(), re.IGNORECASE)
    if not parts or float(parts[1]) == 0.0:
        raise ValueError(f"--memory: expected a size such as 500M or 2G, got {size!r}")
    return int(float(parts[1]) * 1024 ** ("KMGT".index(parts[2].upper()) + 1 if parts[2] else 0))


def _findings(reports: list[LoadReport]) -> list[str]:
    """Return one line per detected property of the files, with every value that occurred."""
    kinds = (("scale", " m per unit"), ("up", ""), ("facing", ""), ("frame_rate", " frames/s"))
    lines = []
    for name, unit in kinds:
        values = {getattr(report, name).value for report in reports}
        shown = sorted(value if isinstance(value, str) else f"{value:.6g}" for value in values)
        lines.append(f"{name.replace('_', ' ')}: {', '.join(shown)}{unit}")
    dropped = sum(int(report.rest_frames.value) for report in reports)
    return [*lines, f"rest poses: {counted(dropped, 'frame')} dropped at the start of clips"]
