"""Odd arguments for composition, planning, sketches, worlds, annotations, measures, environments and export."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scripts.fuzzers.call import Call

import motionfields as mf
from motionfields.authoring import compose, sketch, worlds
from motionfields.authoring.plan import StepGraph, StepSettings, alternatives, plan, replan
from motionfields.base import world as shapes
from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.export.pack import pack_bytes
from motionfields.measure import analysis, survey
from motionfields.measure.evaluation import Shove, direction_trials, velocity_trials, within_gate
from motionfields.motion import annotations as labelling
from motionfields.motion import formats, planting, quality, samples
from motionfields.runtime.environment import CharacterEnv, CrowdEnv
from motionfields.runtime.physics import SegmentedBody, measure_ranges
from motionfields.runtime.recovery import RecoverySettings
from motionfields.runtime.world_environment import WorldEnv

EXPANSIONS = 300  # of a plan


def authoring_calls(folder: Path) -> list[Call]:
    """Return calls that succeed as they are; files go to `folder`."""
    made = samples.generate_samples(only=re.compile("walk_stop$|turn_left_090_quick"), frame_rate=30.0)
    clips = [mf.trim(sample.clip, 0, 120) for sample in made]
    field = mf.MotionField(mf.MotionDatabase.build(clips), neighbor_count=5)
    settings = ControlSettings(neighbor_count=4, candidate_factor=2)
    controller = train(field, Velocity(), settings=settings, tolerance=1.0)
    return [
        *shape_calls(folder),
        *world_calls(controller),
        *label_calls(folder, clips[0]),
        *compose_calls(field, clips[0]),
        *plan_calls(field),
        *measure_calls(folder, controller, clips[0], made[0].contacts[:120]),
        *environment_calls(controller),
    ]


def unanswered(function: Callable[..., Any]) -> Callable[..., None]:
    """Return `function` without its result, which has infinities or NaN where there is no answer."""
    return lambda *arguments, **options: (function(*arguments, **options), None)[1]


def shape_calls(folder: Path) -> list[Call]:
    room = shapes.Room((-5.0, -5.0, 5.0, 5.0), (shapes.Box(1.0, 2.0, 1.0, 0.5), shapes.Disc(-2.0, 1.0, 0.4)))
    mover = shapes.Mover(shapes.Disc(0.0, 0.0, 0.3), ((0.0, 0.0), (2.0, 0.0)), 1.0)
    world = shapes.World(room, (mover,), (shapes.Start(0.0, -3.0),), (shapes.Reach(3.0, 3.0),))
    places, facing = np.array([[0.0, 0.0], [1.0, -2.0]]), np.zeros(2)
    scan, near = shapes.DepthScan(8), shapes.Nearest(2)
    tables = shapes.WorldTables([world], 30, 0.1)
    return [
        Call("Box", shapes.Box, (1.0, 2.0, 1.0, 0.5, 0.1)),
        Call("Disc", shapes.Disc, (1.0, 2.0, 0.5)),
        Call("Wall", shapes.Wall, ((0.0, 0.0), (1.0, 1.0), 0.1)),
        Call("Mover", shapes.Mover, (shapes.Disc(0.0, 0.0, 0.3), ((0.0, 0.0), (2.0, 0.0)), 1.0, True, 0.1)),
        Call("Start", shapes.Start, (1.0, 2.0, 0.5)),
        Call("Reach", shapes.Reach, (1.0, 2.0, ((0.0, 0.0),))),
        Call("Follow", shapes.Follow, (0, 1.5)),
        Call("Through", shapes.Through, ((0.0, 0.0), (1.0, 1.0))),
        Call("Room", shapes.Room, ((-5.0, -5.0, 5.0, 5.0), (shapes.Disc(-2.0, 1.0, 0.4),), 0.3)),
        Call("Room.around", shapes.Room.around, (places,), {"margin": 3.0}),
        Call("Room.clearance", room.clearance, (places,)),
        Call("World", shapes.World, (room, (mover,), (shapes.Start(0.0, 0.0),), (shapes.Reach(3.0, 3.0),))),
        Call("World.open", shapes.World.open, (), {"size": 100.0, "radius": 0.3}),
        Call("World.clearance", world.clearance, (places, 0.5)),
        Call("World.mover_blocks", world.mover_blocks, (np.array([0.0, 1.0]),)),
        Call("Mover.blocks", mover.blocks, (np.array([0.0, 1.0]),)),
        Call("DepthScan", shapes.DepthScan, (8, 6.28, 6.0, True)),
        Call("DepthScan.look", scan.look, (world, places, facing), {"time": 0.5, "bodies": None}),
        Call("Nearest", shapes.Nearest, (2, 6.0, True)),
        Call("Nearest.readings", near.readings, (world, places, facing), {"time": 0.5}),
        Call("WorldTables", shapes.WorldTables, ([world], 30, 0.1), {"start": 0.0}),
        Call("WorldTables.around", tables.around, (np.array([0]), np.array([3]))),
        Call("clearance_grid", shapes.clearance_grid, (room, (1.0, 1.0)), {"yaw": 0.3, "cell": 0.1}),
        Call("draw_world", shapes.draw_world, (3,), {"counts": (2, 3), "shapes": ("disc", "bar"), "movers": 1}),
        Call("way_lengths", unanswered(shapes.way_lengths), (np.ones((5, 5), bool), np.array([[2, 2]]))),
        Call("parse_room", shapes.parse_room, (shapes.format_room(room),), {"path": "x"}),
        Call("parse_world", shapes.parse_world, (shapes.format_world(world),), {"path": "x"}),
        Call("write_world", shapes.write_world, (world, folder / "w.json")),
        Call("load_world", formats.load_world, (folder / "w.json",)),
    ]


def world_calls(controller: Any) -> list[Call]:
    futures = worlds.Futures.of(controller)
    world = shapes.World(shapes.Room((-5.0, -5.0, 5.0, 5.0), (shapes.Disc(0.0, 0.0, 0.5),)))
    goals = (shapes.Reach(2.0, 2.0), shapes.Follow(0))
    rows, plans = np.array([1, 2]), np.array([0, 5])
    places, facing = np.array([[-2.0, 0.0], [2.0, -2.0]]), np.zeros(2)

    def pilot() -> worlds.Pilot:
        return worlds.Pilot(futures, world, goals)

    options = {"starts": (shapes.Start(-2.0, 0.0), shapes.Start(2.0, -2.0)), "seconds": 0.3, "seed": 1}
    return [
        Call("Avoid", worlds.Avoid, (0.13, 0.35, 2.0, 12.0)),
        Call("Manner", worlds.Manner, (0.25, 0.1, 6, 0.5)),
        Call("Pilot", worlds.Pilot, (futures, world, goals), {"plans": "told", "maps": True}),
        Call("RivalPilot", worlds.RivalPilot, ("straight", futures, world, goals)),
        Call("DepthPilot", worlds.DepthPilot, (futures, world, goals[:1]), {"memory": 5.0}),
        Call("Pilot.steer", worlds.Pilot.steer, (rows, places, facing), {}, pilot),
        Call("Pilot.set_goals", worlds.Pilot.set_goals, ([1], [shapes.Reach(0.0, 3.0)]), {}, pilot),
        Call("Pilot.take_over", worlds.Pilot.take_over, (1, 0.5, 1.0), {}, pilot),
        Call("Pilot.resized", worlds.Pilot.resized, (goals[:1],), {}, pilot),
        Call("Futures.places", futures.places, (rows, plans)),
        Call("Futures.in_world", futures.in_world, (rows, plans, places, facing)),
        Call("Futures.nearest_plan", futures.nearest_plan, (facing, np.ones(2))),
        Call("walk", worlds.walk, (controller, futures, world, (shapes.Reach(2.0, 2.0), shapes.Survive())), options),
    ]


def label_calls(folder: Path, walk: mf.Clip) -> list[Call]:
    spans = (labelling.Span("a.bvh", 0.0, 2.0, "walk"), labelling.Span("a.bvh", 2.0, 3.0, "turn"))
    labels = labelling.Annotations(spans)
    return [
        Call("Span", labelling.Span, ("a.bvh", 0.0, 1.0, "walk", "", True)),
        Call("Annotations", labelling.Annotations, (spans, True)),
        Call("Annotations.seconds", labels.seconds, ("walk",)),
        Call("Annotations.adding", labels.adding, (spans,)),
        Call("format_audacity", labelling.format_audacity, (labels, "a")),
        Call("format_elan", labelling.format_elan, (labels, "a")),
        Call("mirrored_label", labelling.mirrored_label, ("left foot",)),
        Call("parse_csv", labelling.parse_csv, (labelling.format_csv(labels),), {"path": "x", "complete": True}),
        Call("parse_audacity", labelling.parse_audacity, (labelling.format_audacity(labels, "a"), "a.bvh")),
        Call("parse_elan", labelling.parse_elan, (labelling.format_elan(labels, "a"), "a.bvh")),
        Call("parse_babel", labelling.parse_babel, (labelling.format_babel(labels),), {"source": "act_cat"}),
        Call("write_annotations", labelling.write_annotations, (labels, folder / "a.csv")),
        Call("read_annotations", labelling.read_annotations, (folder / "a.csv",), {"complete": True}),
        Call("save_clip", formats.save_clip, (walk, folder / "a.bvh"), {"unit": "cm", "order": "ZYX"}),
        Call(
            "load_clip",
            formats.load_clip,
            (folder / "a.bvh",),
            {"scale": 0.01, "up": "+y", "facing": "+z", "rest_frames": 0, "frame_rate": 30.0},
        ),
        Call("format_bvh", formats.format_bvh, (walk.skeleton, walk.root_position, walk.rotations, 0.03)),
        Call("format_crowd_glb", formats.format_crowd_glb, ([walk],)),
        Call(
            "read_bvh",
            formats.read_bvh,
            (formats.format_bvh(walk.skeleton, walk.root_position, walk.rotations, 0.03),),
            {"path": "x"},
        ),
        Call("read_gltf", formats.read_gltf, (formats.format_glb(walk),), {"path": "x", "animation": None}),
        Call("generate_samples", samples.sample_names, (["walk_stop"],)),
    ]


def compose_calls(field: mf.MotionField, walk: mf.Clip) -> list[Call]:
    states = field.database.state_count
    labels = compose.StateLabels.of(("walk",), np.ones((states, 1), np.int64))
    goal = compose.LabelGoal("walk", 0.0, 1.0)
    timeline = compose.Timeline(1.5, (goal,))
    small = compose.ComposeSettings(cuts=compose.CutSettings(neighbor_count=8))
    composer = compose.Composer(field, labels, settings=small)
    cuts = compose.find_cuts(field, small.cuts)
    first, second = compose.PlaceGoal(1.0, 0.5, 0.5, 0.1), compose.JointGoal(0.5, "Hips", 0.9)
    return [
        Call("LabelGoal", compose.LabelGoal, ("walk", 0.0, 1.0, True, 1.0, False)),
        Call("PlaceGoal", compose.PlaceGoal, (1.0, 0.5, 0.5, 0.1)),
        Call("PathGoal", compose.PathGoal, (((0.0, 0.0), (1.0, 1.0)), 0.0, 1.0)),
        Call("PoseGoal", compose.PoseGoal, (1.0, "walk_stop", 0.5, 1.0)),
        Call("JointGoal", compose.JointGoal, (1.0, "Hips", 0.5, 1.0, None, None)),
        Call(
            "Timeline",
            compose.Timeline,
            (2.0, (goal,), (first,)),
            {"joints": (second,), "loop": False, "shortest": None},
        ),
        Call("StateLabels.of", compose.StateLabels.of, (("walk",), np.ones((states, 1), np.int64))),
        Call("Composer", compose.Composer, (field, labels)),
        Call("compose", composer.compose, (timeline,), {"alternatives": 1, "seed": 0}),
        Call("find_cuts", compose.find_cuts, (field, small.cuts)),
        Call("Cuts.without", cuts.without, (np.array([3]), np.array([9])), {"reach": 2}),
        Call("parse_timeline", compose.parse_timeline, (compose.format_timeline(timeline),), {"path": "x"}),
        Call("adherence", compose.adherence, (timeline, labels, np.arange(20)), {"frame_time": 0.03}),
        Call("with_answers", compose.with_answers, (labels, np.arange(5), np.ones(5, bool), "walk")),
        Call("with_layer", compose.with_layer, (walk, walk, "Spine"), {"start": 0.5, "end": 1.5, "fade": 0.2}),
    ]


def plan_calls(field: mf.MotionField) -> list[Call]:
    graph = StepGraph.build(field)
    options: dict[str, Any] = {"start": (0.0, 0.0), "start_facing": 0.0, "facing": None, "through": (), "by": None}
    options |= {"first_step": None, "last_step": None, "most_expansions": EXPANSIONS, "search": "auto"}
    found = plan(graph, (0.3, 1.0), most_expansions=EXPANSIONS)
    room = shapes.Room((-3.0, -3.0, 3.0, 3.0))
    points, times = np.array([[0.0, 0.0], [0.1, 0.5], [0.2, 1.0]]), np.array([0.0, 0.5, 1.0])
    stroke = sketch.Stroke.on_ground(points, times)
    view = {"origin": np.zeros(3), "right": np.array([0.0, 0.0, 1.0]), "up": np.array([0.0, 1.0, 0.0])}
    return [
        Call("StepGraph.build", StepGraph.build, (field,), {"settings": StepSettings(branching=3)}),
        Call("StepGraph.step_near", graph.step_near, ("walk_stop", 0.5), {"end": False}),
        Call("plan", plan, (graph, (0.3, 1.0)), {**options, "room": room}),
        Call("alternatives", alternatives, (graph, (0.3, 1.0)), {"count": 2, "most_expansions": EXPANSIONS}),
        Call("replan", replan, (graph, found, (0.2, 0.8)), {"through": (), "most_expansions": EXPANSIONS}),
        Call("Stroke.on_ground", sketch.Stroke.on_ground, (points, times), {"joint": None}),
        Call("Stroke.in_space", sketch.Stroke.in_space, ("Hips", np.ones((3, 3)), times)),
        Call("Stroke.in_view", sketch.Stroke.in_view, ("Hips", points, times), view),
        Call("Stroke.timed", stroke.timed, (2.0,)),
        Call("Stroke.at", stroke.at, (times,)),
        Call("sketch", sketch.sketch, (graph, [stroke]), {"width": 5}),
        Call("parse_sketch", sketch.parse_sketch, (sketch.format_sketch([stroke]),), {"path": "x"}),
    ]


def measure_calls(folder: Path, controller: Any, walk: mf.Clip, contacts: Any) -> list[Call]:
    field = controller.field
    body = SegmentedBody(walk.skeleton)
    stance = planting.measure_stance(walk, [contacts])
    return [
        Call("hold_feet", planting.hold_feet, (walk, contacts), {"move_root": True}),
        Call("measure_stance", planting.measure_stance, (walk, [contacts])),
        Call("plant_clip", planting.plant_clip, (walk, contacts), {"stance": stance}),
        Call("votes_from_contacts", planting.votes_from_contacts, (contacts, 0.03), {"spread": 0.13}),
        Call("foot_skate", quality.foot_skate, (walk, contacts)),
        Call("joint_speed", quality.joint_speed, (walk,), {"joints": np.array([1, 2])}),
        Call("stillness", quality.stillness, (walk,), {"median_joint_speed": 0.5}),
        Call("exact_loop", quality.exact_loop, (walk,), {"decimals": 6}),
        Call("place_on_ground", mf.place_on_ground, (walk,), {"clearance": 0.01}),
        Call("gait_cycles", analysis.gait_cycles, (np.ones(120), contacts[:, 0]), {"phase_count": 11}),
        Call("leg_angles", analysis.leg_angles, (walk,)),
        Call("Camera", analysis.Camera, (0.3, 0.4)),
        Call("side_camera", analysis.side_camera, (0.3,), {"turn": 0.4}),
        Call("response_bounds", survey.response_bounds, (field,), {"settings": controller.settings, "seconds": 0.5}),
        Call("shapley_values", unanswered(partial(survey.shapley_values, np.sum, 3, rounds=2)), (), {"seed": 0}),
        Call("within_gate", within_gate, ("jerk", 1.0)),
        Call(
            "velocity_trials", unanswered(partial(velocity_trials, count=2, change_count=1)), (controller,), {"seed": 0}
        ),
        Call(
            "direction_trials",
            unanswered(partial(direction_trials, count=2, change_count=1)),
            (controller,),
            {"seed": 0},
        ),
        Call("Shove", Shove, (300.0, 0.1, 0.0, "Spine")),
        Call("measure_ranges", measure_ranges, (body, walk.rotations)),
        Call("SegmentedBody", SegmentedBody, (walk.skeleton,), {"mass": 70.0}),
        Call("RecoverySettings", RecoverySettings, (), dict(vars(RecoverySettings()))),
        Call("pack_bytes", pack_bytes, (controller,)),
        Call("retarget", mf.retarget, (walk, walk.skeleton)),
        Call("mirror", mf.mirror, (walk,)),
        Call("change_axes", mf.change_axes, (walk,), {"up": "+y", "facing": "+z"}),
    ]


def environment_calls(controller: Any) -> list[Call]:
    room = shapes.Room((-5.0, -5.0, 5.0, 5.0), (shapes.Disc(0.0, 2.0, 0.5),))
    world = shapes.World(room, starts=(shapes.Start(0.0, -2.0),), goals=(shapes.Reach(2.0, 2.0),))

    def crowd_env() -> CrowdEnv:
        made = CrowdEnv(controller, 2, frames_per_action=1)
        made.reset(seed=0)
        return made

    return [
        Call("CrowdEnv", CrowdEnv, (controller, 2), {"frames_per_action": 1, "time_limit": 5.0, "reach": 0.5}),
        Call("CrowdEnv.reset", CrowdEnv.reset, (), {"seed": 0}, crowd_env),
        Call("CrowdEnv.step", CrowdEnv.step, (crowd_env().action_space.sample(),), {}, crowd_env),
        Call("CharacterEnv", CharacterEnv, (controller,), {"frames_per_action": 1, "time_limit": 5.0}),
        Call("WorldEnv", WorldEnv, (controller, 2), {"worlds": [world], "penalty": 5.0, "time_limit": 5.0}),
    ]
