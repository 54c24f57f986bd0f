"""Make ten skinned characters on four rigs with Blender, as .glb files, to try `load_character` and the studio.

    python scripts/make_characters.py FOLDER

Needs bpy, Blender as a Python module. The rigs are those of Mixamo, VRM, Unreal and SMPL; the characters differ in
size, bone roll, armature scale, facing, textures, number of meshes, and in the pose in which they were saved.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from random import Random
from typing import Any

import bpy
from mathutils import Euler, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from scripts.make_fbx import BONES

VRM = {"Hips": "C_Hips", "Spine": "C_Spine", "Spine1": "C_Chest", "Spine2": "C_UpperChest", "Neck": "C_Neck"}
VRM |= {"Head": "C_Head"}
UNREAL = {"Hips": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Spine2": "spine_03", "Neck": "neck_01"}
UNREAL |= {"Head": "head"}
SMPL = {"Hips": "pelvis", "Spine": "spine1", "Spine1": "spine2", "Spine2": "spine3", "Neck": "neck", "Head": "head"}
LIMBS = ("UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand")
THEIRS = {
    "VRM": ("UpperLeg", "LowerLeg", "Foot", "ToeBase", "Shoulder", "UpperArm", "LowerArm", "Hand"),
    "Unreal": ("thigh", "calf", "foot", "ball", "clavicle", "upperarm", "lowerarm", "hand"),
    "SMPL": ("hip", "knee", "ankle", "foot", "collar", "shoulder", "elbow", "wrist"),
}
WIDTHS = {"Hips": 0.14, "Spine": 0.13, "Spine1": 0.14, "Spine2": 0.16, "Neck": 0.05, "Head": 0.09}
WIDTHS |= {"UpLeg": 0.08, "Leg": 0.06, "Foot": 0.045, "ToeBase": 0.045, "Shoulder": 0.06, "Arm": 0.05}
WIDTHS |= {"ForeArm": 0.04, "Hand": 0.035}
CASES: dict[str, dict[str, Any]] = {
    "mixamo": {"rig": "Mixamo", "scale": 0.01},
    "mixamo_child": {"rig": "Mixamo", "size": 0.7, "roll": 1.0},
    "mixamo_posed": {"rig": "Mixamo", "posed": True, "meshes": 3},
    "vrm": {"rig": "VRM", "meshes": 2},
    "vrm_back": {"rig": "VRM", "turn": 180.0},
    "vrm_tall": {"rig": "VRM", "size": 1.25, "posed": True},
    "unreal": {"rig": "Unreal", "scale": 0.01, "roll": 2.0},
    "unreal_turned": {"rig": "Unreal", "turn": 37.0},
    "smpl": {"rig": "SMPL", "plain": True},
    "smpl_small": {"rig": "SMPL", "size": 0.85, "hat": True},
}


def named(bone: str, rig: str) -> str:
    """Return the name of a bone in a rig."""
    side = next((side for side in ("Left", "Right") if bone.startswith(side)), "")
    if rig == "Mixamo":
        return f"mixamorig:{bone}"
    if not side:
        return {"VRM": f"J_Bip_{VRM[bone]}", "Unreal": UNREAL[bone], "SMPL": SMPL[bone]}[rig]
    part = THEIRS[rig][LIMBS.index(bone.removeprefix(side))]
    if rig == "VRM":
        return f"J_Bip_{side[0]}_{part}"
    return f"{part}_{side[0].lower()}" if rig == "Unreal" else f"{side.lower()}_{part}"


def make(path: Path, case: dict[str, Any]) -> None:
    """Write one character."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    chance = Random(path.stem)
    rig = armature(case, chance)
    count = case.get("meshes", 1)
    for number in range(count):
        body(rig, case, chance, [bone for place, bone in enumerate(BONES) if place % count == number], f"Body{number}")
    if case.get("hat"):
        bpy.ops.mesh.primitive_cone_add(radius1=0.13, depth=0.25, location=(0, 0, 1.9 * case.get("size", 1.0)))
        hat = bpy.context.object
        hat.parent, hat.parent_type, hat.parent_bone = rig, "BONE", named("Head", case["rig"])
        hat.matrix_world.translation = Vector((0, 0, 1.9 * case.get("size", 1.0)))
        hat.data.materials.append(material(chance, textured=False))
    if case.get("posed"):
        for bone in rig.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = [chance.uniform(-0.3, 0.3) for _ in range(3)]
    bpy.ops.export_scene.gltf(filepath=str(path), export_animations=False, export_rest_position_armature=False)


