"""Foot planting: feet in contact are held in place, online and for batches of characters."""

from motionfields.planting.planter import FootPlanter, plant_clip
from motionfields.planting.settings import PlantingSettings
from motionfields.planting.stance import Stance, measure_stance
from motionfields.planting.state import PlantedPose, PlantedRuns, PlantingState
from motionfields.planting.votes import votes_from_contacts

__all__ = [
    "FootPlanter",
    "PlantedPose",
    "PlantedRuns",
    "PlantingSettings",
    "PlantingState",
    "Stance",
    "measure_stance",
    "plant_clip",
    "votes_from_contacts",
]
