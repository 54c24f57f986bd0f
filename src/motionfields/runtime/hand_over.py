"""Hand-over of characters to a controller with other data."""

from __future__ import annotations

import numpy as np

from motionfields.base.errors import SkeletonError
from motionfields.control.contract import Controller, Observation
from motionfields.control.followers import Followers, followers_from
from motionfields.control.tasks import Ground
from motionfields.field.database import MotionDatabase, MotionState

CANDIDATES = 8  # nearest states considered in a hand-over to other data; the one of highest value is used
SAME_BONES = 1e-4  # metres: skeletons whose bones differ by at most this count as equal


def nearest_followers(controller: Controller, displayed: MotionState) -> Followers:
    """Return followers that display `displayed` [n], each at the near state of highest state value.

    If the controller has no state values, the nearest state is used.
    """
    database, count = controller.field.database, len(displayed.pose.root_position)
    near = controller.field.neighbors(displayed, min(CANDIDATES, len(controller.field.findable))).indices
    nearest = followers_from(database, displayed, near[:, 0])
    facing = nearest.yaw + controller.root_motion.facing[nearest.state]
    straight = np.zeros((count, len(controller.task.command_names)))
    params = controller.task.params(straight, Ground(nearest.position, facing))
    best, values = nearest.state, np.full(count, -np.inf)
    for column in near.T:
        followers = followers_from(database, displayed, column)
        seen = Observation.of(database, followers, controller.initial_state(count), params)
        worth = controller.state_values(seen)
        if worth is None:
            return nearest
        better = worth > values
        best, values = np.where(better, column, best), np.where(better, worth, values)
    return followers_from(database, displayed, best)


def check_same_body(ours: MotionDatabase, theirs: MotionDatabase) -> None:
    """Raise `SkeletonError` unless characters of one database can continue in the other."""
    if not ours.skeleton.matches(theirs.skeleton, tolerance=SAME_BONES):
        raise SkeletonError("controller: expected one for the skeleton of this crowd; retarget its motion first")
    if abs(ours.frame_time - theirs.frame_time) > 1e-9:
        raise SkeletonError(
            f"controller: expected motion at {1.0 / ours.frame_time:g} frames/s, as in this crowd, "
            f"got {1.0 / theirs.frame_time:g}"
        )
