"""`build` within a bound on memory, as a user types it."""

from __future__ import annotations

from pathlib import Path

import pytest

import motionfields as mf
from motionfields.cli.build import byte_count
from motionfields.motion.samples import generate_samples
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Walks of two bodies."""
    folder = tmp_path_factory.mktemp("takes")
    walks = [
        sample.clip for sample in generate_samples(frame_rate=30.0, only=["walk_forward", "walk_slow", "walk_fast"])
    ]
    mf.save_clip(walks[0], folder / "own.bvh")
    for walk in walks[1:]:
        mf.save_clip(mf.rescale(walk, 1.1), folder / f"{walk.name}.bvh")
    return folder


def test_a_bound_on_memory_changes_nothing_else(run: Run, takes: Path, tmp_path: Path) -> None:
    words = ("build", takes, "--scale", "cm", "--skeleton", takes / "own.bvh")
    plain = run(*words, "-o", tmp_path / "plain.field")
    bound = run(*words, "-o", tmp_path / "bound.field", "--memory", "1G")
    assert plain.code == bound.code == 0, plain.err + bound.err
    assert bound.out.replace("bound.field", "plain.field") == plain.out
    assert "retargeted walk_fast and 1 more: Mixamo" in bound.out
    assert (tmp_path / "bound.field").read_bytes() == (tmp_path / "plain.field").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bound.field", "plain.field"]


def test_shards_go_where_they_are_told_to(
    run: Run, takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    words = ("build", takes / "own.bvh", "-o", tmp_path / "x.field", "--memory", "1G", "--shards", tmp_path / "parts")
    with monkeypatch.context() as patch:
        patch.setattr("motionfields.field.field.write_artifact", full)
        result = run(*words)
    assert result.code == 1
    assert "No space left" in result.err
    assert sorted(path.suffix for path in (tmp_path / "parts").iterdir()) == [".shard", ".shards"]
    assert run(*words).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["x.field"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--memory", "much"), "--memory: expected a size such as 500M or 2G, got 'much'"),
        (("--memory", "10M"), "memory: expected at least"),
        (("--shards", "parts"), "--shards: expected --memory too"),
    ],
)
def test_mistakes_are_told_in_a_line(
    run: Run, takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("build", takes / "own.bvh", "-o", tmp_path / "x.field", *words)
    assert result.code == 1
    assert says in result.err
    assert "Traceback" not in result.err
    assert not list(tmp_path.iterdir())


def test_sizes_are_read_as_people_write_them() -> None:
    assert [byte_count(text) for text in ("2G", "500M", "1.5g", "64KiB", "2GB", "100")] == [
        2 * 2**30,
        500 * 2**20,
        3 * 2**29,
        64 * 2**10,
        2 * 2**30,
        100,
    ]
