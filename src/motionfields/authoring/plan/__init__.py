"""Planning: motions of captured steps through rooms, with a proven bound of their cost.

`StepGraph.build` cuts a field into steps and links them about the planted foot; `plan` searches the graph,
`alternatives` finds several ways, and `replan` replaces a part of a plan.
"""

from motionfields.authoring.plan.alternatives import alternatives, iter_alternatives
from motionfields.authoring.plan.editing import replan
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.planning import Plan, plan
from motionfields.authoring.plan.solving import Progress, Reached, SearchView
from motionfields.authoring.plan.steps import StepSettings, state_effort

__all__ = [
    "Plan",
    "Progress",
    "Reached",
    "SearchView",
    "StepGraph",
    "StepSettings",
    "alternatives",
    "iter_alternatives",
    "plan",
    "replan",
    "state_effort",
]
