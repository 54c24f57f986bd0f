"""The motion field: the actions available at every state of a character (Lee et al. 2010, section 3).

A state m = (x, v) is a pose and its change to the next frame. Its neighbourhood N(m) is the k most similar states of
the database. An action is a set of weights over the neighbours. Following an action for one frame moves the character
as the weighted neighbours moved, with a slight pull back towards the data. All functions work on batches of states, and
the result for one state does not depend on the others in the batch.

Read this module from top to bottom. The methods of `MotionField` come in the paper's order: neighbours (eq. 1),
integration (eq. 3 to 6), contact votes (eq. 7), then synthesis. Weights (eq. 2) and actions (eq. 8) follow the class.
`docs/papers/motion-fields.md` lists the departures from the paper and their reasons.
"""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.artifacts import Artifact, JsonValue, read_artifact, write_artifact
from motionfields.base.checks import LARGEST, check_indices, checked_count, checked_number
from motionfields.base.compiled import kernel
from motionfields.base.errors import INVALID, ArtifactError, invalid_reason
from motionfields.base.geometry import quat_normalize
from motionfields.field.connectivity import Connectivity, Spacing, check_connectivity
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
    draw_leaders,
    ordered_sum,
    soft_weights,
    spread_out,
    uniform_draws,
)
from motionfields.field.search_set import SearchSet, clip_ends, find_search_set
from motionfields.motion.clip import Clip
from motionfields.motion.planting import FootPlanter, Stance, measure_stance, votes_from_contacts

NEIGHBOR_COUNT = 15  # k
DRIFT = 0.1  # delta
FIELD_SETTINGS = ("neighbor_count", "drift", "search")
FIELD_VERSION = 2  # of the file format; version 1 held `tail` and `standing`, now settings of passive synthesis
REPLAY_TIME = 2.0  # seconds: frames played this recently cannot become leaders again


class Synthesis(NamedTuple):
    """Runs of synthesised motion."""

    poses: Pose  # [run, frame]
    contact_votes: FloatArray  # [run, frame, 2], left and right, 0 to 1
    nearest: IntArray  # [run, frame], the database state nearest to each frame
    distances: FloatArray  # [run, frame], feature distance to that state


class Drifted(NamedTuple):
    """The result of one frame of passive synthesis: neighbours and votes of this frame, states of the next."""

    state: MotionState  # [n], of the next frame
    leaders: Leaders
    found: Neighbors  # [n, k], of this frame
    contact_votes: FloatArray  # [n, 2], of this frame


