"""Motion Fields: train a character on the actions of its armature, and bake walks, plans and timelines to its rig.

motionfields itself runs in a second process, in a Python of the user's, because it needs newer packages than Blender's
own Python has.
"""

from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from . import rig as rigs
from .child import INSTALL, JobError
from .jobs import OPERATORS, armature_of, python_of

TASKS = (
    ("direction", "Direction", "Walk in a direction; follows curves best"),
    (
        "velocity",
        "Velocity",
        "Walk in a direction at a speed; stands at the end of the curve. Needs actions that stand",
    ),
    ("line", "Line", "Walk along a line"),
)

PARTS = (
    (("task", "frame_rate", "agility", "folder"), "motionfields.build", "MOD_ARMATURE"),
    (("curve", "seed"), "motionfields.walk", "CURVE_PATH"),
    ((), "motionfields.plan", "PIVOT_CURSOR"),
    (("labels", "timeline"), "motionfields.compose", "NLA"),
)


class MotionFieldsPreferences(bpy.types.AddonPreferences):
    """The Python that has motionfields."""

    bl_idname = __package__

    python: StringProperty(
        name="Python",
        description="Python 3.11 or newer in which motionfields is installed; python3 of the path if empty",
        subtype="FILE_PATH",
    )

    def draw(self, context: Any) -> None:
        """Draw the path, the check and the command that installs motionfields."""
        row = self.layout.row()
        row.prop(self, "python")
        row.operator("motionfields.check", icon="CHECKMARK")
        self.layout.label(text=f"To install: {INSTALL.format(python=python_of(context))}")


class MotionFieldsSettings(bpy.types.PropertyGroup):
    """Settings of a scene."""

    folder: StringProperty(
        name="Folder", description="Of the built files", default="//motionfields", subtype="DIR_PATH"
    )
    task: EnumProperty(name="Task", items=TASKS)
    frame_rate: FloatProperty(name="Frame Rate", description="Of the baked motion", default=30.0, min=5.0, max=240.0)
    agility: FloatProperty(
        name="Agility", description="0: smoothest, 1: fastest response", default=0.5, min=0.0, max=1.0
    )
    curve: PointerProperty(name="Curve", type=bpy.types.Object, poll=lambda _, thing: thing.type == "CURVE")
    seed: IntProperty(name="Seed", description="Another seed gives another walk", default=0, min=0)
    labels: StringProperty(name="Labels", description="Labels of the actions, .csv", subtype="FILE_PATH")
    timeline: StringProperty(name="Timeline", description="Timeline to compose, .json", subtype="FILE_PATH")


class MotionFieldsPanel(bpy.types.Panel):
    """Panel in the sidebar of the 3D view."""

    bl_idname = "MOTIONFIELDS_PT_panel"
    bl_label = "Motion Fields"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Motion Fields"

    def draw(self, context: Any) -> None:
        """Draw the job that runs, or else what can be started."""
        layout, manager, settings = self.layout, context.window_manager, context.scene.motionfields
        if manager.motionfields_status:
            layout.label(text=manager.motionfields_status, icon="SORTTIME")
            layout.operator("motionfields.cancel", icon="CANCEL")
            return
        layout.operator("motionfields.check", icon="CHECKMARK")
        try:
            actions = rigs.actions_of(armature_of(context))
        except JobError as error:
            layout.label(text=str(error), icon="INFO")
            return
        box = layout.box()
        for action in actions:
            box.prop(action, "motionfields_use", text=action.name)
        for names, operator, icon in PARTS:
            for name in names:
                box.prop(settings, name)
            box.operator(operator, icon=icon)
            box = layout.box()


CLASSES = (MotionFieldsPreferences, MotionFieldsSettings, MotionFieldsPanel, *OPERATORS)


def register() -> None:
    """Add the panel, the operators and their properties."""
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.motionfields = PointerProperty(type=MotionFieldsSettings)
    bpy.types.Action.motionfields_use = BoolProperty(name="Use", description="Build from this action", default=True)
    bpy.types.WindowManager.motionfields_status = StringProperty()
    bpy.types.WindowManager.motionfields_cancel = BoolProperty()


def unregister() -> None:
    """Remove everything that `register` has added."""
    del bpy.types.WindowManager.motionfields_cancel, bpy.types.WindowManager.motionfields_status
    del bpy.types.Action.motionfields_use, bpy.types.Scene.motionfields
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
