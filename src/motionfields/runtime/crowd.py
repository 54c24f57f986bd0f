"""Crowds: characters that take commands and move, with the same code for one character and for thousands."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import checked_count, checked_numbers
from motionfields.base.geometry import split_yaw
from motionfields.control.contract import Controller, Decision, Observation
from motionfields.control.followers import Followers, displayed_state, followers_from
from motionfields.control.root_motion import facing_of, hip_line
from motionfields.control.tasks import Ground
from motionfields.field.database import MotionState, copied, pose_difference
from motionfields.field.neighbors import Neighbors
from motionfields.field.passive import uniform_draws
from motionfields.runtime.checking import (
    FURTHEST,
    check_decision,
    check_motion_state,
    check_start_states,
    checked_commands,
    checked_params,
)
from motionfields.runtime.follower import DisplayPose, displace, pivot_about
from motionfields.runtime.frames import Frame, blank_frame, checked_frame
from motionfields.runtime.hand_over import check_same_body, nearest_followers
from motionfields.runtime.planters import Planter, crowd_planter
from motionfields.runtime.pushable import Pushable, exclusive
from motionfields.runtime.recovery import Recovery
from motionfields.runtime.soundness import unsound_followers, unsound_poses, warn_of
from motionfields.runtime.stepping import DECIDE, FOLLOW, PLANT, SHOW, Stepper

STANDS = 0.5  # contact vote from which a foot counts as on the ground


class Crowd(Pushable):
    """The characters of one controller. Each moves independently: its bits are the same in a crowd of any size.

    `plant` False leaves the feet free. `planter` "crowd" is the foot locking tuned for crowds; pass another `Planter`
    to replace it, or None for no foot locking.
    """

    def __init__(
        self,
        controller: Controller,
        count: int = 1,
        *,
        seed: int = 0,
        plant: bool = True,
        planter: Planter | Literal["crowd"] | None = "crowd",
    ) -> None:
        field = controller.field
        super().__init__(field, count, from_rest=controller.pushes_from_rest)
        self.controller = controller
        self.frame_number = 0  # number of the next frame
        check_start_states(controller.start_states, field.database)
        drawn = np.floor(uniform_draws(seed, np.arange(count), 0) * len(controller.start_states)).astype(np.int64)
        self.followers = Followers.at(field.database, controller.start_states[drawn])
        self.controller_state = controller.initial_state(count)
        self._blended: MotionState | None = None  # [n], set while characters are between database states
        self._votes: FloatArray | None = None  # [n, 2], contact votes of their last frame
        self._before: DisplayPose | None = None  # poses before the last step, for pushes that start from rest
        self._planter = None if isinstance(planter, str) else planter
        self._own_planting: Any = None if self._planter is None else self._planter.start(count)
        self._stepper = _stepper(controller, count)
        self._recovery = Recovery(controller, count)
        self._hips = hip_line(field.database.skeleton)
        if not isinstance(plant, (bool, np.bool_)):
            raise TypeError(f"plant: expected True or False, got {plant!r}; give a planter as planter=")
        self.set_detail(plant=plant and planter is not None)

    @property
    def ground(self) -> Ground:
        """Position and facing of the characters, without the offsets of their displayed poses."""
        followers = self.followers
        if self._blended is not None:
            return Ground(followers.position.copy(), facing_of(self._blended.pose.root_rotation, self._hips))
        return Ground(followers.position.copy(), followers.yaw + self.controller.root_motion.facing[followers.state])

    @property
    def state(self) -> MotionState:
        """Displayed pose and velocity [n] of the characters in the world, before foot locking."""
        if self._blended is not None:
            return self._blended
        return displayed_state(self.field.database, self.followers)

    @property
    def unplanted(self) -> DisplayPose:
        """Displayed poses of the last frame, before foot locking."""
        if self._blended is not None:
            shown = _display(self._blended)
        else:
            shown = DisplayPose.blank(self.count, self.field.database.skeleton.joint_count)
            self._stepper.run(SHOW, self.followers, shown)
        shown.root_position[:] -= self._stepper.standing.shift
        return shown

    @exclusive
    def set_detail(
        self, characters: IntArray | BoolArray | slice = slice(None), *, every: int = 1, plant: bool = True
    ) -> None:
        """Set the level of detail of `characters`: frames between decisions, and whether feet are locked.

        `every` is the number of frames from one decision to the next. Between decisions a character continues in its
        clip.
        """
        if not isinstance(plant, (bool, np.bool_)):
            raise TypeError(f"plant: expected True or False, got {plant!r}; give a planter as planter=")
        checked_count("every", every, 1)
        if every > 1 and self.controller.policy is None:
            raise ValueError(f"every: expected 1, since a {type(self.controller).__name__} decides at every frame")
        detail = self._stepper.detail
        chosen = self._chosen(characters)
        self._restart_planting(chosen[detail.plants[chosen] != plant])
        detail.every[chosen], detail.plants[chosen] = every, plant

    @exclusive
    def start_from(self, state: MotionState, characters: IntArray | BoolArray | slice = slice(None)) -> None:
        """Let `characters` continue from `state`, one state per character, with any poses and velocities."""
        controller = self.controller
        chosen = self._chosen(characters)
        check_motion_state(state, len(chosen), controller.field.database)
        nearest = controller.field.neighbors(state, 1).indices[:, 0]
        if self._blended is not None:
            for tracks, fresh in zip(self._blended, state, strict=True):
                for track, new in zip(tracks, fresh, strict=True):
                    track[chosen] = new
        self._set(chosen, followers_from(controller.field.database, state, nearest))
        self._recovery.begin(chosen, state)

    def _set(self, chosen: IntArray, followers: Followers) -> None:
        """Replace the characters `chosen` [m] by `followers` [m], with a fresh controller state, feet and pushes."""
        self.controller_state = tuple(np.array(track) for track in self.controller_state)
        fresh = (*followers, *self.controller.initial_state(len(chosen)))
        for track, new in zip((*self.followers, *self.controller_state), fresh, strict=True):
            track[chosen] = new
        self._restart_planting(chosen)
        self._stop_pushes(chosen)
        self._recovery.forget(chosen)

    @exclusive
    def hand_over(self, controller: Controller) -> None:
        """Let another `controller` move the characters from their current states.

        A controller with other data starts each character at whichever of the nearest states has the highest state
        value. Raises `SkeletonError` if its skeleton or frame rate differs.
        """
        ours, theirs = self.field.database, controller.field.database
        if theirs is not ours:
            check_same_body(ours, theirs)
        displayed = self.state
        old, old_planter = self._stepper, self._own_planting
        self.controller, self.field = controller, controller.field
        self.controller_state = controller.initial_state(self.count)
        self._stepper = _stepper(controller, self.count)
        self._stepper.take_over(old)
        self._own_planting = old_planter
        recovery, self._recovery = self._recovery, Recovery(controller, self.count)
        self._recovery.take_over(recovery)
        if theirs is not ours:
            self._blended = self._votes = None
            self.followers = nearest_followers(controller, displayed)
            self._recovery.begin(np.arange(self.count), displayed)
        else:
            known = controller.root_motion.variant_count - 1  # the new controller may have no warped variant
            self.followers.variant[:] = np.minimum(self.followers.variant, known)

    @exclusive
    def resized(self, count: int, *, seed: int = 0) -> Crowd:
        """Return a crowd of `count`: existing characters continue, new ones start at the origin, drawn by `seed`."""
        crowd = Crowd(self.controller, count, seed=seed, planter=self._planter or "crowd")
        crowd.frame_number = self.frame_number
        kept = min(count, self.count)
        old = (*self.followers, *self.controller_state)
        for track, mine in zip((*crowd.followers, *crowd.controller_state), old, strict=True):
            track[:kept] = mine[:kept]
        if self._blended is not None:
            crowd._blended = copied(crowd.state)
            for tracks, its in zip(crowd._blended, self._blended, strict=True):
                for track, fresh in zip(tracks, its, strict=True):
                    track[:kept] = fresh[:kept]
        crowd._stepper.take_over(self._stepper)
        crowd._recovery = self._recovery.resized(count)
        crowd.balls = list(self.balls)
        if self._pushes is not None:
            crowd.pushes = self._pushes.resized(count)
        return crowd

    @exclusive
    def place(self, characters: IntArray | BoolArray | slice, position: ArrayLike, facing: ArrayLike) -> None:
        """Put `characters` at `position` [m, 2], world x and z in metres, facing the yaws `facing` [m] in radians."""
        place, yaw = checked_numbers("position", position, FURTHEST), checked_numbers("facing", facing, FURTHEST)
        self._leave_blend()
        followers, chosen = self.followers, self._chosen(characters)
        followers.position[chosen] = place
        followers.yaw[chosen] = yaw - self.controller.root_motion.facing[followers.state[chosen]]
        self._restart_planting(chosen)
        self._recovery.forget(chosen)

    def params(self, commands: ArrayLike) -> FloatArray:
        """Return the task parameters [n, axis] of the characters at their current places under `commands`."""
        task = self.controller.task
        asked = task.params(checked_commands(task, commands, self.count), self.ground)
        return checked_params(task, asked, self.count)

    def observe(self, commands: ArrayLike) -> Observation:
        """Return the observation that the controller would get at the next frame under `commands`."""
        return self._observed(self.params(commands))

    def _observed(self, params: FloatArray) -> Observation:
        return Observation(self.followers, self.controller_state, params, lambda: self.state)

    @exclusive
    def step(self, commands: ArrayLike, *, out: Frame | None = None) -> Frame:
        """Advance by one frame: every character receives its command, decides and moves.

        `commands` are [n, column], with the columns of the task's `command_names`; [n] if there is one column, or any
        shape that broadcasts. `out` is a frame of this crowd to write to instead of a new one.
        """
        size = self.count, self.field.database.skeleton.joint_count
        frame = blank_frame(*size) if out is None else checked_frame(out, *size)
        self._reset(self._unsound())
        shown = DisplayPose(frame.root_position, frame.rotations)
        params = np.ascontiguousarray(self.params(commands), dtype=np.float64)
        stages = DECIDE | FOLLOW | SHOW
        if self.controller.policy is None:
            stages = self._decide(params, shown)
        else:
            self._leave_blend()
        recovering, searched = self._recovering, self._recovery.busy(self._pushes)
        if not len(recovering) and not searched and self._compiled_planting:
            self._run(stages | PLANT, shown, params)
        else:
            if searched:
                self._run(stages & DECIDE, shown, params)
                self._recovery.decide(self.followers, self._stepper, self._pushes, params)
                stages &= ~DECIDE
            self._run(stages, shown, params)
            self._push_on(shown)
            held = recovering[self._stepper.detail.plants[recovering]]
            before = shown.rotations[held]
            if searched:
                self._recovery.move_feet(self._stepper, shown)
            self._plant(shown)
            self._keep_in_range(held, before, shown.rotations)
            if searched:
                self._recovery.end_frame(self._stepper, self._pushes)
        if len(bad := unsound_poses(*shown)):
            self._reset(bad)
            shown.root_position[bad], shown.rotations[bad] = _display(self.state.take(bad))
        frame.planted[:] = self._stepper.planting.locked
        frame.states[:], frame.variants[:] = self.followers.state, self.followers.variant
        self._end_frame(frame.root_position, frame.rotations)
        self.frame_number += 1
        return frame

    def _unsound(self) -> IntArray:
        """Return the characters [m] whose state is not finite or does not exist."""
        variants = max(2, self.controller.root_motion.variant_count)  # methods without a warp mark warped steps as 1
        return unsound_followers(self.followers, self.field.database.state_count, variants)

    def _reset(self, bad: IntArray) -> None:
        """Restart the characters `bad` [m] at their current places, where these are known; the others continue."""
        if not len(bad):
            return
        warn_of(bad, self.frame_number)
        starts, old = self.controller.start_states, self.followers.take(bad)
        fresh = Followers.at(self.field.database, starts[(self.frame_number + bad) % len(starts)])
        fresh.position[:] = np.clip(np.nan_to_num(old.position, nan=0.0), -FURTHEST, FURTHEST)
        fresh.yaw[:] = np.clip(np.nan_to_num(old.yaw, nan=0.0), -FURTHEST, FURTHEST)
        self.followers.state[bad] = fresh.state
        self.start_from(displayed_state(self.field.database, fresh), bad)

    @property
    def _compiled_planting(self) -> bool:
        """Whether the compiled step can lock the feet in the same pass."""
        return self._blended is None and self._planter is None

    def _run(self, stages: int, shown: DisplayPose, params: FloatArray) -> None:
        self._stepper.run(stages, self.followers, shown, params=params, frame=self.frame_number)

    def _decide(self, params: FloatArray, shown: DisplayPose) -> int:
        """Let a controller without a policy decide, and return the stages that remain to be run."""
        decision, self.controller_state = self.controller.decide(self._observed(params))
        check_decision(decision, self.controller, self.count)
        if not decision.follows:
            self._blend(decision, shown)
            return 0
        self._leave_blend()
        if decision.pivot is not None:
            pivot_about(self.field.database, self.followers, decision.pivot)
        chosen = (decision.states[:, 0], decision.variant, decision.spin, decision.stretch)
        for mine, its in zip(self._stepper.chosen, chosen, strict=True):
            mine[:] = its
        return FOLLOW | SHOW

    def _blend(self, decision: Decision, shown: DisplayPose) -> None:
        """Move by a weighted set of states (eq. 3 to 6), and write the poses to `shown`."""
        field, followers = self.field, self.followers
        near = Neighbors(decision.states, np.zeros(decision.states.shape, np.float32))
        before = copied(self.state)
        self._blended = after = field.integrate(before, near, decision.weights, drift=decision.drift)
        if decision.arrival is None:
            ends = field.database.successors(decision.states)
            followers.state[:] = ends[np.arange(self.count), decision.weights.argmax(axis=1)]
            votes = field.contact_votes(Neighbors(ends, near.distances), decision.weights)
            self._votes = np.clip(votes, 0.0, 1.0)
        else:
            followers.state[:], self._votes = decision.arrival
        followers.variant[:], followers.spin[:], followers.stretch[:] = 0, 0.0, 1.0
        self._sync_followers()
        self._before = _display(before)
        shown.root_position[:], shown.rotations[:] = _display(after)

    def _sync_followers(self) -> None:
        """Copy the ground position and yaw of blended characters to `followers`."""
        assert self._blended is not None
        pose = self._blended.pose
        self.followers.position[:] = pose.root_position[:, ::2]
        self.followers.yaw[:] = split_yaw(pose.root_rotation)[0]

    def _leave_blend(self) -> None:
        """Let blended characters follow their nearest database states again, without a jump in the display."""
        if self._blended is None:
            return
        self.followers = followers_from(self.field.database, self._blended, self.followers.state)
        self._blended = self._votes = None

    def _push_on(self, shown: DisplayPose) -> None:
        """Apply pushes to the displayed poses `shown`, in place; locked feet stay, and the lean fades slowly."""
        pushed = self._moved_by_pushes()
        if not len(pushed):
            return
        was, now = shown.take(pushed), shown.take(pushed)
        standing = self._contact_votes()[pushed] >= STANDS
        if self.pushes.from_rest and self._before is not None:
            self.pushes.move_from_rest(pushed, self._before.take(pushed), now, standing)
        else:
            self.pushes.move(pushed, *now, standing)
        if self._blended is None:
            displace(self.field.database, self.followers, pushed, was, now)
        else:
            self._displace_blended(pushed, was, now)
        shown.root_position[pushed], shown.rotations[pushed] = now
        self._stepper.planting.lean[pushed] += (now.root_position - was.root_position)[:, np.newaxis, ::2]

    def _displace_blended(self, pushed: IntArray, was: DisplayPose, now: DisplayPose) -> None:
        """Set the blended characters `pushed` [m] to the poses `now` [m], and add the push to their velocities."""
        assert self._blended is not None
        for track, fresh in zip(self._blended.pose, now.poses(), strict=True):
            track[pushed] = fresh
        for track, more in zip(self._blended.velocity, pose_difference(now.poses(), was.poses()), strict=True):
            track[pushed] += more
        self._sync_followers()

    def _contact_votes(self) -> FloatArray:
        """Return the contact votes [n, 2] of the characters' feet, 0 to 1."""
        votes = self.field.state_votes[self.followers.state] if self._votes is None else self._votes
        return self._recovery.contact_votes(votes, self._stepper.planting, self._pushes)

    def _plant(self, shown: DisplayPose) -> None:
        """Lock the feet of the displayed poses `shown`, in place, and move the characters with their roots."""
        stepper = self._stepper
        if self._planter is not None:
            held = np.flatnonzero(stepper.detail.plants)
            posed = self._planter.step(self._own_planting, *shown, contact_votes=self._contact_votes())
            self._own_planting = posed.state
            shown.root_position[held], shown.rotations[held] = posed.root_position[held], posed.rotations[held]
            stepper.planting.locked[held] = posed.locked[held]
            stepper.standing.shift[held] = posed.root_shift[held]
            self.followers.position[held] += posed.root_shift[held, ::2]
        else:
            stepper.plant(self.followers, shown, self._contact_votes())
        if self._blended is not None:
            self._blended.pose.root_position[:, ::2] = self.followers.position

    def _restart_planting(self, characters: IntArray) -> None:
        """Reset foot locking for `characters`, for example after a jump to another place."""
        self._stepper.restart_planting(characters)
        if self._planter is not None:
            self._own_planting = self._own_planting.restarted(characters)


def _display(state: MotionState) -> DisplayPose:
    """Return the poses of `state` [n] for display."""
    return DisplayPose(state.pose.root_position.copy(), state.pose.rotations)


def _stepper(controller: Controller, count: int) -> Stepper:
    """Return the stepper of `count` characters of `controller`."""
    return Stepper(
        controller.field,
        controller.root_motion,
        controller.half_lives,
        crowd_planter(controller.field),
        policy=controller.policy,
        count=count,
    )
