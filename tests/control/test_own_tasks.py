"""Tasks of the user's own in compiled code: the same decisions as in numpy, at the cost of a built-in task."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from motionfields.control.controller import FieldController
from motionfields.control.training import train
from motionfields.runtime import Crowd
from tests.control.training.small import SETTINGS, direction_controller, small_field
from tests.extending.own_task import LeftHand


class InNumpy(FieldController):
    """A field controller that decides in numpy."""

    policy = None


def own_controller() -> FieldController:
    return train(small_field(), LeftHand(), settings=SETTINGS, tolerance=0.05)


def test_compiled_decisions_are_those_of_the_numpy_methods() -> None:
    controller = own_controller()
    assert controller.policy is not None
    plain = InNumpy(*(getattr(controller, name) for name in controller.__dataclass_fields__))
    crowds = [Crowd(one, 9, seed=4) for one in (controller, plain)]
    for frame in range(80):
        told = np.sin(0.1 * frame + np.arange(9.0))
        mine, its = (crowd.step(told) for crowd in crowds)
        for track, other in zip(mine, its, strict=True):
            np.testing.assert_array_equal(track, other)


def test_a_crowd_of_many_decides_as_one_alone() -> None:
    controller = own_controller()
    many, alone = Crowd(controller, 70, seed=4), Crowd(controller, 1, seed=4)
    for _ in range(20):
        np.testing.assert_array_equal(many.step(0.5).rotations[:1], alone.step(0.5).rotations)


def test_looking_at_the_poses_decides_nothing() -> None:
    crowd = Crowd(own_controller(), 3, seed=4)
    crowd.step(0.5)
    decided = [track.copy() for track in crowd._stepper.chosen]
    assert len(crowd.unplanted.rotations) == 3
    for track, before in zip(crowd._stepper.chosen, decided, strict=True):
        np.testing.assert_array_equal(track, before)


def test_a_task_of_ones_own_costs_at_most_1_3_times_a_built_in_one() -> None:
    usual = replace(direction_controller(warped=False))
    crowds = [Crowd(one, 400, seed=1) for one in (own_controller(), usual)]
    frames = [crowd.step(0.3) for crowd in crowds]
    best = [np.inf, np.inf]
    for _ in range(60):  # in turns, so that a slow moment of the machine slows both
        for number, (crowd, frame) in enumerate(zip(crowds, frames, strict=True)):
            began = time.process_time()
            crowd.step(0.3, out=frame)
            best[number] = min(best[number], time.process_time() - began)
    assert best[0] < 1.3 * best[1], f"{best[0] / best[1]:.2f} times"
