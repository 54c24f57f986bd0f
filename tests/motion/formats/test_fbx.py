"""FBX files: takes, names, units, axes, rates and pre-rotation as written here, and files that break the parser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import FbxError
from motionfields.motion.formats import fbx, read_fbx, take_names
from motionfields.motion.formats.fbx import FbxMotion
from tests.motion.formats.fbxs import RATES, Bone, Take, as_binary, as_text, fbx_tree

BONES = (
    Bone("hero:Hips", -1, (0.0, 95.0, 0.0)),
    Bone("hero:Spine", 0, (0.0, 12.0, 0.0), (0.0, 30.0, -20.0)),
    Bone("hero:Head", 1, (1.0, 45.0, 0.0), (10.0, 0.0, 0.0)),
    *(
        bone
        for side, x, first in (("Left", 1.0, 3), ("Right", -1.0, 6))
        for bone in (
            Bone(f"hero:{side}UpLeg", 0, (9.0 * x, -5.0, 0.0), (0.0, 0.0, 180.0)),
            Bone(f"hero:{side}Leg", first, (0.0, 42.0, 0.0)),
            Bone(f"hero:{side}Foot", first + 1, (0.0, 41.0, 0.0), (0.0, 90.0, 0.0)),
        )
    ),
)
FRAMES = 12


def take(name: str, seed: int) -> Take:
    chance = np.random.default_rng(seed)
    turns = {bone: chance.uniform(-25.0, 25.0, (FRAMES, 3)).tolist() for bone in range(len(BONES))}
    return Take(name, turns, {0: chance.uniform((-5.0, 90.0, -5.0), (5.0, 100.0, 5.0), (FRAMES, 3)).tolist()})


def positions(take: Take) -> FloatArray:
    """Return joint positions [frame, joint, 3] in file units by FBX's formula: T * PreRotation * Rotation."""
    found = np.zeros((FRAMES, len(BONES), 3))
    world = [Rotation.identity(FRAMES)] * len(BONES)
    for joint, bone in enumerate(BONES):
        local = Rotation.from_euler("xyz", bone.pre_rotation, degrees=True) * Rotation.from_euler(
            "xyz", take.rotations[joint], degrees=True
        )
        if bone.parent < 0:
            found[:, joint], world[joint] = np.array(take.translations[joint]), local
        else:
            found[:, joint] = found[:, bone.parent] + world[bone.parent].apply(bone.offset)
            world[joint] = world[bone.parent] * local
    return found


@pytest.fixture(autouse=True)
def _needs_ufbx(request: pytest.FixtureRequest) -> None:
    if "without_ufbx" not in request.node.name:
        pytest.importorskip("ufbx", reason="reading FBX needs ufbx, the extra fbx")


@pytest.fixture(scope="module")
def walk() -> Take:
    return take("walk", 0)


def clip_of(motion: FbxMotion) -> mf.Clip:
    skeleton = mf.Skeleton(motion.names, motion.parents, motion.offsets, motion.tip_joints, motion.tip_offsets)
    return mf.Clip(skeleton, motion.root_position, motion.rotations, motion.frame_time)


@pytest.mark.parametrize("write", [as_text, as_binary])
def test_joints_are_where_the_formula_of_fbx_puts_them(write: Any, walk: Take) -> None:
    motion = read_fbx(write(fbx_tree(BONES, [walk])))
    assert motion.names == tuple(bone.name for bone in BONES)
    assert (motion.unit_metres, motion.up, motion.animation) == (0.01, "+y", "walk")
    np.testing.assert_allclose(clip_of(motion).world().positions, positions(walk), atol=1e-4)


@pytest.mark.parametrize("rate", RATES)
def test_the_frame_rate_is_the_one_that_the_file_states(rate: float, walk: Take) -> None:
    motion = read_fbx(as_text(fbx_tree(BONES, [walk], rate=rate)))
    assert motion.frame_count == FRAMES
    assert motion.frame_time == pytest.approx(1.0 / rate, rel=1e-6)
    np.testing.assert_allclose(clip_of(motion).world().positions, positions(walk), atol=1e-4)