class MotionField:
    """A motion database with neighbour search and integration, for control and passive synthesis.

    The search for control returns every state that has a next state and lies in the core, the largest part of the data
    whose states can all reach each other: see `findable`, `index`, `neighbors`, `connectivity` and `spacing`. Passive
    synthesis has no task to lead a character out of a dead end, so its search also leaves out clip ends and standing
    still, according to its `PassiveSettings`: see `passive_states`, which is computed on first use.

    `search` selects the method that finds the neighbours of all states at once, for the core and in training: "exact",
    or approximate with faiss (extra `faiss`), "ivf" or "hnsw". A moving character always uses exact search.
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
        checked_number("drift", drift, 0.0, 1.0)
        checked_count("neighbor_count", neighbor_count, 1)
        if connectivity is not None:
            check_connectivity(connectivity, database.state_count)
        if not isinstance(search, str) or search not in SEARCHES:
            raise ValueError(f"search: expected one of {', '.join(SEARCHES)}, got {search!r}")
        self.database = database
        self.neighbor_count = neighbor_count
        self.drift = drift
        self.search = search
        self._all = find_search_set(database, ~clip_ends(database, 1), search, connectivity=connectivity)
        self._passive: dict[tuple[int, bool], SearchSet] = {(1, True): self._all}  # keyed by tail and standing
        if not 1 <= neighbor_count <= len(self.findable):
            raise ValueError(
                f"neighbor_count: expected 1 to {len(self.findable)}, the number of states that characters can "
                f"transition to, got {neighbor_count}; use longer clips or clips that are more similar to each other"
            )

    @property
    def findable(self) -> IntArray:
        """Database states [m] that the search for control returns."""
        return self._all.states

    @property
    def index(self) -> NeighborIndex:
        """Exact index of the features of `findable`."""
        return self._all.index

    @property
    def connectivity(self) -> Connectivity:
        """Spacing and core of the states used for control."""
        return self._all.connectivity

    @cached_property
    def wide_index(self) -> NeighborIndex:
        """Index for searching the neighbours of all states at once; equals `index` if `search` is "exact"."""
        return self.index if self.search == "exact" else make_index(self.index.features, self.search)

    @property
    def spacing(self) -> Spacing:
        """Distance from a state to its nearest other moment, over the states used for control."""
        return self.connectivity.spacing

    def passive_states(self, settings: PassiveSettings | None = None) -> SearchSet:
        """Return the states that passive synthesis searches, with index and spacing; cached after the first use."""
        use = settings or PassiveSettings()
        key = (use.tail, use.standing)
        if key not in self._passive:
            candidates = self._passive_candidates(*key)
            self._passive[key] = find_search_set(self.database, candidates, self.search)
        found = self._passive[key]
        if len(found.states) < self.neighbor_count:
            raise ValueError(
                f"settings: expected at least {self.neighbor_count} states for passive synthesis, found "
                f"{len(found.states)}; use longer clips, a shorter tail, or standing=True"
            )
        return found

    def _passive_candidates(self, tail: int, standing: bool) -> BoolArray:
        """Return which states [state] passive synthesis may find, before the core is known."""
        alive = ~clip_ends(self.database, tail)
        return alive if standing else alive & ~self._stands

    @cached_property
    def _stands(self) -> BoolArray:
        """Mask [state] of states that stand still for the next half second, where passive synthesis would get stuck."""
        return self.database.stands(STILL_TIME)

    def neighbors(self, state: MotionState, neighbor_count: int | None = None) -> Neighbors:
        """Return N(m): the database states [n, k] nearest to each of `state` [n] under eq. 1, nearest first."""
        return self._all.nearest(self.database.metric.embed(state), neighbor_count or self.neighbor_count)

    def blend(self, states: IntArray, weights: FloatArray) -> PoseDelta:
        """Return the mean velocity [n] of `states` [n, k], weighted by `weights` [n, k] (part of eq. 3)."""
        states = check_indices("states", states, self.database.state_count)
        weights = _checked_weights("weights", weights)
        if weights.shape != states.shape:
            raise ValueError(f"weights: expected shape {states.shape}, got {weights.shape}")
        return PoseDelta(
            _weighted_vectors(self.database.root_step[:, np.newaxis], states, weights)[:, 0],
            _weighted_vectors(self.database.root_turn[:, np.newaxis], states, weights)[:, 0],
            _weighted_vectors(self.database.joint_turns, states, weights),
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
        """Return I(m, a): the states [n] one frame later under the weights `action_weights` [n, k] (eq. 4-6).

        `drift` is the strength of the pull towards a database state, a number or one per state. `target` [n] is that
        state, by default the nearest neighbour. With `drift` 0 this is eq. 3.
        """
        if target is not None:
            check_indices("target", target, self.database.state_count)
        pull = np.broadcast_to(self.drift if drift is None else drift, len(state.pose.root_position))
        known = neighbors.indices[:, 0] if target is None else target
        states = neighbors.indices
        velocity = self.blend(states, action_weights)
        next_velocity = self.blend(self.database.successors(states), action_weights)
        # Eq. 5 needs the difference between x and the next pose of the known state. Both are grounded first, because
        # the place and facing at which the known state was captured carry no information about the character.
        ahead = apply_delta(self.database.poses(known), self.database.velocities(known))
        correction = pose_difference(ahead, grounded(state.pose))
        corrected = _mixed(velocity, correction, pull)
        return MotionState(
            apply_delta(state.pose, corrected),
            _mixed(next_velocity, self.database.next_velocities(known), pull),
        )

    def contact_votes(self, neighbors: Neighbors, weights: FloatArray) -> FloatArray:
        """Return the weighted share of neighbours with the left and right foot down, [n, 2] from 0 to 1 (eq. 7).

        A state's own vote is not 0 or 1 as in the paper. It rises and falls around the edges of a contact, so that foot
        locking can anticipate a contact.
        """
        check_indices("neighbors.indices", neighbors.indices, self.database.state_count)
        standing = self.state_votes[neighbors.indices]
        return np.stack([ordered_sum(standing[..., foot] * weights) for foot in range(2)], axis=-1)

    @cached_property
    def state_votes(self) -> FloatArray:
        """Contact votes of the left and right foot in each database state, [state, 2] from 0 to 1."""
        database = self.database
        takes = np.split(database.contacts, database.clip_starts[1:-1])
        return np.concatenate([votes_from_contacts(take, database.frame_time) for take in takes])

    def draw(self, count: int, *, seed: int = 0) -> MotionState:
        """Return `count` of the `findable` states, grounded, drawn by `seed`, as starts for controlled characters."""
        return self.database.states(_drawn(self.findable, count, seed))

    def start(self, count: int, *, seed: int = 0, settings: PassiveSettings | None = None) -> MotionState:
        """Return `count` start states for passive synthesis, grounded, drawn by `seed`."""
        return self.database.states(_drawn(self.passive_states(settings).states, count, seed))

    def synthesize(
        self, start: MotionState, seconds: float, *, seed: int = 0, settings: PassiveSettings | None = None
    ) -> Synthesis:
        """Return `seconds` of passive synthesis from the states `start` [n], which need not be in the data.

        Each character is a separate run. Its motion depends only on its start, its place in the batch and `seed`.
        """
        use = settings or PassiveSettings()
        checked_number("seconds", seconds, 0.0)
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
        """Advance passive synthesis by one frame from the states `state` [n] with the leaders `leaders` [n]."""
        use = settings or PassiveSettings()
        search_set = self.passive_states(use)
        features = self.database.metric.embed(state)
        found = search_set.nearest(features, max(use.candidate_count, self.neighbor_count))
        states, distances = spread_out(
            found.indices, found.distances, self.database.clip_of, use.frame_gap, self.neighbor_count
        )
        width = search_set.spacing.median
        weights = soft_weights(distances, use.softness * width) if use.softness > 0.0 else similarity_weights(distances)
        target = states[:, 0]
        if use.lead_share > 0.0:
            played = round(REPLAY_TIME / self.database.frame_time)
            fresh = np.isfinite(distances) & ahead_of(leaders, states, self.database.clip_of, played)
            free = fresh & (distances <= use.lead_reach * width)
            old = leaders.ages * self.database.frame_time >= use.lead_time
            stale = self._lost(features, leaders, use, width) | (old & free.any(axis=-1))
            uniform = uniform_draws(seed, np.arange(len(states)), frame)
            leaders = draw_leaders(leaders, stale, states, (free, fresh), uniform)
            target = leaders.states
            frames = max(1.0, use.lead_ease / self.database.frame_time)
            share = use.lead_share * np.minimum(1.0, (leaders.ages + 1.0) / frames)
            states, weights = add_leader(weights, states, target, share)
        action = Neighbors(states, distances)
        astray = found.distances[:, 0] / search_set.spacing.p95
        drift = self.drift * np.clip(astray, 1.0, use.homing)
        after = self.integrate(state, action, weights, target=target, drift=drift)
        return Drifted(after, leaders.advanced(), found, self.contact_votes(action, weights))

    def _lost(self, features: FloatArray, leaders: Leaders, use: PassiveSettings, width: float) -> BoolArray:
        """Return which characters [n] need a new leader: they have none, it is too far off, or it reached a dead end.

        `features` [n, dimension] are those of the characters; `width` is the median spacing of the data.
        """
        gap = features - self.database.features[leaders.states]
        far = ordered_sum(gap * gap) > (use.lead_reach * width) ** 2
        ended = self.database.frames_left[leaders.states] < 2
        if not use.standing:
            ended |= self._stands[leaders.states]
        return np.asarray((leaders.states < 0) | far | ended)

    def clips(self, runs: Synthesis, *, plant: bool = True) -> list[Clip]:
        """Return each run as a clip; with `plant`, lock the feet in place while the contact votes are high."""
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
        """Height of the character's feet while they stand, measured from the data."""
        database = self.database
        root = database.poses(slice(None)).root_position
        clip = Clip(database.skeleton, root, database.rotations, database.frame_time)
        return measure_stance(clip, [database.contacts])

    def save(self, path: str | PathLike[str]) -> None:
        """Write the field with its database to the file `path` atomically (see `motionfields.base.artifacts`)."""
        write_artifact(path, kind="field", version=FIELD_VERSION, arrays=field_arrays(self), facts=field_facts(self))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> MotionField:
        """Return the field in the file `path`; raises `ArtifactError` if it is damaged or of another kind."""
        return field_from(read_artifact(path, kind="field", newest_version=FIELD_VERSION))


