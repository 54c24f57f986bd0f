"""The gates of `motionfields bench tables` catch planted faults: a policy without foresight, and trembling joints."""

from __future__ import annotations

import re

import pytest

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.measure.evaluation import REQUIRED_GATES, measure_source, measure_trials, missed_gates
from motionfields.measure.evaluation.noise import NoisyController
from motionfields.measure.evaluation.tables.measuring import run_trials
from motionfields.measure.evaluation.tables.registry import REGISTRY
from motionfields.measure.evaluation.trials import Controlled
from motionfields.motion.samples import generate_samples
from tests.conftest import LONG

pytestmark = pytest.mark.slow

AGILITY = 0.25  # smoother than the default, so that the unaltered controller is well within the gates
NOISE = 2.0  # degrees
FEW_CLIPS = re.compile(r"walk_forward|turn_left_\d+_gentle")


@pytest.fixture(scope="module")
def controller() -> FieldController:
    """A controller trained on few generated clips; on all of them with MOTIONFIELDS_LONG=1."""
    clips = [sample.clip for sample in generate_samples(only=None if LONG else FEW_CLIPS)]
    return train(MotionField(MotionDatabase.build(clips)), Direction(), agility=AGILITY)


def missed_by(controlled: Controlled, field: MotionField) -> list[str]:
    count, seeds = (500, 2) if LONG else (24, 1)
    ran = run_trials(controlled, REGISTRY.cases["direction"], count=count, seeds=seeds, first_seed=2000)
    return missed_gates(measure_trials(field, measure_source(field), ran.trials), REQUIRED_GATES)


def test_a_trained_controller_keeps_every_required_gate(controller: FieldController) -> None:
    assert missed_by(controller, controller.field) == []


def test_a_policy_without_foresight_misses_a_gate(controller: FieldController) -> None:
    assert missed_by(controller.greedy(), controller.field)


def test_trembling_joints_miss_a_gate(controller: FieldController) -> None:
    assert missed_by(NoisyController(controller, NOISE), controller.field)
