"""Explanations of past decisions: recomputes a decision from the observation it was based on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_rotate
from motionfields.field import similarity_weights
from motionfields.runtime import Controller, DisplayPose, Observation
from motionfields.studio.history import Decided
from motionfields.studio.live import state_between
from motionfields.studio.messages import ROTATION_UNIT, Action, Ghosts, Neighbor, Reasons

ACTION_COUNT = 15  # best actions to report
HEADING_COUNT = 72  # goal directions to report state values for


def reasons(number: int, character: int, decided: Decided, recent: tuple[DisplayPose, DisplayPose]) -> Reasons:
    """Return the reasons for the decision of `character` that led to the frame `number`, recorded in `decided`.

    `recent` holds the displayed poses in the previous frame and in this one. Both are of that character alone.
    """
    controller, seen = decided.controller, decided.seen
    followers, params = seen.followers, seen.params
    action_values = controller.action_values(seen)
    scores = action_values.scores[0]
    open_count = int(np.isfinite(scores).sum())
    best = np.argsort(-scores, axis=None, kind="stable")[: min(ACTION_COUNT, open_count)]
    transition, best_variant = np.unravel_index(best, scores.shape)
    states = action_values.states[0, transition]
    features, spacing = controller.field.database.features, controller.field.spacing.median
    distances = np.linalg.norm(features[states] - features[followers.state], axis=-1) / spacing
    tables = (action_values.rewards[0], action_values.costs[0], action_values.futures[0], scores)
    columns = [states, best_variant, distances, *(table[transition, best_variant] for table in tables)]
    actions = [Action(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]
    neighbors = _neighbors(controller, recent)
    headings, values = _values(controller, seen)
    here = (followers.position, followers.yaw)
    return Reasons(
        number=number,
        character=character,
        state=int(followers.state[0]),
        variant=int(followers.variant[0]),
        chosen=int(decided.chosen[0]),
        chosen_variant=int(decided.chosen_variant[0]),
        params=params[0].tolist(),
        param_names=[axis.name for axis in controller.task.axes],
        neighbors=neighbors,
        action_count=open_count,
        actions=actions,
        headings=headings,
        values=values,
        neighbor_ghosts=_ghosts(controller, np.array([neighbor.state for neighbor in neighbors]), *here),
        action_ghosts=_ghosts(controller, states + 1, *_moved(controller, states, best_variant, *here)),
    )


def packed_rotations(rotations: FloatArray) -> bytes:
    """Pack rotations [..., 4] wxyz as int16 bytes, with 1.0 as `ROTATION_UNIT`."""
    return np.round(rotations * ROTATION_UNIT).astype("<i2").tobytes()


def packed_roots(root_position: FloatArray) -> bytes:
    """Pack root positions [n, 3] in metres as float64 bytes."""
    return root_position.astype("<f8").tobytes()


def _neighbors(controller: Controller, recent: tuple[DisplayPose, DisplayPose]) -> list[Neighbor]:
    """Return the database states nearest to the displayed state of the character, with similarity weights (eq. 2)."""
    field = controller.field
    found = field.neighbors(state_between(*recent, slice(0, 1)))
    weights = similarity_weights(found.distances)[0]
    distances = found.distances[0] / field.spacing.median
    return [
        Neighbor(int(state), float(distance), float(weight))
        for state, distance, weight in zip(found.indices[0], distances, weights, strict=True)
    ]


def _values(controller: Controller, seen: Observation) -> tuple[list[float], list[float]]:
    """Return `HEADING_COUNT` goal directions and the state value for each, all other parameters unchanged.

    `seen` is the observation of one character. Both lists are empty if the task has no direction or the controller no
    state values.
    """
    turning = next((number for number, axis in enumerate(controller.task.axes) if axis.wraps), None)
    if turning is None:
        return [], []
    headings = np.linspace(-np.pi, np.pi, HEADING_COUNT, endpoint=False)
    asked = np.repeat(seen.params, HEADING_COUNT, axis=0)
    asked[:, turning] = headings
    everywhere = np.zeros(HEADING_COUNT, np.int64)
    values = controller.state_values(replace(seen.take(everywhere), params=asked))
    return ([], []) if values is None else (headings.tolist(), values.tolist())


def _moved(
    controller: Controller, states: IntArray, variants: IntArray, position: FloatArray, yaw: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the positions [n, 2] and yaws [n] after following `states` [n] by `variants` [n] for a frame."""
    steps = quat_rotate(
        np.broadcast_to(quat_from_yaw(yaw), (len(states), 4)),
        controller.field.database.root_step[states].astype(np.float64),
    )
    return position + steps[:, ::2], yaw + controller.root_motion.yaw_turn[states, variants]


def _ghosts(controller: Controller, states: IntArray, position: FloatArray, yaw: FloatArray) -> Ghosts:
    """Return the poses of `states` [n], placed at `position` [n or 1, 2] and turned by `yaw` [n or 1]."""
    pose = controller.field.database.poses(states)
    pose.root_position[:, ::2] = position
    turned = quat_multiply(np.broadcast_to(quat_from_yaw(yaw), (len(states), 4)), pose.root_rotation.astype(np.float64))
    rotations = np.concatenate([turned[:, np.newaxis], pose.joint_rotations], axis=1)
    return Ghosts(packed_roots(pose.root_position), packed_rotations(rotations))
