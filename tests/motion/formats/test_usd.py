"""USD files that we write: sound by the validators of USD, and the motion as UsdSkel computes it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.arrays import FloatArray
from motionfields.base.errors import FormatError, MissingExtraError, SkeletonError
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats import Character, format_usd, read_character, usd
from motionfields.motion.samples import generate_samples
from motionfields.motion.skeleton import Skeleton
from tests.motion.formats.characters import character_file


@pytest.fixture(scope="module")
def walk() -> Clip:
    pytest.importorskip("pxr", reason="writing USD needs usd-core, the extra usd")
    return trim(generate_samples(frame_rate=30.0, only=["walk_forward"])[0].clip, 0, 40)


def odd_names(walk: Clip) -> Clip:
    """The walk with names that USD does not allow, two of which would become equal."""
    names = [f"mixamorig:{name}" for name in walk.skeleton.names]
    names[3:6] = ["a b", "a_b", "\u00e9 1"]
    skeleton = walk.skeleton
    renamed = Skeleton(tuple(names), skeleton.parents, skeleton.offsets, skeleton.tip_joints, skeleton.tip_offsets)
    return Clip(renamed, walk.root_position, walk.rotations, walk.frame_time)


def clips(walk: Clip) -> dict[str, Clip]:
    lone = Skeleton(("only",), np.array([-1]), np.zeros((1, 3)))
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1, 1))
    return {
        "a walk": walk,
        "one frame": trim(walk, 0, 1),
        "no frames": trim(walk, 0, 0),
        "odd names": odd_names(walk),
        "one joint": Clip(lone, np.zeros((2, 3)), still, 0.01),
    }


CASES = ("a walk", "one frame", "no frames", "odd names", "one joint")


def read_positions(path: Path) -> FloatArray:
    """Return the positions [frame, joint, 3] that UsdSkel computes, in the world of the file."""
    from pxr import Usd, UsdSkel

    stage = Usd.Stage.Open(str(path))
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton.Get(stage, "/Character/Skeleton"))
    times = range(int(stage.GetStartTimeCode()), int(stage.GetEndTimeCode()) + 1)
    matrices = np.array([[np.array(one) for one in query.ComputeJointSkelTransforms(time)] for time in times])
    return np.asarray(matrices[..., 3, :3])


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
@pytest.mark.parametrize("name", CASES)
def test_the_validators_of_usd_have_nothing_to_say(name: str, suffix: str, walk: Clip, tmp_path: Path) -> None:
    from pxr import Usd, UsdValidation

    mf.save_clip(clips(walk)[name], tmp_path / f"x{suffix}")
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert len(validators) >= 20
    stage = Usd.Stage.Open(str(tmp_path / f"x{suffix}"))
    assert [error.GetMessage() for error in UsdValidation.ValidationContext(validators).Validate(stage)] == []


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
@pytest.mark.parametrize("name", ["a walk", "odd names"])
def test_joints_are_within_a_hundredth_of_a_millimetre(name: str, suffix: str, walk: Clip, tmp_path: Path) -> None:
    clip = clips(walk)[name]
    mf.save_clip(clip, tmp_path / f"x{suffix}")
    np.testing.assert_allclose(read_positions(tmp_path / f"x{suffix}"), clip.world().positions, atol=1e-5)


def test_the_skin_follows_the_joints(walk: Clip, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom, UsdSkel

    path = tmp_path / "x.usda"
    mf.save_clip(walk, path)
    stage = Usd.Stage.Open(str(path))
    assert UsdSkel.BakeSkinning(stage.Traverse())
    body = UsdGeom.Mesh.Get(stage, "/Character/Body")
    for frame in (0, 17, 39):
        points = np.array(body.GetPointsAttr().Get(frame))
        joints = walk.world().positions[frame]
        nearest = np.linalg.norm(points[:, np.newaxis] - joints, axis=-1).min(axis=0)
        assert nearest.max() < 0.2  # every joint is inside or near the body
        assert points[:, 1].min() > -0.15


def test_units_axes_rate_and_names_are_stated(walk: Clip, tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom, UsdSkel

    clip = odd_names(walk)
    mf.save_clip(clip, tmp_path / "x.usdc")
    stage = Usd.Stage.Open(str(tmp_path / "x.usdc"))
    assert (UsdGeom.GetStageMetersPerUnit(stage), UsdGeom.GetStageUpAxis(stage)) == (1.0, "Y")
    assert stage.GetTimeCodesPerSecond() == pytest.approx(30.0)
    skeleton = UsdSkel.Skeleton.Get(stage, "/Character/Skeleton")
    assert tuple(skeleton.GetJointNamesAttr().Get()) == clip.skeleton.names
    assert len(set(skeleton.GetJointsAttr().Get())) == clip.skeleton.joint_count


@pytest.fixture(scope="module")
def hero(walk: Clip) -> Character:
    data = character_file(walk.skeleton, unit=0.01, rolled=True, textured=True)
    return read_character(data, path="hero.glb")


def test_a_character_is_written_with_its_mesh_and_its_pictures(hero: Character, walk: Clip, tmp_path: Path) -> None:
    from pxr import Usd, UsdShade
    from scripts.prove_characters import distance, faults

    clip = trim(mf.retarget(walk, hero.skeleton), 0, 5)
    for suffix in usd.USD_SUFFIXES:
        path = tmp_path / f"out{suffix}"
        mf.save_clip(clip, path, character=hero)
        assert faults(path) == []
        assert distance(path, hero, clip) < 1e-5
        np.testing.assert_allclose(read_positions(path), clip.world().positions, atol=1e-5)
    assert (tmp_path / "out_pictures" / "picture0.png").read_bytes() == hero.looks.images[0].data
    stage = Usd.Stage.Open(str(tmp_path / "out.usda"))
    [color] = [prim for prim in stage.Traverse() if prim.GetName() == "Color"]
    file = UsdShade.Shader(color).GetInput("file").Get()
    assert file.path == "./out_pictures/picture0.png"
    assert Path(file.resolvedPath) == tmp_path / "out_pictures" / "picture0.png"


def test_materials_keep_their_colours_opacity_edges_and_sides(hero: Character, walk: Clip) -> None:
    from pxr import Sdf, Usd, UsdGeom, UsdShade

    told: dict[str, Any] = {
        "alphaMode": "MASK",
        "alphaCutoff": 0.25,
        "doubleSided": True,
        "emissiveFactor": [0, 0.5, 1],
    }
    told["pbrMetallicRoughness"] = {"baseColorFactor": [0.2, 0.4, 0.6, 0.8], "roughnessFactor": 0.3}
    glass = replace(hero, looks=hero.looks._replace(materials=(told,)))
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString(format_usd(trim(walk, 0, 1), character=glass).decode())
    stage = Usd.Stage.Open(layer)
    shader = UsdShade.Shader.Get(stage, "/Character/Looks/Material0/Surface")
    values = {entry.GetBaseName(): entry.Get() for entry in shader.GetInputs()}
    np.testing.assert_allclose(values["diffuseColor"], (0.2, 0.4, 0.6))
    np.testing.assert_allclose(values["emissiveColor"], (0.0, 0.5, 1.0))
    rest = ("roughness", "metallic", "opacity", "opacityThreshold")
    np.testing.assert_allclose([values[name] for name in rest], (0.3, 1.0, 0.8, 0.25))
    assert UsdGeom.Mesh.Get(stage, "/Character/Body0").GetDoubleSidedAttr().Get() is True


def test_a_character_needs_its_own_skeleton_and_a_file_that_holds_it(
    hero: Character, walk: Clip, tmp_path: Path
) -> None:
    with pytest.raises(SkeletonError, match="retarget the clip to the character first"):
        format_usd(odd_names(walk), character=hero)
    with pytest.raises(FormatError, match="BVH files hold no character"):
        mf.save_clip(walk, tmp_path / "out.bvh", character=hero)


def test_the_same_clip_gives_the_same_bytes(walk: Clip) -> None:
    for suffix in usd.USD_SUFFIXES:
        assert format_usd(walk, suffix) == format_usd(walk, suffix)


def test_without_usd_core_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, wobble: Clip) -> None:
    monkeypatch.setattr(usd, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'this needs usd-core: pip install "motionfields\[usd\]"'):
        format_usd(wobble)


def test_files_are_right_in_blender() -> None:
    pytest.importorskip("bpy", reason="needs bpy, Blender as a module; see scripts/prove_imports.py")
    script = Path(__file__).parents[3] / "scripts" / "prove_imports.py"
    subprocess.run([sys.executable, script, "--blender", sys.executable], check=True)
