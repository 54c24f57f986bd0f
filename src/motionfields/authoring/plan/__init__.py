"""Planning: motions of captured steps through rooms, with a proven bound of their cost.

`StepGraph.build` cuts a field into steps and links them about the planted foot; `plan` searches the graph, and
`alternatives` finds several ways.
"""

from motionfields.authoring.plan.alternatives import alternatives
from motionfields.authoring.plan.graph import StepGraph
from motionfields.authoring.plan.planning import Plan, Progress, plan
from motionfields.authoring.plan.steps import StepSettings

__all__ = ["Plan", "Progress", "StepGraph", "StepSettings", "alternatives", "plan"]