def armature(case: dict[str, Any], chance: Random) -> Any:
    data = bpy.data.armatures.new("Armature")
    rig = bpy.data.objects.new("Armature", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    unit = case.get("size", 1.0) / case.get("scale", 1.0)
    turn = Euler((0.0, 0.0, math.radians(case.get("turn", 0.0)))).to_matrix()
    for name, parent, head, tail in BONES:
        bone = data.edit_bones.new(named(name, case["rig"]))
        bone.head, bone.tail = (turn @ (Vector(place) * unit) for place in (head, tail))
        bone.roll = case.get("roll", 0.0) * chance.uniform(-3.0, 3.0)
        if parent:
            bone.parent = data.edit_bones[named(parent, case["rig"])]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.scale = [case.get("scale", 1.0)] * 3
    return rig


def body(rig: Any, case: dict[str, Any], chance: Random, bones: list[Any], name: str) -> None:
    """Add a mesh of tubes along `bones`, with weights that blend at the joints, and a material."""
    points, faces, places, weights = list[Any](), list[Any](), list[Any](), list[tuple[str, str, float]]()
    parents = {bone[0]: bone[1] for bone in BONES}
    for bone_name, *_ in bones:
        bone = rig.data.bones[named(bone_name, case["rig"])]
        short = bone_name.removeprefix("Left").removeprefix("Right")
        width = WIDTHS[short] * case.get("size", 1.0) / case.get("scale", 1.0)
        start, rings, sides = len(points), 7, 12
        along = bone.tail_local - bone.head_local
        across = along.orthogonal().normalized()
        other = along.normalized().cross(across)
        for ring in range(rings):
            share = ring / (rings - 1)
            narrow = 0.75 + 0.25 * math.sin(math.pi * share)
            for side in range(sides + 1):
                angle = 2.0 * math.pi * side / sides
                rim = across * math.cos(angle) + other * math.sin(angle)
                points.append(bone.head_local + along * (1.1 * share - 0.05) + rim * width * narrow)
                places.append((side / sides, share))
                above = parents[bone_name]
                weights.append((bone_name, above, max(0.0, 0.5 - 2.0 * share) if above else 0.0))
        for ring in range(rings - 1):
            for side in range(sides):
                corner = start + ring * (sides + 1) + side
                faces.append((corner, corner + 1, corner + sides + 2, corner + sides + 1))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        layer.data[loop.index].uv = places[loop.vertex_index]
    mesh.materials.append(material(chance, textured=not case.get("plain")))
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(thing)
    thing.parent = rig
    groups = {bone[0]: thing.vertex_groups.new(name=named(bone[0], case["rig"])) for bone in BONES}
    for vertex, (own, above, share) in enumerate(weights):
        groups[own].add([vertex], 1.0 - share, "REPLACE")
        if share:
            groups[above].add([vertex], share, "REPLACE")
    thing.modifiers.new("Armature", "ARMATURE").object = rig
    for polygon in mesh.polygons:
        polygon.use_smooth = True


def material(chance: Random, *, textured: bool) -> Any:
    """Return a material of one colour, or with a picture of stripes."""
    made = bpy.data.materials.new("Cloth")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    color = [chance.uniform(0.15, 0.9) for _ in range(3)]
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = 0.6
    if textured:
        picture = bpy.data.images.new("Stripes", 64, 64)
        rows = [color if (y // 8) % 2 else [0.9 * value + 0.08 for value in color[::-1]] for y in range(64)]
        picture.pixels = [value for row in rows for _ in range(64) for value in (*row, 1.0)]
        picture.pack()
        node = made.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = picture
        made.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    return made


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case_name, chosen in CASES.items():
        make(folder / f"{case_name}.glb", chosen)
