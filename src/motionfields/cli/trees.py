"""`motionfields trees`: learn to steer by trees."""

from __future__ import annotations

from typing import Annotated

import typer

from motionfields.cli.options import COMPILES, Controller, checked_output, say_next, status_line


def trees(
    controller: Controller,
    output: Annotated[str, typer.Option("--output", "-o", help="Output file, .trees.", show_default=False)],
    sense: Annotated[
        str,
        typer.Option(
            help="Sensor: depth:RAYS (a depth scan with coarser versions), refined:RAYS (a scan that trees refine "
            "where it pays), scan:RAYS (the scan alone), stripes:COUNT (the least depth of each sector), "
            "nearest:COUNT (positions of the nearest obstacles) or objects:COUNT (of the first obstacles of a world)."
        ),
    ] = "depth:32",
    futures: Annotated[
        str | None, typer.Option(help="Futures of the controller, .futures. Default: computed, about a minute.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds of exploring and learning.", min=1, max=1000)] = 5,
    states: Annotated[int, typer.Option(help="States to learn from in each round.", min=1, max=1_000_000)] = 5000,
    worlds: Annotated[int, typer.Option(help="Random worlds to explore in each round.", min=1, max=100_000)] = 800,
    seed: Annotated[int, typer.Option(help="Random seed.", min=0)] = 0,
) -> None:
    """Learn to steer to goals in random worlds with fitted value iteration on trees, for walk --trees."""
    from motionfields.authoring.worlds import Futures
    from motionfields.authoring.worlds.trees import LearningSettings, learn_steering, parse_sense
    from motionfields.control.methods import load_controller

    checked_output(output, (".trees",))
    chosen, settings = parse_sense(sense), LearningSettings(rounds=rounds, states=states, worlds=worlds)
    loaded = load_controller(controller)
    with status_line() as say:
        if futures is None:
            say("computing futures; motionfields futures saves them for later")
        table = Futures.of(loaded) if futures is None else Futures.load(futures)
        say(f"learning {COMPILES}")
        made = learn_steering(loaded, table, chosen.sensor, levels=chosen.levels, settings=settings, seed=seed, say=say)
    made.save(output)
    print(f"{output}: {len(made.forest.roots)} trees, {len(made.forest.feature)} nodes, {made.feature_count} features")
    say_next(f"walk {controller} --trees {output} --goal 2,5 -o walk.glb")
