"""Foot locking ("planting" in the code): holds feet in place during contacts, online and for batches of characters."""

from motionfields.motion.planting.holding import Held, hold_feet
from motionfields.motion.planting.planter import FootPlanter, plant_clip
from motionfields.motion.planting.settings import PlantingSettings
from motionfields.motion.planting.stance import Stance, measure_stance
from motionfields.motion.planting.state import PlantedPose, PlantedRuns, PlantingState
from motionfields.motion.planting.votes import votes_from_contacts

__all__ = [
    "FootPlanter",
    "Held",
    "PlantedPose",
    "PlantedRuns",
    "PlantingSettings",
    "PlantingState",
    "Stance",
    "hold_feet",
    "measure_stance",
    "plant_clip",
    "votes_from_contacts",
]
