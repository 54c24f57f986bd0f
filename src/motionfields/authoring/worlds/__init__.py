"""Worlds: tables of futures, and pilots that steer characters to goals, around obstacles and each other."""

from motionfields.authoring.worlds.depth_pilot import DepthPilot
from motionfields.authoring.worlds.futures import Futures
from motionfields.authoring.worlds.pilot import Avoid, Manner, Pilot
from motionfields.authoring.worlds.rivals import RivalPilot
from motionfields.authoring.worlds.walking import Walk, walk

__all__ = ["Avoid", "DepthPilot", "Futures", "Manner", "Pilot", "RivalPilot", "Walk", "walk"]
