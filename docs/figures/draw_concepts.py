"""Draw the figures that explain motion fields, and two animations of the gallery, from generated motion.

    python docs/figures/draw_concepts.py [--output docs/images] [--only line.gif]

They contain no captured motion. Needs the extra `plots`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from PIL import Image, ImageDraw, ImageFont

from gallery import IMAGES
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import (
    heading_vector,
    quat_from_yaw,
    quat_multiply,
    quat_normalize,
    wrap_angle,
    yaw_from_quat,
)
from motionfields.control.contract import Observation
from motionfields.control.controller import FieldController
from motionfields.control.methods import train_graph, train_matching
from motionfields.control.root_motion import RootMotion
from motionfields.control.tasks import Direction, Line
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.analysis import Camera, Marks, render_gif
from motionfields.measure.analysis.output import save_figure
from motionfields.measure.analysis.scene import Scene, build_scene
from motionfields.motion.clip import Clip
from motionfields.motion.quality import FAST_TURN
from motionfields.motion.samples import generate_samples
from motionfields.runtime import Controller, Followers, Frame

CLIPS = re.compile(
    r"walk_(forward|fast)|turn_left_(045|090|135|180)_quick|"
    r"turn_\w+_(060|120|180)_spin_\w+_(070_before|070_after|210_after|350_after)"
)
BLUE, RED, GREEN, GREY, DARK = "#2a6f97", "#c8553d", "#5b8c5a", "#b8bec6", "#23272d"
AHEAD = 30  # frames for which each transition is followed
SETTLE, TURNED = 120, 90  # frames before and after a change of direction


def small_field() -> MotionField:
    """Return the motion field that all figures are drawn from."""
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    return MotionField(MotionDatabase.build(clips))


def walking_row(field: MotionField) -> int:
    """Return a state in the middle of a straight walk, where the left foot has just touched down."""
    database = field.database
    first = int(database.clip_starts[database.clip_names.index("walk_forward")]) + 60
    stands = database.contacts[first : first + 100, 0]
    return first + 1 + int(np.flatnonzero(stands[1:] & ~stands[:-1])[0])


def clip_of_frames(field: MotionField, frames: Sequence[Frame], *, character: int = 0) -> Clip:
    """Return the displayed frames of one character as a clip."""
    root = np.stack([frame.root_position[character] for frame in frames])
    rotations = np.stack([frame.rotations[character] for frame in frames]).astype(np.float64)
    return Clip(field.database.skeleton, root, quat_normalize(rotations), field.database.frame_time)


def clip_of_rows(field: MotionField, rows: IntArray, position: FloatArray, yaw: FloatArray) -> Clip:
    """Return the poses of the states `rows` [n] as a clip, placed at `position` [n, 2] and turned by `yaw` [n]."""
    pose = field.database.poses(rows)
    root = pose.root_position.astype(np.float64)
    root[:, ::2] = position
    turned = quat_multiply(quat_from_yaw(yaw), pose.root_rotation.astype(np.float64))
    rotations = np.concatenate([turned[:, np.newaxis], pose.joint_rotations], axis=1)
    return Clip(field.database.skeleton, root, quat_normalize(rotations), field.database.frame_time)


def standing_scene(field: MotionField, rows: IntArray, position: FloatArray, yaw: FloatArray) -> Scene:
    """Return a scene with the poses of the states `rows` [n], one per frame, seen from behind and the right."""
    clip = clip_of_rows(field, rows, position, yaw)
    return build_scene(clip, contacts=np.ones((len(rows), 2), np.bool_), camera=Camera(float(np.radians(-125.0)), 0.25))


def draw_body(axes: Any, scene: Scene, frame: int, *, alpha: float = 1.0) -> None:
    """Draw one pose on `axes`, in metres in the plane of the scene's camera."""
    origin = np.zeros(3)
    for shape in scene.body_shapes(frame, origin):
        axes.fill(*shape.points.T, facecolor=shape.color, edgecolor="none", alpha=alpha, linewidth=0)


