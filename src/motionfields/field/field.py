"""The motion field: at every state the character could be in, the ways it can move next (Lee et al. 2010, section 3).

A state m = (x, v) is a pose and its next change. Its neighbourhood N(m) is the k most similar states of the database.
An action is a set of weights over the neighbours; following an action for one frame means moving as the weighted
neighbours did, with a slight pull back towards the data. Everything works on batches of states, and what comes out for
one state does not depend on the others in the batch.

Read it from top to bottom. The methods of `MotionField` come in the paper's order: neighbours (eq. 1), how they are
followed (eq. 3 to 6) and who stands (eq. 7), then synthesis. Weights (eq. 2) and actions (eq. 8) follow the class.
`docs/paper-map.md` says where we depart from the paper and why.
"""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue, read_artifact, write_artifact
from motionfields.base.compiled import kernel
from motionfields.base.errors import ArtifactError
from motionfields.base.geometry import quat_normalize
from motionfields.field.connectivity import Connectivity, Spacing
from motionfields.field.database import (
    MotionDatabase,
    MotionState,
    Pose,
    PoseDelta,
    apply_delta,
    grounded,
    pose_difference,
)
from motionfields.field.database.saving import database_arrays, database_facts, database_from
from motionfields.field.neighbors import SEARCHES, NeighborIndex, Neighbors, Search, make_index
from motionfields.field.passive import (
    STILL_TIME,
    Leaders,
    PassiveSettings,
    add_leader,
    ahead_of,
    chances,
    draw_leaders,
    ordered_sum,
    soft_weights,
    spread_out,
)
from motionfields.field.search_set import SearchSet, clip_ends, find_search_set
from motionfields.motion.clip import Clip
from motionfields.motion.planting import FootPlanter, Stance, measure_stance, votes_from_contacts

NEIGHBOR_COUNT = 15  # k
DRIFT = 0.1  # delta
FIELD_SETTINGS = ("neighbor_count", "drift", "search")
FIELD_VERSION = 2  # of what a field's file holds; 1 had `tail` and `standing`, which are passive synthesis's now
REPLAY_TIME = 2.0  # seconds: what has just been played does not lead again


class Synthesis(NamedTuple):
    """Runs of synthesised motion."""

    poses: Pose  # [run, frame]
    contact_votes: FloatArray  # [run, frame, 2], left and right, 0 to 1
    nearest: IntArray  # [run, frame], the state of the database most like each frame
    distances: FloatArray  # [run, frame], how far it is


class Drifted(NamedTuple):
    """What passive synthesis knows of each character at one frame, and where it goes next."""

    state: MotionState  # [n], of the next frame
    leaders: Leaders
    found: Neighbors  # [n, k], of this frame
    contact_votes: FloatArray  # [n, 2], of this frame


