"""One frame of following, by itself."""

from __future__ import annotations

from motionfields.control.root_motion import RootMotion
from motionfields.field import MotionField
from motionfields.runtime import Decision, DisplayPose, Followers
from motionfields.runtime.follower import pivot_about
from motionfields.runtime.planters import crowd_planter
from motionfields.runtime.stepping import FOLLOW, SHOW, Stepper


def follow(
    field: MotionField,
    root_motion: RootMotion,
    followers: Followers,
    decision: Decision,
    *,
    half_lives: tuple[float, float],
) -> tuple[Followers, DisplayPose]:
    """The characters one frame on, having done as the `decision` says, and what they show; nothing given is changed."""
    after, count = followers.copy(), len(followers.state)
    if decision.pivot is not None:
        pivot_about(field.database, after, decision.pivot)
    stepper = Stepper(field, root_motion, half_lives, crowd_planter(field), policy=None, count=count)
    told = (decision.states[:, 0], decision.variant, decision.spin, decision.stretch)
    for mine, chosen in zip(stepper.chosen, told, strict=True):
        mine[:] = chosen
    shown = DisplayPose.blank(count, field.database.skeleton.joint_count)
    stepper.run(FOLLOW | SHOW, after, shown)
    return after, shown
