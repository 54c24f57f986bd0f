from __future__ import annotations

from motionfields.base.errors import FormatError
from motionfields.field.database.rigs import Rigs
from motionfields.motion.clip import rescale
from motionfields.motion.samples import generate_samples


def rigs_of(sizes: list[float]) -> Rigs:
    """Clips a, b, c... of one body in these sizes."""
    walk = generate_samples(frame_rate=30.0, only=["walk_forward"])[0].clip
    rigs = Rigs()
    for name, size in zip("abcdef", sizes, strict=False):
        rigs.add(rescale(walk, size).skeleton, name, f"{name}.bvh")
    return rigs


def test_clips_off_the_skeleton_of_most_are_reported_with_an_example() -> None:
    errors: list[FormatError] = []
    assert rigs_of([1.2, 1.0, 1.0, 1.1, 1.0]).kept(errors.append) == [False, True, True, False, True]
    assert [error.path for error in errors] == ["a.bvh", "d.bvh"]
    assert all("such as b.bvh" in str(error) for error in errors)


def test_without_a_majority_no_skeleton_counts_as_the_odd_one() -> None:
    errors: list[FormatError] = []
    assert rigs_of([1.0, 1.1]).kept(errors.append) == [True, True]
    assert rigs_of([]).kept(errors.append) == []
    assert errors == []
