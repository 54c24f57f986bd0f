"""Compare three control methods on the same data, task and measures.

    python examples/08_compare_methods.py

A motion field plans over single frames, a graph over clips of one step, and motion matching searches for the frame that
fits best now. Each gets 100 new directions. The table has the response time, in seconds until the character faces the
new direction, and the jerk, which is high for abrupt motion. The command "motionfields bench tables" runs the full
comparison.
"""

from __future__ import annotations

import re

import motionfields as mf
from motionfields.control.methods import train_graph, train_matching
from motionfields.measure.evaluation import direction_trials, measure_source, measure_trials
from motionfields.runtime import Controller

CLIPS = re.compile("walk_forward|turn_left_045_gentle|turn_left_(090|135|180)_quick")


def main() -> None:
    """Train all three, measure them, and print a line for each."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    task = mf.tasks.Direction()
    source = measure_source(field)
    controllers: dict[str, Controller] = {
        "field": mf.train(field, task),
        "graph": train_graph(field, task),
        "matching": train_matching(field, task),
    }
    measured = {}
    for name, controller in controllers.items():
        trials = direction_trials(controller, count=25, change_count=4, seed=0)
        figures = measured[name] = measure_trials(field, source, trials)
        quality = f"jerk {figures.jerk:.2f} times the data's"
        print(f"{name:>8}: response {figures.mean:.2f} s, {figures.failures:.0%} fail, {quality}")
        assert figures.failures < 0.05, f"expected {name} to get there, {figures.failures:.0%} of the changes fail"
    ahead = measured["graph"].mean / measured["field"].mean
    print(f"the field answers {ahead:.1f} times as fast as the graph")
    assert ahead > 1.0, "expected planning by the frame to answer sooner than planning by the step"


if __name__ == "__main__":
    main()
