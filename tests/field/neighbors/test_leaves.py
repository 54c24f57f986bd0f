"""The principal directions of a database, and the images of its states in them."""

from __future__ import annotations

import numpy as np
import pytest

from motionfields.field.neighbors.leaves import IMAGE_SIZE, principal_basis, project
from tests.field.neighbors.data import motion_like


@pytest.mark.parametrize("rows_at_once", [7, 1 << 16])
def test_the_basis_is_the_directions_in_which_states_vary_most(
    rows_at_once: int, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States spread by 1, 1/2, 1/4, ... along 20 directions: all but the last five directions are in the basis."""
    monkeypatch.setattr("motionfields.field.neighbors.leaves.ROWS_AT_ONCE", rows_at_once)
    directions, _ = np.linalg.qr(rng.normal(size=(20, 20)))
    spreads = np.linalg.qr(rng.normal(size=(60, 20)))[0] * 0.5 ** np.arange(20)
    center = rng.normal(size=20)
    basis = principal_basis(center + spreads @ directions.T, center)
    found = np.abs(directions.T @ basis)
    np.testing.assert_allclose(found, np.eye(20, IMAGE_SIZE) * (np.arange(IMAGE_SIZE) < IMAGE_SIZE - 1), atol=1e-4)
    assert np.linalg.norm(basis, 2) <= 1.0


@pytest.mark.parametrize("dimension", [3, 40])
def test_an_image_is_the_principal_components_and_the_length_of_the_residual(
    dimension: int, rng: np.random.Generator
) -> None:
    """The images of states about a center far from the origin, against the formula in plain NumPy."""
    features = 5.0 + motion_like(rng, 30, dimension)
    center = features.mean(axis=0, dtype=np.float64)
    basis = principal_basis(features, center)
    image, sums = np.empty(IMAGE_SIZE, np.float32), np.empty(IMAGE_SIZE)
    for feature in features:
        distance = project(feature, center, basis, sums, image)
        offset = feature - center
        components = basis.T @ offset
        residual = np.sqrt(max(offset @ offset - components @ components, 0.0))
        assert distance == pytest.approx(np.linalg.norm(offset))
        np.testing.assert_allclose(image, [*components[:-1], residual], atol=1e-5)
