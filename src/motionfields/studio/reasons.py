"""Why a character went on as it did: its decision worked out again, from what it knew then."""

from __future__ import annotations

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.geometry import quat_from_yaw, quat_multiply, quat_rotate
from motionfields.field import similarity_weights
from motionfields.runtime import Controller, Followers, Mind, Shown
from motionfields.studio.history import Decision
from motionfields.studio.live import state_between
from motionfields.studio.messages import ROTATION_UNIT, Action, Ghosts, Neighbor, Reasons

ACTION_COUNT = 15  # the best ones are told
HEADING_COUNT = 72  # for which the value is told


def reasons(number: int, character: int, decision: Decision, recent: tuple[Shown, Shown]) -> Reasons:
    """Why `character` went on as it did in the frame `number`, by the `decision` that led to it.

    `recent` are the poses of all characters in the frame before and in this one.
    """
    controller = decision.controller
    one = slice(character, character + 1)
    followers, params = decision.followers.take(one), decision.params[one]
    mind = tuple(track[one] for track in decision.mind)
    outlook = controller.outlook(followers, mind, params)
    scores = outlook.scores[0]
    open_count = int(np.isfinite(scores).sum())
    best = np.argsort(-scores, axis=None, kind="stable")[: min(ACTION_COUNT, open_count)]
    choice, best_way = np.unravel_index(best, scores.shape)
    rows = outlook.rows[0, choice]
    features, spacing = controller.field.database.features, controller.field.spacing.median
    distances = np.linalg.norm(features[rows] - features[followers.row], axis=-1) / spacing
    tables = (outlook.rewards[0], outlook.costs[0], outlook.futures[0], scores)
    columns = [rows, best_way, distances, *(table[choice, best_way] for table in tables)]
    actions = [Action(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]
    neighbors = _neighbors(controller, character, recent)
    headings, values = _values(controller, followers, mind, params)
    here = (followers.position, followers.yaw)
    return Reasons(
        number=number,
        character=character,
        row=int(followers.row[0]),
        way=int(followers.way[0]),
        chosen=int(decision.chosen[character]),
        chosen_way=int(decision.chosen_way[character]),
        params=params[0].tolist(),
        param_names=[axis.name for axis in controller.task.axes],
        neighbors=neighbors,
        action_count=open_count,
        actions=actions,
        headings=headings,
        values=values,
        neighbor_ghosts=_ghosts(controller, np.array([neighbor.row for neighbor in neighbors]), *here),
        action_ghosts=_ghosts(controller, rows + 1, *_moved(controller, rows, best_way, *here)),
    )


def packed_rotations(rotations: FloatArray) -> bytes:
    """Rotations [..., 4] as the page wants them."""
    return np.round(rotations * ROTATION_UNIT).astype("<i2").tobytes()


def packed_roots(root_position: FloatArray) -> bytes:
    """Places of roots [n, 3] as the page wants them."""
    return root_position.astype("<f8").tobytes()


def _neighbors(controller: Controller, character: int, recent: tuple[Shown, Shown]) -> list[Neighbor]:
    """The states of the data most like what the character did between two frames, with their weights (eq. 2)."""
    field = controller.field
    found = field.neighbors(state_between(*recent, slice(character, character + 1)))
    weights = similarity_weights(found.distances)[0]
    distances = found.distances[0] / field.spacing.median
    return [
        Neighbor(int(row), float(distance), float(weight))
        for row, distance, weight in zip(found.indices[0], distances, weights, strict=True)
    ]


def _values(
    controller: Controller, followers: Followers, mind: Mind, params: FloatArray
) -> tuple[list[float], list[float]]:
    """The value of the state that the one character was at, for goals in all directions and all else as it was."""
    turning = next((number for number, axis in enumerate(controller.task.axes) if axis.wraps), None)
    if turning is None:
        return [], []
    headings = np.linspace(-np.pi, np.pi, HEADING_COUNT, endpoint=False)
    asked = np.repeat(params, HEADING_COUNT, axis=0)
    asked[:, turning] = headings
    everywhere = np.zeros(HEADING_COUNT, np.int64)
    values = controller.prospects(followers.take(everywhere), tuple(track[everywhere] for track in mind), asked)
    return ([], []) if values is None else (headings.tolist(), values.tolist())


def _moved(
    controller: Controller, rows: IntArray, ways: IntArray, position: FloatArray, yaw: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where following `rows` [n] by `ways` [n] for a frame leads from one place: positions [n, 2] and yaws [n]."""
    steps = quat_rotate(
        np.broadcast_to(quat_from_yaw(yaw), (len(rows), 4)),
        controller.field.database.root_step[rows].astype(np.float64),
    )
    return position + steps[:, ::2], yaw + controller.moves.yaw_turn[rows, ways]


def _ghosts(controller: Controller, rows: IntArray, position: FloatArray, yaw: FloatArray) -> Ghosts:
    """The poses of the states `rows` [n] at `position` [n or 1, 2], facing as `yaw` [n or 1] says."""
    pose = controller.field.database.poses(rows)
    pose.root_position[:, ::2] = position
    turned = quat_multiply(np.broadcast_to(quat_from_yaw(yaw), (len(rows), 4)), pose.root_rotation.astype(np.float64))
    rotations = np.concatenate([turned[:, np.newaxis], pose.joint_rotations], axis=1)
    return Ghosts(packed_roots(pose.root_position), packed_rotations(rotations))
