"""The runtime: characters that follow database states, decide at every frame, and display smooth motion."""

from motionfields.control.contract import ActionValues, Controller, ControllerState, Decision, Observation, Pivot
from motionfields.control.followers import Followers, displayed_state, followers_from
from motionfields.runtime.crowd import Crowd
from motionfields.runtime.follower import DisplayPose
from motionfields.runtime.frames import Frame
from motionfields.runtime.passive import PassiveCrowd
from motionfields.runtime.planters import Planter

__all__ = [
    "ActionValues",
    "Controller",
    "ControllerState",
    "Crowd",
    "Decision",
    "DisplayPose",
    "Followers",
    "Frame",
    "Observation",
    "PassiveCrowd",
    "Pivot",
    "Planter",
    "displayed_state",
    "followers_from",
]