def similarity_weights(distances: FloatArray) -> FloatArray:
    """Return w: the weight [n, k] of each neighbour at `distances` [n, k], summing to 1 (eq. 2).

    A neighbour at distance 0 takes all the weight; several such neighbours share it equally.
    """
    distances = _checked_weights("distances", distances, endless=True)
    exact = distances == 0.0
    inverse = 1.0 / np.where(exact, 1.0, distances).astype(np.float64) ** 2
    raw = np.where(exact.any(axis=-1, keepdims=True), exact.astype(np.float64), inverse)
    return np.asarray(raw / ordered_sum(raw)[:, np.newaxis])


def actions(weights: FloatArray, *, strength: float = 1.0) -> FloatArray:
    """Return A(m): k actions [n, k, k] from similarity `weights` [n, k]; the i-th prefers neighbour i (eq. 8).

    Action i sets the weight of neighbour i to `strength` and normalises. The paper's strength is 1; a larger one
    follows the chosen neighbour more closely, and an infinite one follows it alone.
    """
    if not strength > 0.0:
        raise ValueError(f"strength: expected a positive number, got {strength}")
    weights = _checked_weights("weights", weights)
    count = weights.shape[-1]
    if np.isinf(strength):
        return np.broadcast_to(np.eye(count), (*weights.shape, count)).copy()
    chosen = np.where(np.eye(count, dtype=np.bool_), strength, weights[..., np.newaxis, :])
    return np.asarray(chosen / (1.0 - weights + strength)[..., np.newaxis])


