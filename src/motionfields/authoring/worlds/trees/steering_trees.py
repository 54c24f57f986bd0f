"""Learnt steering as an artifact: a forest, its sensor, and the motion of the states that it was learnt for."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.authoring.worlds.rolling import SPEED_SHARES
from motionfields.authoring.worlds.trees.forest import Forest
from motionfields.base.arrays import FloatArray, IntArray, read_only
from motionfields.base.artifacts import read_artifact, write_artifact
from motionfields.base.checks import check_array, checked_count, checked_number
from motionfields.base.errors import INVALID, ArtifactError, invalid_reason
from motionfields.base.geometry import turn_over_ground
from motionfields.base.world import DepthScan, Nearest, sensed_size

VERSION: Final = 1
MOTION_SIZE: Final = 5  # velocity to the left and ahead, turning rate, votes of both feet
GOAL_SIZE: Final = 4  # of a goal: distance, bearing, left, ahead
SLOW, FAST = 1, len(SPEED_SHARES)
FAST_ANGLES: Final = (0, 20, -20, 40, -40, 70, -70, 110, -110, 180)  # degrees to the left
ACTIONS: Final = np.array(  # [action, 2]: degrees to the left of the facing, number of the speed
    [*((angle, FAST) for angle in FAST_ANGLES), (0, SLOW), (40, SLOW), (-40, SLOW), (0, 0)]
)
COARSEST: Final = 4  # cells of a refined scan at the root of a tree, as in eq. 6.6 of the thesis
STRIPE_RAYS: Final = 64  # rays of which stripes take the least
SENSES: Final = ("depth", "refined", "scan", "stripes", "nearest", "objects")
SENSE_FORMS: Final = "depth:RAYS, refined:RAYS, scan:RAYS, stripes:COUNT, nearest:COUNT or objects:COUNT"


@dataclass(frozen=True, eq=False)
class SteeringTrees:
    """A forest that predicts the value of actions from the sensor readings of characters of one controller."""

    forest: Forest
    sensor: DepthScan | Nearest
    motion: FloatArray  # [state, MOTION_SIZE], float32: m/s, radians per second and votes of every database state
    hold: int  # frames for which an action was held when it was learnt
    top: float  # m/s, top speed
    policy_digest: str  # SHA-256 of the policy

    def __post_init__(self) -> None:
        check_array("motion", self.motion, np.float32, (None, MOTION_SIZE))
        if not len(self.motion) or not np.isfinite(self.motion).all():
            raise ValueError("motion: expected finite numbers of at least one state")
        if not isinstance(self.sensor, DepthScan | Nearest):
            raise TypeError(f"sensor: expected DepthScan or Nearest, got {type(self.sensor).__name__}")
        checked_count("hold", self.hold, 1)
        checked_number("top", self.top, 1e-3, 1e3)
        if self.forest.feature_count > self.feature_count or self.forest.values.shape[1] != len(ACTIONS):
            raise ValueError("forest: expected one for the features of the sensor and all actions")
        object.__setattr__(self, "motion", read_only(self.motion))

    @property
    def feature_count(self) -> int:
        """Number of features: motion, goal and sensor readings."""
        return MOTION_SIZE + GOAL_SIZE + sensed_size(self.sensor)

    def features(self, states: IntArray, position: FloatArray, facing: FloatArray, goal: FloatArray) -> FloatArray:
        """Return the features [n, MOTION_SIZE + GOAL_SIZE] of characters, without sensor readings.

        `states` [n] are database states, `position` [n, 2] and `goal` [n, 2] in metres, `facing` [n] in radians.
        """
        return bare_features(self.motion, states, position, facing, goal)

    def choose(self, features: FloatArray) -> IntArray:
        """Return the best action [n] for `features` [n, feature]; of equal ones the lowest."""
        return np.asarray(self.forest.action_values(self.forest.leaves(features)).argmax(axis=1))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the trees to the file `path`, by convention .trees, in one step."""
        forest, sensor = self.forest, self.sensor
        names = ("feature", "threshold", "left", "right", "roots", "values")
        arrays = {name: getattr(forest, name) for name in names} | {"motion": self.motion}
        facts: dict[str, Any] = {"hold": self.hold, "top": self.top, "policy": self.policy_digest}
        if isinstance(sensor, Nearest):
            facts["nearest"] = {"count": sensor.count, "reach": sensor.reach, "ordered": sensor.ordered}
        else:
            keys = ("rays", "span", "reach", "pyramid")
            facts["depth"] = {key: getattr(sensor, key) for key in keys}
        write_artifact(path, kind="trees", version=VERSION, arrays=arrays, facts=facts)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> SteeringTrees:
        """Return the trees in the file `path`; raises `ArtifactError` if it is damaged or of another kind."""
        artifact = read_artifact(path, kind="trees", newest_version=VERSION)
        facts: dict[str, Any] = dict(artifact.facts)
        try:
            forest = Forest(
                artifact.array("feature", dtype=np.int32, shape=(None,)),
                artifact.array("threshold", dtype=np.float32, shape=(None,)),
                artifact.array("left", dtype=np.int32, shape=(None,)),
                artifact.array("right", dtype=np.int32, shape=(None,)),
                artifact.array("roots", dtype=np.int32, shape=(None,)),
                artifact.array("values", dtype=np.float32, shape=(None, len(ACTIONS))),
            )
            sensor = Nearest(**facts["nearest"]) if "nearest" in facts else DepthScan(**facts["depth"])
            motion = artifact.array("motion", dtype=np.float32, shape=(None, MOTION_SIZE))
            return cls(forest, sensor, motion, facts["hold"], facts["top"], str(facts["policy"]))
        except INVALID as error:
            raise ArtifactError(f"holds invalid trees: {invalid_reason(error)}", path=str(path)) from None


def bare_features(
    motion: FloatArray, states: IntArray, position: FloatArray, facing: FloatArray, goal: FloatArray
) -> FloatArray:
    """Return the features [n, MOTION_SIZE + GOAL_SIZE] as `SteeringTrees.features` does, from `motion` [state, 5]."""
    left, ahead = turn_over_ground(goal - position, -facing).T
    return np.column_stack([motion[states], np.hypot(left, ahead), np.arctan2(left, ahead), left, ahead])


class Sense(NamedTuple):
    """A sensor, and the coarsest and finest resolution between which trees refine its scan."""

    sensor: DepthScan | Nearest
    levels: tuple[int, int] | None  # None: every split may use every number of the sensor


def parse_sense(text: str) -> Sense:
    """Return the sense named by `text`.

    refined:32 is a depth scan that trees refine from 4 cells up to 32; depth:32 a scan of which every split may use
    every resolution; scan:32 its rays alone; stripes:8 the least depth in each of 8 sectors, of at least 64 rays;
    nearest:4 explicit numbers of the 4 nearest obstacles; objects:4 of the first 4 in the order of the world.
    """
    kind, _, number = text.partition(":")
    if kind not in SENSES or not number.isdecimal():
        raise ValueError(f"sense: expected {SENSE_FORMS}, got {text!r:.40}")
    count = int(number)
    if kind in ("nearest", "objects"):
        return Sense(Nearest(count, ordered=kind == "nearest"), None)
    if kind == "stripes":
        sensor = DepthScan(max(STRIPE_RAYS, count))
        if count & (count - 1) or not count:
            raise ValueError(f"sense: expected a power of two of stripes, got {text!r:.40}")
        return Sense(sensor, (count, count))
    sensor = DepthScan(count, pyramid=kind != "scan")
    return Sense(sensor, (min(COARSEST, count), count) if kind == "refined" else None)
