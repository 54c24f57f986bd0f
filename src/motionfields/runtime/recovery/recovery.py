"""Recovery: disturbed characters decide from the state they display, and step to keep their balance.

Undisturbed characters are always at a database state, whose transitions are known. A push, a ball, `start_from` or a
hand-over leaves a character between the states. It is then searched for in every frame (`search`), and where the data
has no step that catches it, the landing place of its swing foot is moved (`landing`).
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.control.contract import Controller
from motionfields.control.controller import FieldController
from motionfields.control.followers import PLACE, Followers
from motionfields.field.database import MotionState, PoseDelta, apply_delta
from motionfields.motion.planting import PlantingState
from motionfields.runtime.follower import DisplayPose
from motionfields.runtime.physics.pushes import BLEND_FRAMES, Pushes
from motionfields.runtime.recovery.landing import SETTLED, Feet, FootNumbers, aim_feet, move_feet, return_feet
from motionfields.runtime.recovery.outline import Figure, placed_joints
from motionfields.runtime.recovery.search import find_candidates, rate_candidates
from motionfields.runtime.recovery.settings import Costs, RecoverySettings
from motionfields.runtime.recovery.sight import Fall, Past, Sight, blank_sight, direction_of_fall, measure_fall, see
from motionfields.runtime.recovery.tables import MotionRows, Outlines, measure_outlines
from motionfields.runtime.stepping import Stepper

NOBODY = np.zeros(0, np.int64)
LONG_AGO = 1 << 20  # frames
FIRM = 0.06  # seconds from the landing of a foot until the body's weight is on it
LEAST_CARRIED = 0.05  # share of the physics below which its velocity is not carried over


class Recovery:
    """The recovery of `count` characters of `controller`; it does nothing for a controller without a value function."""

    def __init__(self, controller: Controller, count: int, settings: RecoverySettings | None = None) -> None:
        self.controller = controller
        self.count = count
        self.settings = settings or RecoverySettings()
        self.feet = Feet.none(count)
        self._past = Past.none(count, controller.field.database.skeleton.joint_count)
        self._left = np.zeros(count, np.int64)  # frames that characters still recover from `begin`
        self._clock = np.full(count, LONG_AGO)  # frames since a disturbance began
        self._since = np.full(count, LONG_AGO)  # frames since the followed state was changed
        self._commit = np.zeros(count, np.int64)  # frames until a recovery step lands
        self._forced = np.zeros(count, np.bool_)  # whether a force acted in the last frame
        self._way = np.zeros((count, 2))  # direction of the fall, world x and z
        self._aimed = np.zeros(count, np.bool_)  # whether that direction is known

    @property
    def works(self) -> bool:
        """Whether the controller has the value function and the compiled policy that recovery needs."""
        return isinstance(self.controller, FieldController) and self.controller.policy is not None

    @cached_property
    def figure(self) -> Figure:
        """The body of the characters."""
        return Figure.of(self.controller.field.database, self.controller.half_lives[0])

    @cached_property
    def outlines(self) -> Outlines:
        """The outlines of the data's states; computed at the first disturbance."""
        return measure_outlines(self.controller.field, self.figure, ahead=self.settings.ahead)

    @cached_property
    def _rows(self) -> MotionRows:
        return MotionRows.of(self.controller.field.database)

    @cached_property
    def _numbers(self) -> FootNumbers:
        values = {name: float(getattr(self.settings, name)) for name in FootNumbers._fields[:-1]}
        return FootNumbers(**values, frame_time=self._frame_time)

    @property
    def _frame_time(self) -> float:
        return self.controller.field.database.frame_time

    def _frames(self, seconds: float) -> int:
        return round(seconds / self._frame_time)

    def resized(self, count: int) -> Recovery:
        """Return the recovery of a crowd of `count`: existing characters continue, new ones are undisturbed."""
        other = Recovery(self.controller, count, self.settings)
        other.take_over(self)
        return other

    def take_over(self, other: Recovery) -> None:
        """Copy the state of the characters that both have; share tables if the data and the springs are the same."""
        kept = min(self.count, other.count)
        for mine, its in zip(self._tracks(), other._tracks(), strict=True):
            mine[:kept] = its[:kept]
        new, old = self.controller, other.controller
        if new.field is old.field and new.half_lives == old.half_lives and self.settings == other.settings:
            for name in ("figure", "outlines"):
                if name in other.__dict__:
                    self.__dict__[name] = other.__dict__[name]

    def _tracks(self) -> tuple[FloatArray | IntArray | BoolArray, ...]:
        own = (self._left, self._clock, self._since, self._commit, self._forced, self._way, self._aimed)
        return (*self.feet, *self._past, *own)

    def forget(self, characters: IntArray) -> None:
        """End the recovery of `characters`, for example after a jump to another place."""
        for track, start in zip(self._tracks(), Recovery(self.controller, 1)._tracks(), strict=True):
            track[characters] = start[0]

    def begin(self, characters: IntArray, displayed: MotionState) -> None:
        """Let `characters` [m], which display `displayed` [m], recover from now on, if that state is off the data."""
        if not self.works or not len(characters):
            return
        field = self.controller.field
        far = field.neighbors(displayed, 1).distances[:, 0] > field.spacing.p95
        chosen, state = characters[far], displayed.take(np.flatnonzero(far))
        if not len(chosen):
            return
        # The frame before the displayed one, as if the velocity had been the same then.
        before = apply_delta(state.pose, PoseDelta(*(-part for part in state.velocity)))
        self._past.places[chosen] = placed_joints(self.figure, before.root_position, before.rotations)
        self._past.known[chosen] = True
        self._left[chosen] = self._frames(self.settings.duration)
        self._clock[chosen] = self._frames(self.settings.delay)
        self._since[chosen] = LONG_AGO
        self._aimed[chosen] = False

    def active(self, pushes: Pushes | None) -> BoolArray:
        """Return whether each character [n] recovers in this frame."""
        if not self.works:
            return np.zeros(self.count, np.bool_)
        if pushes is None:
            return self._left > 0
        return (self._left > 0) | (pushes.ages < self._frames(self.settings.duration))

    def busy(self, pushes: Pushes | None) -> bool:
        """Return whether any character recovers, or has displaced feet."""
        return bool(self.active(pushes).any() or self.feet.offset.any())

    def decide(self, followers: Followers, stepper: Stepper, pushes: Pushes | None, params: FloatArray) -> None:
        """Replace the decisions of disturbed characters in `stepper.chosen`, under the task parameters [n, axis]."""
        active = self.active(pushes)
        chosen = np.flatnonzero(active)
        self._past.known[~active] = False
        if not len(chosen):
            return
        self._note_disturbances(chosen, pushes)
        known = self._past.known[chosen].copy()
        sight = self._see(chosen, followers, stepper)
        ready = known & (self._clock[chosen] >= self._frames(self.settings.delay))
        own = followers.state[chosen].copy()
        fresh = ready & ~self._aimed[chosen]
        self._way[chosen[fresh]] = direction_of_fall(sight, self.outlines.capture[own])[fresh]
        self._aimed[chosen] |= fresh
        fall = self._fall(chosen, sight, own)
        best, gain = self._search(sight, fall, own, params[chosen])
        new = self._switched(chosen, own, best, gain, ready, fall)
        self._write(chosen, new, stepper)
        if pushes is not None:
            self._carry(chosen, own, new, followers, pushes)
        self._keep_lean(chosen, stepper)
        aim_feet(self._numbers, self._costs, self.outlines, sight, fall, chosen, new, self.feet)
        self._clock[chosen] += 1
        self._since[chosen] += 1
        self._commit[chosen] = np.maximum(self._commit[chosen] - 1, 0)
        self._left[chosen] = np.maximum(self._left[chosen] - 1, 0)

    @cached_property
    def _costs(self) -> Costs:
        return Costs.of(self.settings)

    def _note_disturbances(self, chosen: IntArray, pushes: Pushes | None) -> None:
        """Restart the clocks of the characters `chosen` [m] that a force has begun to act on."""
        if pushes is None:
            return
        forced = pushes.ages[chosen] == 0
        fresh = chosen[forced & ~self._forced[chosen]]
        self._clock[fresh] = 0
        self._aimed[fresh] = False
        self._forced[:] = False
        self._forced[chosen] = forced

    def _see(self, chosen: IntArray, followers: Followers, stepper: Stepper) -> Sight:
        """Return the displayed states of the characters `chosen` [m]."""
        sight = blank_sight(len(chosen), self.figure)
        rig, plants = stepper.planter.rig, stepper.detail.plants
        see(
            self.figure,
            self._rows,
            stepper.tables,
            rig,
            stepper.planting,
            plants,
            followers,
            chosen,
            self._past,
            sight,
        )
        return sight

    def _fall(self, chosen: IntArray, sight: Sight, own: IntArray) -> Fall:
        """Return the balance of the characters `chosen` [m], which follow the states `own` [m]."""
        count = len(chosen)
        numbers = np.empty((3, count))
        fall = Fall(np.empty((count, 2)), numbers[0], numbers[1], numbers[2], np.empty(count, np.bool_))
        limits = (self.settings.safety, self.settings.tolerance)
        measure_fall(self.outlines, sight, own, self._way[chosen], *limits, fall)
        return fall

    def _search(self, sight: Sight, fall: Fall, own: IntArray, params: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the best states [m] besides those followed, `own` [m], and by how much each is better."""
        states = np.empty((len(own), 1 + min(self.settings.candidate_count, len(self.outlines.pool))), np.int64)
        charged = np.empty(states.shape)
        find_candidates(self._costs, self.outlines, sight, fall, own, states, charged)
        worth = self.settings.value_weight * self._scores(states, params) - charged
        worth[self.controller.field.database.frames_left[own] < 1, 0] = -np.inf
        best = 1 + worth[:, 1:].argmax(axis=1)
        found = np.arange(len(own)), best
        gain = np.where(np.isneginf(worth[found]), -np.inf, worth[found] - np.maximum(worth[:, 0], -1e9))
        return states[found], gain

    def _scores(self, states: IntArray, params: FloatArray) -> FloatArray:
        """Return reward and future [m, candidate] of following `states` [m, candidate]."""
        controller = self.controller
        assert isinstance(controller, FieldController)
        policy = controller.policy
        assert policy is not None
        if policy.own is None:
            scores = np.empty(states.shape)
            rate_candidates(policy.table, policy.grid, policy.task, states, params, scores)
            return scores
        variants = controller.root_motion.variant_count
        free = np.zeros((*states.shape, variants, variants), np.float32)
        return controller.score(states, free, np.zeros(len(states), np.int64), params).scores[:, :, 0]

    def _switched(
        self, chosen: IntArray, own: IntArray, best: IntArray, gain: FloatArray, ready: BoolArray, fall: Fall
    ) -> IntArray:
        """Return the states [m] to follow: the `best` one if it is better by enough, else the followed one, `own`.

        -1 leaves the decision to the policy: the clip of the followed state ends, and no other state is possible.
        """
        settings = self.settings
        needed = np.where(self._commit[chosen] > 0, settings.commit, settings.margin)
        rested = self._since[chosen] >= self._frames(settings.rest)
        ends = self.controller.field.database.frames_left[own] < 1
        switch = (ready & rested & (gain > needed)) | (ends & (gain > -np.inf))
        new = np.where(switch, best, np.where(ends, -1, own))
        self._since[chosen[switch]] = 0
        wait = self.outlines.wait[best]
        begun = switch & fall.falls & (wait < settings.soon)
        self._commit[chosen[begun]] = np.round(wait[begun] / self._frame_time).astype(np.int64)
        return new

    def _write(self, chosen: IntArray, new: IntArray, stepper: Stepper) -> None:
        """Write the states `new` [m] to the decisions of `chosen` [m]; where it is -1, read the decision instead."""
        states, variants, spin, stretch = stepper.chosen
        replaced = new >= 0
        characters = chosen[replaced]
        states[characters], variants[characters] = new[replaced], 0
        spin[characters], stretch[characters] = 0.0, 1.0
        new[~replaced] = states[chosen[~replaced]]

    def _carry(self, chosen: IntArray, own: IntArray, new: IntArray, followers: Followers, pushes: Pushes) -> None:
        """Take from the velocity of the physics what states that move along with a push bring with them."""
        changed = np.flatnonzero(new != own)
        for k in changed:
            i = chosen[k]
            share = 1.0 - pushes.ages[i] / BLEND_FRAMES
            speed = math.hypot(pushes.velocity[i, 0], pushes.velocity[i, 2])
            if share <= LEAST_CARRIED or speed < 1e-6:
                continue
            way = pushes.velocity[i, [0, 2]] / speed
            sine, cosine = math.sin(followers.yaw[i]), math.cos(followers.yaw[i])
            gain = self.outlines.velocity[new[k]].astype(np.float64) - self.outlines.velocity[own[k]]
            along = (cosine * gain[0] + sine * gain[1]) * way[0] + (cosine * gain[1] - sine * gain[0]) * way[1]
            taken = min(max(along, 0.0), share * speed)
            pushes.velocity[i, [0, 2]] -= taken / share * way
            followers.offset_rate[i, PLACE, [0, 2]] += taken * way

    def _keep_lean(self, chosen: IntArray, stepper: Stepper) -> None:
        """Keep the lean over locked feet, which would pull the root of a character back that is about to step."""
        stepper.planting.lean[chosen] *= math.exp(self._frame_time / stepper.planter.numbers.lean_time)

    def contact_votes(self, votes: FloatArray, planting: PlantingState, pushes: Pushes | None) -> FloatArray:
        """Return contact votes [n, 2] for foot locking; `votes` [n, 2] are those of the data.

        A character that recovers keeps a standing foot until the other one stands firmly.
        """
        firm = planting.locked & (planting.fade_clock >= FIRM)
        kept = planting.locked & ~firm[:, ::-1] & self.active(pushes)[:, np.newaxis]
        return np.where(kept, 1.0, votes) if kept.any() else votes

    def move_feet(self, stepper: Stepper, shown: DisplayPose) -> None:
        """Move the displaced feet in the displayed poses `shown` [n], in place, before feet are locked."""
        moved = np.flatnonzero((np.abs(self.feet.offset).sum(axis=(1, 2)) >= SETTLED) & stepper.detail.plants)
        if len(moved):
            move_feet(stepper.planter.rig, moved, self.feet, *shown)

    def end_frame(self, stepper: Stepper, pushes: Pushes | None) -> None:
        """Let displaced feet return by one frame."""
        moved = np.flatnonzero(self.feet.offset.any(axis=(1, 2)))
        if len(moved):
            return_feet(self._numbers, moved, self.active(pushes), stepper.planting.locked, self.feet)
