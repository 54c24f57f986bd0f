"""The runtime: characters that follow states of the data, decide anew at every frame, and show it smoothly."""

from motionfields.runtime.crowd import Controller, Crowd, Frame, Mind, Outlook
from motionfields.runtime.follower import Followers, Pivot, Shown, Steps
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
