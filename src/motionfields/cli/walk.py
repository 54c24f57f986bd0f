"""`motionfields futures` and `motionfields walk`: tabulate futures, and steer a character through a world by them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from motionfields.cli.options import COMPILES, Controller, checked_output, say_next, status_line
from motionfields.cli.plan import parsed_place


def futures(
    controller: Controller,
    output: Annotated[str, typer.Option("--output", "-o", help="Output file, .futures.", show_default=False)],
) -> None:
    """Tabulate the future positions of a velocity controller's characters, for walk."""
    from motionfields.authoring.worlds import Futures
    from motionfields.control.methods import load_controller

    checked_output(output, (".futures",))
    loaded = load_controller(controller)
    with status_line() as say:
        say(f"following every command from every state {COMPILES}")
        made = Futures.of(loaded)
    made.save(output)
    print(f"{output}: {made.state_count} states, {len(made.commands)} commands, {made.seconds:.1f} s ahead")
    say_next(f"walk {controller} --futures {output} --goal 2,5 -o walk.glb")


def walk(
    controller: Controller,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    goal: Annotated[
        str | None,
        typer.Option(metavar="X,Z", help="Goal in metres. Default: the first goal of the world.", show_default=False),
    ] = None,
    world: Annotated[
        Path | None,
        typer.Option(help="World or room, .json, MuJoCo model, .xml, or scene, .glb or .gltf. Default: open ground."),
    ] = None,
    futures: Annotated[
        str | None, typer.Option(help="Futures of the controller, .futures. Default: computed, about a minute.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="X,Z", help="Start in metres. Default: that of the world, or 0,0.")
    ] = None,
    start_facing: Annotated[float, typer.Option(help="Facing at --start in degrees; positive turns left.")] = 0.0,
    seconds: Annotated[
        float, typer.Option(help="Maximum duration of the walk in seconds.", min=0.1, max=3600.0)
    ] = 60.0,
    seed: Annotated[int, typer.Option(help="Random seed of the start state.", min=0)] = 0,
    depth: Annotated[
        bool, typer.Option("--depth", help="Steer by depth scans alone: the character does not know the world.")
    ] = False,
    trees: Annotated[str | None, typer.Option(help="Steer by learnt trees, .trees, instead of futures.")] = None,
    picture: Annotated[
        bool,
        typer.Option("--picture", help="Also draw the path and the world from above, to OUTPUT with the suffix .png."),
    ] = False,
) -> None:
    """Steer a character to a goal around obstacles, and write its motion."""
    from motionfields.authoring.worlds import DepthPilot, Futures, Pilot
    from motionfields.authoring.worlds import walk as make_walk
    from motionfields.authoring.worlds.trees import SteeringTrees, TreePilot
    from motionfields.base.world import Goal, Reach, Start, World
    from motionfields.control.methods import load_controller
    from motionfields.motion.formats import OUTPUT_SUFFIXES, load_world, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    if depth and trees is not None:
        raise ValueError("--depth, --trees: expected one of them")
    place = World.open() if world is None else load_world(world)
    goals: list[Goal] = list(place.goals[:1]) if goal is None else [Reach(*parsed_place("--goal", goal))]
    if not goals:
        raise ValueError("--goal: expected X,Z in metres, since the world has no goal")
    starts = list(place.starts[:1]) or [Start(0.0, 0.0, math.radians(start_facing))]
    if start is not None:
        starts = [Start(*parsed_place("--start", start), math.radians(start_facing))]
    loaded = load_controller(controller)
    table = None if futures is None else Futures.load(futures)
    with status_line() as say:
        if table is None:
            say("computing futures; motionfields futures saves them for later")
            table = Futures.of(loaded)
        say(f"walking {COMPILES}")
        pilot: Pilot | None = DepthPilot(table, place, goals) if depth else None
        if trees is not None:
            pilot = TreePilot(SteeringTrees.load(trees), table, place, goals)
        found = make_walk(loaded, table, place, goals, starts=starts, seconds=seconds, seed=seed, pilot=pilot)
    save_clip(found.clips[0], output)
    arrived = "arrived" if found.reached[0] else "did not arrive"
    print(f"{output}: {found.seconds:.2f} s, {arrived}, clearance {found.clearance[0]:.2f} m")
    if picture:
        from motionfields.measure.analysis import render_walk

        render_walk(found, output.with_suffix(".png"))
        print(output.with_suffix(".png"))