class MotionField:
    """A database and how to move through it; one field serves control and passive synthesis.

    Control finds every state that has a next one and lies in the core, the largest part of the data whose states can
    all reach each other: `findable`, `index`, `neighbors`, `connectivity` and `spacing`. Passive synthesis has no task
    that leads a character out of a dead end, so it leaves out clip ends and standing still too, as its
    `PassiveSettings` say: `passive_states`, computed when first used.

    `search` finds the neighbours of all states at once, for the core and in training: "exact", or approximate with
    faiss (extra `faiss`), "ivf" or "hnsw". A moving character always finds its neighbours exactly.
    """

    def __init__(
        self,
        database: MotionDatabase,
        *,
        neighbor_count: int = NEIGHBOR_COUNT,
        drift: float = DRIFT,
        search: Search = "exact",
        connectivity: Connectivity | None = None,
    ) -> None:
        if not 0.0 <= drift <= 1.0:
            raise ValueError(f"drift: expected 0 to 1, got {drift}")
        if search not in SEARCHES:
            raise ValueError(f"search: expected one of {', '.join(SEARCHES)}, got {search!r}")
        self.database = database
        self.neighbor_count = neighbor_count
        self.drift = drift
        self.search = search
        self._all = find_search_set(database, ~clip_ends(database, 1), search, connectivity=connectivity)
        self._passive: dict[tuple[int, bool], SearchSet] = {(1, True): self._all}  # by tail and standing
        if not 1 <= neighbor_count <= len(self.findable):
            raise ValueError(
                f"neighbor_count: expected 1 to the {len(self.findable)} states that a character can keep moving "
                f"through, got {neighbor_count}; give longer clips, or clips that are more like each other"
            )

    @property
    def findable(self) -> IntArray:
        """States [m] of the database that the search of control returns."""
        return self._all.rows

    @property
    def index(self) -> NeighborIndex:
        """Exact index of the features of `findable`."""
        return self._all.index

    @property
    def connectivity(self) -> Connectivity:
        """Spacing and core of the data, as control sees it."""
        return self._all.connectivity

    @cached_property
    def wide_index(self) -> NeighborIndex:
        """Index for the neighbours of all states at once, as `search` says; `index` if that is "exact"."""
        return self.index if self.search == "exact" else make_index(self.index.features, self.search)

    @property
    def spacing(self) -> Spacing:
        """Distance of a state to its nearest other moment, as control sees the data."""
        return self.connectivity.spacing

    def passive_states(self, settings: PassiveSettings | None = None) -> SearchSet:
        """Return the states that passive synthesis finds, with their index and spacing; kept after the first use."""
        use = settings or PassiveSettings()
        key = (use.tail, use.standing)
        if key not in self._passive:
            candidates = self._passive_candidates(*key)
            self._passive[key] = find_search_set(self.database, candidates, self.search)
        found = self._passive[key]
        if len(found.rows) < self.neighbor_count:
            raise ValueError(
                f"settings: expected at least {self.neighbor_count} states that passive synthesis can keep moving "
                f"through, found {len(found.rows)}; give longer clips, a shorter tail, or standing=True"
            )
        return found

    def _passive_candidates(self, tail: int, standing: bool) -> BoolArray:
        alive = ~clip_ends(self.database, tail)
        return alive if standing else alive & ~self._stands

    @cached_property
    def _stands(self) -> BoolArray:
        """Which states [state] stand still for the next half second, where passive synthesis would stay."""
        return self.database.stands(STILL_TIME)

    def neighbors(self, state: MotionState, neighbor_count: int | None = None) -> Neighbors:
        """N(m): the states of the database most like each of `state` [n] under eq. 1, as rows [n, k], nearest first."""
        return self._all.nearest(self.database.metric.embed(state), neighbor_count or self.neighbor_count)

    def blend(self, rows: IntArray, weights: FloatArray) -> PoseDelta:
        """The weighted mean [n] of the velocities of the states `rows` [n, k] under `weights` [n, k] (in eq. 3)."""
        return PoseDelta(
            _weighted_vectors(self.database.root_step[:, np.newaxis], rows, weights)[:, 0],
            _weighted_vectors(self.database.root_turn[:, np.newaxis], rows, weights)[:, 0],
            _weighted_vectors(self.database.joint_turns, rows, weights),
        )

    def integrate(
        self,
        state: MotionState,
        neighbors: Neighbors,
        action_weights: FloatArray,
        *,
        drift: float | FloatArray | None = None,
        target: IntArray | None = None,
    ) -> MotionState:
        """I(m, a): the states [n] one frame on, moving as the neighbours weighted by `action_weights` [n, k] (eq. 4-6).

        `drift`, a number or one for each state, is the pull towards a known state: `target` [n], by default the
        nearest neighbour. With `drift` 0 this is eq. 3.
        """
        pull = np.broadcast_to(self.drift if drift is None else drift, len(state.pose.root_position))
        known = neighbors.indices[:, 0] if target is None else target
        rows = neighbors.indices
        velocity = self.blend(rows, action_weights)
        next_velocity = self.blend(self.database.successors(rows), action_weights)
        # Eq. 5 asks for the way from x to where the known state goes next. Both are taken to the origin of the
        # ground first: where the known state was captured and which way it faced says nothing about the character.
        ahead = apply_delta(self.database.poses(known), self.database.velocities(known))
        correction = pose_difference(ahead, grounded(state.pose))
        corrected = _mixed(velocity, correction, pull)
        return MotionState(
            apply_delta(state.pose, corrected),
            _mixed(next_velocity, self.database.next_velocities(known), pull),
        )

    def contact_votes(self, neighbors: Neighbors, weights: FloatArray) -> FloatArray:
        """How much of the neighbourhood has the left and the right foot on the ground, [n, 2] from 0 to 1 (eq. 7).

        A state's own vote is not 0 or 1 as in the paper but rises and falls around the edges of a contact, so that
        foot planting sees a contact coming.
        """
        standing = self.state_votes[neighbors.indices]
        return np.stack([ordered_sum(standing[..., foot] * weights) for foot in range(2)], axis=-1)

    @cached_property
    def state_votes(self) -> FloatArray:
        """How sure it is that the left and the right foot stand in each state of the database, [state, 2]."""
        database = self.database
        takes = np.split(database.contacts, database.clip_starts[1:-1])
        return np.concatenate([votes_from_contacts(take, database.frame_time) for take in takes])

    def draw(self, count: int, *, seed: int = 0) -> MotionState:
        """Return `count` of the `findable` states, grounded, drawn by `seed`, for controlled characters."""
        return self.database.states(_drawn(self.findable, count, seed))

    def start(self, count: int, *, seed: int = 0, settings: PassiveSettings | None = None) -> MotionState:
        """Return `count` states for passive synthesis to start from, grounded, drawn by `seed`."""
        return self.database.states(_drawn(self.passive_states(settings).rows, count, seed))

    def synthesize(
        self, start: MotionState, seconds: float, *, seed: int = 0, settings: PassiveSettings | None = None
    ) -> Synthesis:
        """Passive synthesis: the field's own motion for `seconds` from the states `start` [n], whatever they are.

        Each character is a run of its own: what it does depends on its start, its place in the batch and `seed`.
        """
        use = settings or PassiveSettings()
        frame_count = round(seconds / self.database.frame_time)
        run_count = len(start.pose.root_position)
        state, leaders = start, Leaders.none(run_count)
        record = _Record(run_count, frame_count, self.database.skeleton.joint_count)
        for frame in range(frame_count):
            drifted = self.drift_on(state, leaders, frame=frame, seed=seed, settings=use)
            record.add(frame, state, drifted.found, drifted.contact_votes)
            state, leaders = drifted.state, drifted.leaders
        return record.finished()

    def drift_on(
        self,
        state: MotionState,
        leaders: Leaders,
        *,
        frame: int,
        seed: int = 0,
        settings: PassiveSettings | None = None,
    ) -> Drifted:
        """One frame of passive synthesis from the states `state` [n], whose leaders are `leaders` [n]."""
        use = settings or PassiveSettings()
        states = self.passive_states(use)
        features = self.database.metric.embed(state)
        found = states.nearest(features, max(use.candidate_count, self.neighbor_count))
        rows, distances = spread_out(
            found.indices, found.distances, self.database.clip_of, use.frame_gap, self.neighbor_count
        )
        width = states.spacing.median
        weights = soft_weights(distances, use.softness * width) if use.softness > 0.0 else similarity_weights(distances)
        target = rows[:, 0]
        if use.lead_share > 0.0:
            played = round(REPLAY_TIME / self.database.frame_time)
            fresh = np.isfinite(distances) & ahead_of(leaders, rows, self.database.clip_of, played)
            free = fresh & (distances <= use.lead_reach * width)
            old = leaders.ages * self.database.frame_time >= use.lead_time
            stale = self._lost(features, leaders, use, width) | (old & free.any(axis=-1))
            chance = chances(seed, np.arange(len(rows)), frame)
            leaders = draw_leaders(leaders, stale, rows, (free, fresh), chance)
            target = leaders.rows
            frames = max(1.0, use.lead_ease / self.database.frame_time)
            share = use.lead_share * np.minimum(1.0, (leaders.ages + 1.0) / frames)
            rows, weights = add_leader(weights, rows, target, share)
        action = Neighbors(rows, distances)
        astray = found.distances[:, 0] / states.spacing.p95
        drift = self.drift * np.clip(astray, 1.0, use.homing)
        after = self.integrate(state, action, weights, target=target, drift=drift)
        return Drifted(after, leaders.advanced(), found, self.contact_votes(action, weights))

    def _lost(self, features: FloatArray, leaders: Leaders, use: PassiveSettings, width: float) -> BoolArray:
        """Which characters [n] at `features` [n, dimension] have no leader: none yet, too far off, or at a dead end."""
        gap = features - self.database.features[leaders.rows]
        far = ordered_sum(gap * gap) > (use.lead_reach * width) ** 2
        ended = self.database.frames_left[leaders.rows] < 2
        if not use.standing:
            ended |= self._stands[leaders.rows]
        return np.asarray((leaders.rows < 0) | far | ended)

    def clips(self, runs: Synthesis, *, plant: bool = True) -> list[Clip]:
        """Each run as a clip; with `plant`, feet are held in place while the votes say that they stand."""
        frame_time = self.database.frame_time
        root, turns = runs.poses.root_position, runs.poses.rotations
        if plant:
            planter = FootPlanter(self.database.skeleton, self.stance, frame_time=frame_time)
            root, turns, *_ = planter.run(root, turns, contact_votes=runs.contact_votes)
        turns = quat_normalize(turns)
        return [
            Clip(self.database.skeleton, root[run], turns[run], frame_time, name=f"run{run}")
            for run in range(len(root))
        ]

    @cached_property
    def stance(self) -> Stance:
        """How high the feet of the character are while they stand, from the data."""
        database = self.database
        root = database.poses(slice(None)).root_position
        clip = Clip(database.skeleton, root, database.rotations, database.frame_time)
        return measure_stance(clip, [database.contacts])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the field with its database to the file `path`, in one step (see `motionfields.base.artifacts`)."""
        write_artifact(path, kind="field", version=FIELD_VERSION, arrays=field_arrays(self), facts=field_facts(self))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> MotionField:
        """The field in the file `path`; raises `ArtifactError` for one that is damaged or something else."""
        return field_from(read_artifact(path, kind="field", newest_version=FIELD_VERSION))


def similarity_weights(distances: FloatArray) -> FloatArray:
    """w: how much each neighbour counts, [n, k], from `distances` [n, k]; sums to 1 (eq. 2).

    A neighbour at no distance takes all the weight; several such share it.
    """
    exact = distances == 0.0
    inverse = 1.0 / np.where(exact, 1.0, distances).astype(np.float64) ** 2
    raw = np.where(exact.any(axis=-1, keepdims=True), exact.astype(np.float64), inverse)
    return np.asarray(raw / ordered_sum(raw)[:, np.newaxis])


def actions(weights: FloatArray, *, strength: float = 1.0) -> FloatArray:
    """A(m): k actions [n, k, k] made of similarity `weights` [n, k], the i-th of which prefers neighbour i (eq. 8).

    Action i sets the weight of neighbour i to `strength` and normalises. The paper's strength is 1; a larger one
    follows the chosen neighbour more closely, an infinite one follows it alone.
    """
    if not strength > 0.0:
        raise ValueError(f"strength: expected a positive number, got {strength}")
    count = weights.shape[-1]
    if np.isinf(strength):
        return np.broadcast_to(np.eye(count), (*weights.shape, count)).copy()
    chosen = np.where(np.eye(count, dtype=np.bool_), strength, weights[..., np.newaxis, :])
    return np.asarray(chosen / (1.0 - weights + strength)[..., np.newaxis])


def field_arrays(field: MotionField) -> dict[str, NDArray[Any]]:
    """The arrays of `field` with its database, by name, for an artifact file."""
    return {**database_arrays(field.database), "core": field.connectivity.core}


def field_facts(field: MotionField) -> dict[str, JsonValue]:
    """What is to be known of `field` besides its arrays."""
    settings: dict[str, JsonValue] = {name: getattr(field, name) for name in FIELD_SETTINGS}
    found: dict[str, JsonValue] = {"spacing": list(field.spacing), "recall": field.connectivity.recall}
    return {**database_facts(field.database), "field": settings, **found}


def field_from(artifact: Artifact) -> MotionField:
    """Return the field in `artifact`; raises `ArtifactError`."""
    database = database_from(artifact)
    core = artifact.array("core", dtype=np.bool_, shape=(database.state_count,))
    facts: dict[str, Any] = dict(artifact.facts)
    try:
        connectivity = Connectivity(Spacing(*facts["spacing"]), core, float(facts.get("recall", 1.0)))
        settings = dict(facts["field"])
        tail, standing = settings.pop("tail", 1), settings.pop("standing", True)  # of files before version 2
        if (tail, standing) == (1, True):
            return MotionField(database, connectivity=connectivity, **settings)
        return _with_passive(MotionField(database, **settings), int(tail), bool(standing), connectivity)
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"holds no field that makes sense: {error}", path=str(artifact.path)) from None


def _with_passive(field: MotionField, tail: int, standing: bool, connectivity: Connectivity) -> MotionField:
    """Return `field` with the `connectivity` that an old file holds for passive synthesis."""
    use = PassiveSettings(tail=tail, standing=standing)
    candidates = field._passive_candidates(use.tail, use.standing)
    field._passive[tail, standing] = find_search_set(
        field.database, candidates, field.search, connectivity=connectivity
    )
    return field


def _drawn(rows: IntArray, count: int, seed: int) -> IntArray:
    """Return `count` of `rows` [m], drawn by `seed`."""
    return rows[np.floor(chances(seed, np.arange(count), 0) * len(rows)).astype(np.int64)]


def _mixed(first: PoseDelta, second: PoseDelta, share: FloatArray) -> PoseDelta:
    """(1 - share) of `first` and `share` [n] of `second`, circled."""

    def mix(a: FloatArray, b: FloatArray) -> FloatArray:
        part = share.reshape(-1, *[1] * (a.ndim - 1))
        return np.asarray((1.0 - part) * a + part * b)

    return PoseDelta(*(mix(a, b) for a, b in zip(first, second, strict=True)))


@kernel
def _weighted_vectors(table: FloatArray, rows: IntArray, weights: FloatArray) -> FloatArray:
    """The sums [n, m, 3] over k of `weights` [n, k] times the `rows` [n, k] of `table` [state, m, 3]."""
    out = np.zeros((rows.shape[0], table.shape[1], 3))
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            weight = weights[i, k]
            for m in range(table.shape[1]):
                for c in range(3):
                    out[i, m, c] += weight * table[rows[i, k], m, c]
    return out


class _Record:
    """Arrays that fill up frame by frame."""

    def __init__(self, run_count: int, frame_count: int, joint_count: int) -> None:
        self.root_position = np.empty((run_count, frame_count, 3))
        self.root_rotation = np.empty((run_count, frame_count, 4))
        self.joint_rotations = np.empty((run_count, frame_count, joint_count - 1, 4), np.float32)
        self.votes = np.empty((run_count, frame_count, 2), np.float32)
        self.nearest = np.empty((run_count, frame_count), np.int64)
        self.distances = np.empty((run_count, frame_count), np.float32)

    def add(self, frame: int, state: MotionState, found: Neighbors, votes: FloatArray) -> None:
        self.root_position[:, frame], self.root_rotation[:, frame], self.joint_rotations[:, frame] = state.pose
        self.votes[:, frame] = votes
        self.nearest[:, frame] = found.indices[:, 0]
        self.distances[:, frame] = found.distances[:, 0]

    def finished(self) -> Synthesis:
        poses = Pose(self.root_position, self.root_rotation, self.joint_rotations)
        return Synthesis(poses, self.votes, self.nearest, self.distances)