def test_unit_and_axes_are_reported_as_stated_and_may_be_overruled(walk: Take, tmp_path: Path) -> None:
    path = tmp_path / "inches.fbx"
    path.write_bytes(as_text(fbx_tree(BONES, [walk], unit_cm=2.54)))
    clip = mf.load_clip(path)
    assert clip.report is not None
    assert clip.report.scale.value == pytest.approx(0.0254)
    assert clip.report.scale.evidence == "stated by the file: a unit is 2.54 cm"
    assert (clip.report.up.value, clip.report.facing.value) == ("+y", "+z")
    assert "implausible" in clip.report.warnings[0]
    np.testing.assert_allclose(clip.world().positions, 0.0254 * positions(walk), atol=1e-5)
    assert mf.load_clip(path, scale="cm").report.scale.given  # type: ignore[union-attr]


def test_an_up_axis_that_contradicts_the_body_is_reported(walk: Take, tmp_path: Path) -> None:
    path = tmp_path / "lying.fbx"
    path.write_bytes(as_text(fbx_tree(BONES, [walk], up=2)))
    report = mf.load_clip(path).report
    assert report is not None
    assert report.up.value == "+z"
    assert any("up is +z, but hips are above ankles along +y" in warning for warning in report.warnings)


def test_each_take_is_a_clip(walk: Take, tmp_path: Path) -> None:
    run = take("Armature|run", 1)
    data = as_binary(fbx_tree(BONES, [walk, run]))
    path = tmp_path / "pack.fbx"
    path.write_bytes(data)
    assert take_names(data) == ("walk", "Armature_run")
    with pytest.raises(mf.FormatError, match="has 2 animations; add # and one of these names"):
        mf.load_clip(path)
    with pytest.raises(mf.FormatError, match="no animation is called 'jump'; expected one of walk, Armature_run"):
        mf.load_clip(f"{path}#jump")
    clips = mf.load_clips(path)
    assert [clip.name for clip in clips] == ["pack walk", "pack Armature_run"]
    for clip, made in zip(clips, (walk, run), strict=True):
        np.testing.assert_allclose(clip.world().positions, 0.01 * positions(made), atol=1e-6)


def test_motion_of_nodes_above_the_skeleton_is_included(walk: Take) -> None:
    above = Bone("Motion", -1, (0.0, 0.0, 0.0), kind="Null")
    bones = [above, *(bone._replace(parent=bone.parent + 1) for bone in BONES)]
    path = [[3.0 * frame, 0.0, 7.0] for frame in range(FRAMES)]
    moved = Take(
        "walk", {bone + 1: turns for bone, turns in walk.rotations.items()}, {0: path, 1: walk.translations[0]}
    )
    motion = read_fbx(as_text(fbx_tree(bones, [moved])))
    assert motion.names[0] == "hero:Hips"
    expected = positions(walk) + np.array(path)[:, np.newaxis]
    np.testing.assert_allclose(clip_of(motion).world().positions, expected, atol=1e-4)


def test_a_file_without_takes_is_a_skeleton() -> None:
    motion = read_fbx(as_text(fbx_tree(BONES, [])))
    assert motion.frame_count == 0
    assert len(motion.names) == len(BONES)


