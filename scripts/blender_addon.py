"""Use the Blender add-on without a window, for `scripts/prove_blender_addon.py`: build, train, bake walks and a plan.

    python scripts/blender_addon.py FOLDER --python PYTHON [--pictures FOLDER]

Needs bpy, Blender as a Python module. FOLDER has the takes as .glb files with one skeleton; the add-on is installed
from a zip file into FOLDER/user, as a user installs it. Writes FOLDER/baked.json with the places of all bones, and
prints a line for each step. PYTHON has motionfields.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from integrations.blender import rig as rigs
from integrations.blender.child import JobError
from integrations.blender.motion import read_bvh, write_bvh
from scripts.make_fbx import CASES, make

ADDON = Path(__file__).resolve().parents[1] / "integrations" / "blender"
NAME = "bl_ext.user_default.motionfields"
RIGS = (
    *("plain", "mixamo", "roll_mesh", "turned_scaled_armature", "root_bone", "root_on_armature", "unit_inch"),
    *("z_up_mesh", "takes_mesh", "pose_scale", "root_on_empty"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", required=True, help="a Python with motionfields")
    parser.add_argument("--rigs", action="store_true", help="only bake actions of other rigs back to them")
    parser.add_argument("--pictures", type=Path, help="render the walk to this folder")
    options = parser.parse_args()
    if options.rigs:
        (options.folder / "rigs.json").write_text(json.dumps(round_trips(options.folder, options.python)))
        return
    install(options.folder, options.python)
    rig = load_takes(sorted(options.folder.glob("*.glb")))
    scene = bpy.context.scene
    scene.motionfields.folder = str(options.folder)
    bpy.context.view_layer.objects.active = rig
    tell("check", bpy.ops.motionfields.check())
    results: dict[str, Any] = {"cancelled": cancelled(options.python)}
    tell("build and train", bpy.ops.motionfields.build())
    scene.motionfields.curve = curve = add_curve()
    tell("walk", bpy.ops.motionfields.walk())
    results["plain"] = told(rig, curve)
    if options.pictures:
        render(rig, curve, options.pictures)
    # The same controller serves the rig after it was turned and moved, with other kinds of rotations and frame rate.
    rig.animation_data.action = None
    rig.rotation_mode, rig.rotation_euler = "XYZ", Euler((0.0, 0.0, math.radians(37.0)))
    rig.location = (1.0, 2.0, 0.0)
    for number, bone in enumerate(rig.pose.bones):
        bone.rotation_mode = ("QUATERNION", "XYZ", "ZYX", "AXIS_ANGLE")[number % 4]
    scene.render.fps = 30
    curve.location.z = 0.5
    bpy.context.view_layer.update()
    tell("walk of the turned rig", bpy.ops.motionfields.walk())
    results["turned"] = told(rig, curve)
    scene.cursor.location = Vector((2.0, -3.0, 0.0))
    tell("plan", bpy.ops.motionfields.plan())
    results["plan"] = told(rig, curve)
    write_timeline(options.folder)
    tell("compose", bpy.ops.motionfields.compose())
    results["compose"] = told(rig, curve)
    results["mistakes"] = mistakes(rig)
    (options.folder / "baked.json").write_text(json.dumps(results))


def install(folder: Path, python: str) -> None:
    """Install the add-on from a zip file, as the preferences of Blender do, and set its Python."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    archive = folder / "motionfields.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in sorted(ADDON.iterdir()):
            if path.is_file():
                file.write(path, path.name)
    bpy.ops.extensions.package_install_files(filepath=str(archive), repo="user_default", enable_on_install=True)
    bpy.context.preferences.addons[NAME].preferences.python = python


