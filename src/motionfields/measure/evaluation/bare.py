"""Lower limit on the time of a crowd's frame: only its memory traffic and its unavoidable multiplications.

No decision is made, no joint is bent and no foot is locked here. The time a frame takes beyond this limit is spent on
decisions, trigonometry, branches and access order.
"""

from __future__ import annotations

import math

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.compiled import lean_kernel, parallel_kernel, prange
from motionfields.base.geometry.vectors import multiply, put, quat_of, rotate
from motionfields.control.followers import JOINTS, Followers
from motionfields.control.policy import AHEAD, LEFT, OUTLINE_SIZE, ROUGHNESS, TURN, PolicyTable, label_of
from motionfields.control.tasks.compiled import CompiledTask, outcome
from motionfields.control.transitions import BLOCKED
from motionfields.motion.planting import PlantingState
from motionfields.runtime.follower import DisplayPose, MotionTables

LEG_PRODUCTS = 40  # quaternion products and vector rotations that locking two feet takes


@parallel_kernel
def bare_frame(
    table: PolicyTable,
    tables: MotionTables,
    followers: Followers,
    planting: PlantingState,
    shown: DisplayPose,
    sums: FloatArray,
) -> None:
    """Touch the memory of one frame of all `followers` [n]; writing `sums` [n] keeps the compiler from removing it."""
    for i in prange(len(followers.state)):
        sums[i] = _bare_decision(table, followers.state[i]) + _bare_motion(tables, followers, planting, shown, i)


@lean_kernel
def read_lists(table: PolicyTable, rows: IntArray, sums: FloatArray) -> None:
    """Read the transitions of the states `rows` [n] and their costs, without the data of the target states."""
    for i in range(len(rows)):
        total = 0.0
        # The product uses both arrays, so that the compiler can drop neither read.
        for transition in range(table.states.shape[1]):
            total += table.states[rows[i], transition] * table.costs[rows[i], transition, 0, 0]
        sums[i] = total


@lean_kernel
def rate_actions(
    table: PolicyTable, task: CompiledTask, rows: IntArray, params: FloatArray, after: FloatArray, sums: FloatArray
) -> None:
    """Write the best reward minus cost [n] over the transitions of the states `rows` [n] to `sums`.

    Same work as `policy.choose` except for the value lookup.
    """
    for i in range(len(rows)):
        heading = (math.sin(params[i, 0]), math.cos(params[i, 0]))
        targets, costs = table.states[rows[i]], table.costs[rows[i]]
        best = -np.inf  # best reward minus cost so far
        for transition in range(len(targets)):
            outline = table.outlines[targets[transition]]
            velocity, label = (outline[LEFT], outline[AHEAD]), label_of(table, targets[transition])
            for variant in range(costs.shape[2]):
                # Added in float32, as in `policy.choose`, so that both compare the same numbers with BLOCKED.
                cost = costs[transition, 0, variant] + np.float32(outline[ROUGHNESS])
                if cost >= BLOCKED:
                    continue
                turn = outline[TURN + variant]
                reward = outcome(task, params[i], heading, turn, velocity, table.frame_time, after, label)
                if reward - cost > best:
                    best = reward - cost
        sums[i] = best


@lean_kernel
def _bare_decision(table: PolicyTable, state: int) -> float:
    # Reads the arrays that `policy.choose` reads: outlines, two neighbouring grid values per transition, and costs.
    targets, costs = table.states[state], table.costs[state]
    node_count = table.values.shape[1]
    best = -np.inf
    for transition in range(len(targets)):
        outline, values = table.outlines[targets[transition]], table.values[targets[transition] + 1]
        worth = 0.0
        for c in range(OUTLINE_SIZE):
            worth += outline[c] * outline[0]
        # A different node per transition, so that the reads are spread over the grid as in a real decision.
        node = (17 * transition) % (node_count - 1)
        worth += table.discount * values[node] + table.goal_change * values[node + 1] - costs[transition, 0, 0]
        best = max(best, worth)
    return best


@lean_kernel
def _bare_motion(
    tables: MotionTables, followers: Followers, planting: PlantingState, shown: DisplayPose, i: int
) -> float:
    state = followers.state[i]
    offset, rate, rotations = followers.offset[i], followers.offset_rate[i], shown.rotations[i]
    # The springs that decay the offsets, with the arithmetic of `damp`.
    for part in range(len(offset)):
        for c in range(3):
            push = rate[part, c] + tables.stiffness * offset[part, c]
            rate[part, c] = tables.decay * (rate[part, c] - tables.stiffness * push * tables.frame_time)
            offset[part, c] = tables.decay * (offset[part, c] + push * tables.frame_time)
    total = 0.0
    # Two quaternion products per joint stand in for interpolation and offset; a small-angle quaternion avoids
    # trigonometry.
    for joint in range(tables.joint_rotations.shape[1]):
        old, new = tables.joint_rotations[state, joint], tables.joint_rotations[state + 1, joint]
        turns = tables.joint_turns[state, joint]
        small = offset[JOINTS + joint]
        turned = multiply((1.0, small[0], small[1], small[2]), quat_of(new))
        turned = multiply(turned, quat_of(old))
        total += turns[0] + turns[1] + turns[2]
        put(turned, rotations[joint + 1])
    return total + _bare_planting(planting, rotations, i)


@lean_kernel
def _bare_planting(planting: PlantingState, rotations: FloatArray, i: int) -> float:
    total = 0.0
    # For each foot: read its recent poses, offsets and anchor, then do its half of the products.
    for side in range(2):
        for kept in range(planting.animated.shape[2]):
            for c in range(planting.animated.shape[3]):
                total += planting.animated[i, side, kept, c]
            for c in range(planting.shown.shape[3]):
                total += planting.shown[i, side, kept, c] * planting.fade[i, side, kept, c]
        for c in range(4):
            total += planting.anchor[i, side, c]
        for product in range(LEG_PRODUCTS // 2):
            total += _product(rotations[product % len(rotations)])
    return total


@lean_kernel
def _product(rotation: FloatArray) -> float:
    # One rotated vector and one quaternion product; the second depends on the first, as along a chain of joints.
    turn = quat_of(rotation)
    moved = rotate(turn, (turn[1], turn[2], turn[0]))
    turned = multiply(turn, (turn[0], moved[0], moved[1], moved[2]))
    return turned[0] + turned[1] + turned[2] + turned[3]
