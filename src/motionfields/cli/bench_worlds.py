"""`motionfields bench worlds`: measure how characters find their way through random worlds."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from motionfields.cli.options import COMPILES, Controller, checked_output, status_line


class Steering(StrEnum):
    """Ways to steer."""

    FUTURES = "futures"
    DEPTH = "depth"
    STRAIGHT = "straight"
    POTENTIAL = "potential"
    ORCA = "orca"
    SAMPLED = "sampled"


def worlds(
    controller: Controller,
    futures: Annotated[
        str | None, typer.Option(help="Futures of the controller, .futures. Default: computed, about a minute.")
    ] = None,
    steering: Annotated[
        list[Steering] | None,
        typer.Option(
            help="Steering method; repeatable. Default: futures (with a map), depth (depth scans alone) and orca."
        ),
    ] = None,
    trees: Annotated[
        list[str] | None, typer.Option(help="Learnt trees to measure as well, .trees; repeatable.")
    ] = None,
    count: Annotated[int, typer.Option(help="Number of random worlds.", min=1, max=100_000)] = 30,
    seed: Annotated[int, typer.Option(help="Seed of the first world; the next ones follow.", min=0)] = 0,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures to this .json file.")] = None,
) -> None:
    """Measure how many characters reach a goal 8 m away among obstacles."""
    from motionfields.authoring.worlds import Futures
    from motionfields.control.methods import load_controller
    from motionfields.measure.evaluation.world_trials import world_trials

    if json_file is not None:
        checked_output(json_file, (".json",))
    loaded = load_controller(controller)
    figures: dict[str, Any] = {}
    with status_line() as say:
        if futures is None:
            say("computing futures; motionfields futures saves them for later")
        table = Futures.of(loaded) if futures is None else Futures.load(futures)
        chosen = steering or [Steering.FUTURES, Steering.DEPTH, Steering.ORCA]
        for name, make in _pilots(table, chosen, trees or []).items():
            say(f"walking through {count} worlds by {name} {COMPILES}")
            found = world_trials(loaded, make, range(seed, seed + count))
            late = ~found.reached & ~found.collided
            shares = {"reached": found.reached, "collided": found.collided, "late": late}
            figures[name] = {key: float(part.mean()) for key, part in shares.items()} | {"steering_s": found.steering}
    print(f"{count} worlds: 8 m to a goal among 1 to 14 standing and 3 moving obstacles, within 20 s")
    print(f"{'steering':20} reached  collided   late  us per frame")
    for name, row in figures.items():
        told = f"{row['reached']:7.1%}  {row['collided']:8.1%}  {row['late']:5.1%}"
        print(f"{name:20} {told}  {1e6 * row['steering_s']:12.0f}")
    if json_file is not None:
        written = {"worlds": count, "seed": seed, "steering": figures}
        json_file.write_text(json.dumps(written, indent=1, allow_nan=False) + "\n")
        print(json_file)


def _pilots(futures: Any, steering: list[Steering], trees: list[str]) -> dict[str, Any]:
    """Return what makes a pilot for each way to steer, by name."""
    from motionfields.authoring.worlds import DepthPilot, Pilot, RivalPilot
    from motionfields.authoring.worlds.trees import SteeringTrees, TreePilot

    def rival(name: Any) -> Any:
        return lambda world, goals: RivalPilot(name, futures, world, goals)

    def learnt(path: str) -> Any:
        loaded = SteeringTrees.load(path)
        return lambda world, goals: TreePilot(loaded, futures, world, goals)

    made: dict[str, Any] = {}
    for one in steering:
        if one is Steering.FUTURES:
            made[one.value] = lambda world, goals: Pilot(futures, world, goals)
        elif one is Steering.DEPTH:
            made[one.value] = lambda world, goals: DepthPilot(futures, world, goals)
        else:
            made[one.value] = rival(one.value)
    return made | {Path(path).name: learnt(path) for path in trees}
