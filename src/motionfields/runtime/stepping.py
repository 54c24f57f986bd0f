"""One frame of a crowd in one compiled loop: each character decides, moves, is shown and has its feet held.

Threads share out the characters, and each is done from beginning to end before the next, while what it needs is near.
No character sees another, so bits do not depend on how many there are or on how many threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numba import config, get_num_threads, prange, set_num_threads
from numba.np.ufunc.parallel import get_thread_id

from motionfields.base.arrays import BoolArray, FloatArray, IntArray, read_only
from motionfields.base.compiled import kernel, lean_kernel, parallel_kernel
from motionfields.control.followers import Followers
from motionfields.control.grids import Grid
from motionfields.control.policy import OwnDecision, Policy, PolicyTable, choose
from motionfields.control.root_motion import RootMotion
from motionfields.control.tasks.compiled import CompiledTask
from motionfields.field import MotionField
from motionfields.motion.planting import FootPlanter, PlantingState
from motionfields.motion.planting.kernel import plant_character
from motionfields.motion.planting.limb import Rig
from motionfields.motion.planting.settings import Numbers
from motionfields.motion.planting.state import ANIMATED_COUNT
from motionfields.runtime.follower import DisplayPose, MotionTables, follow, show

DECIDE, FOLLOW, SHOW, PLANT = 1, 2, 4, 8
"""Stages of a frame, to be added up."""
NO_PARAMS = np.zeros((0, 0))
FEWEST_CHARACTERS = 32  # that are worth a thread: fewer are done before it has woken up


class Standing(NamedTuple):
    """How sure it is that feet stand, and what holding them did."""

    votes: FloatArray  # [state, 2], how sure it is that each foot stands, read-only
    shift: FloatArray  # [n, 3], metres that it moved each root in the last frame


class Detail(NamedTuple):
    """How much care each character gets."""

    every: IntArray  # [n], frames from one decision to the next
    plants: BoolArray  # [n], whether its feet are held


class Scratch(NamedTuple):
    """Memory that each thread writes to."""

    after: FloatArray  # [thread, axis]
    shares: FloatArray  # [thread, axis], float32
    worlds: FloatArray  # [thread, joint, 4]
    feet: FloatArray  # [thread, 2, ANIMATED_COUNT]
    reached: BoolArray  # [thread, 2]


class Stepper:
    """What takes `count` characters through frames, in place; without a `policy` their controller decides itself."""

    def __init__(
        self,
        field: MotionField,
        root_motion: RootMotion,
        half_lives: tuple[float, float],
        planter: FootPlanter,
        *,
        policy: Policy | None,
        count: int,
    ) -> None:
        database = field.database
        self.planting = planter.start(count)
        self.standing = Standing(read_only(field.state_votes), np.zeros((count, 3)))
        self._planter = planter
        self.detail = Detail(np.ones(count, np.int64), np.ones(count, np.bool_))
        # What characters follow: state, variant, spin and stretch, as in a `Decision`.
        self.chosen = (np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count), np.ones(count))
        self.tables = MotionTables.of(database, root_motion, half_lives)
        self._frames_left = read_only(database.frames_left)
        self._policy = Policy.none() if policy is None else policy
        axis_count, thread_count = len(self._policy.grid.steps), int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
        self._scratch = Scratch(
            np.empty((thread_count, axis_count)),
            np.empty((thread_count, axis_count), np.float32),
            np.empty((thread_count, database.skeleton.joint_count, 4)),
            np.empty((thread_count, 2, ANIMATED_COUNT)),
            np.empty((thread_count, 2), np.bool_),
        )

    def restart_planting(self, characters: IntArray) -> None:
        """Forget what the feet of `characters` did, as after a jump to another place."""
        self.planting.restart(characters)
        self.standing.shift[characters] = 0.0

    def take_over(self, other: Stepper) -> None:
        """Go on with the feet and the care of the characters of `other`, as far as there are as many."""
        kept = min(len(self.standing.shift), len(other.standing.shift))
        pairs = ((self.planting, other.planting), (self.detail, other.detail))
        for mine, its in pairs:
            for track, old in zip(mine, its, strict=True):
                track[:kept] = old[:kept]
        self.standing.shift[:kept] = other.standing.shift[:kept]

    def plant(self, followers: Followers, shown: DisplayPose, votes: FloatArray) -> None:
        """Lock the feet of what is `shown` [n], in place, where the contact votes [n, 2] say that they stand."""
        usual = self.standing
        self.standing = Standing(read_only(np.ascontiguousarray(votes, dtype=usual.votes.dtype)), usual.shift)
        try:
            self.run(PLANT, followers._replace(state=np.arange(len(votes))), shown)
        finally:
            self.standing = usual

    def run(
        self,
        stages: int,
        followers: Followers,
        shown: DisplayPose,
        *,
        params: FloatArray = NO_PARAMS,
        frame: int = 0,
    ) -> None:
        """Take `followers` [n] and what is `shown` [n] of them through the `stages` of the frame number `frame`.

        `DECIDE` needs their task parameters `params` [n, axis] and fills `chosen`, which `FOLLOW` does.
        """
        if stages & DECIDE and self._policy.own is not None:
            self._decide_own(self._policy.own, followers, params, frame)
            stages &= ~DECIDE
        everything = (
            stages,
            frame,
            self.tables,
            self._frames_left,
            *self._policy[:3],
            self._planter.rig,
            self._planter.numbers,
            self.planting,
            self.standing,
            self.detail,
            params,
            self.chosen,
            followers,
            shown,
            self._scratch,
        )
        count = len(followers.state)
        with _threads_for(count) as threads:
            if threads <= 1:
                step_few(count, *everything)
            else:
                step_characters(*everything)

    def _decide_own(self, own: OwnDecision, followers: Followers, params: FloatArray, frame: int) -> None:
        """Let characters decide by a task of the user's own, and fill `chosen`."""
        count, yaw_turn = len(followers.state), self.tables.yaw_turn
        states, variants, spin, stretch = self.chosen
        due = ((frame + np.arange(count)) % self.detail.every == 0) | (self._frames_left[followers.state] < 1)
        read = (*self._policy[:3], due, followers.state, followers.variant, params, states, variants)
        with _threads_for(count) as threads:
            (own.few if threads <= 1 else own.many)(*read)
        spin[:], stretch[:] = yaw_turn[states, variants] - yaw_turn[states, 0], 1.0


