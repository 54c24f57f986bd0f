"""Shot list: the motion to capture next, ranked by the time that it should save.

A candidate for each kind of motion is made by warping a straight walk of the set itself: turning it, slowing it to a
stop, starting it from one, playing it faster. The walk makes the candidate connect with the set as a real take of this
performer would. The set is measured with and without each candidate: how soon characters turn to either side, by
`response_bounds`, and how soon they reach the other kinds of motion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_rotate, quat_slerp
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.survey.bounds import response_bounds
from motionfields.measure.survey.reaching import LEAST_KIND, find_links, frames_to, step_graph
from motionfields.measure.survey.statements import runs
from motionfields.measure.survey.tracks import measure_tracks, motion_kinds, take_name
from motionfields.motion.clip import Clip, trim

NEVER = 4.0  # seconds that count for motion which is not reached at all
LEAST_GAIN = 0.2  # seconds that a shot must save
BRISK = 1.2  # m/s, a fast walk
ANGLES: Final = (45.0, 90.0, 135.0, 180.0)  # degrees of the turns that are timed
WALK_TIME = 3.0  # seconds of the walk that is warped, at most
SHORTEST_WALK = 1.5  # seconds
CHANGE = 1.2  # seconds of a turn by 90 degrees, and of a stop or a start
STAND = 0.8  # seconds of standing after a stop and before a start
SETTINGS = ControlSettings(neighbor_count=50)  # of the search for the soonest turns

Abilities = dict[str, float]  # seconds until a character can do it, by name


class Shot(NamedTuple):
    """One item of a shot list."""

    kind: str  # ability that it is for
    text: str  # instruction for the performer
    before: float  # seconds until characters can do it, without this shot; `NEVER` at most
    after: float  # the same with it
    gain: float  # seconds saved, all abilities together
    clip: Clip  # the warped walk that stands for it

    def as_json(self) -> dict[str, str | float]:
        """Return the shot without its clip, as plain numbers and text."""
        return {name: value for name, value in self._asdict().items() if name != "clip"}


class Candidate(NamedTuple):
    """A kind of motion that could be captured: its ability, the instruction, and the warp that imitates it."""

    kind: str
    text: str
    make: Callable[[Clip], Clip]


def turned(clip: Clip, degrees: float) -> Clip:
    """Return `clip` with a turn by `degrees` to the left in its middle, at 75 degrees per second on average."""
    duration = CHANGE * abs(degrees) / 90.0
    time = np.arange(clip.frame_count) * clip.frame_time
    place = np.clip((time - 0.5 * (time[-1] - duration)) / duration, 0.0, 1.0)
    yaw = np.radians(degrees) * place**2 * (3.0 - 2.0 * place)
    turns = quat_from_yaw(yaw)
    steps = np.diff(clip.root_position, axis=0)
    moved = quat_rotate(turns[:-1], steps)
    position = clip.root_position[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(moved, axis=0)])
    rotations = clip.rotations.copy()
    rotations[:, 0] = quat_multiply(turns, rotations[:, 0])
    return replace(clip, root_position=position, rotations=rotations)


def retimed(clip: Clip, rate: FloatArray) -> Clip:
    """Return `clip` played at `rate` [frame], where 1 is its own speed; it ends where the clip ends."""
    place = np.concatenate([[0.0], np.cumsum(rate)])
    place = place[place <= clip.frame_count - 1]
    before = np.minimum(place.astype(np.int64), clip.frame_count - 2)
    share = place - before
    root = clip.root_position
    return replace(
        clip,
        root_position=root[before] + share[:, np.newaxis] * (root[before + 1] - root[before]),
        rotations=quat_slerp(clip.rotations[before], clip.rotations[before + 1], share[:, np.newaxis]),
    )


def stopped(clip: Clip) -> Clip:
    """Return the first part of `clip`, slowed down to standing."""
    walk, slow, stand = (round(seconds / clip.frame_time) for seconds in (0.4 * clip.duration, CHANGE, STAND))
    return retimed(clip, np.concatenate([np.ones(walk), np.linspace(1.0, 0.0, slow), np.zeros(stand)]))


def started(clip: Clip) -> Clip:
    """Return `clip`, begun from standing."""
    stand, slow = round(STAND / clip.frame_time), round(CHANGE / clip.frame_time)
    return retimed(clip, np.concatenate([np.zeros(stand), np.linspace(0.0, 1.0, slow), np.ones(clip.frame_count)]))


def hastened(clip: Clip) -> Clip:
    """Return `clip`, sped up to one and a half times its speed and slowed down again."""
    place = np.linspace(0.0, 1.0, clip.frame_count)
    return retimed(clip, 1.0 + 0.5 * np.clip(4.0 * np.minimum(place, 1.0 - place), 0.0, 1.0))


LEFT, RIGHT, STOP, START, FAST = "turn left", "turn right", "stop", "start", "fast walk"
MEANT: Final = {  # what is timed, in words
    LEFT: "a walking character has turned left",
    RIGHT: "a walking character has turned right",
    STOP: "a character begins to stop, from any moment",
    START: "a character begins to walk off, from any moment",
    FAST: f"a character walks faster than {BRISK:g} m/s, from any moment",
}
CANDIDATES: Final = (
    Candidate(LEFT, "Walk, turn left by 90 degrees within two steps, and walk on.", lambda clip: turned(clip, 90.0)),
    Candidate(RIGHT, "Walk, turn right by 90 degrees within two steps, and walk on.", lambda clip: turned(clip, -90.0)),
    Candidate(LEFT, "Walk, turn left by 180 degrees within four steps, and walk on.", lambda clip: turned(clip, 180.0)),
    Candidate(
        RIGHT, "Walk, turn right by 180 degrees within four steps, and walk on.", lambda clip: turned(clip, -180.0)
    ),
    Candidate(STOP, "Walk, come to stand within two steps, and stand for a moment.", stopped),
    Candidate(START, "Stand for a moment, and walk off.", started),
    Candidate(FAST, "Walk, walk briskly for a few steps, and slow down again.", hastened),
)


def shot_list(field: MotionField, *, on_progress: Callable[[str], None] | None = None) -> list[Shot]:
    """Return the shots that save at least `LEAST_GAIN` seconds, the most useful first, at most one for each ability.

    Empty if no take walks straight. `on_progress` is called with a description of the work.
    """
    say = on_progress or (lambda text: None)
    walk, clips = straight_walk(field.database), own_clips(field.database)
    if walk is None:
        return []
    before, best = abilities(extended(field, clips, [])), dict[str, Shot]()
    for number, (kind, text, make) in enumerate(CANDIDATES, start=1):
        say(f"trying shot {number} of {len(CANDIDATES)}")
        clip = replace(make(walk), name="candidate")
        after = abilities(extended(field, clips, [clip]))
        shot = Shot(kind, text, before[kind], after[kind], saved_seconds(before, after), clip)
        if min(shot.gain, shot.before - shot.after) >= LEAST_GAIN and (kind not in best or shot.gain > best[kind].gain):
            best[kind] = shot
    return sorted(best.values(), key=lambda shot: -shot.gain)


def saved_seconds(before: Abilities, after: Abilities) -> float:
    """Return the seconds by which all abilities together are sooner `after` than `before`."""
    return sum(before[name] - after[name] for name in before)


def own_clips(database: MotionDatabase) -> list[Clip]:
    """Return the clips of `database` without mirror images."""
    return [clip for clip in database.iter_source_clips() if take_name(clip.name) == clip.name]


def extended(field: MotionField, clips: list[Clip], more: list[Clip]) -> MotionField:
    """Return the field of `clips` and `more`, built as `field` was."""
    rate, mirrored = 1.0 / field.database.frame_time, field.database.report.mirrored
    return MotionField(MotionDatabase.build([*clips, *more], frame_rate=rate, mirror=mirrored, cutoff=None))


def straight_walk(database: MotionDatabase) -> Clip | None:
    """Return the longest straight walk of `database`, at most `WALK_TIME` seconds of it; None if there is none."""
    tracks = measure_tracks(database)
    longest, walk = SHORTEST_WALK / tracks.frame_time, None
    for first, last in runs(motion_kinds(tracks)["straight walk"], tracks.starts):
        if last - first > longest:
            longest, walk = last - first, (int(first), int(last))
    if walk is None:
        return None
    clip = tracks.clip_at(walk[0])
    begin = walk[0] - int(tracks.starts[clip])
    length = min(walk[1] - walk[0], round(WALK_TIME / tracks.frame_time))
    take = next(islice(database.iter_source_clips(), clip, None))
    return trim(take, begin, begin + length)


def abilities(field: MotionField) -> Abilities:
    """Return the mean seconds until a walking character has turned, and until it reaches other kinds of motion."""
    tracks, core = measure_tracks(field.database), field.connectivity.core
    kinds = motion_kinds(tracks)
    walking = np.flatnonzero(kinds["straight walk"] & core)
    states = walking if walking.size else np.flatnonzero(core)
    with np.errstate(invalid="ignore"):  # the jerk of candidates that stand is 0, and so is that of similar states
        bounds = response_bounds(field, settings=SETTINGS)
    found = {}
    for name, sign in ((LEFT, 1.0), (RIGHT, -1.0)):
        times = [bounds.seconds(states, np.full(len(states), np.radians(sign * angle))) for angle in ANGLES]
        found[name] = float(np.minimum(times, NEVER).mean())
    graph = step_graph(find_links(field), tracks.starts, tracks.frame_time)
    wanted = {STOP: kinds["stop"], START: kinds["start"], FAST: tracks.velocity[:, 1] > BRISK}
    for name, mask in wanted.items():
        found[name] = NEVER
        if tracks.seconds(mask & core) >= LEAST_KIND:
            seconds = frames_to(graph, mask & core)[core] * tracks.frame_time
            found[name] = float(np.minimum(seconds, NEVER).mean())
    return found
