"""Operators: jobs that run beside Blender's own work, show their progress, and can be cancelled."""

import json
import math
import shutil
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Operator

from . import rig as rigs
from .child import JobError, finished
from .motion import read_bvh, write_bvh

TICK = 0.05  # seconds between two looks at a job
Steps = Generator[str | None, None, str]
SHARE = 0.03  # seconds of Blender's time that a job takes at each look


def python_of(context: Any) -> str:
    """Return the Python of the preferences."""
    path = context.preferences.addons[__package__].preferences.python
    return bpy.path.abspath(path) if path else shutil.which("python3") or shutil.which("python") or "python3"


def file_of(context: Any, rig: Any, suffix: str) -> Path:
    """Return the path of a built file of `rig`, such as its controller, .ctrl; its folder is created."""
    text = context.scene.motionfields.folder
    if text.startswith("//") and not bpy.data.filepath:
        raise JobError("Save the .blend file first, or choose another folder for the built files.")
    folder = Path(bpy.path.abspath(text))
    folder.mkdir(parents=True, exist_ok=True)
    return Path(folder, bpy.path.clean_name(rig.name) + suffix)


def armature_of(context: Any) -> Any:
    """Return the active armature, or else a selected one."""
    for thing in (context.view_layer.objects.active, *context.selected_objects):
        if thing and thing.type == "ARMATURE":
            return thing
    raise JobError("Select the armature first.")


class Job:
    """A job in steps. `_work`, of the subclass, yields a text while a command runs, and None while it uses the scene.

    While a command runs, the user may change the scene or undo, so that nothing of it is kept across a wait but names.
    """

    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender's own form)
    _work: Callable[[Any, Path], Steps]
    report: Callable[[set[str], str], None]

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Whether a job may start: one at a time."""
        return not context.window_manager.motionfields_status

    def _whole(self, context: Any) -> Steps:
        folder = tempfile.mkdtemp(prefix="motionfields-")
        try:
            return (yield from self._work(context, Path(folder)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def invoke(self, context: Any, event: Any) -> set[str]:
        """Start the job beside Blender's own work."""
        if bpy.app.background:
            return self.execute(context)
        self._steps, self._waits = self._whole(context), False
        self._timer = context.window_manager.event_timer_add(TICK, window=context.window)
        context.window_manager.motionfields_status = "starting"
        context.window_manager.motionfields_cancel = False
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Any, event: Any) -> set[str]:
        """Go on with the job for a moment at each tick of the timer."""
        if event.type == "ESC" or context.window_manager.motionfields_cancel:
            self.cancel(context)
            self.report({"WARNING"}, "Cancelled")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"} if self._waits else {"RUNNING_MODAL"}
        for area in context.screen.areas if context.screen else ():
            area.tag_redraw()
        return self._advance(context, time.monotonic() + SHARE) or {"RUNNING_MODAL"}

    def execute(self, context: Any) -> set[str]:
        """Do the whole job at once: in scripts, and without a window."""
        self._timer, self._steps = None, self._whole(context)
        while not (ended := self._advance(context, time.monotonic() + SHARE)):
            time.sleep(TICK)
        return ended

    def _advance(self, context: Any, until: float) -> set[str]:
        """Work until the time `until` or until the job waits; return how it ended, or an empty set."""
        try:
            while time.monotonic() < until:
                said = next(self._steps)
                self._waits = said is not None
                if said:
                    context.window_manager.motionfields_status = said
                    break
        except StopIteration as end:
            kind, message, result = "INFO", end.value, "FINISHED"
        except (JobError, OSError) as error:
            kind, message, result = "ERROR", str(error), "CANCELLED"
        except BaseException:
            self.cancel(context)
            raise
        else:
            return set()
        self.cancel(context)
        self.report({kind}, message)
        return {result}

    def cancel(self, context: Any) -> None:
        """Stop the job; the generator ends its command and removes its folder."""
        self._steps.close()
        context.window_manager.motionfields_status = ""
        if self._timer:
            context.window_manager.event_timer_remove(self._timer)
            self._timer = None


class Check(Job, Operator):
    """Look whether the Python of the preferences has motionfields"""

    bl_idname = "motionfields.check"
    bl_label = "Check Python"

    def _work(self, context: Any, folder: Path) -> Steps:
        [version] = yield from finished(python_of(context), ["--version"], folder)
        return f"{version} in {python_of(context)}"


class Cancel(Operator):
    """Stop the running job"""

    bl_idname = "motionfields.cancel"
    bl_label = "Cancel"

    def execute(self, context: Any) -> set[str]:
        """Ask the job to stop at its next tick."""
        context.window_manager.motionfields_cancel = True
        return {"FINISHED"}


