"""Draw the picture of planning in `docs/images`: the page in headless Chromium, with a plan and two other ways.

    python docs/figures/draw_plan.py [--out docs/images] [--steps FILE]

Uses captured walking. `--steps` reuses a step graph built from it. Needs Chromium on the path, and takes minutes with
software rendering.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from playwright.sync_api import Page

from gallery import DATA, IMAGES
from motionfields.authoring.plan import StepGraph
from motionfields.base.world import Box, Disc, Room, Wall
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.formats import load_clips
from motionfields.studio import PlanServer, PlanSession
from studio_page import CHROMIUM, take_picture

ROOM = Room(
    (-4.0, -1.2, 4.0, 7.5),
    (
        Box(0.2, 2.2, 2.4, 0.6, math.radians(12.0)),
        Box(-2.3, 4.6, 1.2, 1.0),
        Wall((1.5, 4.8), (4.0, 4.8)),
        Disc(-0.3, 5.9, 0.4),
    ),
)
GOAL, TOWARDS = (2.6, 6.4), (1.6, 6.4)


def draw(page: Page) -> None:
    """Set a goal with a facing, and show the middle of the motion with its alternatives."""
    page.click("#tool-goal")
    page.wait_for_timeout(2000)
    start, end = (page.evaluate(f"() => window.planner.view.screenOf({x}, {z})") for x, z in (GOAL, TOWARDS))
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(end["x"], end["y"], steps=4)
    page.mouse.up()
    page.wait_for_function("() => !window.planner.planner.working && window.planner.planner.motions.length")
    page.evaluate("() => window.planner.planner.show(0.45 * window.planner.planner.seconds)")
    page.wait_for_timeout(4000)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=IMAGES)
    parser.add_argument("--steps", type=Path, help="a step graph of captured walking, to save the time of building it")
    options = parser.parse_args()
    if CHROMIUM is None:
        print("no Chromium on the path")
        return 1
    if options.steps is not None:
        graph = StepGraph.load(options.steps)
    else:
        graph = StepGraph.build(MotionField(MotionDatabase.build(load_clips(DATA / "locomotion"))))
    session = PlanSession(graph, room=ROOM, title="captured walking")
    session.warm()
    take_picture(
        PlanServer,
        session,
        options.out / "studio_plan.jpg",
        ready="window.planner?.planner.motions.length > 0",
        draw=draw,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
