from __future__ import annotations

import numpy as np
import pytest

from motionfields.base.geometry import GroundFrame, quat_rotate, yaw_from_quat
from motionfields.motion.clip import Clip, change_axes, floor_height, place_at, place_on_ground, rescale, trim
from motionfields.motion.clip.place import AXES, axes_rotation


def test_rescaling_scales_every_position(wobble: Clip) -> None:
    np.testing.assert_allclose(rescale(wobble, 2.5).world().positions, 2.5 * wobble.world().positions, atol=1e-12)
    with pytest.raises(ValueError, match="factor"):
        rescale(wobble, 0.0)


@pytest.mark.parametrize(("up", "facing"), [(u, f) for u in AXES for f in AXES if u[1] != f[1]])
def test_changing_axes_turns_every_position_alike(wobble: Clip, up: str, facing: str) -> None:
    turn = axes_rotation(up=up, facing=facing)
    np.testing.assert_allclose(quat_rotate(turn, np.array(AXES[up])), [0.0, 1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(quat_rotate(turn, np.array(AXES[facing])), [0.0, 0.0, 1.0], atol=1e-12)
    turned = change_axes(wobble, up=up, facing=facing)
    np.testing.assert_allclose(turned.world().positions, quat_rotate(turn, wobble.world().positions), atol=1e-12)


def test_axes_that_do_not_fit_are_refused(wobble: Clip) -> None:
    with pytest.raises(ValueError, match="an axis perpendicular to up"):
        change_axes(wobble, up="+y", facing="-y")
    with pytest.raises(ValueError, match="up: expected one of"):
        change_axes(wobble, up="y", facing="+z")


def test_placing_on_the_ground_moves_the_height_alone(wobble: Clip) -> None:
    placed = place_on_ground(wobble, clearance=0.02)
    assert floor_height(placed) == pytest.approx(0.02)
    np.testing.assert_array_equal(placed.root_position[:, ::2], wobble.root_position[:, ::2])
    with pytest.raises(ValueError, match="at least one frame"):
        floor_height(trim(wobble, 0, 0))


def test_placing_a_start_is_a_rigid_move_over_the_ground(wobble: Clip) -> None:
    placed = place_at(wobble, GroundFrame(np.array([3.0, -2.0]), np.asarray(1.2)))
    np.testing.assert_allclose(placed.root_position[0, ::2], [3.0, -2.0])
    assert yaw_from_quat(placed.rotations[0, 0]) == pytest.approx(1.2)
    np.testing.assert_allclose(placed.root_position[:, 1], wobble.root_position[:, 1])
    moved, before = (np.linalg.norm(np.diff(c.world().positions, axis=0), axis=-1) for c in (placed, wobble))
    np.testing.assert_allclose(moved, before, atol=1e-12)
