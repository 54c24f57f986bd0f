"""Surveys of motion fields: coverage, reachability, redundancy and faults, in words, tables and a page."""

from motionfields.measure.survey.bounds import TurnBounds, TurnTime, response_bounds, turn_times
from motionfields.measure.survey.page import save_report
from motionfields.measure.survey.statements import LEVELS, MEANINGS, PARTS, Meaning, Statement
from motionfields.measure.survey.survey import Survey, quick_statements, survey

__all__ = [
    "LEVELS",
    "MEANINGS",
    "PARTS",
    "Meaning",
    "Statement",
    "Survey",
    "TurnBounds",
    "TurnTime",
    "quick_statements",
    "response_bounds",
    "save_report",
    "survey",
    "turn_times",
]
