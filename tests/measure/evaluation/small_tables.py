"""A bench small enough for tests: few clips, two methods that train at once, few trials."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from motionfields.control.controller import FieldController
from motionfields.control.tasks import Direction, Task
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.measure.evaluation.tables import REGISTRY, DataSet, Registry, TableSettings
from motionfields.measure.evaluation.tables.registry import Method, Row
from motionfields.measure.evaluation.tables.workshop import WARM_UP
from motionfields.motion.samples import generate_samples

SETTINGS = TableSettings(
    trials=6, seeds=1, changes=1, sweep_trials=3, agilities=(0.5,), resamples=4, crowd=3, first_seed=7
)


@cache
def small_set() -> DataSet:
    """Walking and one turn, to both sides."""
    return DataSet("small", tuple(sample.clip for sample in generate_samples(only=WARM_UP)))


@cache
def _trained(field: MotionField, agility: float) -> FieldController:
    return train(field, Direction(), agility=agility, tolerance=1.0)


def quick_train(field: MotionField, task: Task, agility: float, *, slower: float = 0.0) -> FieldController:
    """A controller for headings whose values are not worked out to the end, made once."""
    assert isinstance(task, Direction)
    return _trained(field, max(0.0, agility - slower))


def small_registry(on_train: Callable[[str], None] = lambda name: None) -> Registry:
    """Two methods, of which one is slower, and one row made of the other; `on_train` hears of each training."""

    def method(name: str, slower: float) -> Method:
        def told(field: MotionField, task: Task, agility: float) -> FieldController:
            on_train(name)
            return quick_train(field, task, agility, slower=slower)

        return Method(told, {"direction": 0.5, "line": 0.5})

    made_of_field = {row.name: row for row in REGISTRY.rows}["field, sampled every 10 states"]
    return REGISTRY._replace(
        cases={"direction": REGISTRY.cases["direction"]},
        methods={"rival": method("rival", 0.5), "field": method("field", 0.0)},
        rows=(Row("rival", "rival", paper="graph"), Row("field", "field", paper="field"), made_of_field),
        main=("rival", "field"),
    )


small_settings = partial(
    TableSettings, changes=1, sweep_trials=3, agilities=(0.5,), resamples=4, crowd=3
)  # with what the command line says
