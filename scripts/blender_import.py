"""Import motion files into Blender with its defaults and print where the joints are, for `scripts/prove_imports.py`.

    python scripts/blender_import.py FILE ... --expected POSITIONS.json [--picture PNG]

Needs bpy, Blender as a Python module. POSITIONS.json has the names of the joints, their positions at every frame in
metres, y up, and the frame rate. Prints a line of JSON for each file. BVH files state no unit: ours are centimetres, so
they are imported with a scale of 0.01 and with the option to update the frame rate of the scene.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--expected", type=Path, required=True)
    parser.add_argument("--picture", type=Path, help="render the last file to this picture")
    options = parser.parse_args()
    expected = json.loads(options.expected.read_text())
    for path in options.files:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        load(path)
        print("RESULT " + json.dumps({"file": path.name, **compared(expected)}))
    if options.picture:
        render(options.picture)


def load(path: Path) -> None:
    """Import a file with the options that Blender has by default."""
    if path.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    elif path.suffix == ".bvh":
        bpy.ops.import_anim.bvh(filepath=str(path), global_scale=0.01, update_scene_fps=True)
    else:
        bpy.ops.wm.usd_import(filepath=str(path))


def compared(expected: dict[str, Any]) -> dict[str, Any]:
    """Return the largest distance in metres of a bone's head from the expected place, over all frames."""
    scene = bpy.context.scene
    [rig] = [thing for thing in scene.objects if thing.type == "ARMATURE"]
    worst, matched = 0.0, 0
    rate = scene.render.fps / scene.render.fps_base
    first, last = rig.animation_data.action.frame_range
    step = (last - first) / (len(expected["places"]) - 1)  # frames of the scene for each frame of the motion
    for frame, places in enumerate(expected["places"]):
        moment = first + frame * step
        scene.frame_set(int(moment), subframe=moment - int(moment))
        for name, (x, y, z) in zip(expected["names"], places, strict=True):
            bone = rig.pose.bones.get(name)
            if bone is None:
                continue
            matched += frame == 0
            worst = max(worst, (rig.matrix_world @ bone.head - Vector((x, -z, y))).length)
    meshes = sum(thing.type == "MESH" for thing in scene.objects)
    true_speed = abs(step - rate / expected["rate"]) < 1e-3
    return {"apart": worst, "joints": matched, "rate": rate, "meshes": meshes, "true_speed": true_speed}


def render(path: Path) -> None:
    """Draw the first mesh in the middle of the motion."""
    scene = bpy.context.scene
    [rig] = [thing for thing in scene.objects if thing.type == "ARMATURE"]
    scene.frame_set(int(sum(rig.animation_data.action.frame_range) / 2))
    place = rig.matrix_world @ rig.pose.bones[0].head
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location = place + Vector((2.2, -2.6, 0.5))
    camera.rotation_euler = (place - camera.location).to_track_quat("-Z", "Y").to_euler()
    light = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    light.data.energy = 3.0
    light.rotation_euler = (0.7, 0.3, 0.5)
    scene.collection.objects.link(light)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 8
    scene.render.resolution_x = scene.render.resolution_y = 400
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
