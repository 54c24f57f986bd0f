"""Labels learnt from a few painted seconds (extra `learn`), with a confidence for every state.

Arikan, Forsyth and O'Brien (2003, section 3.1) train a support vector machine for each label on windows of joint
positions. Here, too, each label has its own classifier, on windows of two seconds. Besides poses, a window holds the
speeds of the joints, their vertical velocities, the velocity and turning rate of the root and the contacts of the feet.
Each of these blocks has the same weight. Only the resulting shares are stored.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any, Final, Literal

import numpy as np
from scipy.ndimage import uniform_filter1d

from motionfields.authoring.compose.labels import NO, UNKNOWN, YES, StateLabels, spans_of_states
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.checks import check_indices
from motionfields.base.errors import MissingExtraError
from motionfields.base.geometry import turn_over_ground, yaw_from_quat
from motionfields.control.transitions import joint_places, state_parts
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import original_clip
from motionfields.motion.annotations import Annotations, Span
from motionfields.motion.quality import distinct_joints

OFFSETS: Final = (-1.0, -0.67, -0.33, -0.17, 0.0, 0.17, 0.33, 0.67, 1.0)  # seconds around a state, of poses
ROOT_OFFSETS: Final = (-1.0, -0.5, 0.0, 0.5, 1.0)  # of the velocity of the root
CONTACT_OFFSETS: Final = (-0.33, 0.0, 0.33)
CLIMBS: Final = (0.2, 0.53, 1.0)  # seconds over which the climbing of joints is measured
DIMENSIONS: Final = {"poses": 40, "speeds": 20, "climbs": 12}  # of blocks after projection
SMOOTH: Final = 0.3  # seconds over which scores are averaged
MOST_EXAMPLES: Final = 6000  # states that a classifier learns from

Method = Literal["logistic", "svm"]


def learn_labels(
    database: MotionDatabase,
    labels: StateLabels,
    *,
    method: Method = "logistic",
    features: FloatArray | None = None,
) -> StateLabels:
    """Return `labels` with unknown states filled in by classifiers that learn from the known ones.

    `values` of learnt states are yes or no, and `share` is the confidence that the label is present, 0 to 1. Known
    states keep theirs. A label without known yes and no states stays unknown. `features` are those of
    `window_features`, to save their time when learning again. Needs the extra `learn`.
    """
    if features is None:
        features = window_features(database)
    values, share = labels.values.copy(), labels.share.copy()
    for column in range(len(labels.names)):
        known = np.flatnonzero(labels.values[:, column] != UNKNOWN)
        wanted = labels.values[known, column] == YES
        unknown = labels.values[:, column] == UNKNOWN
        if not unknown.any() or wanted.all() or not wanted.any():
            continue
        stride = max(1, len(known) // MOST_EXAMPLES)
        scores = _scores(features, known[::stride], wanted[::stride], method)
        smooth = smoothed(database, scores)
        confidence = 1.0 / (1.0 + np.exp(-np.clip(smooth, -30.0, 30.0)))
        share[unknown, column] = confidence[unknown]
        values[unknown, column] = np.where(smooth[unknown] > 0.0, YES, NO)
    return StateLabels(labels.names, values, share.astype(np.float32))


def window_features(database: MotionDatabase) -> FloatArray:
    """Return features [state, dimension], float32, of the two seconds around each state. Needs the extra `learn`.

    Six blocks have the same mean square length: joint positions relative to the root on the ground in the yaw frame of
    each moment, speeds of the joints in that frame, their vertical velocities, velocity and turning of the root along
    the window and over it, and contacts of the feet. The first three are projected on their principal axes. Windows
    end at clip ends.
    """
    places, root = _joint_places(database), _root_velocity(database)
    flat, heights = places.reshape(len(places), -1), places[..., 1]
    speeds = np.linalg.norm(_rates(database, flat, 4 * database.frame_time).reshape(places.shape), axis=-1)
    contacts = database.contacts.astype(np.float64)
    both, neither = (np.prod(feet, axis=1, keepdims=True) for feet in (contacts, 1.0 - contacts))
    mean, spread = partial(smoothed, database), partial(_spread, database)
    blocks = (
        _block(_along(database, flat, OFFSETS), DIMENSIONS["poses"]),
        _block([*(mean(speeds, seconds=s) for s in (0.3, 1.0, 2.0)), spread(speeds, 2.0)], DIMENSIONS["speeds"]),
        _block([_scaled(_rates(database, heights, s)) for s in CLIMBS], DIMENSIONS["climbs"]),
        _block([_scaled(part) for part in _along(database, mean(root, seconds=0.3), ROOT_OFFSETS)]),
        _block([_scaled(part) for s in (1.0, 2.0) for part in (mean(root, seconds=s), spread(root, s))]),
        _block(
            [
                *_along(database, contacts, CONTACT_OFFSETS),
                *(mean(contacts, seconds=1.0), mean(both, seconds=1.0), mean(neither, seconds=0.5)),
            ]
        ),
    )
    return np.concatenate(blocks, axis=1).astype(np.float32)


def smoothed(database: MotionDatabase, tracks: FloatArray, *, seconds: float = SMOOTH) -> FloatArray:
    """Return `tracks` [state, ...] averaged over `seconds`, each clip by itself."""
    width = max(1, round(seconds / database.frame_time))
    out = np.array(tracks, dtype=np.float64)
    for start, stop in zip(database.clip_starts[:-1], database.clip_starts[1:], strict=True):
        out[start:stop] = uniform_filter1d(out[start:stop], width, axis=0, mode="nearest")
    return out


def proposals(database: MotionDatabase, painted: StateLabels, learnt: StateLabels) -> Annotations:
    """Return the labels of `learnt` that `painted` leaves unknown, as spans for a person to check.

    Only states of original takes count; labels of mirror images follow from them.
    """
    images = np.array([original_clip(database, clip)[1] for clip in range(database.clip_count)])
    original = ~images[database.clip_of]
    spans: list[Span] = []
    for column, name in enumerate(learnt.names):
        found = original & (painted.values[:, column] == UNKNOWN) & (learnt.values[:, column] == YES)
        spans += spans_of_states(database, np.flatnonzero(found), name, basis="learnt")
    return Annotations(tuple(sorted(spans, key=lambda span: (span.file, span.start))), complete=False)


def with_answers(labels: StateLabels, path: IntArray, right: BoolArray, label: str) -> StateLabels:
    """Return `labels` with the answers of a person about the states `path` [frame]: `right` [frame] to have `label`."""
    path, column = check_indices("path", path, len(labels.values)), labels.column_of(label)
    values, share = labels.values.copy(), labels.share.copy()
    values[path, column] = np.where(right, YES, NO)
    share[path, column] = right
    return StateLabels(labels.names, values, share)


def _joint_places(database: MotionDatabase) -> FloatArray:
    """Return the positions [state, joint, 3] of the distinct joints, from the root on the ground, in its yaw frame."""
    keep = distinct_joints(database.skeleton)
    parts = [joint_places(database, database.poses(part))[:, keep] for part in state_parts(database.state_count)]
    return np.concatenate(parts).astype(np.float64)


def _root_velocity(database: MotionDatabase) -> FloatArray:
    """Return the velocity of the root in its yaw frame (x, z), its turning rate and its speed, [state, 4]."""
    clips = list(database.iter_source_clips())
    yaw = np.concatenate([np.unwrap(yaw_from_quat(clip.rotations[:-1, 0])) for clip in clips])
    place = np.concatenate([clip.root_position[:-1, ::2] for clip in clips])
    rates = _rates(database, np.column_stack([place, yaw]), 4 * database.frame_time)
    velocity = turn_over_ground(rates[:, :2], -yaw)
    return np.column_stack([velocity, rates[:, 2], np.linalg.norm(velocity, axis=1)])


def _shifted(database: MotionDatabase, frames: int) -> IntArray:
    """Return the state [state] that lies `frames` after each, or the end of its clip."""
    first, last = (database.clip_starts[database.clip_of + shift] - shift for shift in (0, 1))
    return np.clip(np.arange(database.state_count) + frames, first, last)


def _along(database: MotionDatabase, tracks: FloatArray, offsets: tuple[float, ...]) -> list[FloatArray]:
    """Return `tracks` [state, dimension] at each of `offsets` in seconds from each state."""
    return [tracks[_shifted(database, round(offset / database.frame_time))] for offset in offsets]


def _rates(database: MotionDatabase, tracks: FloatArray, seconds: float) -> FloatArray:
    """Return the change of `tracks` [state, dimension] per second, over `seconds` around each state."""
    half = max(1, round(0.5 * seconds / database.frame_time))
    before, after = _shifted(database, -half), _shifted(database, half)
    lasted = np.maximum(1, after - before) * database.frame_time
    return np.asarray((tracks[after] - tracks[before]) / lasted[:, np.newaxis])


def _spread(database: MotionDatabase, tracks: FloatArray, seconds: float) -> FloatArray:
    """Return the standard deviation of `tracks` [state, dimension] over `seconds` around each state."""
    mean, square = (smoothed(database, one, seconds=seconds) for one in (tracks, tracks**2))
    return np.sqrt(np.maximum(0.0, square - mean**2))


def _scaled(tracks: FloatArray) -> FloatArray:
    """Return `tracks` [state, dimension] with a standard deviation of 1 in each dimension that varies."""
    deviation = tracks.std(axis=0)
    return tracks / np.where(deviation > 0.0, deviation, 1.0)


def _block(parts: list[FloatArray], dimensions: int | None = None) -> FloatArray:
    """Return `parts` side by side with a mean square length of 1, on their first principal axes if `dimensions`."""
    block = np.concatenate(parts, axis=1)
    block -= block.mean(axis=0)
    if dimensions is not None:
        examples = block[::8]
        count = min(dimensions, *examples.shape)
        reduction = _sklearn("decomposition").PCA(count, random_state=0, svd_solver="randomized").fit(examples)
        block = reduction.transform(block)
    length = np.sqrt((block**2).sum(axis=1).mean())
    return np.asarray(block / length if length > 0.0 else block)


def _scores(features: FloatArray, examples: IntArray, wanted: BoolArray, method: Method) -> FloatArray:
    """Return the score [state] of one label: positive where the classifier finds it."""
    if method == "svm":
        model = _sklearn("svm").SVC(C=30.0, gamma=1.0, class_weight="balanced", cache_size=300)
    elif method == "logistic":
        model = _sklearn("linear_model").LogisticRegression(C=100.0, class_weight="balanced", max_iter=300)
    else:
        raise ValueError(f"method: expected logistic or svm, got {method!r}")
    return np.asarray(model.fit(features[examples], wanted).decision_function(features))


def _sklearn(part: str) -> Any:
    """Return a module of scikit-learn; `MissingExtraError` if it is not installed."""
    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        raise MissingExtraError("scikit-learn", extra="learn") from None
