"""Sketching: from strokes to a motion of captured steps whose joints follow them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d

from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.lattice import ANGLE, CELL, ground_of
from motionfields.authoring.plan.planning import until_clear
from motionfields.authoring.plan.playback import Played, play
from motionfields.authoring.sketch.aligning import aligned
from motionfields.authoring.sketch.detours import led_around
from motionfields.authoring.sketch.following import NO_WALLS, Followed, Parts, Targets, Walls, follow, measure_parts
from motionfields.authoring.sketch.limbs import limb_of, move_hips, reach_with
from motionfields.authoring.sketch.strokes import LONGEST, MOST_STROKES, Stroke
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.checks import checked_count
from motionfields.base.errors import PlanError
from motionfields.base.world import Room, clearance_grid
from motionfields.motion.clip import Clip

WIDTH: Final = 600  # states of the beam at each frame
PACES: Final = (0.4, 0.6, 0.8, 1.1, 1.8)  # m/s: speeds at which a stroke without times is tried
RATES: Final = (0.8, 1.0, 1.25)  # at which each step may follow it, times that speed
LIMB_RATES: Final = (0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.4)  # the same for other joints than the root
FIRST_WIDTH: Final = 100  # states of the beam that finds the speed of the root
SHORTEST: Final = 0.5  # seconds of a stroke
ROUNDS: Final = 4  # of moving the body to the strokes
SPREAD: Final = 0.3  # seconds: width of the filter on the displacement of the body
MOST_BEND: Final = 0.12  # metres by which a step may be changed to bring the body to the strokes
REACHED: Final = 0.03  # metres within which a joint is at its stroke
NO_MOTION: Final = "no sequence of steps is as long as the strokes; build the steps with standing ones"
NO_WAY: Final = "no sequence of steps follows the strokes clear of the obstacles and within the bounds of the room"
LIMB_ROUNDS: Final = 2
CORNER: Final = 0.1  # seconds: width of the filter that rounds the corners of strokes for hands and feet


class StrokeFit(NamedTuple):
    """Distances of a motion from one stroke, as the stroke measures them."""

    joint: str
    mean: float  # metres
    p95: float  # metres
    reached: float  # share of its frames within 3 cm


@dataclass(frozen=True, eq=False)
class Sketch:
    """A motion that follows strokes."""

    clip: Clip
    cost: float  # seconds: time of the steps, jumps, changes, and distances from the strokes before the last correction
    steps: IntArray  # [m], steps of the graph in order
    rows: IntArray  # [frame], database states
    strokes: tuple[Stroke, ...]  # with detours around obstacles and the times at which they are followed
    fits: tuple[StrokeFit, ...]  # for each stroke
    clearance: float  # metres, least distance of the displayed root to an obstacle; infinite without a room


class _Drawing(NamedTuple):
    """Request for a motion."""

    graph: StepGraph
    parts: Parts
    strokes: tuple[Stroke, ...]
    joints: list[int]
    middle: FloatArray  # [2], metres: origin of the lattice, so that its numbers are small
    width: int
    room: Room | None


def sketch(graph: StepGraph, strokes: Sequence[Stroke], *, room: Room | None = None, width: int = WIDTH) -> Sketch:
    """Return a motion of steps of `graph` whose joints follow `strokes`, clear of the obstacles of `room`.

    A stroke without times is followed at any speed; only a single stroke may be without times. Where the stroke of a
    foot pauses, the foot stands. A beam of `width` states at each frame searches for the steps. The body is then moved
    towards the strokes by up to 12 cm for each step, and arms and legs are bent to meet the strokes of hands and feet
    within their reach. `PlanError` if no sequence of steps is long enough, or none stays clear.
    """
    checked_count("width", width, 1, 20_000)
    if not 1 <= len(strokes) <= MOST_STROKES:
        raise ValueError(f"strokes: expected 1 to {MOST_STROKES}, got {len(strokes)}")
    if len(strokes) > 1 and any(stroke.times is None for stroke in strokes):
        raise ValueError("strokes: expected times for each of several strokes")
    if strokes[0].times is not None and min(stroke.times[0] for stroke in strokes if stroke.times is not None) > 0.0:
        raise ValueError("times: expected a stroke that begins at 0 s")
    joints = [_joint(graph, stroke) for stroke in strokes]
    if room is not None:
        strokes = [led_around(stroke, room) if stroke.joint is None else stroke for stroke in strokes]
    middle = np.round(strokes[0].points[0, ::2] / CELL) * CELL
    drawing = _Drawing(graph, measure_parts(graph, joints), tuple(strokes), joints, middle, width, room)
    if room is None:
        return _found(drawing, NO_WALLS)
    grid = clearance_grid(room, (float(middle[0]), float(middle[1])), yaw=0.0, cell=CELL)
    x, z = np.round(grid.to_cells(middle)).astype(np.int64).tolist()

    def search(margin: float, attempt: int) -> Sketch:
        return _found(drawing, Walls(ground_of(grid.clearance, room.radius + margin), x, z))

    return until_clear(room, search)


def _found(drawing: _Drawing, walls: Walls) -> Sketch:
    """Return the motion for `drawing` clear of `walls`."""
    if drawing.strokes[0].times is None:
        return _at_best_pace(drawing, walls)
    targets = _targets(drawing, drawing.strokes, False)
    found = follow(drawing.graph, drawing.parts, targets, walls, width=drawing.width)
    if not np.isfinite(found.cost):
        raise PlanError(NO_MOTION if drawing.room is None else NO_WAY)
    return _shown(drawing, found, drawing.strokes, False)


def _at_best_pace(drawing: _Drawing, walls: Walls) -> Sketch:
    """Return the best motion of those that follow the only stroke at about one of several speeds.

    For the root it is the cheapest, for other joints the one that comes nearest to the stroke.
    """
    (stroke,) = drawing.strokes

    def search(pace: float, width: int) -> tuple[Stroke, Followed]:
        even = stroke.timed(min(LONGEST, max(SHORTEST, stroke.length / pace)))
        targets = _targets(drawing, (even,), True)
        return even, follow(drawing.graph, drawing.parts, targets, walls, width=width)

    paces: tuple[float, ...] = PACES
    if drawing.joints[0] == 0:
        paces = (min(PACES, key=lambda pace: search(pace, min(drawing.width, FIRST_WIDTH))[1].cost),)
    tried = [one for one in (search(pace, drawing.width) for pace in paces) if np.isfinite(one[1].cost)]
    if not tried:
        raise PlanError(NO_MOTION if drawing.room is None else NO_WAY)
    sketches = [_shown(drawing, found, (_retimed(drawing.graph, even, found),), True) for even, found in tried]
    return min(sketches, key=lambda one: one.fits[0].mean)


def _shown(drawing: _Drawing, found: Followed, strokes: tuple[Stroke, ...], free: bool) -> Sketch:
    """Return the motion of the steps that were found, brought to the timed `strokes`; `free` if their speed is free."""
    joints, room = drawing.joints, drawing.room
    played, timed = _placed(drawing, found, strokes, free)
    clip = _reached(played, timed, joints)
    fits = tuple(_fit(clip, stroke, joint) for stroke, joint in zip(timed, joints, strict=True))
    cost = found.cost + (0.0 if free else clip.duration)
    clearance = np.inf if room is None else float(room.clearance(clip.root_position[:, ::2]).min())
    return Sketch(clip, cost, found.path[1:, 0].astype(np.int64), played.rows, timed, fits, clearance)


def _joint(graph: StepGraph, stroke: Stroke) -> int:
    """Return the joint of a stroke; ValueError if the skeleton does not have it."""
    skeleton = graph.field.database.skeleton
    if stroke.joint is None:
        return 0
    if stroke.joint not in skeleton.names:
        raise ValueError(f"joint: expected one of {', '.join(skeleton.names[:6])}, ..., got {stroke.joint!r:.40}")
    return skeleton.names.index(stroke.joint)


def _targets(drawing: _Drawing, strokes: Sequence[Stroke], free: bool) -> Targets:
    """Return the timed `strokes` at every frame, on the lattice of `drawing`; `free` if their speed is free."""
    frame_time, middle = drawing.graph.field.database.frame_time, drawing.middle
    end = max(float(stroke.times[-1]) for stroke in strokes if stroke.times is not None)
    times = np.arange(max(2, round(max(end, SHORTEST) / frame_time))) * frame_time
    places = np.stack([stroke.at(times) for stroke in strokes])
    places[..., 0] -= middle[0]
    places[..., 2] -= middle[1]
    if np.abs(places[..., ::2]).max() > 150.0:
        raise ValueError("strokes: expected strokes within 150 m of the first point")
    weight, pauses = (
        np.stack(flags).astype(np.float64)
        for flags in ([stroke.during(times) for stroke in strokes], [stroke.pauses(times) for stroke in strokes])
    )
    rates = np.array((RATES if strokes[0].joint is None else LIMB_RATES) if free else (1.0,))
    seen = np.stack([stroke.seen for stroke in strokes])
    return Targets(places, weight, pauses, seen, frame_time, rates, float(free))


def _retimed(graph: StepGraph, even: Stroke, found: Followed) -> Stroke:
    """Return the stroke `even`, which has an even speed, with the times at which the steps follow it."""
    if even.times is None:
        raise ValueError("times: expected a stroke with times")
    frame_time = graph.field.database.frame_time
    frames = np.concatenate([[0], np.cumsum(graph.steps.length[found.path[1:, 0]])])
    knots = found.path[:, 4] * frame_time
    knots[-1] = max(knots[-1], even.times[-1])  # the strokes are rounded to whole frames
    seen = np.unique(np.concatenate([even.times, knots[knots < even.times[-1]]]))
    return Stroke(even.at(seen), even.seen, even.joint, np.interp(seen, knots, frames * frame_time))


def _placed(
    drawing: _Drawing, found: Followed, strokes: tuple[Stroke, ...], free: bool
) -> tuple[Played, tuple[Stroke, ...]]:
    """Return the motion of the steps, with the body moved towards the strokes, and the strokes with their times."""
    graph, joints = drawing.graph, drawing.joints
    poses = np.empty((len(found.path), 3))
    poses[:, :2] = found.path[:, 1:3] * CELL + drawing.middle
    poses[:, 2] = found.path[:, 3] * ANGLE
    cuts = np.concatenate([[0], np.cumsum(graph.steps.length[found.path[1:, 0]])])
    moved: FloatArray = np.zeros((len(poses), 2))
    played = play(graph, found.edges, poses)
    for _ in range(ROUNDS):
        if free:
            strokes = (_aligned(played.clip, strokes[0], joints[0]),)
        moved = _limited(moved + _body_gap(played.clip, strokes, joints)[cuts])
        if drawing.room is not None:
            moved = _clear(drawing.room, poses[:, :2], moved)
        shifted = poses.copy()
        shifted[:, :2] += moved
        played = play(graph, found.edges, shifted)
    return played, (_aligned(played.clip, strokes[0], joints[0]),) if free else strokes


def _clear(room: Room, places: FloatArray, moved: FloatArray) -> FloatArray:
    """Return `moved` [pose, 2] from `places` [pose, 2], less where it leads too near to an obstacle."""
    out = moved
    for share in (0.75, 0.5, 0.25, 0.0):
        near = room.clearance(places + out) < room.radius
        out = np.where(near[:, np.newaxis], share * moved, out)
    return out


def _aligned(clip: Clip, stroke: Stroke, joint: int) -> Stroke:
    """Return a timed stroke with the same end, and the times at which `joint` is nearest to it before."""
    if stroke.times is None:
        raise ValueError("times: expected a stroke with times")
    frames = int(np.clip(round(float(stroke.times[-1]) / clip.frame_time) + 1, 2, clip.frame_count))
    return aligned(stroke, clip.world().positions[:frames, joint], clip.frame_time)


def _body_gap(clip: Clip, strokes: Sequence[Stroke], joints: list[int]) -> FloatArray:
    """Return the mean displacement [frame, 2] over the ground that the strokes ask of the body, smoothed."""
    times = np.arange(clip.frame_count) * clip.frame_time
    positions = clip.world().positions
    total, weight = np.zeros((clip.frame_count, 2)), np.full(clip.frame_count, 1e-3)
    for stroke, joint in zip(strokes, joints, strict=True):
        inside = stroke.during(times)
        gap = (stroke.at(times) - positions[:, joint]) @ stroke.seen
        total += np.where(inside[:, np.newaxis], gap[:, ::2], 0.0)
        weight += inside
    width = SPREAD * clip.frame_rate
    return np.asarray(
        gaussian_filter1d(total, width, axis=0, mode="nearest")
        / gaussian_filter1d(weight, width, mode="nearest")[:, np.newaxis]
    )


def _limited(moved: FloatArray) -> FloatArray:
    """Return the displacements [pose, 2] with at most `MOST_BEND` metres between one and the next."""
    out = moved.copy()
    for number in range(1, len(out)):
        step = out[number] - out[number - 1]
        size = float(np.hypot(*step))
        out[number] = out[number - 1] + step * min(1.0, MOST_BEND / max(size, 1e-9))
    return out


def _reached(played: Played, strokes: Sequence[Stroke], joints: list[int]) -> Clip:
    """Return the motion with hips, hands and feet brought to their strokes within reach; paths of the root stay."""
    clip = played.clip
    times = np.arange(clip.frame_count) * clip.frame_time
    for _ in range(LIMB_ROUNDS):
        for stroke, joint in zip(strokes, joints, strict=True):
            free = stroke.during(times)
            if joint == 0 and stroke.joint is not None:
                gap = (stroke.at(times) - clip.world().positions[:, 0]) @ stroke.seen
                clip = move_hips(clip, gap, free)
                continue
            limb = limb_of(clip.skeleton, joint)
            if limb is None:
                continue
            if limb.foot is not None:
                free = free & ~played.contacts[:, limb.foot]
            drawn = gaussian_filter1d(stroke.at(times), CORNER * clip.frame_rate, axis=0, mode="nearest")
            gap = (drawn - clip.world().positions[:, joint]) @ stroke.seen
            clip = reach_with(clip, limb, gap, free)
    return clip


def _fit(clip: Clip, stroke: Stroke, joint: int) -> StrokeFit:
    """Return how well `clip` follows `stroke`."""
    times = np.arange(clip.frame_count) * clip.frame_time
    inside = stroke.during(times)
    gap = (stroke.at(times) - clip.world().positions[:, joint]) @ stroke.seen
    far = np.linalg.norm(gap[inside], axis=1)
    return StrokeFit(
        clip.skeleton.names[joint], float(far.mean()), float(np.percentile(far, 95.0)), float((far <= REACHED).mean())
    )
