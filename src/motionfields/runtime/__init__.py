"""The runtime: characters that follow states of the data, decide anew at every frame, and show it smoothly."""

from motionfields.control.contract import Controller, Followers, Mind, Outlook, Pivot, Steps
from motionfields.runtime.crowd import Crowd, Frame
from motionfields.runtime.follower import Shown
from motionfields.runtime.passive import PassiveCrowd

__all__ = [
    "Controller",
    "Crowd",
    "Followers",
    "Frame",
    "Mind",
    "Outlook",
    "PassiveCrowd",
    "Pivot",
    "Shown",
    "Steps",
]
