"""The clip-graph controller, which selects the next step, and its warp, at the end of every step.

It follows Treuille et al. 2007 and Lee et al. 2009 (chapter 3 of Lee's thesis), the method that Lee et al. 2010 compare
motion fields with. Clips of one step are cut at contacts. Any clip may follow any other that ends on the foot it begins
on, at a physical cost, and clips turn up to 45 degrees further and stretch within their first half.

The originals overlap clips and fade from one to the next. This controller changes clips in the middle of a foot's
stance, pivots about that foot, and spreads the jump with the same springs as all our methods, so methods differ in
their decisions and not in their display. A fade must begin half a clip earlier, so the next clip must be chosen then;
`GraphSettings.ahead` reproduces this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue
from motionfields.base.geometry import quat_from_yaw, quat_rotate
from motionfields.control.contract import (
    ActionValues,
    Controller,
    ControllerState,
    Decision,
    Method,
    Observation,
    Pivot,
    check_trainable,
    training_facts,
    training_from,
)
from motionfields.control.followers import Followers
from motionfields.control.methods.graph.cutting import BOTH, StepClips, cut_steps
from motionfields.control.methods.graph.links import Joints, Links, jump_costs, standing_foot
from motionfields.control.methods.graph.rollouts import Player, bell
from motionfields.control.methods.graph.settings import GraphSettings
from motionfields.control.methods.graph.solving import pivoted, solve_graph
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Task, check_task, same_axes
from motionfields.control.transitions import BLOCKED
from motionfields.control.values import ValueTable, value_means
from motionfields.field import MotionField

SHORTLIST = 24  # clips that are evaluated in detail before one is chosen


class GraphState(NamedTuple):
    """The controller state of characters on a graph."""

    clip: IntArray  # [n], the clip being played; -1 for none
    turn: FloatArray  # [n], radians that the clip turns in addition, in total
    stretch: FloatArray  # [n], ground distance in its first half as a multiple of the captured one
    next_clip: IntArray  # [n], the clip that comes next; -1 until one is chosen
    next_turn: FloatArray  # [n]
    next_stretch: FloatArray  # [n]

    def copy(self) -> GraphState:
        """Return a copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})


class Plan(NamedTuple):
    """Scores of the shortlisted next clips of characters at the end of a clip."""

    clips: IntArray  # [m, candidate], the candidate clips
    turns: FloatArray  # [m, candidate], radians, of the best warp of each
    stretches: FloatArray  # [m, candidate], of the best warp of each
    rewards: FloatArray  # [m, candidate], sum until the clip ends
    costs: FloatArray  # [m, candidate], cost of the transition
    futures: FloatArray  # [m, candidate], discounted value of the end of the clip

    @property
    def scores(self) -> FloatArray:
        """The score of each candidate [m, candidate]; -inf if it is not available."""
        return np.where(self.costs >= BLOCKED, -np.inf, self.rewards - self.costs + self.futures)


