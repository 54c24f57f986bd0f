"""Coverage: the speeds, turns, starts and stops that a set holds, and its holes in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray
from motionfields.measure.survey.statements import Statement, runs
from motionfields.measure.survey.tracks import (
    QUICK_TURN,
    TURNING,
    WALKING_SPEED,
    Change,
    Tracks,
    find_starts,
    find_stops,
    motion_kinds,
)

SPEED_EDGES: Final = (0.0, 0.15, 0.5, 1.0, 1.5, 2.0, 3.0, 4.5, np.inf)  # m/s
TURN_EDGES: Final = (15.0, 45.0, 90.0, 150.0, 240.0)  # degrees per second, to either side
LITTLE = 10.0  # seconds of motion, mirror images not counted
COVERED = 0.25  # seconds that make a part of the map covered
OTHER_SIDE = 1.0  # seconds of one side that make the other side's lack a hole
SLOWEST_TURN = 30.0  # degrees per second; a set without faster turns cannot turn
SPEED_SPREAD = 0.15  # m/s between the 10th and 90th percentile of walking; less is one speed
SPEED_STEP = 0.1  # m/s, width of the bins in which gaps of speed are looked for
WIDEST_SPEED_GAP = 0.3  # m/s
ONE_FOOT = 0.05  # share of quick turns below which a foot counts as unused
LEAST_TURNS = 1.0  # seconds of quick turns needed to judge the feet
SIDES = ("left", "right")


class MotionMap(NamedTuple):
    """Seconds of motion by speed and turning rate, mirror images included."""

    seconds: FloatArray  # [speed band, turning band]
    speed_edges: FloatArray  # [speed band + 1], m/s
    turn_edges: FloatArray  # [turning band + 1], degrees per second, positive to the left


def motion_map(tracks: Tracks) -> MotionMap:
    """Return the map of `tracks` over `SPEED_EDGES` and `TURN_EDGES`."""
    speeds = np.array(SPEED_EDGES)
    turns = np.array([-np.inf, *(-edge for edge in TURN_EDGES[::-1]), *TURN_EDGES, np.inf])
    count, *_ = np.histogram2d(tracks.speed, np.degrees(tracks.turning), bins=[speeds, turns])
    return MotionMap(count * tracks.frame_time, speeds, turns)


def coverage_statements(tracks: Tracks, *, mirrored: bool) -> list[Statement]:
    """Return statements about missing motion; `mirrored` means that half of the states are mirror images."""
    kinds = motion_kinds(tracks)
    return [
        *_amount(tracks, mirrored),
        *_standing(tracks, kinds),
        *_turns(tracks),
        *_turn_holes(motion_map(tracks)),
        *_turning_feet(tracks),
        *_speeds(tracks),
        *_other_motion(tracks, kinds),
    ]


def _amount(tracks: Tracks, mirrored: bool) -> Iterator[Statement]:
    seconds = len(tracks.turning) * tracks.frame_time / (2.0 if mirrored else 1.0)
    if seconds < LITTLE:
        yield Statement("little-motion", f"The set is only {seconds:.1f} s long.", value=seconds)


def _standing(tracks: Tracks, kinds: Mapping[str, BoolArray]) -> Iterator[Statement]:
    if tracks.seconds(kinds["standing"]) < 0.5:
        yield Statement("no-standing", "No take stands still.", value=tracks.seconds(kinds["standing"]))
        return
    for name, changes, verb in (
        ("start", find_starts(tracks), "starts to walk with the {} foot"),
        ("stop", find_stops(tracks), "stops on the {} foot"),
    ):
        if not changes:
            words = "walks off from standing" if name == "start" else "walks and comes to stand"
            yield Statement(f"no-{name}", f"No take {words}.", value=0.0)
        yield from _one_foot(tracks, changes, name, verb)


def _one_foot(tracks: Tracks, changes: list[Change], name: str, verb: str) -> Iterator[Statement]:
    feet = [change.foot for change in changes if change.foot >= 0]
    if len(set(feet)) == 1:
        missing = 1 - feet[0]
        take, frame = tracks.place(next(change.first for change in changes if change.foot >= 0))
        text = f"No take {verb.format(SIDES[missing])}: all {len(feet)} {name}s use the {SIDES[feet[0]]} foot."
        if len(feet) == 1:
            text = f"No take {verb.format(SIDES[missing])}: the only {name} uses the {SIDES[feet[0]]} foot."
        yield Statement(f"one-foot-{name}", text, take, frame, float(len(feet)))


def _turns(tracks: Tracks) -> Iterator[Statement]:
    """Yield the limits of turning, and the turns that only one side has."""
    rate = np.degrees(tracks.turning)
    if tracks.seconds(np.abs(rate) > SLOWEST_TURN) < COVERED:
        fastest = float(np.abs(rate).max(initial=0.0))
        yield Statement("cannot-turn", f"The set cannot turn: nothing turns faster than {fastest:.0f} deg/s.",
                        value=fastest)  # fmt: skip
        return
    sides = (rate, -rate)
    for side, name in enumerate(SIDES):
        own, other = (tracks.seconds(values > SLOWEST_TURN) for values in (sides[side], sides[1 - side]))
        if own < COVERED and other >= OTHER_SIDE:
            text = (
                f"No take turns {name}: turns to the {SIDES[1 - side]} last {other:.1f} s, to the {name} {own:.1f} s."
            )
            yield Statement("no-turn-to-side", text, value=own)
            return
    corners = [_empty_corners(tracks, values) for values in sides]
    for side, name in enumerate(SIDES):
        for fast, speed in corners[side]:
            other = tracks.seconds((sides[1 - side] > fast) & (tracks.speed > speed))
            if other >= OTHER_SIDE:
                text = f"No {name} turn above {fast:g} deg/s {_while_faster(speed)}; turns to the {SIDES[1 - side]} "
                text += f"last {other:.1f} s."
                yield Statement("one-sided-turn", text, value=fast)
    for fast, speed in [corner for corner in corners[0] if corner in corners[1]]:
        yield Statement("turn-limit", f"No turn above {fast:g} deg/s {_while_faster(speed)}, to either side.",
                        value=fast)  # fmt: skip


def _while_faster(speed: float) -> str:
    return "at any speed" if speed == 0.0 else f"while moving faster than {speed:g} m/s"


def _empty_corners(tracks: Tracks, rate: FloatArray) -> list[tuple[float, float]]:
    """Return the least (turning rate, speed) above which nothing turns to the side of `rate` [state], deg/s.

    Only speeds above which the set has at least a second of motion count, and only corners that no other one contains.
    """
    empty: list[tuple[float, float]] = []
    for speed in (0.0, *SPEED_EDGES[2:-1]):
        moving = tracks.speed > speed
        if tracks.seconds(moving) < 1.0:
            break
        fast = next((edge for edge in TURN_EDGES[1:] if tracks.seconds(moving & (rate > edge)) < COVERED), None)
        if fast is not None and not any(fast >= known for known, _ in empty):
            empty.append((fast, speed))
    return empty


def _turn_holes(found: MotionMap) -> Iterator[Statement]:
    """Yield the turns that slower and faster motion has, but not the motion in between."""
    edges = found.turn_edges
    for band in range(len(edges) - 1):
        if edges[band] < 0.0 < edges[band + 1]:
            continue
        side, low = ("left", edges[band]) if edges[band] > 0.0 else ("right", -edges[band + 1])
        if low < np.degrees(TURNING) - 1e-6:
            continue
        covered = found.seconds[:, band] >= OTHER_SIDE
        for speed in range(1, len(covered) - 1):
            if found.seconds[speed, band] < COVERED and covered[:speed].any() and covered[speed + 1 :].any():
                slow, fast = found.speed_edges[speed : speed + 2]
                text = (
                    f"No {side} turn above {low:g} deg/s at {slow:g} to {fast:g} m/s, though slower and faster motion "
                )
                yield Statement("turn-hole", f"{text}has it.", value=float(low))


def _turning_feet(tracks: Tracks) -> Iterator[Statement]:
    """Yield the quick turns that only one foot supports."""
    left, right = tracks.contacts.T
    alone = (left & ~right, right & ~left)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        quick = (sign * tracks.turning > QUICK_TURN) & (tracks.speed > 0.3)
        on_foot = [tracks.seconds(quick & foot) for foot in alone]
        if sum(on_foot) < LEAST_TURNS or min(on_foot) >= ONE_FOOT * sum(on_foot):
            continue
        unused = int(np.argmin(on_foot))
        take, frame = tracks.place(int(np.flatnonzero(quick & alone[1 - unused])[0]))
        text = f"No quick {side} turn on the {SIDES[unused]} foot: {on_foot[1 - unused]:.1f} s on the "
        text += f"{SIDES[1 - unused]} foot, {on_foot[unused]:.1f} s on the {SIDES[unused]} one."
        yield Statement("turn-one-foot", text, take, frame, on_foot[unused])


def _speeds(tracks: Tracks) -> Iterator[Statement]:
    ahead = tracks.velocity[:, 1]
    walking = ahead[ahead > WALKING_SPEED]
    if len(walking) * tracks.frame_time >= 1.0:
        low, high = np.percentile(walking, (10.0, 90.0))
        if high - low < SPEED_SPREAD:
            text = f"All walking has one speed: 80 % of it lies between {low:.2f} and {high:.2f} m/s."
            yield Statement("one-speed", text, value=float(high - low))
    yield from _speed_gaps(tracks)
    fastest = sustained_speed(tracks)
    if fastest < WALKING_SPEED:
        text = f"No take walks: the fastest speed held for half a second is {max(0.0, fastest):.2f} m/s."
        yield Statement("hardly-walks", text, value=fastest)
    else:
        yield Statement("speed-limit", f"The fastest speed held for half a second is {fastest:.2f} m/s.", value=fastest)


def sustained_speed(tracks: Tracks, states: BoolArray | None = None) -> float:
    """Return the highest smoothed speed ahead in m/s that 0.25 s of `states` [state], by default all, reach."""
    count = max(1, round(COVERED / tracks.frame_time))
    ahead = np.sort(tracks.velocity[:, 1] if states is None else tracks.velocity[states, 1])
    return float(ahead[-min(count, len(ahead))])


def _speed_gaps(tracks: Tracks) -> Iterator[Statement]:
    ahead = np.maximum(tracks.velocity[:, 1], 0.0)
    edges = np.arange(0.0, ahead.max(initial=0.0) + 2.0 * SPEED_STEP, SPEED_STEP)
    empty = np.histogram(ahead, bins=edges)[0] * tracks.frame_time < 0.5 * COVERED
    for first, last in runs(empty, np.array([0, len(empty)])):
        below = len(ahead[ahead < edges[first]]) * tracks.frame_time
        above = len(ahead[ahead >= edges[last + 1]]) * tracks.frame_time
        if edges[last + 1] - edges[first] >= WIDEST_SPEED_GAP - 1e-9 and min(below, above) >= 1.0:
            text = f"Nothing moves at {edges[first]:.1f} to {edges[last + 1]:.1f} m/s, though slower and faster motion "
            text += "exists."
            yield Statement("speed-gap", text, value=float(edges[last + 1] - edges[first]))


def _other_motion(tracks: Tracks, kinds: Mapping[str, BoolArray]) -> Iterator[Statement]:
    for kind, text, names in (
        ("no-turn-in-place", "No take turns on the spot.", ("turn in place",)),
        ("no-sidestep", "No take steps sideways.", ("step to the left", "step to the right")),
        ("no-backward", "No take walks backwards.", ("backward walk",)),
    ):
        seconds = sum(tracks.seconds(kinds[name]) for name in names)
        if seconds < COVERED:
            yield Statement(kind, text, value=seconds)
