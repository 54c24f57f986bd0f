"""The weights of the joints in the distance between states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionfields.field.database.metric import bone_lengths
from motionfields.motion.skeleton import Skeleton


def test_a_last_joint_without_a_bone_has_length_zero(biped: Skeleton) -> None:
    """`Extra`, at the position of the spine, loses its tip: it turns no bone, and halves the mean of the spine."""
    bare = replace(biped, tip_joints=biped.tip_joints[:-1], tip_offsets=biped.tip_offsets[:-1])
    spine, head, extra = (bare.index(name) for name in ("Spine", "Head", "Extra"))
    assert not bare.offsets[extra].any()
    lengths = bone_lengths(bare)
    assert lengths[extra] == 0.0
    np.testing.assert_allclose(lengths[spine], 0.5 * np.linalg.norm(bare.offsets[head]))
