"""Make FBX files with Blender, and Blender's own joint positions beside them; `scripts/prove_fbx.py` runs this.

    python scripts/make_fbx.py FOLDER [--only NAME]

Needs bpy, Blender as a Python module (pip install bpy==5.0.1, Python 3.11). Each file NAME.fbx gets a NAME.json with
the names of its bones and the positions of their heads in metres, z up, at every frame of every take.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from random import Random
from typing import Any

import bpy
from mathutils import Euler, Vector

# Name, parent, head and tail in metres: z up, facing -y.
BONES = (
    ("Hips", "", (0, 0, 1.0), (0, 0, 1.1)),
    ("Spine", "Hips", (0, 0, 1.1), (0, 0, 1.25)),
    ("Spine1", "Spine", (0, 0, 1.25), (0, 0, 1.4)),
    ("Spine2", "Spine1", (0, 0, 1.4), (0, 0, 1.5)),
    ("Neck", "Spine2", (0, 0, 1.5), (0, 0, 1.6)),
    ("Head", "Neck", (0, 0, 1.6), (0, 0, 1.8)),
    *(
        bone
        for side, x in (("Left", 1.0), ("Right", -1.0))
        for bone in (
            (f"{side}UpLeg", "Hips", (0.1 * x, 0, 0.97), (0.1 * x, 0.01, 0.53)),
            (f"{side}Leg", f"{side}UpLeg", (0.1 * x, 0.01, 0.53), (0.1 * x, 0.02, 0.09)),
            (f"{side}Foot", f"{side}Leg", (0.1 * x, 0.02, 0.09), (0.1 * x, -0.1, 0.02)),
            (f"{side}ToeBase", f"{side}Foot", (0.1 * x, -0.1, 0.02), (0.1 * x, -0.17, 0.02)),
            (f"{side}Shoulder", "Spine2", (0.04 * x, 0, 1.46), (0.17 * x, 0, 1.46)),
            (f"{side}Arm", f"{side}Shoulder", (0.17 * x, 0, 1.46), (0.44 * x, 0, 1.46)),
            (f"{side}ForeArm", f"{side}Arm", (0.44 * x, 0, 1.46), (0.69 * x, 0, 1.46)),
            (f"{side}Hand", f"{side}ForeArm", (0.69 * x, 0, 1.46), (0.8 * x, 0, 1.46)),
        )
    ),
)
RATES = {"23.976": (24, 1.001), "24": (24, 1.0), "25": (25, 1.0), "29.97": (30, 1.001), "30": (30, 1.0)}
RATES |= {"60": (60, 1.0), "120": (120, 1.0)}

# What differs from a plain rig at 30 frames/s with Blender's default export. Export options start with `export.`.
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    **{f"rate_{name}": {"rate": name} for name in RATES},
    "mixamo": {"prefix": "mixamorig:"},
    "namespace": {"prefix": "hero:"},
    "nested_namespace": {"prefix": "scene:hero:", "mesh": True},
    "roll": {"roll": 1.0},
    "roll_mesh": {"roll": 2.0, "mesh": True},
    "mesh": {"mesh": True},
    "scaled_armature": {"scale": 0.01},
    "scaled_armature_mesh": {"scale": 0.0254, "mesh": True},
    "large_armature": {"scale": 39.37},
    "turned_armature": {"turn": (90, 0, 0), "place": (0.3, -0.4, 0.2)},
    "turned_scaled_armature": {"turn": (90, 0, 0), "scale": 0.01, "roll": 1.0, "mesh": True},
    "root_on_empty": {"root": "empty"},
    "root_on_scaled_empty": {"root": "empty", "empty_scale": 0.01, "scale": 2.0},
    "root_on_armature": {"root": "armature"},
    "root_bone": {"root": "bone"},
    "unit_cm": {"unit": 0.01},
    "unit_inch": {"unit": 0.0254, "mesh": True},
    "unit_scale_all": {"export.apply_scale_options": "FBX_SCALE_ALL"},
    "unit_scale_units": {"export.apply_scale_options": "FBX_SCALE_UNITS", "unit": 0.01},
    "no_unit_scale": {"export.apply_unit_scale": False},
    "z_up": {"export.axis_forward": "Y", "export.axis_up": "Z"},
    "z_up_mesh": {"export.axis_forward": "-X", "export.axis_up": "Z", "mesh": True},
    "x_forward": {"export.axis_forward": "X", "export.axis_up": "Y"},
    "bone_axes_x": {"export.primary_bone_axis": "X", "export.secondary_bone_axis": "Y", "roll": 1.0},
    "no_leaf_bones": {"export.add_leaf_bones": False},
    "limb_armature": {"export.armature_nodetype": "LIMBNODE"},
    "takes": {"takes": 3},
    "takes_mesh": {"takes": 2, "mesh": True, "roll": 1.0, "rate": "60"},
    "pose_scale": {"pose_scale": 1.15},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, case in CASES.items():
        if options.only in (None, name):
            make(options.folder / f"{name}.fbx", case)


def make(path: Path, case: dict[str, Any]) -> None:
    """Write the file and the positions of one case."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = RATES[case.get("rate", "30")]
    scene.unit_settings.scale_length = case.get("unit", 1.0)
    scene.frame_start, scene.frame_end = 0, 40
    unit = 1.0 / (case.get("unit", 1.0) * case.get("scale", 1.0) * case.get("empty_scale", 1.0))
    rig = armature(case, unit)
    if case.get("mesh"):
        skin(rig)
    chance = Random(path.stem)
    takes = {}
    for take in range(case.get("takes", 1)):
        takes[f"take{take}"] = animate(rig, case, chance, unit, f"take{take}")
    bpy.ops.export_scene.fbx(
        filepath=str(path),
        bake_anim_simplify_factor=0.0,
        bake_anim_use_nla_strips=False,
        bake_anim_use_all_actions=len(takes) > 1,
        **{name.removeprefix("export."): value for name, value in case.items() if name.startswith("export.")},
    )
    rate = scene.render.fps / scene.render.fps_base
    path.with_suffix(".json").write_text(
        json.dumps({"bones": [bone.name for bone in rig.pose.bones], "rate": rate, "takes": takes})
    )


