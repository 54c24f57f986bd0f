"""Repeats are found in sets made to repeat themselves."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.measure.survey.reaching import Links
from motionfields.measure.survey.redundancy import (
    duplicate_takes,
    looped_takes,
    repeated,
    repeated_statements,
    take_numbers,
)
from motionfields.measure.survey.tracks import Tracks

KINDS = ("duplicate-take", "looped-take", "repeated-share")


def tracks_of(*lengths: int) -> Tracks:
    count = sum(lengths)
    names = tuple("abcdef"[number] for number in range(len(lengths)))
    return Tracks(np.zeros((count, 2)), np.zeros(count), np.zeros((count, 2), np.bool_),
                  np.concatenate([[0], np.cumsum(lengths)]), names, 1.0 / 30.0)  # fmt: skip


def wander(count: int, rng: np.random.Generator) -> FloatArray:
    """A path through ten dimensions that never comes back."""
    return np.cumsum(rng.normal(size=(count, 10)), axis=0).astype(np.float32)


def links_of(features: FloatArray, tracks: Tracks) -> Links:
    """The three nearest states in other clips, or more than 15 frames away."""
    apart = np.linalg.norm(features[:, np.newaxis] - features, axis=-1)
    near = np.abs(np.subtract.outer(np.arange(len(features)), np.arange(len(features)))) <= 15
    apart[near & (tracks.clip_of[:, np.newaxis] == tracks.clip_of)] = np.inf
    states = apart.argsort(axis=1, kind="stable")[:, :3]
    return Links(states, np.take_along_axis(apart, states, axis=1))


def test_a_copy_of_a_take_is_named_and_another_take_is_not(rng: np.random.Generator) -> None:
    first, other = wander(200, rng), wander(200, rng)
    copy = first + 0.01 * rng.normal(size=first.shape).astype(np.float32)
    (found,) = duplicate_takes(np.concatenate([first, copy, other]), tracks_of(200, 200, 200))
    assert (found.kind, found.take, found.other_take) == ("duplicate-take", "a", "b")


def test_a_mirror_image_is_no_copy_of_its_take(rng: np.random.Generator) -> None:
    first = wander(200, rng)
    tracks = tracks_of(200, 200)._replace(names=("a", "a.mirror"))
    assert duplicate_takes(np.concatenate([first, first]), tracks) == []


def test_an_exact_loop_is_named_with_its_period(rng: np.random.Generator) -> None:
    cycle, path = wander(60, rng), wander(180, rng)
    features, tracks = np.concatenate([np.tile(cycle, (3, 1)), path]), tracks_of(180, 180)
    (found,) = looped_takes(features, links_of(features, tracks), tracks)
    assert (found.kind, found.take) == ("looped-take", "a")
    assert "after 2.0 s" in found.text


def test_the_share_that_another_take_shows_too(rng: np.random.Generator) -> None:
    first, other = wander(100, rng), wander(100, rng)
    half = np.concatenate([first[:50] + 0.01, wander(50, rng) + 100.0])
    features, tracks = np.concatenate([first, half, other - 100.0]), tracks_of(100, 100, 100)
    shares = repeated(features, links_of(features, tracks), tracks)
    np.testing.assert_allclose(shares, [0.5, 0.5, 0.0], atol=0.03)
    (found,) = repeated_statements(shares, np.bincount(take_numbers(tracks)[tracks.clip_of]))
    assert found.kind == "repeated-share"
    assert found.value == pytest.approx(1.0 / 3.0, abs=0.03)
    assert list(repeated_statements(np.zeros(3), np.ones(3, np.int64))) == []
