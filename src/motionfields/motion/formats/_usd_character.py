"""Meshes, materials and pictures of a character in USD: UsdGeom meshes bound with UsdSkel, and UsdPreviewSurface.

The pictures are files beside the stage, since USD files hold none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from motionfields.base.arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from motionfields.motion.formats._figure_mesh import Mesh
    from motionfields.motion.formats.character import Character, Surface

ENDINGS: Final = {"image/png": ".png", "image/jpeg": ".jpg"}
WRAPS: Final = {33071: "clamp", 33648: "mirror"}  # by the numbers of glTF; others repeat


def picture_names(character: Character) -> list[str]:
    """Return the file name of each picture of `character`."""
    return [f"picture{number}{ENDINGS[image.kind]}" for number, image in enumerate(character.looks.images)]


def character_meshes(stage: Any, character: Character, root: FloatArray, folder: str) -> list[Any]:
    """Define the meshes and materials of `character` with its root at `root` [3]; return the meshes.

    Pictures are looked for in `folder`, relative to the file of the stage.
    """
    from pxr import UsdGeom

    if character.looks.materials:
        UsdGeom.Scope.Define(stage, "/Character/Looks")
    materials = [_material(stage, character, number, folder) for number in range(len(character.looks.materials))]
    return [_mesh(stage, one, number, root, materials, character) for number, one in enumerate(character.surfaces)]


def define_mesh(
    stage: Any, path: str, mesh: Mesh | Surface, joints: IntArray, weights: FloatArray, root: FloatArray
) -> Any:
    """Define the skinned mesh at `path`, and return it.

    Vertices are bound to `joints` [vertex, influence] with `weights` [vertex, influence]; the root is at `root` [3].
    """
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    prim = UsdGeom.Mesh.Define(stage, path)
    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy((mesh.positions + root).astype(np.float32)))
    prim.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(mesh.normals.astype(np.float32)))
    prim.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    prim.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mesh.triangles), 3, np.int32)))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.triangles.reshape(-1).astype(np.int32)))
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    prim.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(prim.GetPointsAttr().Get()))
    binding, width = UsdSkel.BindingAPI.Apply(prim.GetPrim()), joints.shape[1]
    binding.CreateJointIndicesPrimvar(False, width).Set(Vt.IntArray.FromNumpy(joints.reshape(-1).astype(np.int32)))
    binding.CreateJointWeightsPrimvar(False, width).Set(Vt.FloatArray.FromNumpy(weights.reshape(-1).astype(np.float32)))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    return prim


def _mesh(
    stage: Any, surface: Surface, number: int, root: FloatArray, materials: list[Any], character: Character
) -> Any:
    from pxr import Sdf, UsdGeom, UsdShade, Vt

    prim = define_mesh(stage, f"/Character/Body{number}", surface, surface.joints, surface.weights, root)
    if surface.texture_places is not None:
        places = (surface.texture_places * (1.0, -1.0) + (0.0, 1.0)).astype(np.float32)  # USD counts from the bottom
        kind = Sdf.ValueTypeNames.TexCoord2fArray
        primvar = UsdGeom.PrimvarsAPI(prim).CreatePrimvar("st", kind, UsdGeom.Tokens.vertex)
        primvar.Set(Vt.Vec2fArray.FromNumpy(places))
    if surface.material is not None:
        UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(materials[surface.material])
        prim.CreateDoubleSidedAttr(character.looks.materials[surface.material].get("doubleSided") is True)
    return prim


def _material(stage: Any, character: Character, number: int, folder: str) -> Any:
    """Return a material of glTF as a UsdPreviewSurface, with glTF's defaults."""
    from pxr import Gf, Sdf, UsdShade

    told = character.looks.materials[number]
    surface = told.get("pbrMetallicRoughness", {})
    path = f"/Character/Looks/Material{number}"
    material, shader = UsdShade.Material.Define(stage, path), UsdShade.Shader.Define(stage, f"{path}/Surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    color = [float(part) for part in surface.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0))]
    glow = [float(part) for part in told.get("emissiveFactor", (0.0, 0.0, 0.0))]
    rough, metal = float(surface.get("roughnessFactor", 1.0)), float(surface.get("metallicFactor", 1.0))
    kinds = Sdf.ValueTypeNames
    picture = _pictures(stage, character, path, folder)

    def put(name: str, kind: Any, value: Any, texture: Any, output: str) -> None:
        entry = shader.CreateInput(name, kind)
        if texture is None:
            entry.Set(value)
        else:
            entry.ConnectToSource(texture.ConnectableAPI(), output)

    base = picture("Color", surface.get("baseColorTexture"), color, "sRGB")
    shine = picture("Shine", surface.get("metallicRoughnessTexture"), [1.0, rough, metal, 1.0], "raw")
    light = picture("Glow", told.get("emissiveTexture"), [*glow, 1.0], "sRGB")
    if "extensions" in told:  # KHR_materials_unlit: the colour shines by itself
        put("diffuseColor", kinds.Color3f, Gf.Vec3f(0.0), None, "rgb")
        put("emissiveColor", kinds.Color3f, Gf.Vec3f(*color[:3]), base, "rgb")
    else:
        put("diffuseColor", kinds.Color3f, Gf.Vec3f(*color[:3]), base, "rgb")
        put("emissiveColor", kinds.Color3f, Gf.Vec3f(*glow), light, "rgb")
    put("roughness", kinds.Float, rough, shine, "g")
    put("metallic", kinds.Float, metal, shine, "b")
    mode = told.get("alphaMode", "OPAQUE")
    if mode != "OPAQUE":
        put("opacity", kinds.Float, color[3], base, "a")
    if mode == "MASK":
        put("opacityThreshold", kinds.Float, float(told.get("alphaCutoff", 0.5)), None, "")
    bumps = told.get("normalTexture")
    normal = picture("Normal", bumps, [2.0, 2.0, 2.0, 2.0], "raw", [-1.0, -1.0, -1.0, -1.0])
    if normal is not None:
        put("normal", kinds.Normal3f, None, normal, "rgb")
    return material


def _pictures(stage: Any, character: Character, path: str, folder: str) -> Callable[..., Any]:
    """Return a function that defines a texture of the material at `path`, or returns None where there is none."""
    from pxr import Gf, Sdf, UsdShade

    names, kinds = picture_names(character), Sdf.ValueTypeNames

    def picture(name: str, told: Any, scale: list[float], space: str, bias: list[float] | None = None) -> Any:
        if not isinstance(told, dict):
            return None
        reader = UsdShade.Shader.Define(stage, f"{path}/Places")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", kinds.String).Set("st")
        places = reader.CreateOutput("result", kinds.Float2)
        texture = character.looks.textures[told["index"]]
        shader = UsdShade.Shader.Define(stage, f"{path}/{name}")
        shader.CreateIdAttr("UsdUVTexture")
        shader.CreateInput("file", kinds.Asset).Set(Sdf.AssetPath(f"./{folder}/{names[int(texture['source'])]}"))
        shader.CreateInput("st", kinds.Float2).ConnectToSource(places)
        shader.CreateInput("sourceColorSpace", kinds.Token).Set(space)
        sampler = character.looks.samplers[texture["sampler"]] if "sampler" in texture else {}
        for axis in ("wrapS", "wrapT"):
            shader.CreateInput(axis, kinds.Token).Set(WRAPS.get(sampler.get(axis, 0), "repeat"))
        shader.CreateInput("scale", kinds.Float4).Set(Gf.Vec4f(*scale))
        if bias is not None:
            shader.CreateInput("bias", kinds.Float4).Set(Gf.Vec4f(*bias))
        for output, kind in (("rgb", kinds.Float3), ("g", kinds.Float), ("b", kinds.Float), ("a", kinds.Float)):
            shader.CreateOutput(output, kind)
        return shader

    return picture
