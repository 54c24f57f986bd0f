"""Compile the loops that most tests need into the cache on disk, so that parallel test processes only load them.

python scripts/compile_loops.py
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import numba
import numpy as np

from motionfields.authoring.plan import StepGraph, plan
from motionfields.authoring.sketch import Stroke, sketch
from motionfields.authoring.worlds import Futures, Pilot
from motionfields.authoring.worlds.rivals import RivalPilot
from motionfields.base.native import without_library
from motionfields.base.world import Reach, World
from motionfields.control.methods import train_graph, train_matching
from motionfields.control.methods.paper import train_paper
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Direction, Line, Velocity
from motionfields.control.training import train
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.field.neighbors.leaves import grow_leaves
from motionfields.field.neighbors.long_lists import search_long_lists
from motionfields.motion.formats import load_clip, save_clip
from motionfields.motion.samples import generate_samples
from motionfields.runtime import Controller
from motionfields.runtime.native_step import FEWEST_CHARACTERS

CLIPS = re.compile("walk_forward|turn_left_(090|135)_quick")


def main() -> None:
    """Run every kind of work once, first on one thread, then on two."""
    numba.set_num_threads(1)
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    with tempfile.TemporaryDirectory() as folder:
        save_clip(clips[0], Path(folder) / "walk.bvh")
        load_clip(Path(folder) / "walk.bvh")
    field = MotionField(MotionDatabase.build(clips))
    features = field.database.features
    found = np.empty((len(features), 2), np.int64), np.empty((len(features), 2), np.float32)
    search_long_lists(features, grow_leaves(features), features, *found)
    field.clips(field.synthesize(field.start(2), 0.2))
    steps = StepGraph.build(field)
    plan(steps, (0.5, 2.0), most_expansions=500)
    plan(steps, (0.0, 1.0), facing=0.0, search="both")
    sketch(steps, [Stroke.on_ground(np.array([(0.0, 0.0), (0.0, 1.0)]))], width=10)
    controllers: list[Controller] = [
        train(field, Direction(), warp=Warp(), tolerance=1.0),
        train(field, Line(), tolerance=1.0),
        train_graph(field, Direction(), tolerance=1.0),
        train_matching(field, Direction()),
        train_paper(field, Direction(), tolerance=1.0),
    ]
    for controller in controllers:
        crowd, command = controller.crowd(2), np.zeros((2, len(controller.task.command_names)))
        crowd.step(command)
        crowd.push(1, 0, [90.0, 0.0, 0.0])
        crowd.step(command)
    walker = train(field, Velocity(), tolerance=1.0)
    pilot = Pilot(Futures.of(walker), World.open(), [Reach(0.0, 2.0)])
    pilot.commands(walker.crowd(1))
    RivalPilot("orca", pilot.futures, World.open(), [Reach(0.0, 2.0)]).commands(walker.crowd(1))
    # Compile the multithreaded loops, which only run with two threads and enough characters or queries.
    numba.set_num_threads(min(2, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    many = 2 * FEWEST_CHARACTERS
    with without_library():  # the loops that the C runtime is compared with
        crowd = controllers[0].crowd(2)
        crowd.step(np.zeros((2, 1)))
        crowd.push(1, 0, [90.0, 0.0, 0.0])
        crowd.step(np.zeros((2, 1)))
        controllers[0].crowd(many).step(np.zeros((many, 1)))
    field.wide_index.search(features, 2)


if __name__ == "__main__":
    main()
