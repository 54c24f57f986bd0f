"""Steering learnt by fitted iteration with extremely randomised trees, as in the thesis of Wan-Yen Lo."""

from motionfields.authoring.worlds.trees.learning import LearningSettings, learn_steering
from motionfields.authoring.worlds.trees.pilot import TreePilot
from motionfields.authoring.worlds.trees.steering_trees import Sense, SteeringTrees, parse_sense

__all__ = ["LearningSettings", "Sense", "SteeringTrees", "TreePilot", "learn_steering", "parse_sense"]