def save(figure: Figure, path: Path) -> None:
    """Write the figure with 128 colours, which reduces the file to a third of its size."""
    figure.tight_layout()
    save_figure(figure, path, dpi=100.0)
    with Image.open(path) as drawn:
        smaller = drawn.convert("RGB").quantize(128)
    smaller.save(path, optimize=True)


def plain(axes: Any) -> None:
    """Hide the frame of `axes` and set equal scales."""
    axes.set_aspect("equal")
    axes.set_axis_off()


def followed(
    field: MotionField, rows: IntArray, root_motion: RootMotion, frame_count: int
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Follow each of the states `rows` [n] as captured, for `frame_count` frames or until its clip ends.

    Returns positions [n, frame, 2] in metres from a character at the origin that faces +z, facings [n, frame] in
    radians, and the last states [n].
    """
    left = field.database.frames_left[rows]
    places, yaws = np.zeros((len(rows), frame_count + 1, 2)), np.zeros((len(rows), frame_count + 1))
    row = rows.copy()
    for frame in range(frame_count):
        going, yaw = frame < left, yaws[:, frame]
        to_left, ahead = heading_vector(yaw + 0.5 * np.pi)[:, ::2], heading_vector(yaw)[:, ::2]
        step = root_motion.frame_time * (
            root_motion.velocity[row, :1] * to_left + root_motion.velocity[row, 1:] * ahead
        )
        places[:, frame + 1] = places[:, frame] + np.where(going[:, np.newaxis], step, 0.0)
        yaws[:, frame + 1] = yaw + np.where(going, root_motion.turn[row, 0], 0.0)
        row = row + going
    return places, yaws, row


def draw_states(field: MotionField, root_motion: RootMotion, path: Path) -> None:
    """Draw all states in the plane of their first two principal components, with one state and its neighbours."""
    database, row = field.database, walking_row(field)
    centred = database.features - database.features.mean(axis=0)
    _, _, directions = np.linalg.svd(centred[::7], full_matrices=False)
    places = centred @ directions[:2].T
    near = field.neighbors(database.states(np.array([row])), 15).indices[0]
    figure = Figure(figsize=(13.0, 5.2), facecolor="white")
    left, middle, right = figure.subplots(1, 3, width_ratios=(2.2, 1.0, 1.0))
    starts, names = database.clip_starts, database.clip_names
    for walks, color, width in ((False, GREY, 0.4), (True, GREEN, 0.9)):
        tracks = [
            places[starts[clip] : starts[clip + 1]]
            for clip, name in enumerate(names)
            if name.startswith("walk") == walks
        ]
        left.add_collection(LineCollection(tracks, colors=color, linewidths=width, alpha=0.8))
    left.add_collection(LineCollection([places[one : one + 9] for one in near], colors=RED, linewidths=1.3))
    left.scatter(*places[near].T, s=16, color=RED, zorder=4)
    left.scatter(*places[row], s=170, marker="*", color=DARK, zorder=5, label="one state")
    left.plot([], [], color=RED, marker="o", markersize=4, label="its 15 neighbours, and where they go")
    left.plot([], [], color=GREEN, label="walking straight: a stride is once round")
    left.plot([], [], color=GREY, label="clips of turns")
    left.set(xticks=[], yticks=[], xlabel="first principal component", ylabel="second principal component")
    left.set_title(f"{database.state_count} states of {database.features.shape[1]} numbers, seen in two", fontsize=11)
    left.legend(fontsize=9, loc="center", framealpha=0.9)
    places_after, yaws, rows_after = followed(field, near, root_motion, 15)
    for axes, rows, yaw, title in (
        (middle, near, np.zeros(len(near)), "the poses of the neighbours"),
        (right, rows_after, yaws[:, -1], "the same, half a second later"),
    ):
        scene = standing_scene(field, rows, np.zeros_like(places_after[:, -1]), yaw - root_motion.facing[rows])
        for frame in range(len(rows)):
            draw_body(axes, scene, frame, alpha=0.25)
        plain(axes)
        axes.set_title(title, fontsize=11)
    save(figure, path)


def draw_transitions(field: MotionField, controller: FieldController, path: Path) -> None:
    """Draw the transitions of one state as paths seen from above, and three of them as poses."""
    root_motion, row = controller.root_motion, walking_row(field)
    rows = controller.transitions.states[row].astype(np.int64)
    rows = rows[field.database.frames_left[rows] >= AHEAD]
    places, yaws, last = followed(field, rows, root_motion, AHEAD)
    figure = Figure(figsize=(13.0, 5.2), facecolor="white")
    above, *cells = figure.subplots(1, 5, width_ratios=(1.7, 1.0, 1.0, 1.0, 1.0))
    # Mirror x: the world's +x is to the left of a character that faces +z.
    seen = places * (-1.0, 1.0)
    above.add_collection(LineCollection(list(seen), colors=GREY, linewidths=1.0, alpha=0.8))
    shown = [("now", DARK, row, 0.0)]
    for name, goal, color in (
        ("one to the left", 80.0, BLUE),
        ("straight on", 0.0, GREEN),
        ("to the right", -80.0, RED),
    ):
        best = int(np.argmin(np.abs(wrap_angle(yaws[:, -1] - np.radians(goal)))))
        above.plot(*seen[best].T, color=color, linewidth=2.6)
        tip = seen[best, -1] + 0.1 * heading_vector(yaws[best, -1])[::2] * (-1.0, 1.0)
        arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 2.0, "shrinkA": 0}
        above.annotate("", xy=tip, xytext=seen[best, -1], arrowprops=arrow)
        shown.append((f"{name}, after a second", color, int(last[best]), float(yaws[best, -1])))
    above.scatter(0.0, 0.0, s=60, color=DARK, zorder=5)
    above.set_aspect("equal")
    above.margins(0.1)
    above.grid(alpha=0.3)
    above.set(xlabel="metres to the right", ylabel="metres ahead")
    above.set_title(f"{len(rows)} ways to go on, from above", fontsize=11)
    at = np.array([one for _, _, one, _ in shown])
    scene = standing_scene(field, at, np.zeros((4, 2)), np.array([yaw for *_, yaw in shown]) - root_motion.facing[at])
    for frame, (axes, (name, color, _, _)) in enumerate(zip(cells, shown, strict=True)):
        draw_body(axes, scene, frame)
        plain(axes)
        axes.set(xlim=(-0.55, 0.55), ylim=(-0.25, 1.95))
        axes.set_title(name, fontsize=10, color=color)
    save(figure, path)


def draw_value(field: MotionField, controller: FieldController, path: Path) -> None:
    """Draw state values over the direction of the goal, and the action values of one state."""
    row, database = walking_row(field), field.database
    turn = int(database.clip_starts[database.clip_names.index("turn_left_090_quick")])
    fastest = turn + int(np.argmax(controller.root_motion.turn[turn : turn + 80, 0]))
    figure = Figure(figsize=(12.0, 5.0), facecolor="white")
    left, right = figure.subplots(1, 2)
    goals = np.radians(np.linspace(-180.0, 180.0, 181))
    for name, one, color in (
        ("walking, left foot just down", row, GREEN),
        ("half a stride later", row + 16, BLUE),
        ("in the middle of a quick turn to the left", fastest, RED),
    ):
        values = controller.values.lookup(np.full(len(goals), one), goals[:, np.newaxis])
        left.plot(np.degrees(goals), values, color=color, label=name)
    left.set(xlabel="where the goal is: degrees to the left of the facing", xticks=range(-180, 181, 60))
    left.set(ylabel="value: reward that can still be expected")
    left.set_title("what three states are worth, by the direction of the goal", fontsize=11)
    left.legend(fontsize=9)
    left.grid(alpha=0.3)
    draw_scores(right, controller, row, 120.0)
    save(figure, path)


def draw_scores(axes: Any, controller: FieldController, row: int, degrees: float) -> None:
    """Draw immediate and future rewards of the actions at the state `row`, for a goal `degrees` to the left."""
    followers = Followers.at(controller.field.database, np.array([row]))
    action_values = controller.action_values(
        Observation.of(controller.field.database, followers, (), np.array([[np.radians(degrees)]]))
    )
    is_open = np.isfinite(action_values.scores[0, :, 0])
    now, later = (action_values.rewards - action_values.costs)[0, is_open, 0], action_values.futures[0, is_open, 0]
    greedy, best = int(np.argmax(now)), int(np.argmax(now + later))
    axes.scatter(now, later, s=22, color=GREY, edgecolor="#8a9099", label="the choices")
    axes.scatter(now[greedy], later[greedy], s=110, marker="s", color=RED, label="pays most at once: greedy", zorder=4)
    axes.scatter(now[best], later[best], s=190, marker="*", color=BLUE, label="pays most in all: followed", zorder=4)
    span, height = axes.get_xlim(), axes.get_ylim()
    along = np.array(span)
    axes.plot(along, now[best] + later[best] - along, color=BLUE, linestyle=":", label="worth as much as the best")
    axes.set(xlim=span, ylim=height, xlabel="now: reward of the task minus cost of the change")
    axes.set(ylabel="later: discounted value of where it leads")
    axes.set_title(f"the choices of the first state, goal {degrees:.0f} degrees to the left", fontsize=11)
    axes.legend(fontsize=9, loc="lower right")
    axes.grid(alpha=0.3)


def turned(
    controller: Controller, degrees: float, *, then: Controller | None = None, count: int = 1, seed: int = 3
) -> list[Frame]:
    """Return the frames of `count` characters that walk along +z for 4 s, then turn by `degrees` for 3 s.

    With `then`, that controller takes over when the turn starts.
    """
    crowd = controller.crowd(count, seed=seed)
    crowd.place(slice(None), np.zeros((count, 2)), np.zeros(count))
    frames = [crowd.step(0.0) for _ in range(SETTLE)]
    if then is not None:
        crowd.hand_over(then)
    return frames + [crowd.step(np.radians(degrees)) for _ in range(TURNED)]


def facings(controller: Controller, frames: Sequence[Frame]) -> FloatArray:
    """Return the facing of each character, [frame, character], in degrees to the left of +z."""
    yaw = np.stack([yaw_from_quat(frame.rotations[:, 0]) for frame in frames])
    rows = np.stack([frame.states for frame in frames])
    return np.asarray(np.degrees(np.unwrap(yaw + controller.root_motion.facing[rows], axis=0)))


def draw_planning(field: MotionField, controller: FieldController, path: Path) -> None:
    """Draw a turn by the trained controller and by the greedy one."""
    figure = Figure(figsize=(12.0, 4.8), facecolor="white")
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1.0))
    for name, one, color in (
        ("planned: counts what follows", controller, BLUE),
        ("greedy: counts what pays at once", controller.greedy(), RED),
    ):
        frames = turned(controller, 120.0, then=one, count=40)
        seconds = field.database.frame_time * (np.arange(len(frames)) - SETTLE)
        angles = np.degrees(np.abs(wrap_angle(np.radians(facings(one, frames) - 120.0))))
        done = angles[SETTLE:] <= 5.0
        first = field.database.frame_time * done.argmax(axis=0)[done.any(axis=0)]
        print(f"{name}: {len(first)} of 40 within 5 degrees, after {first.min():.1f} to {first.max():.1f} s")
        left.plot(seconds, angles, color=color, alpha=0.15, linewidth=0.8)
        left.plot(seconds, np.median(angles, axis=1), color=color, linewidth=2.6, label=name)
        roots = np.stack([frame.root_position for frame in frames[SETTLE - 1 :]])
        away = roots - roots[0]
        right.plot(-away[..., 0], away[..., 2], color=color, alpha=0.5, linewidth=0.9)
    left.axhspan(0.0, 5.0, color="#d9e6ee", zorder=0)
    left.axvline(0.0, color=DARK, linestyle=":", linewidth=1.2)
    left.set(xlim=(-0.5, 2.5), ylim=(0.0, 180.0), yticks=range(0, 181, 30), xlabel="seconds since the command")
    left.set(ylabel="degrees off the new heading, to either side")
    left.set_title("40 characters told to turn by 120 degrees; bold: the median", fontsize=11)
    left.legend(fontsize=9, loc="upper right")
    left.grid(alpha=0.3)
    right.scatter(0.0, 0.0, s=40, color=DARK, zorder=5)
    right.set_aspect("equal")
    right.grid(alpha=0.3)
    right.set(xlabel="metres to the right", ylabel="metres ahead")
    right.set_title("their ways from there on, from above", fontsize=11)
    save(figure, path)


def methods_of(field: MotionField) -> dict[str, Controller]:
    """Return controllers of the three methods, trained on the same motion."""
    task = Direction()
    return {"field": train(field, task), "graph": train_graph(field, task), "matching": train_matching(field, task)}


def draw_methods(field: MotionField, methods: dict[str, Controller], path: Path) -> None:
    """Draw the facing and the times of transitions of each method during one turn."""
    figure = Figure(figsize=(12.0, 5.4), facecolor="white")
    top, bottom = figure.subplots(2, 1, height_ratios=(1.5, 1.0), sharex=True)
    frame_time = field.database.frame_time
    for place, ((name, controller), color) in enumerate(zip(methods.items(), (BLUE, RED, GREEN), strict=True)):
        frames = turned(controller, 90.0)
        seconds = frame_time * (np.arange(len(frames)) - SETTLE)
        top.plot(seconds, facings(controller, frames)[:, 0], color=color, linewidth=2.2, label=name)
        rows = np.array([frame.states[0] for frame in frames])
        turns = np.abs(controller.root_motion.turn[rows, 0]) > FAST_TURN * frame_time
        shades = np.where(turns, color, "#dfe3e8")
        bottom.barh(np.full(len(rows), -place), frame_time, left=seconds, height=0.6, color=shades, linewidth=0)
        jumps = seconds[1:][np.diff(rows) != 1]
        bottom.plot(jumps, np.full(len(jumps), -place), "|", markersize=24, color=DARK, markeredgewidth=1.4)
    top.axhline(90.0, color=DARK, linestyle=":", linewidth=1.2)
    for axes in (top, bottom):
        axes.axvline(0.0, color=DARK, linestyle=":", linewidth=1.2)
    top.set(xlim=(-1.0, 2.0), ylim=(-25.0, 115.0), ylabel="degrees faced to the left", yticks=range(0, 91, 30))
    top.legend(fontsize=9, loc="lower right")
    top.grid(alpha=0.3)
    top.set_title("one character each, told at 0 s to turn by 90 degrees", fontsize=11)
    bottom.set_yticks([0, -1, -2], list(methods))
    bottom.set(xlabel="seconds since the command", ylim=(-2.6, 0.6))
    bottom.set_title(
        "strokes: it changes to another moment of the data; in colour: that moment turns fast", fontsize=11
    )
    save(figure, path)


def side_by_side(clips: dict[str, Clip], path: Path) -> None:
    """Write several clips side by side as one animation, each with its name above it."""
    font = ImageFont.truetype(_font_path(), 15)
    size, rate, band = (250, 260), 15.0, 24
    with tempfile.TemporaryDirectory() as folder:
        films = []
        for name, clip in clips.items():
            target = Path(folder) / f"{name}.gif"
            render_gif(clip, target, size=size, frame_rate=rate, camera=Camera(float(np.radians(-40.0))))
            films.append(_gif_frames(target))
    joined = []
    for pictures in zip(*films, strict=True):
        sheet = Image.new("RGB", (size[0] * len(films), size[1] + band), "white")
        draw = ImageDraw.Draw(sheet)
        for place, (name, picture) in enumerate(zip(clips, pictures, strict=True)):
            sheet.paste(picture, (place * size[0], band))
            draw.text(((place + 0.5) * size[0], band / 2), name, font=font, fill=DARK, anchor="mm")
        joined.append(sheet)
    palette = joined[len(joined) // 2].quantize(64, dither=Image.Dither.NONE)
    small = [sheet.quantize(palette=palette, dither=Image.Dither.NONE) for sheet in joined]
    small[0].save(path, save_all=True, append_images=small[1:], duration=round(1000.0 / rate), loop=0, optimize=False)


def _font_path() -> str:
    import matplotlib

    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")


def _gif_frames(path: Path) -> list[Image.Image]:
    with Image.open(path) as film:
        frames = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            frames.append(film.convert("RGB"))
    return frames


def draw_methods_turn(field: MotionField, methods: dict[str, Controller], path: Path) -> None:
    """Draw the same half turn by each method, as one animation."""
    shown = slice(SETTLE - 15, None)
    clips = {name: clip_of_frames(field, turned(one, 180.0)[shown]) for name, one in methods.items()}
    side_by_side(clips, path)


def draw_line(field: MotionField, path: Path) -> None:
    """Draw a character that follows one line and then another, as an animation."""
    crowd = train(field, Line(), agility=0.3).crowd(1, seed=3)
    frames, ends = [], []
    heading = float(crowd.ground.facing[0])
    point = crowd.ground.position[0] + 0.6 * heading_vector(heading + 0.5 * np.pi)[::2]
    for number in range(270):
        if number == 120:
            heading += 0.5 * np.pi
            point = crowd.ground.position[0] + 0.5 * heading_vector(heading + 0.5 * np.pi)[::2]
        frames.append(crowd.step(np.array([[point[0], point[1], heading]])))
        variant = heading_vector(heading)
        origin = np.array([point[0], 0.0, point[1]])
        middle = origin + variant * float((frames[-1].root_position[0] - origin) @ variant)
        ends.append(np.stack([middle - 1.6 * variant, middle + 1.6 * variant])[np.newaxis])
    clip = clip_of_frames(field, frames[60:])
    marks = Marks(np.array(ends[60:]), np.array([[0.008, 0.008]]))
    render_gif(clip, path, size=(320, 280), frame_rate=12.0, marks=marks, camera=Camera(float(np.radians(-30.0)), 0.5))


PICTURES = (
    "concept_states.png",
    "concept_choices.png",
    "concept_value.png",
    "concept_planning.png",
    "concept_methods.png",
    "methods_turn.gif",
    "line.gif",
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=IMAGES)
    parser.add_argument("--only", choices=PICTURES, action="append")
    options = parser.parse_args(arguments)
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    field = small_field()
    methods = methods_of(field)
    controller = methods["field"]
    assert isinstance(controller, FieldController)
    drawing: dict[str, Callable[[Path], None]] = {
        "concept_states.png": lambda path: draw_states(field, controller.root_motion, path),
        "concept_choices.png": lambda path: draw_transitions(field, controller, path),
        "concept_value.png": lambda path: draw_value(field, controller, path),
        "concept_planning.png": lambda path: draw_planning(field, controller, path),
        "concept_methods.png": lambda path: draw_methods(field, methods, path),
        "methods_turn.gif": lambda path: draw_methods_turn(field, methods, path),
        "line.gif": lambda path: draw_line(field, path),
    }
    for name in options.only or PICTURES:
        drawing[name](folder / name)
        print(folder / name, flush=True)


if __name__ == "__main__":
    main()
