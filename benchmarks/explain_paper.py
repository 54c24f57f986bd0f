"""Go from the paper's controller to the motion field's, one change at a time, and print what each change does.

    python benchmarks/explain_paper.py [--set B] [--trials 130] [--quick]

The task is to face a direction. The first row is the motion graph, for comparison; the second is the controller of Lee
et al. 2010 as published. Each following row keeps the changes of the rows before it and adds one, until the last row is
the motion field's controller. Columns: mean response in seconds, failures, and the ratios of jerk, jerk in turns and
foot skate to the data; an exclamation mark is a missed gate.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from common import clips_of_set, control_field, make_parser
from motionfields.control.contract import Controller
from motionfields.control.methods import train_graph
from motionfields.control.methods.paper import PaperSettings, PublishedDirection, train_as_published, train_paper
from motionfields.control.tasks import Axis, Direction
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.measure.evaluation import within_gate
from motionfields.measure.evaluation.source import measure_source
from motionfields.measure.evaluation.tables.measuring import measured, run_trials
from motionfields.measure.evaluation.tables.registry import REGISTRY

SEED = 5000
FREE = ControlSettings(
    neighbor_count=15,
    candidate_factor=1,
    memory=0,
    jump_cost=0.0,
    change_cost=0.0,
    contact_cost=0.0,
    slip_cost=0.0,
    flight_cost=0.0,
    rough_cost=0.0,
)
SHOWN = ("jerk", "turning_jerk", "skate")


@dataclass(frozen=True)
class CoarseDirection(Direction):
    """Our reward at the paper's 18 directions."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The angle to the desired heading, at 18 directions."""
        return PublishedDirection().axes


def steps(field: MotionField) -> Iterator[tuple[str, Callable[[], Controller]]]:
    """Yield the name of each change and a function that trains the controller with it and all changes before."""
    printed = PaperSettings(goal_change=0.0)
    changing = PaperSettings()
    yield "the motion graph", lambda: train_graph(field, Direction())
    yield "Lee et al. 2010, as published", lambda: train_as_published(field, Direction())
    yield "our reward: pace, last degrees", lambda: train_paper(field, CoarseDirection(), settings=printed)
    yield "our grid of directions", lambda: train_paper(field, Direction(), settings=printed)
    yield "goals may change", lambda: train_paper(field, Direction(), settings=changing)
    yield "strength 10 instead of 1", lambda: train_paper(field, Direction(), settings=replace(changing, strength=10.0))
    yield "follow one state, no blend", lambda: train(field, Direction(), settings=FREE)
    yield "100 transitions, not 15", lambda: train(field, Direction(), settings=replace(FREE, neighbor_count=100))
    forward = replace(FREE, neighbor_count=100, memory=ControlSettings.memory)
    yield "time moves forward", lambda: train(field, Direction(), settings=forward)
    no_jump = replace(ControlSettings(), candidate_factor=1, jump_cost=0.0)
    yield "costs of feet, change, jerk", lambda: train(field, Direction(), settings=no_jump)
    no_choice = replace(ControlSettings(), candidate_factor=1)
    yield "cost of jumps", lambda: train(field, Direction(), settings=no_choice)
    yield "100 of 400 transitions: the field", lambda: train(field, Direction())


def main() -> int:
    parser = make_parser(__doc__, quick="a few generated clips and changes")
    parser.add_argument("--set", default="B", help="data set, see common.clips_of_set (default B)")
    parser.add_argument("--trials", type=int, default=130, help="changes of the goal for each row (default 130)")
    options = parser.parse_args()
    field = control_field(clips_of_set("quick" if options.quick else options.set))
    source = measure_source(field)
    print(f"{'':32} {'response s':>16} {'failures':>9} " + " ".join(f"{name:>13}" for name in SHOWN))
    for change, make in steps(field):
        count = 8 if options.quick else options.trials
        ran = run_trials(make(), REGISTRY.cases["direction"], count=count, seeds=1, first_seed=SEED)
        content = measured(field, source, ran, resamples=200, seed=SEED)
        figures = content["figures"]
        mean, error = figures["mean"]
        ratios = " ".join(
            f"{figures[name][0]:11.2f}{'  ' if within_gate(name, figures[name][0]) else ' !'}" for name in SHOWN
        )
        response = "none reached" if math.isnan(mean) else f"{mean:8.3f} ± {error:.3f}"
        print(f"{change:32} {response:>16} {100.0 * figures['failures'][0]:7.1f} % {ratios}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