def cancelled(python: str) -> list[str]:
    """Run a job as a window runs it, tick by tick, and cancel it; return what happened.

    Without a window there are no events, so that this calls the methods of the operator with a stand-in of a context.
    """
    jobs: Any = __import__(f"{NAME}.jobs", fromlist=["jobs"])
    happened = list[str]()

    class Waiting(jobs.Job):  # type: ignore[misc]
        def _work(self, context: Any, folder: Path) -> Any:
            (folder / "motionfields.py").write_text("import time; time.sleep(600)")
            yield None
            yield from jobs.finished(python, ["train"], folder)

        def report(self, kind: set[str], text: str) -> None:
            happened.append(text)

    manager = SimpleNamespace(motionfields_status="", motionfields_cancel=False, modal_handler_add=lambda job: None)
    manager.event_timer_add = lambda seconds, window: "timer"
    manager.event_timer_remove = lambda timer: happened.append(f"{timer} removed")
    context, job = SimpleNamespace(window_manager=manager, window=None, screen=None), Waiting()
    before = set(Path(tempfile.gettempdir()).glob("motionfields-*"))
    jobs.bpy = SimpleNamespace(app=SimpleNamespace(background=False))
    happened += job.invoke(context, None)
    jobs.bpy = bpy
    tick, key = SimpleNamespace(type="TIMER"), SimpleNamespace(type="G")
    happened += job.modal(context, key)  # blocked while the job uses the scene
    while manager.motionfields_status != "train":
        assert job.modal(context, tick) == {"RUNNING_MODAL"}
    happened += job.modal(context, key)  # passed on while a command runs
    manager.motionfields_cancel = True
    happened += job.modal(context, tick)
    left = set(Path(tempfile.gettempdir()).glob("motionfields-*")) - before
    return [*happened, f"{len(left)} folders left", manager.motionfields_status]


def load_takes(paths: list[Path]) -> Any:
    """Import the takes, and return the first armature, with the actions of all."""
    rigs = []
    for path in paths:
        bpy.ops.import_scene.gltf(filepath=str(path))
        rigs.append(bpy.context.view_layer.objects.active)
        rigs[-1].animation_data.action.name = path.stem
    for rig in rigs[1:]:
        for thing in (*rig.children_recursive, rig):
            bpy.data.objects.remove(thing)
    for track in list(rigs[0].animation_data.nla_tracks):
        rigs[0].animation_data.nla_tracks.remove(track)
    return rigs[0]


