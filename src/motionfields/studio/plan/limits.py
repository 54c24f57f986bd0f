"""The limits of a planned or sketched motion, in words for the page."""

from __future__ import annotations

import math

import numpy as np

from motionfields.authoring.plan import Plan
from motionfields.authoring.sketch import Sketch, Stroke
from motionfields.base.world import Room
from motionfields.motion.clip import Clip

NEAR = 0.02  # metres: smaller misses are not worth a word
TURN = math.radians(2.0)
FAR = 0.05  # metres from a stroke


def limits_of_plan(found: Plan) -> list[str]:
    """Return the shortcomings of a plan."""
    texts = []
    if found.end_offset > NEAR:
        texts.append(f"It ends {100 * found.end_offset:.0f} cm from the goal: no sequence of these steps ends nearer.")
    if found.end_turn > TURN:
        texts.append(f"It ends {math.degrees(found.end_turn):.0f} degrees from the wanted facing.")
    return texts + _tight(found.room, found.clearance, "The way is too narrow for these steps.")


def limits_of_sketch(found: Sketch, room: Room) -> list[str]:
    """Return the shortcomings of a sketch."""
    texts = []
    for stroke, fit in zip(found.strokes, found.fits, strict=True):
        if fit.p95 > FAR:
            texts.append(f"{fit.joint}: {_furthest(found.clip, stroke, fit.joint)}")
    return texts + _tight(room, found.clearance, "No sequence of these steps stays clear and follows the strokes.")


def _tight(room: Room, clearance: float, reason: str) -> list[str]:
    if clearance >= room.radius - NEAR:
        return []
    where = "It passes through an obstacle" if clearance < 0.0 else f"It comes within {clearance:.2f} m of an obstacle"
    return [f"{where}; the body has a radius of {room.radius:.2f} m. {reason}"]


def _furthest(clip: Clip, stroke: Stroke, joint: str) -> str:
    """Return where a joint is furthest from its stroke."""
    assert stroke.times is not None
    times = np.arange(clip.frame_count) * clip.frame_time
    inside = (times >= stroke.times[0]) & (times <= stroke.times[-1])
    places = clip.world().positions[inside, clip.skeleton.names.index(joint)]
    drawn = stroke.at(times[inside])
    away = np.linalg.norm((drawn - places) @ stroke.seen, axis=1)
    worst = int(away.argmax())
    text = f"furthest from the stroke at {times[inside][worst]:.1f} s, by {100 * away[worst]:.0f} cm"
    if stroke.seen[1, 1] > 0.25 and abs(drawn[worst, 1] - places[worst, 1]) > NEAR:
        text += f" (drawn {drawn[worst, 1]:.2f} m above the ground, reached {places[worst, 1]:.2f} m)"
    return text + "."