def test_files_that_are_no_fbx_or_hold_no_motion_are_refused(walk: Take) -> None:
    whole = as_binary(fbx_tree(BONES, [walk]))
    for data in (b"", b"HIERARCHY", b"Kaydara FBX Binary  \x00\x1a\x00", whole[: len(whole) // 2], b"# obj\nv 1 2 3\n"):
        with pytest.raises(FbxError):
            read_fbx(data)
    with pytest.raises(FbxError, match="expected a skin or an animation"):
        read_fbx(as_text(fbx_tree([Bone("Cube", -1, (0.0, 0.0, 0.0), kind="Null")], [])))


def test_a_take_without_a_stated_span_lasts_from_its_first_key_to_its_last(walk: Take) -> None:
    text = as_text(fbx_tree(BONES, [walk]))
    motion = read_fbx(text.replace(b'"LocalStart"', b'"Other"').replace(b'"LocalStop"', b'"Another"'))
    np.testing.assert_allclose(clip_of(motion).world().positions, positions(walk), atol=1e-4)


def test_motion_far_longer_than_its_file_is_refused(walk: Take) -> None:
    text = as_text(fbx_tree(BONES, [walk]))
    last = f'"LocalStop", "KTime", "Time", "", {round((FRAMES - 1) * 46_186_158_000 / 30.0)}'.encode()
    assert last in text
    long = text.replace(last, b'"LocalStop", "KTime", "Time", "", 4618615800000000000')
    with pytest.raises(FbxError, match="far longer than its size justifies"):
        read_fbx(long)


def test_changed_files_give_motion_or_a_typed_error(walk: Take) -> None:
    chance = Random(5)
    for write in (as_text, as_binary):
        whole = write(fbx_tree(BONES, [walk]))
        for _ in range(6):
            data = bytearray(whole)
            for _ in range(chance.choice((1, 4, 30))):
                data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                motion = read_fbx(bytes(data))
            except FbxError:
                continue
            assert np.isfinite(motion.rotations).all()


def replaced_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    """Let another program stand for the parser."""
    (tmp_path / "child.py").write_text(program)

    def run(command: list[str], **options: Any) -> Any:
        return subprocess.run([command[0], str(tmp_path / "child.py"), *command[3:]], check=False, **options)

    monkeypatch.setattr(fbx, "_run", run)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", r"the parser failed on it \(status -11\)"),
        ("import sys; sys.exit(3)", r"the parser failed on it \(status 3\)"),
        ("print('no facts')", "the parser failed on it"),
        ("import time; time.sleep(60)", "cannot be parsed within 1 s"),
    ],
)
def test_a_parser_that_crashes_or_hangs_is_a_typed_error(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replaced_child(monkeypatch, tmp_path, program)
    monkeypatch.setattr(fbx, "CHILD_SECONDS_ALWAYS", 1 if "sleep" in program else 30)
    with pytest.raises(FbxError, match=f"x.fbx: {reason}"):
        read_fbx(b"x", path="x.fbx")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory and output are those of Linux")
def test_the_child_limits_its_memory_output_and_time() -> None:
    program = Path(fbx.__file__).with_name("_fbx_child.py")
    code = (
        f"import sys; sys.path.insert(0, {str(program.parent)!r}); import _fbx_child as child\n"
        "import resource as r; child.limit(300_000_000, 7, 5000)\n"
        "print(*(r.getrlimit(kind)[0] for kind in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_CORE)))\n"
        "try: bytearray(400_000_000)\nexcept MemoryError: print('no memory')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["300000000 7 5000 0", "no memory"]


def test_files_above_the_limit_are_refused_before_they_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fbx, "LARGEST_FBX", 10)
    with pytest.raises(FbxError, match="expected at most 10 bytes, got 11"):
        read_fbx(b"x" * 11)


def test_without_ufbx_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fbx, "find_spec", lambda name: None)
    with pytest.raises(FbxError, match=r'needs ufbx: pip install "motionfields\[fbx\]"'):
        read_fbx(b"x")


def test_files_made_with_blender_are_read_within_a_tenth_of_a_millimetre() -> None:
    pytest.importorskip("bpy", reason="making FBX files needs bpy, Blender as a module; see scripts/prove_fbx.py")
    script = Path(__file__).parents[3] / "scripts" / "prove_fbx.py"
    subprocess.run([sys.executable, script, "--blender", sys.executable, "--only", "takes_mesh"], check=True)
