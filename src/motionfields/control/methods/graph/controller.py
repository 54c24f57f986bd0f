"""The clip-graph controller: at the end of every step it plans which step comes next, and how far that is warped.

After Treuille et al. 2007 and Lee et al. 2009 (chapter 3 of Lee's thesis), as Lee et al. 2010 compared motion fields
with. Clips of one step are cut at contacts, any clip may follow any other that begins on the same foot, at a physical
cost, and clips turn up to 45 degrees further and stretch within their first half. Where they put clips over each other
and fade from one to the next, this changes over where the foot stands in the middle of its stance, about that foot, and
spreads the jump by the same springs as all our methods: so methods differ in what they decide, not in how it is shown.
A fade has to begin half a clip earlier, and what it leads to be chosen then; `GraphSettings.ahead` does so too.
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
from motionfields.control.tasks import Task
from motionfields.control.transitions import BLOCKED
from motionfields.control.values import ValueTable, value_means
from motionfields.field import MotionField

SHORTLIST = 24  # clips that are looked at closely before one is chosen


class GraphState(NamedTuple):
    """What characters on a graph keep in mind."""

    clip: IntArray  # [n], the clip that is played; -1 for none
    turn: FloatArray  # [n], radians by which it is warped in all
    stretch: FloatArray  # [n], how many times as far it goes in its first half
    next_clip: IntArray  # [n], the clip that comes after it; -1 as long as none is chosen
    next_turn: FloatArray  # [n]
    next_stretch: FloatArray  # [n]

    def copy(self) -> GraphState:
        """A copy that shares no arrays."""
        return self._replace(**{name: track.copy() for name, track in self._asdict().items()})


class Plan(NamedTuple):
    """What characters at the end of a clip think of a few next ones."""

    clips: IntArray  # [m, choice]
    turns: FloatArray  # [m, choice], radians, the best warp of each
    stretches: FloatArray  # [m, choice]
    rewards: FloatArray  # [m, choice], until the clip ends
    costs: FloatArray  # [m, choice], of the change
    futures: FloatArray  # [m, choice], the discounted value of its end

    @property
    def scores(self) -> FloatArray:
        """What each choice [m, choice] is worth; -inf for none."""
        return np.where(self.costs >= BLOCKED, -np.inf, self.rewards - self.costs + self.futures)


@dataclass(frozen=True, eq=False)
class GraphController(Controller):
    """Clips of one step, task and value function: at the end of each clip the best next one is chosen."""

    kind = "graph"
    version = 2

    field: MotionField
    task: Task
    settings: GraphSettings
    values: ValueTable  # of the ends of clips
    start_values: ValueTable  # of their starts, with the best warp
    sweeps: int = 0  # how training ended
    residual: float = float("nan")

    @cached_property
    def clips(self) -> StepClips:
        """The clips of one step."""
        return cut_steps(self.field.database, standing=self.settings.standing)

    @property
    def half_lives(self) -> tuple[float, float]:
        """The half-lives in seconds of the springs that spread a change of pose, and of the root's place."""
        return self.settings.half_life, self.settings.root_half_life

    @cached_property
    def start_states(self) -> IntArray:
        """The states of the data that characters may begin at: all that are in a clip."""
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
        """The mean value [clip] of its end over all goals."""
        return value_means(self.values.table())

    def initial_state(self, count: int) -> GraphState:
        """No clip yet."""
        none, plain = np.full(count, -1), (np.zeros(count), np.ones(count))
        return GraphState(none, *plain, none, *plain).copy()

    def decide(self, seen: Observation) -> tuple[Decision, ControllerState]:
        """Go on with the clip that is played, and at its end with the best next one."""
        followers, params = seen.followers, seen.params
        known, row = self._known(seen).copy(), followers.state.copy()
        choosing = np.flatnonzero(self._chooses(row, known))
        if len(choosing):
            plan = self._plan(row[choosing], known.clip[choosing], params[choosing])
            best = (np.arange(len(choosing)), plan.scores.argmax(axis=1))
            known.next_clip[choosing] = plan.clips[best]
            known.next_turn[choosing], known.next_stretch[choosing] = plan.turns[best], plan.stretches[best]
        pivot = None
        changing = np.flatnonzero(row == self._ends(row, known.clip))
        if len(changing):
            pivot = self._change(followers, known, changing)
            row[changing] = self.clips.start[known.clip[changing]]
        frame, half = row - self.clips.start[known.clip], self.clips.half[known.clip]
        warped = (frame < half) & ((known.turn != 0.0) | (known.stretch != 1.0))
        spin = np.where(warped, known.turn * bell(frame, half), 0.0)
        stretch = np.where(warped, known.stretch, 1.0)
        return Decision.follow(row, variant=warped.astype(np.int64), spin=spin, stretch=stretch, pivot=pivot), known

    def _change(self, followers: Followers, known: GraphState, changing: IntArray) -> Pivot:
        """Let the characters `changing` [m] play the clips they chose, in place; how these are put about a foot."""
        row, foot = followers.state[changing], self._end_foot(known.clip[changing])
        known.clip[changing], known.next_clip[changing] = known.next_clip[changing], -1
        known.turn[changing], known.stretch[changing] = known.next_turn[changing], known.next_stretch[changing]
        clip = known.clip[changing]
        foot, new = standing_foot(foot, self.clips.foot[clip]), self.clips.start[clip]
        turn = self._joints.turn(row, new, foot)
        shift = self._joints.shift(row, new, foot, turn)
        level = np.stack([shift[:, 0], np.zeros(len(shift)), shift[:, 1]], axis=-1)
        pivot = Pivot(np.zeros(len(followers.state)), np.zeros((len(followers.state), 2)))
        pivot.turn[changing] = turn
        pivot.shift[changing] = quat_rotate(quat_from_yaw(followers.yaw[changing]), level)[:, ::2]
        return pivot

    def action_values(self, seen: Observation) -> ActionValues:
        """What the best next clips are worth to characters that choose one; the others go on."""
        known, row, params = self._known(seen), seen.followers.state, seen.params
        changing = row == self._ends(row, known.clip)
        choosing = np.flatnonzero(self._chooses(row, known))
        shape = (len(params), min(SHORTLIST, len(self.clips.start)))
        decided = np.where(changing & (known.next_clip >= 0), self.clips.start[known.next_clip], row)
        rows = np.broadcast_to(decided[:, np.newaxis], shape).copy()
        tables = [np.zeros((*shape, 1)) for _ in range(3)]
        scores = np.full((*shape, 1), -np.inf)
        scores[:, 0] = 0.0
        if len(choosing):
            plan = self._plan(row[choosing], known.clip[choosing], params[choosing])
            # Who chooses ahead of the end plays its clip on, whatever it chose.
            now = changing[choosing, np.newaxis]
            rows[choosing] = np.where(now, self.clips.start[plan.clips], row[choosing, np.newaxis])
            for table, part in zip(tables, (plan.rewards, plan.costs, plan.futures), strict=True):
                table[choosing, :, 0] = part
            scores[choosing, :, 0] = plan.scores
        return ActionValues(rows, tables[0], tables[1], tables[2], scores)

    def state_values(self, seen: Observation) -> FloatArray:
        """The value [n] of the clips that characters play, at their ends, were the goals `params` [n, axis] then."""
        clip = self._known(seen).clip
        return np.where(clip >= 0, self.values.lookup(np.maximum(clip, 0), seen.params), 0.0)

    def _known(self, seen: Observation) -> GraphState:
        """What characters have in mind; those that play no clip join the one that their state is in."""
        known = GraphState(*seen.controller_state)
        return known._replace(clip=np.where(known.clip < 0, self._clip_at[seen.followers.state], known.clip))

    def _ends(self, row: IntArray, clip: IntArray) -> IntArray:
        """The states [n] at which characters at `row` [n] change to another clip; at once, if they play none."""
        return np.where(clip < 0, row, self.clips.end[clip])

    def _end_foot(self, clip: IntArray) -> IntArray:
        """Who stands [n] where `clip` [n] ends."""
        return np.where(clip < 0, BOTH, self.clips.end_foot[clip])

    def _chooses(self, row: IntArray, known: GraphState) -> BoolArray:
        """Whether characters [n] choose their next clip now."""
        ahead = np.floor(self.settings.ahead * self.clips.length[known.clip])
        return np.asarray((known.next_clip < 0) & (row >= self._ends(row, known.clip) - ahead))

    def _plan(self, row: IntArray, clip: IntArray, params: FloatArray) -> Plan:
        """What characters at the states `row` [m] of `clip` [m] think of what may come after it."""
        settings, end, foot = self.settings, self._ends(row, clip), self._end_foot(clip)
        params = self._player.go_on(row, end, params)
        links = self._joints.links(end, foot, self.clips)
        shortlist = self._shortlist(links, params)
        own = np.arange(len(row))[:, np.newaxis]
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
        """The clips [m, choice] that look best by the table of outlooks, best first; of equals, the first."""
        count, clip_count = links.costs.shape
        asked = np.broadcast_to(params[:, np.newaxis], (count, clip_count, params.shape[-1]))
        clips = np.broadcast_to(np.arange(clip_count), (count, clip_count))
        worth = self.start_values.lookup(clips, pivoted(self.task, asked, links.turns.astype(np.float64)))
        worth = worth - jump_costs(links.costs, self.settings.jump_cost)
        return np.argsort(-worth, axis=1, kind="stable")[:, :SHORTLIST]

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the values of ends and starts of clips, by their names in a file."""
        return {"values": self.values.table(), "outlooks": self.start_values.table()}

    def facts(self) -> Mapping[str, JsonValue]:
        """Return settings and how training ended."""
        return {"settings": asdict(self.settings), "training": training_facts(self.sweeps, self.residual)}

    @classmethod
    def restore(cls, artifact: Artifact, field: MotionField, task: Task) -> GraphController:
        """Return the controller whose `arrays` and `facts` are in `artifact`; ValueError if they make no sense."""
        facts: dict[str, Any] = dict(artifact.facts)
        settings = GraphSettings(**facts["settings"])
        clip_count = len(cut_steps(field.database, standing=settings.standing).start)
        tables = []
        for name in ("values", "outlooks"):
            table = artifact.array(name, dtype=np.float32, shape=(clip_count, None))
            if not np.isfinite(table).all():
                raise ValueError(f"{name}: expected finite numbers")
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
    """A clip-graph controller for `task` with the motion of `field`.

    `agility` and `tolerance` are as in `train`. Unless `settings` say so, only tasks that ask for a speed may have
    the character stand. Raises ValueError where the data holds no steps that go on.
    """
    use = (settings or GraphSettings(standing="speed" in task.command_names)).agile(agility)
    fitted = task.adapted(field.database)
    clips, root_motion = cut_steps(field.database, standing=use.standing), measure_root_motion(field.database)
    if not len(clips.start):
        raise ValueError("field: expected motion with steps, in which one foot stands alone; found none")
    joints = Joints.of(field.database, root_motion, half_life=use.half_life)
    links = joints.links(clips.end, clips.end_foot, clips)
    solution = solve_graph(Player(fitted, root_motion, clips, use, field.database), links, tolerance=tolerance)
    values, start_values = (ValueTable(fitted.axes, table) for table in (solution.values, solution.start_values))
    return GraphController(field, fitted, use, values, start_values, solution.sweeps, solution.residual)


METHOD = Method(GraphController, train_graph)
