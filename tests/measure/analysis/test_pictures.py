from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.base.errors import MissingExtraError, MotionFieldsError
from motionfields.measure.analysis import (
    Dose,
    render_comparison,
    render_contacts,
    render_doses,
    render_filmstrip,
    render_gif,
    render_joint_angles,
    render_video,
)
from motionfields.measure.analysis.animation import frame_delays
from motionfields.measure.analysis.camera import MOST_GRID_LINES, ground_lines
from motionfields.motion.clip import Clip, rescale, trim
from motionfields.motion.skeleton import Skeleton

Image: Any = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

RENDERERS: list[tuple[Callable[..., None], str]] = [
    (render_filmstrip, "picture.png"),
    (render_joint_angles, "picture.png"),
    (render_contacts, "picture.png"),
    (render_gif, "picture.gif"),
]


@pytest.mark.parametrize(("render", "name"), RENDERERS)
def test_the_same_clip_gives_the_same_bytes(
    render: Callable[..., None], name: str, wobble: Clip, tmp_path: Path
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        render(trim(wobble, 0, 30), tmp_path / folder / name)
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize(("render", "name"), RENDERERS)
def test_paths_that_cannot_be_written_are_refused(
    render: Callable[..., None], name: str, wobble: Clip, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="expected a name ending in"):
        render(wobble, tmp_path / "picture.bmp2")
    with pytest.raises(ValueError, match="there is no folder"):
        render(wobble, tmp_path / "nowhere" / name)
    (tmp_path / name).mkdir()
    with pytest.raises(ValueError, match="is a folder"):
        render(wobble, tmp_path / name)


def test_a_filmstrip_has_the_width_asked_for_and_no_pose_over_another(wobble: Clip, tmp_path: Path) -> None:
    path = tmp_path / "film.png"
    render_filmstrip(wobble, path, pose_count=8, poses_per_row=8, width=10.0, dpi=60.0)
    with Image.open(path) as picture:
        assert picture.width == pytest.approx(600, abs=1)
        pixels = np.asarray(picture.convert("L"))
    # Above the ground, between title and feet, white columns part the eight bodies.
    body = (pixels[30:95] < 200).any(axis=0)
    assert np.count_nonzero(np.diff(body.astype(np.int8)) == 1) == 8


def test_more_poses_than_frames_are_no_error(wobble: Clip, tmp_path: Path) -> None:
    render_filmstrip(trim(wobble, 0, 1), tmp_path / "one.png", pose_count=12, dpi=40.0)
    assert (tmp_path / "one.png").stat().st_size > 1000
    with pytest.raises(ValueError, match="pose_count"):
        render_filmstrip(wobble, tmp_path / "none.png", pose_count=0)


def test_a_filmstrip_can_be_a_vector_picture_and_of_a_skeleton_without_legs(tmp_path: Path) -> None:
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (5, 2, 1))
    clip = Clip(skeleton, np.linspace(0.0, 1.0, 15).reshape(5, 3), rotations, 0.1)
    render_filmstrip(clip, tmp_path / "bones.svg", pose_count=3)
    assert "<svg" in (tmp_path / "bones.svg").read_text()[:500]
    render_gif(clip, tmp_path / "bones.gif", size=(64, 64))
    with Image.open(tmp_path / "bones.gif") as picture:
        assert picture.n_frames == 11


def test_a_comparison_has_a_row_for_each_clip(wobble: Clip, tmp_path: Path) -> None:
    heights = []
    for count in (1, 2):
        path = tmp_path / f"{count}.png"
        render_comparison([wobble] * count, path, titles=["a"] * count, pose_count=4, dpi=40.0)
        with Image.open(path) as picture:
            heights.append(picture.height)
    assert heights[1] == pytest.approx(2 * heights[0], abs=2)


def test_a_comparison_needs_a_title_for_each_clip(wobble: Clip, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="titles: expected one for each of 2"):
        render_comparison([wobble, wobble], tmp_path / "a.png", titles=["one"])
    with pytest.raises(ValueError, match="at least one"):
        render_comparison([], tmp_path / "a.png", titles=[])


@pytest.mark.parametrize(("frame_rate", "frame_count"), [(25.0, 50), (30.0, 60)])
def test_a_gif_plays_in_real_time(frame_rate: float, frame_count: int, wobble: Clip, tmp_path: Path) -> None:
    path = tmp_path / "walk.gif"
    render_gif(wobble, path, frame_rate=frame_rate, size=(96, 80))
    with Image.open(path) as picture:
        assert picture.size == (96, 80)
        assert picture.n_frames == frame_count
        total = 0
        for number in range(picture.n_frames):
            picture.seek(number)
            total += picture.info["duration"]
    assert total == pytest.approx(1000.0 * frame_count / frame_rate, abs=5.0)


