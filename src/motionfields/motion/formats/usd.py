"""Writer of USD: a skinned body and its motion with UsdSkel, as text (.usda) or binary (.usdc).

Needs usd-core, the extra `usd`.
"""

from __future__ import annotations

import os
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from motionfields.base.errors import MissingExtraError
from motionfields.base.files import replacing
from motionfields.base.geometry import quat_continuous
from motionfields.motion.clip import Clip
from motionfields.motion.clip.resting import standing_positions
from motionfields.motion.formats._figure_mesh import figure_mesh
from motionfields.motion.formats._gltf_nodes import each_once
from motionfields.motion.formats._gltf_writer import BODY_COLOR, check_character
from motionfields.motion.formats._usd_character import character_meshes, define_mesh, picture_names
from motionfields.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionfields.motion.formats.character import Character

USD_SUFFIXES: Final = (".usda", ".usdc")


def require_usd() -> None:
    """Raise `MissingExtraError` if usd-core is not installed."""
    if find_spec("pxr") is None:
        raise MissingExtraError("usd-core", extra="usd")


def save_usd(path: str | os.PathLike[str], clip: Clip, *, character: Character | None = None) -> None:
    """Write `clip` to the USD file `path`, see `format_usd`; a kill leaves the old file or the new one.

    USD files hold no pictures: those of `character` are written to a folder beside `path`, called as the file is, with
    "_pictures" after its name.
    """
    folder = f"{Path(path).stem}_pictures"
    data = format_usd(clip, Path(path).suffix.lower(), character=character, pictures=folder)
    if character is not None and character.looks.images:
        (Path(path).parent / folder).mkdir(exist_ok=True)
        for name, image in zip(picture_names(character), character.looks.images, strict=True):
            with replacing(Path(path).parent / folder / name) as file:
                file.write(image.data)
    with replacing(path) as file:
        file.write(data)


def format_usd(
    clip: Clip, suffix: str = ".usda", *, character: Character | None = None, pictures: str = "pictures"
) -> bytes:
    """Return the bytes of a USD file of `clip`, text or binary by `suffix`: metres, y up, facing +z.

    The default prim is a SkelRoot with a Skeleton, a SkelAnimation with a sample at each frame, and a skinned body. One
    frame is one time code. USD allows letters, digits and underscores in names; the names of the clip's joints are kept
    in the attribute jointNames. With `character`, whose skeleton must be that of the clip, the body is that of the
    character with its materials; they refer to files in the folder `pictures` beside the USD file.
    """
    require_usd()
    from pxr import Usd, UsdGeom, UsdSkel

    check_character(clip, character)
    stage = Usd.Stage.CreateInMemory(f"motion{suffix}")
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(clip.frame_rate)
    stage.SetFramesPerSecond(clip.frame_rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(max(clip.frame_count - 1, 0))
    root = UsdSkel.Root.Define(stage, "/Character")
    stage.SetDefaultPrim(root.GetPrim())
    skeleton = _skeleton(stage, clip.skeleton)
    if clip.frame_count:
        animation = _animation(stage, clip, skeleton.GetJointsAttr().Get())
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    if character is None:
        bodies = [_body(stage, clip.skeleton)]
    else:
        bodies = character_meshes(stage, character, standing_positions(clip.skeleton)[0], pictures)
    for body in bodies:
        UsdSkel.BindingAPI.Apply(body.GetPrim()).CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    _set_extent(root, bodies, clip)
    return _exported(stage, suffix)


def _exported(stage: Any, suffix: str) -> bytes:
    """Return the bytes of the file; USD writes only to names, of which some have a meaning to it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"motion{suffix}"
        stage.GetRootLayer().Export(str(path))
        return path.read_bytes()


def _joint_paths(skeleton: Skeleton) -> list[str]:
    """Return the path of each joint, with names that USD allows."""
    from pxr import Tf

    names = [name.replace(".", "_") for name in each_once([Tf.MakeValidIdentifier(name) for name in skeleton.names])]
    paths = list[str]()
    for name, parent in zip(names, skeleton.parents.tolist(), strict=True):
        paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
    return paths


def _skeleton(stage: Any, skeleton: Skeleton) -> Any:
    from pxr import Gf, UsdSkel, Vt

    prim = UsdSkel.Skeleton.Define(stage, "/Character/Skeleton")
    places = standing_positions(skeleton)
    offsets = [places[0], *skeleton.offsets[1:]]
    prim.CreateJointsAttr(Vt.TokenArray(_joint_paths(skeleton)))
    prim.CreateJointNamesAttr(Vt.TokenArray(list(skeleton.names)))
    for create, rows in ((prim.CreateBindTransformsAttr, places), (prim.CreateRestTransformsAttr, offsets)):
        create(Vt.Matrix4dArray([Gf.Matrix4d(1.0).SetTranslate(Gf.Vec3d(*map(float, row))) for row in rows]))
    return prim


def _animation(stage: Any, clip: Clip, joints: Any) -> Any:
    """Return the animation: translations and rotations of all joints relative to their parents, at each frame."""
    from pxr import Gf, UsdSkel, Vt

    prim = UsdSkel.Animation.Define(stage, "/Character/Skeleton/Motion")
    prim.CreateJointsAttr(joints)
    turns = quat_continuous(clip.rotations)[..., [1, 2, 3, 0]].astype(np.float32)  # USD's arrays have w last
    offsets = np.repeat(clip.skeleton.offsets[np.newaxis].astype(np.float32), clip.frame_count, axis=0)
    offsets[:, 0] = clip.root_position
    translations, rotations = prim.CreateTranslationsAttr(), prim.CreateRotationsAttr()
    prim.CreateScalesAttr(Vt.Vec3hArray(clip.skeleton.joint_count, Gf.Vec3h(1.0, 1.0, 1.0)))
    for frame in range(clip.frame_count):
        translations.Set(Vt.Vec3fArray.FromNumpy(offsets[frame]), frame)
        rotations.Set(Vt.QuatfArray.FromNumpy(np.ascontiguousarray(turns[frame])), frame)
    return prim


def _body(stage: Any, skeleton: Skeleton) -> Any:
    """Return the body as a mesh, with each vertex bound to one joint, and its material."""
    from pxr import Gf, Sdf, UsdShade

    mesh, root = figure_mesh(skeleton), standing_positions(skeleton)[0]
    joints = mesh.joints[:, np.newaxis]
    prim = define_mesh(stage, "/Character/Body", mesh, joints, np.ones(joints.shape), root)
    material = UsdShade.Material.Define(stage, "/Character/Look")
    shader = UsdShade.Shader.Define(stage, "/Character/Look/Surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*BODY_COLOR[:3]))
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.7)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(material)
    return prim


def _set_extent(root: Any, bodies: list[Any], clip: Clip) -> None:
    """Set the bounds of the character over the whole motion, by its joints and the size of its body at rest."""
    from pxr import Vt

    reach = np.ptp(np.concatenate([np.array(body.GetExtentAttr().Get()) for body in bodies]), axis=0).max()
    places = clip.world().positions.reshape(-1, 3) if clip.frame_count else standing_positions(clip.skeleton)
    bounds = np.stack([places.min(axis=0) - 0.25 * reach, places.max(axis=0) + 0.25 * reach])
    root.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(bounds.astype(np.float32)))
