"""One frame of a crowd: each character decides, moves, is displayed and has its feet locked.

The C runtime does it where this installation has it (`native_step`); the loops below are its twins, compiled by numba.

Threads share the characters. Each character passes through all stages before the next one starts, while its data is in
the cache. Characters do not affect each other, so the bits do not depend on their number or on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from motionfields.base import native
from motionfields.base.arrays import BoolArray, FloatArray, IntArray, frozen, read_only
from motionfields.base.compiled import get_thread_id, kernel, lean_kernel, parallel_kernel, prange
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
from motionfields.runtime.native_step import FEWEST_CHARACTERS, NativeStep
from motionfields.runtime.tables import NativeTables, suit_library

DECIDE, FOLLOW, SHOW, PLANT = 1, 2, 4, 8
"""Stages of a frame, as bit flags."""
NO_PARAMS = np.zeros((0, 0))


class Standing(NamedTuple):
    """Contact votes of the states, and the root shifts of foot locking."""

    votes: FloatArray  # [state, 2], contact vote of each foot, 0 to 1, read-only
    shift: FloatArray  # [n, 3], metres by which foot locking moved each root in the last frame


class Detail(NamedTuple):
    """The level of detail of each character."""

    every: IntArray  # [n], frames from one decision to the next
    plants: BoolArray  # [n], whether its feet are locked


class Scratch(NamedTuple):
    """Scratch memory of each thread."""

    after: FloatArray  # [thread, axis]
    shares: FloatArray  # [thread, axis], float32
    worlds: FloatArray  # [thread, joint, 4]
    feet: FloatArray  # [thread, 2, ANIMATED_COUNT]
    reached: BoolArray  # [thread, 2]


class Stepper:
    """The compiled step of `count` characters, in place; without a `policy` their controller decides by itself."""

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
        self.planter = planter
        self.detail = Detail(np.ones(count, np.int64), np.ones(count, np.bool_))
        # The decision of each character: state, variant, spin and stretch, as in a `Decision`.
        self.chosen = (np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count), np.ones(count))
        self.tables = MotionTables.of(database, root_motion, half_lives)
        self._frames_left = read_only(database.frames_left)
        self._policy = Policy.none() if policy is None else policy
        self._native = self._native_step()

    def _native_step(self) -> NativeStep | None:
        """Return the C runtime for this crowd; None where there is none, or where it has no room for the tables."""
        library = native.library()
        if library is None or not suit_library(library, self._policy, self.tables, self.planter):
            return None
        return NativeStep(library, NativeTables(self._policy, self.tables, self.planter, self._frames_left))

    @cached_property
    def _scratch(self) -> Scratch:
        """The scratch memory of numba's threads."""
        from numba import config

        axis_count, thread_count = len(self._policy.grid.steps), int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
        return Scratch(
            np.empty((thread_count, axis_count)),
            np.empty((thread_count, axis_count), np.float32),
            np.empty((thread_count, len(self.planter.rig.parents), 4)),
            np.empty((thread_count, 2, ANIMATED_COUNT)),
            np.empty((thread_count, 2), np.bool_),
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy consists of; the C runtime's pointers and scratch memory are made anew."""
        return {name: part for name, part in self.__dict__.items() if name not in ("_native", "_scratch")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy; numpy copies read-only arrays as writeable ones, for which the loops are not compiled."""
        self.__dict__.update(state)
        self.standing = self.standing._replace(votes=read_only(self.standing.votes))
        self.tables = frozen(self.tables)
        self._frames_left = read_only(self._frames_left)
        table, grid, task, own = self._policy
        self._policy = Policy(frozen(table), frozen(grid), task, own)
        self._native = self._native_step()

    def restart_planting(self, characters: IntArray) -> None:
        """Reset foot locking for `characters`, for example after a jump to another place."""
        self.planting.restart(characters)
        self.standing.shift[characters] = 0.0

    def take_over(self, other: Stepper) -> None:
        """Copy foot locks and level of detail from `other` for the characters both crowds share."""
        kept = min(len(self.standing.shift), len(other.standing.shift))
        pairs = ((self.planting, other.planting), (self.detail, other.detail))
        for mine, its in pairs:
            for track, old in zip(mine, its, strict=True):
                track[:kept] = old[:kept]
        self.standing.shift[:kept] = other.standing.shift[:kept]

    def plant(self, followers: Followers, shown: DisplayPose, votes: FloatArray) -> None:
        """Lock the feet of the displayed poses `shown` [n], in place, where the contact `votes` [n, 2] are high."""
        usual = self.standing
        self.standing = Standing(read_only(np.ascontiguousarray(votes, dtype=usual.votes.dtype)), usual.shift)
        try:
            # Votes are looked up by state, so each character becomes the state of its own vote.
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
        """Run the `stages` of frame number `frame` for `followers` [n] and their displayed poses `shown` [n].

        `DECIDE` needs the task parameters `params` [n, axis] and fills `chosen`, which `FOLLOW` reads.
        """
        if stages & DECIDE and self._policy.own is not None:
            self._decide_own(self._policy.own, followers, params, frame)
            stages &= ~DECIDE
        if self._native is not None and self._run_native(self._native, stages, followers, shown, params, frame):
            return
        everything = (
            stages,
            frame,
            self.tables,
            self._frames_left,
            *self._policy[:3],
            self.planter.rig,
            self.planter.numbers,
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

    def _run_native(
        self, step: NativeStep, stages: int, followers: Followers, shown: DisplayPose, params: FloatArray, frame: int
    ) -> bool:
        """Run `stages` in the C runtime; return False if it cannot read the arrays."""
        frames, _, *feet = self.planting  # the second is the shift that other users of foot locking carry
        return step.run(
            stages,
            frame,
            followers,
            (frames, *feet),
            shown,
            self.standing.shift,
            *self.chosen,
            *self.detail,
            params,
            self.standing.votes,
        )

    def _decide_own(self, own: OwnDecision, followers: Followers, params: FloatArray, frame: int) -> None:
        """Let characters decide by the loop of a custom task, and fill `chosen`."""
        count, yaw_turn = len(followers.state), self.tables.yaw_turn
        states, variants, spin, stretch = self.chosen
        due = ((frame + np.arange(count)) % self.detail.every == 0) | (self._frames_left[followers.state] < 1)
        read = (*self._policy[:3], due, followers.state, followers.variant, followers.recent, params, states, variants)
        with _threads_for(count) as threads:
            (own.few if threads <= 1 else own.many)(*read)
        spin[:], stretch[:] = yaw_turn[states, variants] - yaw_turn[states, 0], 1.0


@contextmanager
def _threads_for(count: int) -> Iterator[int]:
    """Limit numba to a useful number of threads for `count` characters inside the block, and yield it."""
    from numba import get_num_threads, set_num_threads

    usual = get_num_threads()
    wanted = max(1, min(usual, count // FEWEST_CHARACTERS))
    set_num_threads(wanted)
    try:
        yield wanted
    finally:
        set_num_threads(usual)


# Compiles in a third of the time of `step_characters`, so a user with one character does not wait for that one.
@kernel
def step_few(count: int, *everything: Any) -> None:
    """Run the `stages` of a frame for `count` characters on this thread; `everything` as in `step_characters`."""
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
    """Run the `stages` of a frame for all characters, on several threads."""
    for i in prange(len(followers.state)):
        # The body is a function of its own, because numba moves reads inside a `prange` ahead of writes it cannot see.
        # The index of a `prange` is unsigned; without the cast the whole function would be compiled twice.
        _step_character(
            np.int64(i),  # type: ignore[arg-type]
            get_thread_id(),
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
    """Run the `stages` of a frame for character `i`, with the scratch memory of `thread`."""
    chosen, chosen_variant, spin, stretch = steps
    if stages & DECIDE:
        state, variant = followers.state[i], followers.variant[i]
        # Decisions are staggered over the characters to even out the load. At the end of a clip a character must
        # decide, because it has no next state.
        if (frame + i) % detail.every[i] == 0 or frames_left[state] < 1:
            state, variant = choose(
                table,
                grid,
                task,
                state,
                variant,
                followers.recent[i],
                params[i],
                scratch.after[thread],
                scratch.shares[thread],
            )
        chosen[i], chosen_variant[i] = state, variant
        spin[i], stretch[i] = tables.yaw_turn[state, variant] - tables.yaw_turn[state, 0], 1.0
    if stages & FOLLOW:
        follow(tables, followers, i, chosen[i], chosen_variant[i], spin[i], stretch[i])
    if stages & SHOW:
        show(tables, followers, i, shown.root_position[i], shown.rotations[i])
    if stages & PLANT and detail.plants[i]:
        state = followers.state[i]
        plant_character(
            rig,
            numbers,
            planting,
            i,
            (standing.votes[state, 0], standing.votes[state, 1]),
            (scratch.worlds[thread], scratch.feet[thread]),
            shown.root_position[i],
            shown.rotations[i],
            standing.shift[i],
            scratch.reached[thread],
            False,
        )
        followers.position[i, 0] += standing.shift[i, 0]
        followers.position[i, 1] += standing.shift[i, 2]
