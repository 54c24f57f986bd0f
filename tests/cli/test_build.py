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


def test_a_bad_file_in_a_folder_is_skipped_with_a_warning(run: Run, takes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "takes"
    folder.mkdir()
    (folder / "good.bvh").write_bytes((takes / "own.bvh").read_bytes())
    (folder / "bad.bvh").write_bytes((takes / "own.bvh").read_bytes()[:3000])
    (folder / "more.bvh").write_bytes((takes / "own.bvh").read_bytes())
    clean = run("build", folder / "good.bvh", folder / "more.bvh", "-o", tmp_path / "clean.field")
    for words in ((), ("--memory", "1G")):
        result = run("build", folder, "-o", tmp_path / "x.field", *words)
        assert result.code == 0, result.err
        assert f"warning: skipped {folder / 'bad.bvh'}" in result.err
        assert "pass --strict to stop here" in result.err
        assert result.out.replace("x.field", "clean.field") == clean.out
        for stop in (("build", folder, "--strict"), ("build", folder / "good.bvh", folder / "bad.bvh")):
            refused = run(*stop, "-o", tmp_path / "y.field", *words)
            assert refused.code == 1
            assert "bad.bvh" in refused.err
            assert not (tmp_path / "y.field").exists()
    (folder / "good.bvh").unlink()
    (folder / "more.bvh").unlink()
    for words in ((), ("--memory", "1G")):
        assert run("build", folder, "-o", tmp_path / "y.field", *words).code == 1


def test_a_take_on_another_rig_in_a_folder_is_skipped_with_a_warning(run: Run, takes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "takes"
    folder.mkdir()
    (folder / "a_tall.bvh").write_bytes((takes / "walk_fast.bvh").read_bytes())
    for name in ("good.bvh", "more.bvh"):
        (folder / name).write_bytes((takes / "own.bvh").read_bytes())
    words = ("--scale", "cm")
    clean = run("build", folder / "good.bvh", folder / "more.bvh", "-o", tmp_path / "clean.field", *words)
    for more in ((), ("--memory", "1G")):
        result = run("build", folder, "-o", tmp_path / "x.field", *words, *more)
        assert result.code == 0, result.err
        assert f"skipped {folder / 'a_tall.bvh'}: its skeleton is not that of most files, such as" in result.err
        assert "pass --skeleton to retarget it" in result.err
        assert result.out.replace("x.field", "clean.field") == clean.out
        named = ("build", folder / "a_tall.bvh", folder / "good.bvh", folder / "more.bvh")
        for stop in (("build", folder, "--strict"), named, ("build", folder / "a_tall.bvh", folder / "good.bvh")):
            refused = run(*stop, "-o", tmp_path / "y.field", *words, *more)
            assert refused.code == 1
            assert "skeleton" in refused.err
            assert not (tmp_path / "y.field").exists()


def test_a_take_that_cannot_be_retargeted_is_skipped_with_a_warning(run: Run, takes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "takes"
    folder.mkdir()
    (folder / "good.bvh").write_bytes((takes / "own.bvh").read_bytes())
    channels = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    rope = f"HIERARCHY\nROOT rope\n{{\nOFFSET 0 0 0\nCHANNELS 6 {channels}"
    rope += "\nEnd Site\n{\nOFFSET 0 100 0\n}\n}\nMOTION\nFrames: 40\nFrame Time: 0.0333333\n" + "0 0 0 0 0 0\n" * 40
    (folder / "rope.bvh").write_text(rope)
    for more in ((), ("--memory", "1G")):
        words = (folder, "--skeleton", takes / "own.bvh", "--scale", "cm", *more)
        result = run("build", *words, "-o", tmp_path / "x.field")
        assert result.code == 0, result.err
        assert f"skipped {folder / 'rope.bvh'}" in result.err
        refused = run("build", *words, "--strict", "-o", tmp_path / "y.field")
        assert refused.code == 1
        assert "rope.bvh" in refused.err


def test_build_and_train_say_that_a_set_cannot_turn(
    run: Run, takes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = run("build", takes / "own.bvh", "-o", tmp_path / "x.field")
    said = "warning: The set cannot turn: nothing turns faster than"
    assert said in built.err
    assert "Capture turns to both sides" in built.err
    monkeypatch.setattr("motionfields.cli.train._train_field", lambda *options: "not trained here")
    trained = run("train", tmp_path / "x.field", "--task", "direction", "-o", tmp_path / "x.ctrl")
    assert trained.code == 0, trained.err
    assert said in trained.err