def test_a_gif_stops_at_max_seconds(wobble: Clip, tmp_path: Path) -> None:
    render_gif(wobble, tmp_path / "walk.gif", max_seconds=0.4, size=(64, 64))
    with Image.open(tmp_path / "walk.gif") as picture:
        assert picture.n_frames == 11


@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "h264"), (".webm", "vp9")])
def test_a_video_plays_in_real_time(suffix: str, codec: str, wobble: Clip, tmp_path: Path) -> None:
    if shutil.which("ffprobe") is None:
        pytest.skip("no ffprobe on this machine: install the package ffmpeg")
    path = tmp_path / f"walk{suffix}"
    render_video(wobble, path, size=(96, 80), max_seconds=0.9)
    entries = "format=duration:stream=codec_name,width,height,r_frame_rate"
    command = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "json", str(path)]
    facts = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert float(facts["format"]["duration"]) == pytest.approx(28 / 30, abs=0.01)  # both ends are shown
    assert facts["streams"] == [{"codec_name": codec, "width": 96, "height": 80, "r_frame_rate": "30/1"}]


def test_a_video_without_ffmpeg_or_with_odd_sizes_is_refused(
    wobble: Clip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="even numbers"):
        render_video(wobble, tmp_path / "walk.mp4", size=(95, 80))
    with pytest.raises(ValueError, match="at most 120"):
        render_video(wobble, tmp_path / "walk.mp4", frame_rate=240.0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MotionFieldsError, match="ffmpeg, which is not installed"):
        render_video(wobble, tmp_path / "walk.mp4")
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho no encoder for that >&2\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(MotionFieldsError, match="no encoder for that"):
        render_video(wobble, tmp_path / "walk.mp4", size=(64, 64), max_seconds=0.2)
    assert not (tmp_path / "walk.mp4").exists()


def test_frame_delays_are_hundredths_whose_sum_does_not_drift() -> None:
    assert frame_delays(3, 25.0) == [40, 40, 40]
    assert sorted(set(frame_delays(30, 30.0))) == [30, 40]
    assert sum(frame_delays(3000, 30.0)) == 100_000


@pytest.mark.parametrize("options", [{"frame_rate": 0.0}, {"frame_rate": 60.0}, {"max_seconds": 0.0}, {"size": (8, 8)}])
def test_gif_options_out_of_range_are_refused(options: dict[str, Any], wobble: Clip, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        render_gif(wobble, tmp_path / "walk.gif", **options)


def test_curves_need_two_frames(wobble: Clip, tmp_path: Path) -> None:
    for render in (render_contacts, render_joint_angles):
        with pytest.raises(ValueError, match="at least 2 frames"):
            render(trim(wobble, 0, 1), tmp_path / "curve.png")


@pytest.mark.parametrize(("render", "name"), RENDERERS)
def test_without_matplotlib_the_error_names_the_extra(
    render: Callable[..., None], name: str, wobble: Clip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> Any:
        raise ImportError(module)

    monkeypatch.setattr("motionfields.measure.analysis.output.import_module", missing)
    with pytest.raises(MissingExtraError, match=r"motionfields\[plots\]"):
        render(trim(wobble, 0, 10), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_importing_the_package_does_not_import_matplotlib() -> None:
    code = "import sys, motionfields.measure.analysis; print(sorted({'matplotlib', 'PIL'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("factor", [1e-6, 1e3, 1e6])
@pytest.mark.parametrize(("render", "name"), [(render_filmstrip, "picture.png"), (render_gif, "picture.gif")])
def test_a_wrong_scale_costs_no_more_lines_than_a_right_one(
    factor: float,
    render: Callable[..., None],
    name: str,
    wobble: Clip,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = []

    def counted(*args: Any) -> Any:
        lines = ground_lines(*args)
        counts.append(len(lines))
        return lines

    for module in ("filmstrip", "animation"):
        monkeypatch.setattr(f"motionfields.measure.analysis.{module}.ground_lines", counted)
    tracemalloc.start()
    render(rescale(trim(wobble, 0, 20), factor), tmp_path / name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0 < max(counts) <= 4 * MOST_GRID_LINES
    assert peak < 300_000_000


def test_doses_are_drawn_for_every_set_and_part(tmp_path: Path) -> None:
    points = [Dose(100.0 * n, 0.05 * n, 0.01, 0.3 + 0.1 * n, 0.02) for n in (1, 2, 3)]
    render_doses({"set 1": {"spine": points, "hand": points}, "samples": {"spine": points}}, tmp_path / "doses.png")
    assert (tmp_path / "doses.png").stat().st_size > 10_000
