"""Groups of similar clips as actions, as in chapter 5 of the thesis of Wan-Yen Lo.

`walking_steps` cuts a field into steps and `choose_steps` selects some; a `HeadingTask` turns to a desired direction
with them. `fitting` has value functions for it: a dense grid, polynomials by linear programming, and fitted trees.
`grouping` finds groups of similar steps, `blending` blends them, and `grasping` does the same for pick-up takes.
"""

from motionfields.authoring.groups.clips import StepActions, choose_steps, walking_steps
from motionfields.authoring.groups.heading import HeadingTask

__all__ = ["HeadingTask", "StepActions", "choose_steps", "walking_steps"]