def add_curve() -> Any:
    """Add an S-shaped Bezier curve of about 10 m."""
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    places = ((0.0, 0.0), (1.2, -2.5), (-0.6, -5.5), (0.8, -9.0))
    spline.bezier_points.add(len(places) - 1)
    for point, (x, y) in zip(spline.bezier_points, places, strict=True):
        point.co = (x, y, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    curve = bpy.data.objects.new("Path", data)
    bpy.context.collection.objects.link(curve)
    bpy.context.view_layer.update()
    return curve


def round_trips(folder: Path, python: str) -> dict[str, Any]:
    """Return, for each of `RIGS`, how far in metres its action is from itself after motionfields has converted it.

    A rig that cannot be baked has the message in place of the distance.
    """
    results: dict[str, Any] = {}
    for name in RIGS:
        make(folder / f"{name}.fbx", CASES[name])
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.ops.import_scene.fbx(filepath=str(folder / f"{name}.fbx"))
        scene = bpy.context.scene
        [rig] = [thing for thing in scene.objects if thing.type == "ARMATURE"]
        [action, *_] = rigs.actions_of(rig)
        steps = rigs.sampled(rig, action, scene)
        try:
            while True:
                next(steps)
        except StopIteration as end:
            motion = end.value
        write_bvh(folder / "in.bvh", motion)
        words = [python, "-m", "motionfields", "convert", str(folder / "in.bvh"), "-o", str(folder / "out.bvh")]
        words += ["--scale", "cm", "--up", "+y", "--rest-frames", "0"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        frames = range(round(action.frame_range[0]), round(action.frame_range[1]) + 1)
        rigs.assign(rig, action)
        before = places_at(rig, motion.names, frames)
        try:
            rigs.bake(rig, read_bvh(folder / "out.bvh"), scene, "baked", start=frames[0])
            results[name] = float(np.linalg.norm(places_at(rig, motion.names, frames) - before, axis=-1).max())
        except JobError as error:
            results[name] = str(error)
    return results


def places_at(rig: Any, names: list[str], frames: range) -> Any:
    """Return the places [frame, bone, 3] of the heads of bones."""
    places = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        places.append([list(rig.matrix_world @ rig.pose.bones[name].head) for name in names])
    return np.array(places)


def write_timeline(folder: Path) -> None:
    """Write labels of the actions and a timeline, and choose them."""
    labels, timeline = folder / "labels.csv", folder / "timeline.json"
    labels.write_text(
        "file,start_s,end_s,label,basis\nwalk_forward,0,9,walk,seen\nturn_left_090_quick,1,3,turn_left,seen\n"
    )
    goals = [{"label": "walk", "start_s": 0, "end_s": 2}, {"label": "turn_left", "start_s": 2.5, "end_s": 4}]
    timeline.write_text(json.dumps({"timeline": 1, "seconds": 5, "labels": goals}))
    settings = bpy.context.scene.motionfields
    settings.labels, settings.timeline = str(labels), str(timeline)


def mistakes(rig: Any) -> list[str]:
    """Return the messages for a Python without motionfields, a missing controller, and a rig that was scaled."""
    preferences, settings = bpy.context.preferences.addons[NAME].preferences, bpy.context.scene.motionfields
    python, folder, messages = preferences.python, settings.folder, list[str]()

    def message(operator: Any) -> None:
        try:
            operator()
        except RuntimeError as error:
            messages.append(str(error).strip())

    preferences.python = sys.executable  # Blender's own Python
    message(bpy.ops.motionfields.check)
    preferences.python, settings.folder = python, str(Path(folder, "elsewhere"))
    message(bpy.ops.motionfields.walk)
    settings.folder, rig.scale = folder, (1.1, 1.1, 1.1)
    bpy.context.view_layer.update()
    message(bpy.ops.motionfields.walk)
    bpy.context.view_layer.objects.active = None
    bpy.ops.object.select_all(action="DESELECT")
    message(bpy.ops.motionfields.build)
    return messages


def told(rig: Any, curve: Any) -> dict[str, Any]:
    """Return the places of all joints at every key, in the axes of Blender, and the points of the path."""
    scene, action = bpy.context.scene, rig.animation_data.action
    keys = next(iter(rigs.curves_of(action))).keyframe_points
    names, places = [bone.name for bone in rigs.joints_of(rig)], []
    for key in keys:
        moment = key.co.x
        scene.frame_set(math.floor(moment), subframe=moment - math.floor(moment))
        places.append([list(rig.matrix_world @ rig.pose.bones[name].head) for name in names])
    points, height = rigs.points_of(curve, scene)
    return {"names": names, "places": places, "points": points.tolist(), "height": height}


def render(rig: Any, curve: Any, folder: Path) -> None:
    """Draw poses of the baked walk along the curve in one picture."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.view_settings.view_transform = "CYCLES", 24, "Standard"
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = (0.35, 0.38, 0.42)
    light = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    light.data.energy, light.data.angle, light.rotation_euler = 3.0, 0.1, (0.7, 0.3, 0.5)
    bpy.ops.mesh.primitive_plane_add(size=60.0)
    ground = bpy.context.object
    ground.data.materials.append(paint("Ground", (0.55, 0.57, 0.6)))
    marked = bpy.data.objects.new("Line", curve.data.copy())
    marked.data.bevel_depth = 0.02
    marked.data.materials.append(paint("Line", (0.9, 0.35, 0.1)))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    for thing in (light, marked, camera):
        scene.collection.objects.link(thing)
    scene.camera = camera
    [body] = [thing for thing in rig.children_recursive if thing.type == "MESH"]
    first, last = rig.animation_data.action.frame_range
    copies = []
    for number in range(9):
        scene.frame_set(round(first + number / 8.0 * (last - first)))
        evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        pose = bpy.data.objects.new("Pose", bpy.data.meshes.new_from_object(evaluated))
        pose.matrix_world = evaluated.matrix_world
        copies.append(pose)
    for pose in copies[:-1]:
        scene.collection.objects.link(pose)
    look(camera, Vector((9.5, -3.2, 4.2)), Vector((0.3, -4.35, 0.5)))
    camera.data.lens = 33.0
    scene.render.resolution_x, scene.render.resolution_y = 880, 400
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 82
    scene.render.filepath = str(folder / "blender_walk.jpg")
    bpy.ops.render.render(write_still=True)
    for thing in (*copies, ground, marked):
        bpy.data.objects.remove(thing)
    bpy.context.view_layer.objects.active = rig


def look(camera: Any, place: Vector, target: Vector) -> None:
    camera.location = place
    camera.rotation_euler = (target - place).to_track_quat("-Z", "Y").to_euler()


def paint(name: str, color: tuple[float, float, float]) -> Any:
    """Return a plain material."""
    made = bpy.data.materials.new(name)
    if made.node_tree is None:
        made.use_nodes = True  # Blender 5 has them always
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1.0)
    return made


def tell(what: str, result: set[str]) -> None:
    print(f"{what}: {', '.join(result)}", flush=True)
    if result != {"FINISHED"}:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
