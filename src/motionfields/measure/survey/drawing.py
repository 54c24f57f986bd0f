"""Pictures of a survey: the map of motion, the times to reach it, and the frames that a statement is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.analysis.camera import SIDE_VIEW_TURN, side_camera
from motionfields.measure.analysis.output import checked_path, drawable, new_figure, plotting_module, save_figure
from motionfields.measure.analysis.scene import Scene, Shape, build_scene
from motionfields.measure.survey.coverage import COVERED, MotionMap
from motionfields.measure.survey.reaching import Reach
from motionfields.measure.survey.statements import NOTE, Statement
from motionfields.measure.survey.tracks import labelled_clips, shown_name
from motionfields.motion.clip import Clip, trim
from motionfields.motion.quality import facing_yaw

POSES = 7  # in a row
POSE_TIME = 4.0 / 30.0  # seconds from one pose to the next
SUDDEN = frozenset({"pop", "left-right-swap"})  # statements about one frame, of which all frames around it are shown
COLUMN = 0.85  # metres from one pose to the next
BELOW = 0.35  # metres of picture below the floor
SOLE = 0.03  # metres from the ball of the foot down to the floor
MOST_PICTURES = 12  # of statements
PALE, COLD, WARM, MARKED = "#b9d2e0", "#e8f1f6", "#2a6f97", "#fff0c2"


class PoseRow(NamedTuple):
    """Poses of one take around a frame."""

    scene: Scene
    frames: list[int]  # of the scene
    marked: int  # the one to look at
    first: int  # frame of the take at which the scene begins
    title: str


def render_map(found: MotionMap, path: str | Path, *, dpi: float = 100.0) -> None:
    """Draw the seconds of motion by speed and turning rate to the picture `path`; white cells are holes."""
    target = checked_path(path)
    filled = np.flatnonzero(found.seconds.sum(axis=1) > 0.0)
    rows = int(filled[-1]) + 1 if filled.size else 1
    seconds = found.seconds[:rows]
    figure = new_figure(10.5, 1.6 + 0.5 * rows)
    axes = figure.subplots()
    shade = np.log10(np.maximum(seconds, COVERED) / COVERED)
    colors = plotting_module("matplotlib.colors").LinearSegmentedColormap.from_list("seconds", [COLD, WARM])
    shown = np.ma.masked_where(seconds < COVERED, shade)[:, ::-1]  # a left turn on the left
    axes.imshow(shown, cmap=colors, aspect="auto", origin="lower", vmin=0.0)
    for row in range(rows):
        for column, value in enumerate(seconds[row, ::-1]):
            dark = shade[row, ::-1][column] > 0.6 * max(1e-9, shade.max())
            text = "–" if value < COVERED else f"{value:.1f}" if value < 10.0 else f"{value:.0f}"
            axes.text(column, row, text, ha="center", va="center", fontsize=9, color="white" if dark else "#444444")
    axes.set_xticks(range(seconds.shape[1]), _turn_words(found)[::-1], fontsize=8)
    axes.set_yticks(range(rows), _band_words(found.speed_edges)[:rows], fontsize=8)
    axes.set(xlabel="turning rate, degrees per second", ylabel="speed, m/s")
    axes.set_title("Seconds of motion at each speed and turning rate (–: none)", fontsize=11)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)


def _band_words(edges: FloatArray) -> list[str]:
    return [f"{low:g} to {high:g}" if np.isfinite(high) else f"over {low:g}" for low, high in pairwise(edges)]


def _turn_words(found: MotionMap) -> list[str]:
    words = []
    for low, high in zip(found.turn_edges[:-1], found.turn_edges[1:], strict=True):
        if low < 0.0 < high:
            words.append("straight")
            continue
        side, near, far = ("left", low, high) if low > 0.0 else ("right", -high, -low)
        words.append(f"{side}\n{near:g} to {far:g}" if np.isfinite(far) else f"{side}\nover {near:g}")
    return words


def render_reach(times: Mapping[str, Reach], path: str | Path, *, dpi: float = 100.0) -> None:
    """Draw how soon each kind of motion is reached to the picture `path`."""
    target = checked_path(path)
    known = {name: reach for name, reach in times.items() if np.isfinite(reach.p95)}
    figure = new_figure(10.5, 1.4 + 0.32 * max(1, len(known)))
    axes = figure.subplots()
    places = np.arange(len(known))[::-1]
    axes.barh(places, [reach.p95 for reach in known.values()], color=PALE, label="95 % of the states need at most")
    axes.barh(places, [reach.median for reach in known.values()], color=WARM, height=0.4, label="half need at most")
    axes.set_yticks(places, list(known), fontsize=9)
    axes.set(xlabel="seconds until this motion begins, from any moment")
    axes.legend(fontsize=8)
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)


def render_statements(
    statements: Sequence[Statement], field: MotionField, folder: Path, *, dpi: float = 80.0
) -> dict[int, str]:
    """Draw the frames that `statements` name into `folder`; return the file names by the statement's number.

    Notes have no picture, and only the first statements of each kind, 12 in all, get one.
    """
    chosen = _chosen(statements)
    wanted = {name for number in chosen for name in (statements[number].take, statements[number].other_take) if name}
    takes = dict(_takes_called(field.database, wanted))
    ground = float(field.stance.toe_heights.min()) - SOLE
    pictures = {}
    for number in chosen:
        one = statements[number]
        places = [(one.take, one.frame), *([(one.other_take, one.other_frame)] if one.other_take else [])]
        if any(take not in takes for take, _ in places):
            continue
        step = 1 if one.kind in SUDDEN else max(1, round(POSE_TIME * field.database.report.frame_rate))
        name = f"{number + 1:02d}_{one.kind}.png"
        left = _is_left(one.text)
        rows = [_row(*takes[take], frame, step, ground, from_left=left) for take, frame in places]
        render_poses(rows, folder / name, dpi=dpi)
        pictures[number] = name
    return pictures


def render_poses(rows: Sequence[PoseRow], path: str | Path, *, dpi: float = 80.0) -> None:
    """Draw poses side by side to the picture `path`, a row for each of `rows`; the frame to look at is marked."""
    target = checked_path(path)
    tops = [max(scene.extent(np.array([frame]), scene.below_root(frame)[np.newaxis])[3] for frame in frames)
            for scene, frames, *_ in rows]  # fmt: skip
    top = max(tops) + 0.06
    figure = new_figure(10.5, len(rows) * (0.3 + (top + BELOW) * 10.0 / (POSES * COLUMN)))
    for row, axes in zip(rows, np.atleast_1d(figure.subplots(len(rows), 1)), strict=True):
        scene, shapes = row.scene, []
        for column, frame in enumerate(row.frames):
            place, origin = np.array([COLUMN * column, 0.0]), scene.below_root(frame)
            for drawn in (scene.shadow_shapes, scene.print_shapes, scene.body_shapes):
                shapes += [Shape(shape.points + place, shape.color) for shape in drawn(frame, origin)]
            marked = frame == row.marked
            if marked:
                axes.axvspan(place[0] - 0.48 * COLUMN, place[0] + 0.48 * COLUMN, color=MARKED, zorder=0)
            text = f"frame {frame + row.first}"
            axes.text(place[0], 0.05 - BELOW, text, ha="center", fontsize=10, fontweight="bold" if marked else "normal")
        collection = plotting_module("matplotlib.collections").PolyCollection(
            [shape.points for shape in shapes],
            facecolors=[shape.color for shape in shapes],
            edgecolors="none",
            zorder=3,
        )
        axes.add_collection(collection, autolim=False)
        axes.axhline(0.0, color="#9aa1aa", linewidth=0.8, zorder=1)
        axes.set(xlim=(-0.55 * COLUMN, (POSES - 0.45) * COLUMN), ylim=(-BELOW, top), aspect="equal")
        axes.set_title(drawable(row.title), fontsize=11, loc="left", parse_math=False)
        axes.set_axis_off()
    figure.tight_layout()
    save_figure(figure, target, dpi=dpi)


def _is_left(text: str) -> bool:
    """Return whether a statement is about a left limb alone, which the right one would hide."""
    return "left" in text.lower() and "right" not in text.lower()


def _row(clip: Clip, contacts: BoolArray, frame: int, step: int, ground: float, *, from_left: bool) -> PoseRow:
    """Return poses every `step` frames around `frame`, seen from one side, over a floor at height `ground`."""
    half = POSES // 2
    wanted = frame + step * np.arange(-half, half + 1)
    kept = wanted[(wanted >= 0) & (wanted < clip.frame_count)]
    first, end = int(kept[0]), int(kept[-1]) + 1
    part = trim(clip, first, end)
    facing = float(facing_yaw(clip)[frame]) + (np.pi if from_left else 0.0)
    turn = -SIDE_VIEW_TURN if from_left else SIDE_VIEW_TURN
    scene = build_scene(
        part, contacts=contacts[first:end], ground_height=ground, camera=side_camera(facing, turn=float(turn))
    )
    title = f"{shown_name(clip.name)}, {frame * clip.frame_time:.2f} s"
    return PoseRow(scene, [int(one) - first for one in kept], frame - first, first, title)


def _chosen(statements: Sequence[Statement]) -> list[int]:
    """Return the numbers of the statements to draw: the first of each kind, then the second of each, and so on."""
    rank: dict[str, int] = {}
    order = []
    for number, one in enumerate(statements):
        if one.frame >= 0 and one.level != NOTE:
            rank[one.kind] = rank.get(one.kind, -1) + 1
            order.append((rank[one.kind], number))
    return sorted(number for _, number in sorted(order)[:MOST_PICTURES])


def _takes_called(database: MotionDatabase, names: set[str]) -> Iterator[tuple[str, tuple[Clip, BoolArray]]]:
    """Yield the takes with these `names`, each with its contacts [frame, 2]."""
    if not names:
        return
    for clip, contacts in labelled_clips(database):
        if clip.name in names:
            yield clip.name, (clip, contacts)