@dataclass(frozen=True, eq=False)
class GraphController(Controller):
    """Clips of one step, task and value function; the best next clip is chosen at the end of each clip."""

    kind = "graph"
    version = 2

    field: MotionField
    task: Task
    settings: GraphSettings
    values: ValueTable  # at the ends of clips
    start_values: ValueTable  # at the starts of clips, with the best warp
    sweeps: int = 0  # sweeps of value iteration
    residual: float = float("nan")  # half the spread of the changes of values in the last sweep

    def __post_init__(self) -> None:
        check_task(self.task)
        if not len(self.clips.start):
            raise ValueError("field: expected walking motion with contacts of one foot at a time, found none")
        for name in ("values", "start_values"):
            table = getattr(self, name)
            if len(table.table()) != len(self.clips.start) or not same_axes(table.axes, self.task.axes):
                raise ValueError(f"{name}: expected values of {len(self.clips.start)} clips on the grid of the task")

    @cached_property
    def clips(self) -> StepClips:
        """The clips of one step."""
        return cut_steps(self.field.database, standing=self.settings.standing)

    @property
    def half_lives(self) -> tuple[float, float]:
        """Half-lives in seconds of the springs that smooth a change of pose, and of the root's position."""
        return self.settings.half_life, self.settings.root_half_life

    @cached_property
    def start_states(self) -> IntArray:
        """The database states that characters may start at: all that are in a clip."""
        return np.flatnonzero(self._clip_at >= 0)

    @cached_property
    def _clip_at(self) -> IntArray:
        return self.clips.at(self.field.database.state_count)

    @cached_property
    def _joints(self) -> Joints:
        return Joints.of(self.field.database, self.root_motion, half_life=self.settings.half_life)

    @cached_property
    def _player(self) -> Player:
        return Player(self.task, self.root_motion, self.clips, self.settings, self.field.database)

    @cached_property
    def _means(self) -> FloatArray:
        """The mean value [clip] of each clip's end over all goals."""
        return value_means(self.values.table())

    def initial_state(self, count: int) -> GraphState:
        """Return the controller state of `count` characters that play no clip yet."""
        none, plain = np.full(count, -1), (np.zeros(count), np.ones(count))
        return GraphState(none, *plain, none, *plain).copy()

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Return the decision to continue the current clip, or at its end to start the best next one."""
        followers, params = seen.followers, seen.params
        known, state = self._known(seen).copy(), followers.state.copy()
        choosing = np.flatnonzero(self._chooses(state, known))
        if len(choosing):
            plan = self._plan(state[choosing], known.clip[choosing], params[choosing])
            best = (np.arange(len(choosing)), plan.scores.argmax(axis=1))
            known.next_clip[choosing] = plan.clips[best]
            known.next_turn[choosing], known.next_stretch[choosing] = plan.turns[best], plan.stretches[best]
        pivot = None
        changing = np.flatnonzero(state == self._ends(state, known.clip))
        if len(changing):
            pivot = self._change(followers, known, changing)
            state[changing] = self.clips.start[known.clip[changing]]
        frame, half = state - self.clips.start[known.clip], self.clips.half[known.clip]
        warped = (frame < half) & ((known.turn != 0.0) | (known.stretch != 1.0))
        spin = np.where(warped, known.turn * bell(frame, half), 0.0)
        stretch = np.where(warped, known.stretch, 1.0)
        return Decision.follow(state, variant=warped.astype(np.int64), spin=spin, stretch=stretch, pivot=pivot), known

    def _change(self, followers: Followers, known: GraphState, changing: IntArray) -> Pivot:
        """Start the chosen clips of the characters `changing` [m] in place; return the pivots [n] about their feet."""
        state, foot = followers.state[changing], self._end_foot(known.clip[changing])
        known.clip[changing], known.next_clip[changing] = known.next_clip[changing], -1
        known.turn[changing], known.stretch[changing] = known.next_turn[changing], known.next_stretch[changing]
        clip = known.clip[changing]
        foot, new = standing_foot(foot, self.clips.foot[clip]), self.clips.start[clip]
        turn = self._joints.turn(state, new, foot)
        shift = self._joints.shift(state, new, foot, turn)
        level = np.stack([shift[:, 0], np.zeros(len(shift)), shift[:, 1]], axis=-1)
        pivot = Pivot(np.zeros(len(followers.state)), np.zeros((len(followers.state), 2)))
        pivot.turn[changing] = turn
        pivot.shift[changing] = quat_rotate(quat_from_yaw(followers.yaw[changing]), level)[:, ::2]
        return pivot

    def action_values(self, seen: Observation) -> ActionValues:
        """Return the scores of the best next clips for characters that choose one; the others continue."""
        known, state, params = self._known(seen), seen.followers.state, seen.params
        changing = state == self._ends(state, known.clip)
        choosing = np.flatnonzero(self._chooses(state, known))
        shape = (len(params), min(SHORTLIST, len(self.clips.start)))
        decided = np.where(changing & (known.next_clip >= 0), self.clips.start[known.next_clip], state)
        states = np.broadcast_to(decided[:, np.newaxis], shape).copy()
        tables = [np.zeros((*shape, 1)) for _ in range(3)]
        scores = np.full((*shape, 1), -np.inf)
        scores[:, 0] = 0.0
        if len(choosing):
            plan = self._plan(state[choosing], known.clip[choosing], params[choosing])
            # A character that chooses before the end continues its clip until then, whatever it chose.
            now = changing[choosing, np.newaxis]
            states[choosing] = np.where(now, self.clips.start[plan.clips], state[choosing, np.newaxis])
            for table, part in zip(tables, (plan.rewards, plan.costs, plan.futures), strict=True):
                table[choosing, :, 0] = part
            scores[choosing, :, 0] = plan.scores
        return ActionValues(states, tables[0], tables[1], tables[2], scores)

    def state_values(self, seen: Observation) -> FloatArray:
        """Return the value [n] of the end of each character's clip, as if its goal were then `seen.params`."""
        clip = self._known(seen).clip
        return np.where(clip >= 0, self.values.lookup(np.maximum(clip, 0), seen.params), 0.0)

    def _known(self, seen: Observation) -> GraphState:
        """Return the controller state; characters without a clip join the one that their state is in."""
        known = GraphState(*seen.controller_state)
        return known._replace(clip=np.where(known.clip < 0, self._clip_at[seen.followers.state], known.clip))

    def _ends(self, state: IntArray, clip: IntArray) -> IntArray:
        """Return the states [n] at which characters at `state` [n] change clips: `state` for those without a clip."""
        return np.where(clip < 0, state, self.clips.end[clip])

    def _end_foot(self, clip: IntArray) -> IntArray:
        """Return the standing foot [n] at the end of `clip` [n]."""
        return np.where(clip < 0, BOTH, self.clips.end_foot[clip])

    def _chooses(self, state: IntArray, known: GraphState) -> BoolArray:
        """Return whether each character [n] chooses its next clip now."""
        ahead = np.floor(self.settings.ahead * self.clips.length[known.clip])
        return np.asarray((known.next_clip < 0) & (state >= self._ends(state, known.clip) - ahead))

    def _plan(self, state: IntArray, clip: IntArray, params: FloatArray) -> Plan:
        """Return the scores of the clips that may follow `clip` [m], for characters at its states `state` [m]."""
        settings, end, foot = self.settings, self._ends(state, clip), self._end_foot(clip)
        params = self._player.go_on(state, end, params)
        links = self._joints.links(end, foot, self.clips)
        shortlist = self._shortlist(links, params)
        own = np.arange(len(state))[:, np.newaxis]
        pivots = links.turns[own, shortlist].astype(np.float64)
        asked = pivoted(self.task, np.broadcast_to(params[:, np.newaxis], (*shortlist.shape, params.shape[-1])), pivots)
        turns, stretches = self._player.warps(shortlist, asked)
        clips = np.broadcast_to(shortlist[..., np.newaxis], turns.shape)
        played = self._player.play(
            clips, turns, stretches, np.broadcast_to(asked[..., np.newaxis, :], (*turns.shape, params.shape[-1]))
        )
        length = self.clips.length[clips]
        same = (1.0 - settings.goal_change) ** length
        after = same * self.values.lookup(clips, played.params) + (1.0 - same) * self._means[clips]
        futures = settings.discount**length * after
        best = (played.reward + futures).argmax(axis=-1)[..., np.newaxis]
        kept = (
            np.take_along_axis(track, best, axis=-1)[..., 0] for track in (turns, stretches, played.reward, futures)
        )
        turn, stretch, reward, future = kept
        costs = jump_costs(links.costs[own, shortlist].astype(np.float64), settings.jump_cost)
        return Plan(shortlist, turn, stretch, reward, costs, future)

    def _shortlist(self, links: Links, params: FloatArray) -> IntArray:
        """Return the clips [m, candidate] with the highest start value less cost, best first; the first of equals."""
        count, clip_count = links.costs.shape
        asked = np.broadcast_to(params[:, np.newaxis], (count, clip_count, params.shape[-1]))
        clips = np.broadcast_to(np.arange(clip_count), (count, clip_count))
        worth = self.start_values.lookup(clips, pivoted(self.task, asked, links.turns.astype(np.float64)))
        worth = worth - jump_costs(links.costs, self.settings.jump_cost)
        return np.argsort(-worth, axis=1, kind="stable")[:, :SHORTLIST]

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the values at the ends and starts of clips, by their names in a file."""
        return {"values": self.values.table(), "outlooks": self.start_values.table()}

    def facts(self) -> Mapping[str, JsonValue]:
        """Return the settings and the outcome of training."""
        return {"settings": asdict(self.settings), "training": training_facts(self.sweeps, self.residual)}

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> GraphController:
        """Return the controller whose `arrays` and `facts` are in `artifact`; ValueError if they are invalid."""
        facts: dict[str, Any] = dict(artifact.facts)
        settings = GraphSettings(**facts["settings"])
        clip_count = len(cut_steps(field.database, standing=settings.standing).start)
        tables = []
        for name in ("values", "outlooks"):
            table = artifact.array(name, dtype=np.float32, shape=(clip_count, None))
            tables.append(ValueTable(task.axes, table))
        values, start_values = tables
        return cls(field, task, settings, values, start_values, *training_from(facts["training"]))


def train_graph(
    field: MotionField,
    task: Task,
    *,
    agility: float = 0.5,
    settings: GraphSettings | None = None,
    tolerance: float = 1e-3,
) -> GraphController:
    """Return a clip-graph controller for `task` with the motion of `field`.

    `agility` and `tolerance` are as in `train`. By default, clips in which the character stands are used only for tasks
    whose command includes a speed; `settings` override this. Raises ValueError if the data contains no usable steps.
    """
    use = (settings or GraphSettings(standing="speed" in task.command_names)).agile(agility)
    fitted = task.adapted(field.database)
    check_trainable(field, fitted)
    clips, root_motion = cut_steps(field.database, standing=use.standing), measure_root_motion(field.database)
    if not len(clips.start):
        raise ValueError("field: expected walking motion with contacts of one foot at a time, found none")
    joints = Joints.of(field.database, root_motion, half_life=use.half_life)
    links = joints.links(clips.end, clips.end_foot, clips)
    solution = solve_graph(Player(fitted, root_motion, clips, use, field.database), links, tolerance=tolerance)
    values, start_values = (ValueTable(fitted.axes, table) for table in (solution.values, solution.start_values))
    return GraphController(field, fitted, use, values, start_values, solution.sweeps, solution.residual)


METHOD = Method(GraphController, train_graph)
