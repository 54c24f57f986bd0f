"""Decision methods of Lee's thesis on clips of one step: bases, refined cells and transition controllers, to compare.

They decide at the end of each step, in flat worlds (`problems`). Values come from a table (`tables`), from a few basis
functions (`bases`, chapter 3) or from cells that are refined where it matters (`cells`, chapter 4); `bridges` finds
clips that lead from one skill to another.
"""

from motionfields.control.methods.thesis.bases import (
    Basis,
    Fit,
    even_samples,
    fit_lp,
    fit_lspi,
    gaussians,
    monomials,
    product,
)
from motionfields.control.methods.thesis.bridges import Bridge, Skill, Switch, bridge_clips
from motionfields.control.methods.thesis.cells import Cells, CellValues, refine, solve_cells
from motionfields.control.methods.thesis.problems import Outcomes, Problem, Span, best_actions, mean_cost, nothing
from motionfields.control.methods.thesis.settings import (
    Checkerboard,
    FixedObstacle,
    Heading,
    MovingObstacle,
    Path,
    RevolvingDoors,
)
from motionfields.control.methods.thesis.steps import Steps, step_table, varied_clips, whole_clips
from motionfields.control.methods.thesis.tables import Table

__all__ = [
    "Basis",
    "Bridge",
    "CellValues",
    "Cells",
    "Checkerboard",
    "Fit",
    "FixedObstacle",
    "Heading",
    "MovingObstacle",
    "Outcomes",
    "Path",
    "Problem",
    "RevolvingDoors",
    "Skill",
    "Span",
    "Steps",
    "Switch",
    "Table",
    "best_actions",
    "bridge_clips",
    "even_samples",
    "fit_lp",
    "fit_lspi",
    "gaussians",
    "mean_cost",
    "monomials",
    "nothing",
    "product",
    "refine",
    "solve_cells",
    "step_table",
    "varied_clips",
    "whole_clips",
]