def _checked_weights(name: str, given: FloatArray, *, endless: bool = False) -> FloatArray:
    """Return `given` as an array [n, k] of real numbers; ValueError if it is not one, or holds NaN."""
    array = np.asarray(given)
    if array.dtype.kind not in "iuf" or array.ndim != 2 or array.shape[1] < 1:
        raise ValueError(f"{name}: expected real numbers [n, k], got {array.dtype} of shape {array.shape}")
    if np.isnan(array).any() or not (endless or np.isfinite(array).all()):
        raise ValueError(f"{name}: expected finite numbers")
    if (np.abs(array[np.isfinite(array)]) > LARGEST).any():
        raise ValueError(f"{name}: expected numbers of at most {LARGEST:g}")
    return array


def field_arrays(field: MotionField) -> dict[str, NDArray[Any]]:
    """Return the arrays of `field` and its database, by name, for an artifact file."""
    return {**database_arrays(field.database), "core": field.connectivity.core}


def field_facts(field: MotionField) -> dict[str, JsonValue]:
    """Return the settings and measurements of `field` and its database as JSON values, for an artifact file."""
    settings: dict[str, JsonValue] = {name: getattr(field, name) for name in FIELD_SETTINGS}
    found: dict[str, JsonValue] = {"spacing": list(field.spacing), "recall": field.connectivity.recall}
    return {**database_facts(field.database), "field": settings, **found}


def field_from(artifact: Artifact) -> MotionField:
    """Return the field in `artifact`; raises `ArtifactError` if the content is not valid."""
    database = database_from(artifact)
    core = artifact.array("core", dtype=np.bool_, shape=(database.state_count,))
    facts: dict[str, Any] = dict(artifact.facts)
    try:
        connectivity = Connectivity(Spacing(*facts["spacing"]), core, facts.get("recall", 1.0))
        settings = dict(facts["field"])
        tail, standing = settings.pop("tail", 1), settings.pop("standing", True)  # from files of version 1
        if (tail, standing) == (1, True):
            return MotionField(database, connectivity=connectivity, **settings)
        return _with_passive(MotionField(database, **settings), tail, standing, connectivity)
    except INVALID as error:
        raise ArtifactError(f"holds an invalid field: {invalid_reason(error)}", path=str(artifact.path)) from None


def _with_passive(field: MotionField, tail: int, standing: bool, connectivity: Connectivity) -> MotionField:
    """Return `field` with the `connectivity` that a version 1 file stores for passive synthesis."""
    use = PassiveSettings(tail=tail, standing=standing)
    candidates = field._passive_candidates(use.tail, use.standing)
    field._passive[tail, standing] = find_search_set(
        field.database, candidates, field.search, connectivity=connectivity
    )
    return field


def _drawn(states: IntArray, count: int, seed: int) -> IntArray:
    """Return `count` of `states` [m], drawn by `seed`."""
    return states[np.floor(uniform_draws(seed, np.arange(count), 0) * len(states)).astype(np.int64)]


def _mixed(first: PoseDelta, second: PoseDelta, share: FloatArray) -> PoseDelta:
    """Return the blend (1 - `share`) `first` + `share` `second` of pose changes (circled sum); `share` is [n]."""

    def mix(a: FloatArray, b: FloatArray) -> FloatArray:
        part = share.reshape(-1, *[1] * (a.ndim - 1))
        return np.asarray((1.0 - part) * a + part * b)

    return PoseDelta(*(mix(a, b) for a, b in zip(first, second, strict=True)))


@kernel
def _weighted_vectors(table: FloatArray, states: IntArray, weights: FloatArray) -> FloatArray:
    """Return the sums [n, m, 3] over k of `weights` [n, k] times the `states` [n, k] of `table` [state, m, 3]."""
    # Neighbours are added in order, into float64, so the bits of one state do not depend on the batch. A loop also
    # avoids the copy [n, k, m, 3] that indexing would make.
    out = np.zeros((states.shape[0], table.shape[1], 3))
    for i in range(states.shape[0]):
        for k in range(states.shape[1]):
            weight = weights[i, k]
            for m in range(table.shape[1]):
                for c in range(3):
                    out[i, m, c] += weight * table[states[i, k], m, c]
    return out


class _Record:
    """Preallocated arrays of a synthesis, filled frame by frame."""

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
