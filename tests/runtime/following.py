"""One frame of following, by itself."""

from __future__ import annotations

from motionfields.control.root_motion import Moves
from motionfields.field import MotionField
from motionfields.runtime import Followers, Shown, Steps
from motionfields.runtime.crowd import crowd_planter
from motionfields.runtime.follower import pivot_about
from motionfields.runtime.stepping import FOLLOW, SHOW, Stepper


def follow(
    field: MotionField, moves: Moves, followers: Followers, steps: Steps, *, half_lives: tuple[float, float]
) -> tuple[Followers, Shown]:
    """The characters one frame on, having gone the `steps`, and what they show; nothing given is changed."""
    after, count = followers.copy(), len(followers.row)
    if steps.pivot is not None:
        pivot_about(field.database, after, steps.pivot)
    stepper = Stepper(field, moves, half_lives, crowd_planter(field), policy=None, count=count)
    for mine, chosen in zip(stepper.steps[:4], steps[:4], strict=True):
        mine[:] = chosen
    shown = Shown.blank(count, field.database.skeleton.joint_count)
    stepper.run(FOLLOW | SHOW, after, shown)
    return after, shown
