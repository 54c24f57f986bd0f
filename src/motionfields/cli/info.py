"""`motionfields info`: report the content of motion files, the guesses made about them and why, and their measures."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from motionfields.base.errors import FormatError
from motionfields.base.wording import counted
from motionfields.cli.options import Facing, FileRate, RestFrames, Scale, Source, Up, load_options

if TYPE_CHECKING:
    from motionfields.motion.clip import Clip


def info(
    source: Source,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list with one object per file.")] = False,
    scale: Scale = None,
    up: Up = None,
    facing: Facing = None,
    rest_frames: RestFrames = None,
    file_rate: FileRate = None,
) -> None:
    """Report skeleton, unit, axes, frame rate and contacts of motion files, with the evidence and warnings."""
    from motionfields.motion.formats import iter_clips

    errors: list[FormatError] = []
    options = load_options(scale=scale, up=up, facing=facing, rest_frames=rest_frames, file_rate=file_rate)
    described: list[dict[str, Any]] = []
    for one in source:
        try:
            described += [describe(clip) for clip in iter_clips(one, on_error=errors.append, **options)]
        except FormatError as error:  # raised for an archive or folder as a whole
            errors.append(error)
    if as_json:
        failed = [{"path": error.path, "error": error.reason, "line": error.line} for error in errors]
        print(json.dumps([*described, *failed], indent=2))
    else:
        console = Console()
        if len(described) == 1 and not errors:
            _print_one(console, described[0])
        else:
            _print_many(console, described, errors)
    if errors:
        sys.exit(1)


def describe(clip: Clip) -> dict[str, Any]:
    """Return the facts that `info` reports about a clip, ready for JSON; in metres, seconds and degrees."""
    report = clip.report
    facts: dict[str, Any] = {
        "name": clip.name,
        "frames": clip.frame_count,
        "frame_rate": round(clip.frame_rate, 3),
        "seconds": round(clip.duration, 3),
        "joints": clip.skeleton.joint_count,
        "tips": len(clip.skeleton.tip_joints),
        "report": None if report is None else report.as_json(),
    }
    return {**facts, "motion": _measures(clip)}


def _measures(clip: Clip) -> dict[str, float] | None:
    """Return speeds, turning, contacts and skate, or None if legs are not recognised or the clip is too short."""
    import numpy as np

    from motionfields.motion import quality
    from motionfields.motion.body import known_body
    from motionfields.motion.clip import floor_height
    from motionfields.motion.contacts import detect_contacts

    body = known_body(clip.skeleton)
    if body is None or clip.frame_count < 4:
        return None
    contacts = detect_contacts(clip, body=body)
    skate = quality.foot_skate(clip, contacts, body=body)
    turning = quality.turning_rate(clip, body=body)
    rounded = {
        "root_speed_median_m_s": float(np.median(quality.root_speed(clip))),
        "root_height_median_m": float(np.median(clip.root_position[:, 1])),
        "floor_height_m": floor_height(clip),
        "turned_left_deg": float(np.degrees(turning[turning > 0.0].sum() * clip.frame_time)),
        "turned_right_deg": float(-np.degrees(turning[turning < 0.0].sum() * clip.frame_time)),
        "peak_turning_deg_s": float(np.degrees(quality.peak_turning_rate(clip, body=body).p99)),
        "contact_share_left": float(contacts[:, 0].mean()),
        "contact_share_right": float(contacts[:, 1].mean()),
        "foot_skate_mean_cm_s": 100.0 * skate.mean,
        "foot_skate_p95_cm_s": 100.0 * skate.p95,
        "mean_jerk_m_s3": quality.mean_jerk(clip),
    }
    return {name: round(value, 3) for name, value in rounded.items()}


def _print_one(console: Console, facts: dict[str, Any]) -> None:
    console.print(f"[bold]{escape(facts['name'])}[/]: {_summary(facts)}", highlight=False)
    report = facts["report"]
    table = Table(box=None, pad_edge=False)
    for heading in ("", "value", "", "evidence"):
        table.add_column(heading, overflow="fold")
    for name, label, unit in (
        ("scale", "scale", " m per unit"),
        ("up", "up axis", ""),
        ("facing", "facing", ""),
        ("rest_frames", "rest frames", " dropped"),
        ("frame_rate", "frame rate", " frames/s"),
    ):
        finding = report[name]
        value = finding["value"]
        shown = f"{value:.6g}" if isinstance(value, float) else str(value)
        table.add_row(label, shown + unit, "given" if finding["given"] else "found", escape(finding["evidence"]))
    console.print(table)
    if facts["motion"] is not None:
        measures = Table(box=None, pad_edge=False, show_header=False)
        for name, value in facts["motion"].items():
            measures.add_row(name, f"{value:g}")
        console.print(measures)
    _print_warnings(console, facts)


def _print_many(console: Console, described: list[dict[str, Any]], errors: list[FormatError]) -> None:
    for facts in described:
        console.print(f"[bold]{escape(facts['name'])}[/]: {_summary(facts)}", highlight=False)
        _print_warnings(console, facts)
    for error in errors:
        console.print(f"[bold red]refused[/] {escape(str(error))}", highlight=False, soft_wrap=True)
    seconds = sum(facts["seconds"] for facts in described)
    console.print(
        f"{counted(len(described), 'clip')}, {seconds:.1f} s in total, {counted(len(errors), 'file')} refused",
        highlight=False,
    )


def _print_warnings(console: Console, facts: dict[str, Any]) -> None:
    for warning in facts["report"]["warnings"]:
        console.print(f"  [yellow]warning:[/] {escape(warning)}", highlight=False, soft_wrap=True)


def _summary(facts: dict[str, Any]) -> str:
    return (
        f"{facts['seconds']:.2f} s, {counted(facts['frames'], 'frame')} at {facts['frame_rate']:g}/s, "
        f"{counted(facts['joints'], 'joint')}, "
        f"{facts['report']['scale']['value']:.6g} m per unit"
    )
