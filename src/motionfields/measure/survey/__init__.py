"""Surveys of motion fields: coverage, reachability, redundancy, faults and worth, in words, tables and a page."""

from motionfields.measure.survey.bounds import TurnBounds, TurnTime, response_bounds, turn_times
from motionfields.measure.survey.page import save_report
from motionfields.measure.survey.selection import Selection, Step, predicted_gains, select_takes
from motionfields.measure.survey.shots import Shot, shot_list
from motionfields.measure.survey.statements import LEVELS, MEANINGS, PARTS, Meaning, Statement
from motionfields.measure.survey.subsets import Performance, TakeTables
from motionfields.measure.survey.survey import Survey, quick_statements, survey
from motionfields.measure.survey.worth import TakeWorth, Worth, shapley_values, take_worth

__all__ = [
    "LEVELS",
    "MEANINGS",
    "PARTS",
    "Meaning",
    "Performance",
    "Selection",
    "Shot",
    "Statement",
    "Step",
    "Survey",
    "TakeTables",
    "TakeWorth",
    "TurnBounds",
    "TurnTime",
    "Worth",
    "predicted_gains",
    "quick_statements",
    "response_bounds",
    "save_report",
    "select_takes",
    "shapley_values",
    "shot_list",
    "survey",
    "take_worth",
    "turn_times",
]
