"""Pictures and curves for judging motion; drawing needs the extra `plots`, computing angles does not."""

from motionfields.measure.analysis.animation import render_gif, render_video
from motionfields.measure.analysis.camera import Camera, side_camera
from motionfields.measure.analysis.curves import render_contacts, render_joint_angles
from motionfields.measure.analysis.filmstrip import render_comparison, render_filmstrip
from motionfields.measure.analysis.gait import gait_cycles, leg_angles
from motionfields.measure.analysis.plans import render_plan
from motionfields.measure.analysis.pushes import Dose, render_doses
from motionfields.measure.analysis.response import render_frontier, render_response
from motionfields.measure.analysis.scene import Marks
from motionfields.measure.analysis.walks import render_walk

__all__ = [
    "Camera",
    "Dose",
    "Marks",
    "gait_cycles",
    "leg_angles",
    "render_comparison",
    "render_contacts",
    "render_doses",
    "render_filmstrip",
    "render_frontier",
    "render_gif",
    "render_joint_angles",
    "render_plan",
    "render_response",
    "render_video",
    "render_walk",
    "side_camera",
]
