"""Tables of futures: where a character will be over the next two seconds, for every state and many commands.

A trained policy is deterministic. So one can roll it out once from every database state, under every heading and speed
of a small set, and keep the places. Steering then needs no model of how a body moves: it looks up motion that will
happen, and checks its distance to obstacles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from typing import Any, Final

import numpy as np

from motionfields.authoring.worlds.footing import Footing
from motionfields.authoring.worlds.rolling import (
    HEADINGS,
    NODES,
    PLANS,
    SAMPLE_SECONDS,
    SAMPLES,
    SPEED_COUNT,
    Rules,
    decide_all,
    nearest_nodes,
    plan_commands,
    roll_all,
)
from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.checks import check_array, check_indices, checked_count, checked_number, checked_numbers
from motionfields.base.errors import INVALID, ArtifactError, MotionError, invalid_reason
from motionfields.base.geometry import turn_over_ground
from motionfields.control.contract import Controller
from motionfields.control.policy import Policy
from motionfields.control.tasks import Velocity
from motionfields.control.tasks.compiled import VELOCITY

VERSION: Final = 1
LONGEST_STEP: Final = 10.0  # metres between two samples
SLOWEST, FASTEST = 0.02, 1e3  # m/s, bounds of the top speed
DIGITS: Final = 64  # of a SHA-256
CHUNK: Final = 512  # states between two reports of progress
DECIDING: Final = 0.2  # share of the work before the first future

OnProgress = Callable[[float], None]
"""Function of the share that is done, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Futures:
    """Places of a character over the next seconds, for every state and plan, as the policy of one controller moves it.

    A plan is one command that is kept: number 0 is to stand, the others are `commands` [plan, 2], the heading in
    radians to the left of the facing and the speed in m/s. Steps between places are int8 multiples of `unit`, rounded
    such that errors do not add up: each coordinate of a place is within half a unit of the policy's.
    """

    steps: IntArray  # [state, plan, sample, 2], int8, in units, to the left and ahead of the first facing
    unit: float  # metres
    every: int  # frames between two samples
    frame_time: float  # seconds
    top: float  # m/s, top speed
    policy_digest: str  # SHA-256 of the policy that the futures belong to, as hex digits

    def __post_init__(self) -> None:
        check_array("steps", self.steps, np.int8, (None, PLANS, SAMPLES, 2))
        if not len(self.steps):
            raise ValueError("steps: expected at least one state")
        if not self.steps.flags.c_contiguous:
            raise ValueError("steps: expected a contiguous array")
        checked_number("unit", self.unit, 1e-6, LONGEST_STEP / 127.0)
        checked_count("every", self.every, 1)
        checked_number("frame_time", self.frame_time, 1e-4, 1.0)
        checked_number("top", self.top, SLOWEST, FASTEST)
        digest = self.policy_digest
        if not isinstance(digest, str) or len(digest) != DIGITS or set(digest) - set("0123456789abcdef"):
            raise ValueError(f"policy_digest: expected {DIGITS} hex digits, got {digest!r:.80}")
        object.__setattr__(self, "steps", read_only(self.steps))

    @classmethod
    def of(cls, controller: Controller, *, on_progress: OnProgress = lambda share: None) -> Futures:
        """Return the futures of all states of `controller`, which must have the task `Velocity` and a policy.

        `on_progress` is called with the share that is done, from 0 to 1.
        """
        policy = _velocity_policy(controller)
        frame_time = controller.field.database.frame_time
        every = max(1, round(SAMPLE_SECONDS / frame_time))
        steps, unit = quantised(rolled_places(controller, Footing.of(controller), every, on_progress))
        return cls(steps, unit, every, frame_time, _top_of(policy), policy_digest(policy))

    @property
    def state_count(self) -> int:
        """Number of states."""
        return len(self.steps)

    @property
    def sample_seconds(self) -> float:
        """Seconds between two samples."""
        return self.every * self.frame_time

    @property
    def seconds(self) -> float:
        """Seconds from now to the last sample."""
        return SAMPLES * self.sample_seconds

    @property
    def commands(self) -> FloatArray:
        """The commands [plan, 2] of the plans: heading in radians to the left of the facing, speed in m/s."""
        return plan_commands(self.top)

    def places(self, states: IntArray, plans: IntArray) -> FloatArray:
        """Return the places [..., sample, 2] in metres, to the left and ahead, of `plans` [...] from `states` [...]."""
        states = check_indices("states", states, self.state_count)
        states, plans = np.broadcast_arrays(states, check_indices("plans", plans, self.steps.shape[1]))
        return np.asarray(self.unit * np.cumsum(self.steps[states, plans], axis=-2, dtype=np.float64))

    def in_world(self, states: IntArray, plans: IntArray, position: FloatArray, facing: FloatArray) -> FloatArray:
        """Return the places [n, sample, 2], world x and z, of characters [n] at `position` [n, 2] and `facing` [n]."""
        places = self.places(states, plans)
        position = checked_numbers("position", position, shape=(len(places), 2))
        facing = checked_numbers("facing", facing, shape=(len(places),))
        return position[:, np.newaxis] + turn_over_ground(places, facing[:, np.newaxis])

    def nearest_plan(self, heading: FloatArray, speed: FloatArray) -> IntArray:
        """Return the plans [...] nearest to `heading` [...], radians left of the facing, and `speed` [...] in m/s."""
        heading, speed = checked_numbers("heading", heading), checked_numbers("speed", speed)
        commands = self.commands
        number = np.round(heading * HEADINGS / (2.0 * np.pi)).astype(np.int64) + HEADINGS // 2
        speeds = np.concatenate([[0.0], commands[1::HEADINGS, 1]])
        which = np.abs(speed[..., np.newaxis] - speeds).argmin(axis=-1)
        return np.where(which == 0, 0, 1 + (which - 1) * HEADINGS + number % HEADINGS)

    def check_controller(self, controller: Controller) -> None:
        """Raise ValueError unless these are the futures of `controller`."""
        if policy_digest(_velocity_policy(controller)) != self.policy_digest:
            raise ValueError("futures: expected those of this controller; make them with Futures.of(controller)")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the futures to the file `path`, by convention .futures, in one step."""
        facts: dict[str, Any] = {
            "unit": self.unit,
            "every": self.every,
            "frame_time": self.frame_time,
            "top": self.top,
            "policy": self.policy_digest,
        }
        write_artifact(path, kind="futures", version=VERSION, arrays={"steps": self.steps}, facts=facts)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Futures:
        """Return the futures in the file `path`; raises `ArtifactError` if it is damaged or of another kind."""
        artifact = read_artifact(path, kind="futures", newest_version=VERSION)
        facts: dict[str, Any] = dict(artifact.facts)
        try:
            steps = artifact.array("steps", dtype=np.int8, shape=(None, PLANS, SAMPLES, 2))
            numbers = (facts["unit"], facts["every"], facts["frame_time"], facts["top"])
            return cls(steps, *numbers, policy_digest=facts["policy"])
        except INVALID as error:
            raise ArtifactError(f"holds invalid futures: {invalid_reason(error)}", path=str(path)) from None


def decisions(controller: Controller, on_progress: OnProgress = lambda share: None) -> IntArray:
    """Return the state and variant [state, speed, node, 2], int32, that the policy chooses, without memory."""
    policy = _velocity_policy(controller)
    decided = np.empty((controller.field.database.state_count, SPEED_COUNT, len(NODES), 2), np.int32)
    speeds = plan_commands(_top_of(policy))[::HEADINGS, 1]
    for start in range(0, len(decided), CHUNK):
        on_progress(start / len(decided))
        decide_all(policy.table, policy.grid, policy.task, NODES, speeds, start, decided[start : start + CHUNK])
    return decided


def rolled_places(
    controller: Controller, footing: Footing, every: int, on_progress: OnProgress = lambda share: None
) -> FloatArray:
    """Return the places [state, plan, sample, 2] in metres, float32, of all futures, one sample in `every` frames."""
    policy, database = _velocity_policy(controller), controller.field.database
    commands = plan_commands(_top_of(policy))
    decided = decisions(controller, lambda share: on_progress(DECIDING * share))
    places = np.empty((database.state_count, PLANS, SAMPLES, 2), np.float32)
    rules = Rules(
        policy.table,
        policy.grid,
        policy.task,
        decided,
        nearest_nodes(),
        footing,
        read_only(controller.root_motion.facing),
        np.arange(database.state_count) - database.clip_starts[database.clip_of],
        every,
    )
    for start in range(0, len(places), CHUNK):
        on_progress(DECIDING + (1.0 - DECIDING) * start / len(places))
        roll_all(*rules, commands, start, places[start : start + CHUNK])
    return places


def quantised(places: FloatArray) -> tuple[IntArray, float]:
    """Return the steps [..., sample, 2] between `places` [..., sample, 2] as int8, and their unit in metres.

    A step starts where the rounded steps before it end, so that rounding errors do not add up.
    """
    first = np.zeros_like(places[..., :1, :])
    largest = float(np.abs(np.diff(places, axis=-2, prepend=first)).max(initial=0.0))
    if largest > LONGEST_STEP:
        raise MotionError(
            f"a character moves {largest:.3g} m between two samples, at most {LONGEST_STEP:g} are allowed"
        )
    unit = max(largest / 126.0, 1e-4)  # 126: room for the rounding of the step before
    whole = np.rint(places / np.float32(unit)).astype(np.int16)
    return np.diff(whole, axis=-2, prepend=first.astype(np.int16)).astype(np.int8), unit


def policy_digest(policy: Policy) -> str:
    """Return the SHA-256 of all numbers of `policy`, as hex digits."""
    digest = hashlib.sha256()
    for part in (policy.table, policy.grid, policy.task):
        for value in part:
            array = np.ascontiguousarray(value)
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(array.view(np.uint8).data if array.ndim else array.tobytes())
    return digest.hexdigest()


def _top_of(policy: Policy) -> float:
    """Return the top speed in m/s of a velocity policy."""
    return float(policy.grid.nodes[1, policy.grid.counts[1] - 1])


def _velocity_policy(controller: Controller) -> Policy:
    """Return the compiled policy of `controller`; ValueError unless its task is `Velocity`."""
    policy = controller.policy
    if policy is None or policy.task.kind != VELOCITY:
        task = type(controller.task).__name__
        raise ValueError(f"controller: expected a field controller for {Velocity.__name__}, got one for {task}")
    return policy