@contextmanager
def _threads_for(count: int) -> Iterator[int]:
    """Use as many threads as `count` characters are worth, and give their number."""
    usual = get_num_threads()
    wanted = max(1, min(usual, count // FEWEST_CHARACTERS))
    set_num_threads(wanted)
    try:
        yield wanted
    finally:
        set_num_threads(usual)


# Compiles in a third of the time of `step_characters`, which whoever steers one character does not wait for.
@kernel
def step_few(count: int, *everything: Any) -> None:
    """Take `count` characters through the `stages` of a frame, on this thread; `everything` as `step_characters`."""
    for i in range(count):
        _step_character(i, 0, *everything)


@parallel_kernel
def step_characters(
    stages: int,
    frame: int,
    tables: MotionTables,
    frames_left: IntArray,
    table: PolicyTable,
    grid: Grid,
    task: CompiledTask,
    rig: Rig,
    numbers: Numbers,
    planting: PlantingState,
    standing: Standing,
    detail: Detail,
    params: FloatArray,
    steps: tuple[IntArray, IntArray, FloatArray, FloatArray],
    followers: Followers,
    shown: DisplayPose,
    scratch: Scratch,
) -> None:
    """Take all characters through the `stages` of a frame, on several threads."""
    for i in prange(len(followers.state)):
        # All in a function of its own: numba moves reads in the body of a `prange` ahead of writes that it cannot see.
        # Threads count without a sign; as it is, all of it would be compiled twice.
        _step_character(
            np.int64(i),  # type: ignore[arg-type]
            get_thread_id(),  # type: ignore[no-untyped-call]
            stages,
            frame,
            tables,
            frames_left,
            table,
            grid,
            task,
            rig,
            numbers,
            planting,
            standing,
            detail,
            params,
            steps,
            followers,
            shown,
            scratch,
        )


@lean_kernel
def _step_character(
    i: int,
    thread: int,
    stages: int,
    frame: int,
    tables: MotionTables,
    frames_left: IntArray,
    table: PolicyTable,
    grid: Grid,
    task: CompiledTask,
    rig: Rig,
    numbers: Numbers,
    planting: PlantingState,
    standing: Standing,
    detail: Detail,
    params: FloatArray,
    steps: tuple[IntArray, IntArray, FloatArray, FloatArray],
    followers: Followers,
    shown: DisplayPose,
    scratch: Scratch,
) -> None:
    """Take character `i` through the `stages` of a frame, with the memory of `thread`."""
    chosen, chosen_way, spin, stretch = steps
    if stages & DECIDE:
        row, variant = followers.state[i], followers.variant[i]
        if (frame + i) % detail.every[i] == 0 or frames_left[row] < 1:
            row, variant = choose(
                table, grid, task, row, variant, params[i], scratch.after[thread], scratch.shares[thread]
            )
        chosen[i], chosen_way[i] = row, variant
        spin[i], stretch[i] = tables.yaw_turn[row, variant] - tables.yaw_turn[row, 0], 1.0
    if stages & FOLLOW:
        follow(tables, followers, i, chosen[i], chosen_way[i], spin[i], stretch[i])
    if stages & SHOW:
        show(tables, followers, i, shown.root_position[i], shown.rotations[i])
    if stages & PLANT and detail.plants[i]:
        row = followers.state[i]
        plant_character(
            rig,
            numbers,
            planting,
            i,
            (standing.votes[row, 0], standing.votes[row, 1]),
            (scratch.worlds[thread], scratch.feet[thread]),
            shown.root_position[i],
            shown.rotations[i],
            standing.shift[i],
            scratch.reached[thread],
            False,
        )
        followers.position[i, 0] += standing.shift[i, 0]
        followers.position[i, 1] += standing.shift[i, 2]