def armature(case: dict[str, Any], unit: float) -> Any:
    """Return a new armature object; its rest pose is as large in the world in every case."""
    chance = Random("roll")
    data = bpy.data.armatures.new("Armature")
    rig = bpy.data.objects.new("Armature", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    turn = Euler([math.radians(angle) for angle in case.get("turn", (0, 0, 0))]).to_matrix()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = (("Root", "", (0, 0, 0), (0, -0.1, 0)), *BONES) if case.get("root") == "bone" else BONES
    for name, parent, head, tail in bones:
        bone = data.edit_bones.new(case.get("prefix", "") + name)
        bone.head, bone.tail = (turn.inverted() @ (Vector(place) * unit) for place in (head, tail))
        bone.roll = case.get("roll", 0.0) * chance.uniform(-3.0, 3.0)
        above = parent or ("Root" if name == "Hips" and case.get("root") == "bone" else "")
        if above:
            bone.parent = data.edit_bones[case.get("prefix", "") + above]
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.scale = [case.get("scale", 1.0)] * 3
    rig.rotation_euler = [math.radians(angle) for angle in case.get("turn", (0, 0, 0))]
    rig.location = Vector(case.get("place", (0, 0, 0))) / case.get("unit", 1.0)
    if case.get("root") == "empty":
        empty = bpy.data.objects.new("Motion", None)
        empty.scale = [case.get("empty_scale", 1.0)] * 3
        bpy.context.collection.objects.link(empty)
        rig.parent = empty
    return rig


def skin(rig: Any) -> None:
    """Add a mesh with a box at each bone, bound to it."""
    points, faces, groups = list[Any](), list[Any](), dict[str, list[int]]()
    for bone in rig.data.bones:
        start = len(points)
        size = 0.2 * bone.length
        for end in (bone.head_local, bone.tail_local):
            points += [end + Vector((x * size, y * size, 0)) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        faces += [
            [start + corner for corner in face] for face in ((0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
        ]
        groups[bone.name] = list(range(start, start + 8))
    mesh = bpy.data.meshes.new("Body")
    mesh.from_pydata(points, [], faces)
    body = bpy.data.objects.new("Body", mesh)
    bpy.context.collection.objects.link(body)
    body.parent = rig
    for name, vertices in groups.items():
        body.vertex_groups.new(name=name).add(vertices, 1.0, "REPLACE")
    body.modifiers.new("Armature", "ARMATURE").object = rig


def animate(rig: Any, case: dict[str, Any], chance: Random, unit: float, name: str) -> list[Any]:
    """Give the armature a new action of random turns and a walk; return positions [frame][bone][3] in metres."""
    scene = bpy.context.scene
    moved = rig.parent if case.get("root") == "empty" else rig
    on_bone = case.get("root") not in ("empty", "armature")
    for thing in {rig, moved}:
        if thing.animation_data is None:
            thing.animation_data_create()
        thing.animation_data.action = bpy.data.actions.new(name)
    hips = rig.pose.bones[case.get("prefix", "") + ("Root" if case.get("root") == "bone" else "Hips")]
    swings = {bone.name: [chance.uniform(-0.5, 0.5) for _ in range(6)] for bone in rig.pose.bones}
    start = moved.location.copy()
    for frame in range(scene.frame_end + 1):
        seconds = frame / scene.frame_end
        for bone in rig.pose.bones:
            bone.rotation_mode = "XYZ"
            swing = swings[bone.name]
            bone.rotation_euler = [swing[k] * math.sin(6.0 * seconds + 3.0 * swing[3 + k]) for k in range(3)]
            bone.keyframe_insert("rotation_euler", frame=frame)
        walk = Vector((0.2 * math.sin(3.0 * seconds), -1.3 * seconds, 0.03 * math.sin(20.0 * seconds)))
        if on_bone:
            hips.location = hips.bone.matrix_local.to_3x3().inverted() @ (walk * unit)
            hips.keyframe_insert("location", frame=frame)
        else:
            moved.location = start + walk / case.get("unit", 1.0)
            moved.rotation_euler[2] = 0.5 * seconds
            moved.keyframe_insert("location", frame=frame)
            moved.keyframe_insert("rotation_euler", frame=frame)
        if "pose_scale" in case:
            spine = rig.pose.bones[case.get("prefix", "") + "Spine1"]
            spine.scale = [case["pose_scale"]] * 3
            spine.keyframe_insert("scale", frame=frame)
    places = []
    for frame in range(scene.frame_end + 1):
        scene.frame_set(frame)
        heads = [rig.matrix_world @ bone.head for bone in rig.pose.bones]
        places.append([[value * case.get("unit", 1.0) for value in head] for head in heads])
    moved.location = start
    return places


if __name__ == "__main__":
    main()
