"""Print the scores of the actions that a character could have taken, and explain its choice.

    python examples/07_why.py

A character takes the best of up to a hundred transitions. The score is the reward of the task, minus the cost of the
transition, plus the value of the next state. The table is for the frame in which the character is told to turn round:
the rewards hardly differ yet, and expensive transitions win because of the states they lead to. The studio shows the
same table for every frame (motionfields demo).
"""

from __future__ import annotations

import re

import numpy as np

import motionfields as mf

CLIPS = re.compile("walk_forward|turn_left_045_gentle|turn_left_(090|180)_quick")


def main() -> None:
    """Print the five best choices at one decision, and check that the best is taken."""
    clips = [sample.clip for sample in mf.samples.generate_samples(only=CLIPS)]
    field = mf.MotionField(mf.MotionDatabase.build(clips))
    controller = mf.train(field, mf.tasks.Direction())
    crowd = controller.crowd(count=1, seed=0)
    for _ in range(60):
        crowd.step(0.0)

    goal = np.radians(170.0)  # to the left
    taken_best = 0
    for frame in range(30):
        action_values = controller.action_values(
            mf.runtime.Observation.of(
                controller.field.database, crowd.followers, crowd.controller_state, crowd.params(goal)
            )
        )  # before it decides
        scores = action_values.scores[0, :, 0]  # [choice], of following states as they were captured
        best = np.argsort(-scores, kind="stable")[:5]
        shown = crowd.step(goal)
        taken_best += (
            shown.states[0] == action_values.states[0, best[0]] + 1
        )  # a character that follows a state is at the next
        if frame == 0:
            print(f"{np.isfinite(scores).sum()} choices; the five best, by the clip and time that they lead to:")
            for transition in best:
                row = int(action_values.states[0, transition])
                print(f"  {place(field.database, row):>28}  {parts(action_values, transition)}")
    print(f"in 30 frames it took the best choice {taken_best} times")
    assert taken_best == 30, f"expected every decision to be the best one, {30 - taken_best} were not"


def place(database: mf.MotionDatabase, row: int) -> str:
    """The clip and second that a state is from."""
    clip = database.clip_of[row]
    return f"{database.clip_names[clip]} at {(row - database.clip_starts[clip]) * database.frame_time:.2f} s"


def parts(action_values: mf.runtime.ActionValues, transition: int) -> str:
    """Return the parts of a transition's score, as text."""
    pays, costs, then = (
        table[0, transition, 0] for table in (action_values.rewards, action_values.costs, action_values.futures)
    )
    return (
        f"pays {pays:6.2f}, costs {costs:5.2f}, then {then:7.2f}, in all {action_values.scores[0, transition, 0]:7.2f}"
    )


if __name__ == "__main__":
    main()
