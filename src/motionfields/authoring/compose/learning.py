"""Labels learnt from a few painted seconds (extra `learn`), with a confidence for every state.

Arikan, Forsyth and O'Brien (2003, section 3.1) train a support vector machine for each label on windows of joint
positions. Here, too, each label has its own classifier, on windows of two seconds: body shapes seen from the root,
speeds of the joints, and the travel and turning of the root. Nothing is stored but the resulting shares.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final, Literal

import numpy as np
from scipy.ndimage import uniform_filter1d

from motionfields.authoring.compose.labels import NO, UNKNOWN, YES, StateLabels, spans_of_states
from motionfields.base.arrays import BoolArray, FloatArray, IntArray
from motionfields.base.errors import MissingExtraError
from motionfields.base.geometry import angle_difference, turn_over_ground, yaw_from_quat
from motionfields.control.transitions import joint_places, state_parts
from motionfields.field.database import MotionDatabase
from motionfields.field.database.takes import original_clip
from motionfields.motion.annotations import Annotations, Span
from motionfields.motion.quality import distinct_joints

OFFSETS: Final = (-1.0, -0.67, -0.33, -0.17, 0.0, 0.17, 0.33, 0.67, 1.0)  # seconds around a state
DIMENSIONS: Final = 60  # of the features after projection
SMOOTH: Final = 0.3  # seconds over which scores are averaged
MOST_EXAMPLES: Final = 6000  # states that a classifier learns from

Method = Literal["logistic", "svm"]


def learn_labels(
    database: MotionDatabase, labels: StateLabels, *, method: Method = "logistic", seed: int = 0
) -> StateLabels:
    """Return `labels` with unknown states filled in by classifiers that learn from the known ones.

    `values` of learnt states are yes or no, and `share` is the confidence that the label is present, 0 to 1. Known
    states keep theirs. A label without known yes and no states stays unknown. Needs the extra `learn`.
    """
    features = window_features(database)
    projected = _projected(features, seed)
    values, share = labels.values.copy(), labels.share.copy()
    for column in range(len(labels.names)):
        known = np.flatnonzero(labels.values[:, column] != UNKNOWN)
        wanted = labels.values[known, column] == YES
        unknown = labels.values[:, column] == UNKNOWN
        if not unknown.any() or wanted.all() or not wanted.any():
            continue
        stride = max(1, len(known) // MOST_EXAMPLES)
        scores = _scores(projected, known[::stride], wanted[::stride], method)
        smooth = smoothed(database, scores)
        confidence = 1.0 / (1.0 + np.exp(-np.clip(smooth, -30.0, 30.0)))
        share[unknown, column] = confidence[unknown]
        values[unknown, column] = np.where(smooth[unknown] > 0.0, YES, NO)
    return StateLabels(labels.names, values, share.astype(np.float32))


def window_features(database: MotionDatabase) -> FloatArray:
    """Return features [state, dimension], float32, of the two seconds around each state.

    They hold the joint positions relative to the root on the ground in the yaw frame of each moment, the mean speed of
    the joints over 0.5 and 1.5 s, and the place and yaw of the root relative to the middle. Windows end at clip ends.
    """
    keep = distinct_joints(database.skeleton)
    places = np.concatenate(
        [
            joint_places(database, database.poses(part))[:, keep].astype(np.float32)
            for part in state_parts(database.state_count)
        ]
    )
    first, last = (database.clip_starts[database.clip_of + shift] - shift for shift in (0, 1))
    states = np.arange(database.state_count)
    root, yaw = _root_tracks(database)
    parts = []
    for offset in OFFSETS:
        other = np.clip(states + round(offset / database.frame_time), first, last)
        travel = turn_over_ground(root[other] - root, -yaw)
        turn = 0.7 * angle_difference(yaw[other], yaw)
        parts += [places[other].reshape(len(states), -1), travel, turn[:, np.newaxis]]
    moved = np.linalg.norm(places[np.minimum(states + 1, last)] - places, axis=-1) / database.frame_time
    parts += [0.7 * smoothed(database, moved, seconds=seconds) for seconds in (0.5, 1.5)]
    return np.concatenate(parts, axis=1).astype(np.float32)


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
    column = labels.column_of(label)
    values, share = labels.values.copy(), labels.share.copy()
    values[path, column] = np.where(right, YES, NO)
    share[path, column] = right
    return StateLabels(labels.names, values, share)


def _root_tracks(database: MotionDatabase) -> tuple[FloatArray, FloatArray]:
    """Return the place [state, 2] in metres and the yaw [state] of the root of each state in its own clip."""
    places, yaws = [], []
    for clip in database.iter_source_clips():
        places.append(clip.root_position[:-1, ::2])
        yaws.append(yaw_from_quat(clip.rotations[:-1, 0]))
    return np.concatenate(places), np.concatenate(yaws)


def _projected(features: FloatArray, seed: int) -> FloatArray:
    """Return `features` [state, dimension] on their principal axes, scaled to a mean square length of 1."""
    decomposition = _sklearn("decomposition")
    count = min(DIMENSIONS, features.shape[1], len(features[::8]))
    reduction = decomposition.PCA(count, random_state=seed, svd_solver="randomized").fit(features[::8])
    short = reduction.transform(features)
    return np.asarray(short / np.sqrt((short**2).sum(axis=1).mean()))


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
