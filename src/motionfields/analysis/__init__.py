"""Pictures and curves to judge motion by; drawing needs the extra `plots`, the angles do not."""

from motionfields.analysis.animation import render_gif
from motionfields.analysis.camera import Camera, side_camera
from motionfields.analysis.curves import render_contacts, render_joint_angles
from motionfields.analysis.filmstrip import render_comparison, render_filmstrip
from motionfields.analysis.gait import gait_cycles, leg_angles
from motionfields.analysis.pushes import Dose, render_doses
from motionfields.analysis.response import render_frontier, render_response
from motionfields.analysis.scene import Marks

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
    "render_response",
    "side_camera",
]