class Build(Job, Operator):
    """Build a motion field from the ticked actions of the armature, and train a controller on it"""

    bl_idname = "motionfields.build"
    bl_label = "Build and Train"

    def _work(self, context: Any, folder: Path) -> Steps:
        rig, python, settings = armature_of(context), python_of(context), context.scene.motionfields
        field, controller = file_of(context, rig, ".field"), file_of(context, rig, ".ctrl")
        build = ["build", "takes", "-o", str(field), "--frame-rate", f"{settings.frame_rate:g}", "--scale", "cm"]
        build += ["--up", "+y", "--rest-frames", "0"]
        train = ["train", str(field), "-o", str(controller), "--task", settings.task]
        train += ["--agility", f"{settings.agility:g}"]
        actions = [action for action in rigs.actions_of(rig) if action.motionfields_use]
        (folder / "takes").mkdir()
        for number, action in enumerate(actions):
            context.window_manager.motionfields_status = f"exporting {action.name}"
            motion = yield from rigs.sampled(rig, action, context.scene)
            path = folder / "takes" / f"{bpy.path.clean_name(action.name)}.bvh"
            write_bvh(path.with_stem(f"{path.stem}_{number}") if path.exists() else path, motion)
        if not actions:
            raise JobError(f"No ticked action moves the bones of {rig.name}.")
        said = yield from finished(python, build, folder)
        said += yield from finished(python, train, folder)
        for line in said:
            if line.startswith("warning:"):
                self.report({"WARNING"}, line)
        return f"Trained {controller.name} on {len(actions)} actions"


class Bake(Job):
    """A job that ends in a new action of the armature."""

    def _baked(
        self, context: Any, rig: str, words: list[str], folder: Path, *, name: str, height: float = 0.0
    ) -> Steps:
        """Run a command that writes motion.bvh, and bake that; return a message for the user."""
        said = yield from finished(python_of(context), [*words, "-o", "motion.bvh"], folder)
        scene, motion = context.scene, read_bvh(folder / "motion.bvh")
        if rig not in context.scene.objects:
            raise JobError(f"{rig} is not in the scene any more.")
        made = rigs.bake(scene.objects[rig], motion, scene, name, start=scene.frame_current, height=height)
        scene.frame_end = max(scene.frame_end, math.ceil(made.frame_range[1]))
        rate, own = scene.render.fps / scene.render.fps_base, 1.0 / motion.frame_time
        if abs(rate - own) > 1e-3:
            text = f"The scene has {rate:g} frames/s and the motion {own:g}, so that keys lie between frames."
            self.report(
                {"WARNING"}, f"{text} For a key at every frame, set the scene to {own:g} or build with {rate:g}."
            )
        about = next(line for line in said if line.startswith("motion.bvh: ")).partition(": ")[2]
        return f"Baked {made.name}, frames {made.frame_range[0]:g} to {made.frame_range[1]:g}: {about}"


def built(path: Path) -> str:
    """Return a built file as text; raises `JobError` if it is not there."""
    if not path.exists():
        raise JobError(f"{path.name} is not there yet: press Build and Train first.")
    return str(path)


class Walk(Bake, Operator):
    """Bake a walk of the armature along the chosen curve, from its first point"""

    bl_idname = "motionfields.walk"
    bl_label = "Walk Along Curve"

    def _work(self, context: Any, folder: Path) -> Steps:
        rig, settings = armature_of(context), context.scene.motionfields
        if settings.curve is None:
            raise JobError("Choose a curve to walk along.")
        points, height = rigs.points_of(settings.curve, context.scene)
        (folder / "path.json").write_text(json.dumps({"path": 1, "points_m": points.tolist()}), encoding="utf-8")
        words = ["record", built(file_of(context, rig, ".ctrl")), "--path", "path.json", "--seed", str(settings.seed)]
        name = f"{settings.curve.name} walk"
        return (yield from self._baked(context, rig.name, words, folder, name=name, height=height))


class Plan(Bake, Operator):
    """Bake a walk of captured steps from the hips of the armature to the 3D cursor, with a proven bound of its cost"""

    bl_idname = "motionfields.plan"
    bl_label = "Plan to 3D Cursor"

    def _work(self, context: Any, folder: Path) -> Steps:
        rig, scene = armature_of(context), context.scene
        name, field, steps = rig.name, file_of(context, rig, ".field"), file_of(context, rig, ".steps")
        hips = rig.matrix_world @ rig.pose.bones[rigs.hips_of(rig).name].head
        (x, _, z), (to_x, _, to_z) = rigs.ours([hips, scene.cursor.location]) * rigs.metres(scene)
        facing = math.degrees(math.atan2(to_x - x, to_z - z))
        words = ["plan", str(steps), f"--to={to_x:.6f},{to_z:.6f}", f"--start={x:.6f},{z:.6f}"]
        words += [f"--start-facing={facing:.6f}", "--within=2"]
        if not steps.exists() or steps.stat().st_mtime < Path(built(field)).stat().st_mtime:
            yield from finished(python_of(context), ["steps", str(field), "-o", str(steps)], folder)
        return (yield from self._baked(context, name, words, folder, name=f"{name} plan"))


class Compose(Bake, Operator):
    """Bake a motion of captured frames that shows the labels of a timeline"""

    bl_idname = "motionfields.compose"
    bl_label = "Compose Timeline"

    def _work(self, context: Any, folder: Path) -> Steps:
        rig, settings = armature_of(context), context.scene.motionfields
        labels, timeline = (bpy.path.abspath(path) for path in (settings.labels, settings.timeline))
        if not (labels and timeline):
            raise JobError("Choose the files of labels and timeline.")
        words = ["compose", built(file_of(context, rig, ".field")), "--labels", labels, "--timeline", timeline]
        words += ["--seed", str(settings.seed)]
        name = f"{rig.name} {Path(timeline).stem}"
        return (yield from self._baked(context, rig.name, words, folder, name=name))


OPERATORS = (Check, Cancel, Build, Walk, Plan, Compose)
