"""`motionfields steps` and `motionfields plan`: cut a field into steps, and plan a motion of them through a room."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import COMPILES, Field, checked_output, say_next, status_line

if TYPE_CHECKING:
    from motionfields.authoring.plan import Plan, Progress

Steps = Annotated[str, typer.Argument(metavar="STEPS", help="A step graph, .steps, or its URL.", show_default=False)]
RoomFile = Annotated[
    Path | None, typer.Option(help="Room with obstacles, .json, or a scene, .glb or .gltf. Default: open ground.")
]


def steps(
    field: Field,
    output: Annotated[str, typer.Option("--output", "-o", help="Output file, .steps.", show_default=False)],
    most_jump: Annotated[
        float,
        typer.Option(
            help="Largest allowed jump of joint acceleration between steps in m/s2; a higher value links more steps.",
            min=0.0,
        ),
    ] = 3.0,
    branching: Annotated[
        int,
        typer.Option(
            help="Maximum number of steps that may follow a step, in addition to the next one of its take.",
            min=1,
            max=1000,
        ),
    ] = 12,
    standing: Annotated[
        bool,
        typer.Option(
            "--standing", help="Also keep motions of the upper body while standing, for sketch; plan is slower."
        ),
    ] = False,
) -> None:
    """Cut a field into steps and link them, for plan and sketch."""
    from motionfields.authoring.plan import StepGraph, StepSettings
    from motionfields.field import MotionField

    checked_output(output, (".steps",))
    loaded = MotionField.load(field)
    settings = StepSettings(most_jump=most_jump, branching=branching, standing=standing)
    with status_line() as say:
        say(f"linking steps {COMPILES}")
        graph = StepGraph.build(loaded, settings=settings)
    graph.save(output)
    links = counted(len(graph.links.source), "link")
    print(f"{output}: {counted(graph.step_count, 'step')}, {links}, {int(graph.ends.sum())} that a motion can end with")
    say_next(f"plan {output} --to 2,5 -o walk.glb")


def plan(
    graph: Steps,
    to: Annotated[str, typer.Option(metavar="X,Z", help="Goal in metres.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    facing: Annotated[
        float | None, typer.Option(help="Facing at the goal in degrees; positive turns left. Default: any.")
    ] = None,
    start: Annotated[str, typer.Option(metavar="X,Z", help="Start in metres.")] = "0,0",
    start_facing: Annotated[float, typer.Option(help="Facing at the start in degrees.")] = 0.0,
    through: Annotated[
        list[str] | None, typer.Option(metavar="X,Z", help="Place in metres to pass on the way; repeatable, in order.")
    ] = None,
    room: RoomFile = None,
    by: Annotated[
        float | None, typer.Option(help="Maximum duration of the motion in seconds. Default: no limit.")
    ] = None,
    within: Annotated[
        float,
        typer.Option(
            help="Search time in seconds; a longer search finds cheaper motions and a tighter bound.", min=0.0
        ),
    ] = 1.0,
    alternatives: Annotated[
        int,
        typer.Option(
            help="Number of motions along different routes; the further ones get -2, -3 ... in their file names.",
            min=1,
            max=10,
        ),
    ] = 1,
    picture: Annotated[
        bool,
        typer.Option("--picture", help="Also draw the motion and the room from above, to OUTPUT with the suffix .png."),
    ] = False,
) -> None:
    """Plan a motion of captured steps to a place, with a proven bound of its cost."""
    from motionfields.authoring.plan import StepGraph
    from motionfields.authoring.plan import alternatives as make_plans
    from motionfields.motion.formats import OUTPUT_SUFFIXES, load_room, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    goal, begin = parsed_place("--to", to), parsed_place("--start", start)
    passing = [parsed_place("--through", text) for text in through or []]
    world = None if room is None else load_room(room)
    loaded = StepGraph.load(graph)
    with status_line() as say:
        say(f"planning {COMPILES}")
        plans = make_plans(
            loaded,
            goal,
            count=alternatives,
            facing=None if facing is None else math.radians(facing),
            start=begin,
            start_facing=math.radians(start_facing),
            through=passing,
            room=world,
            by=by,
            within=within,
            progress=lambda now: say(_progress(now)),
        )
    for number, found in enumerate(plans, 1):
        path = output if number == 1 else output.with_stem(f"{output.stem}-{number}")
        save_clip(found.clip, path)
        print(f"{path}: {_summary(found)}")
        if picture:
            from motionfields.measure.analysis import render_plan

            render_plan(found, path.with_suffix(".png"))
            print(path.with_suffix(".png"))
    if len(plans) < alternatives:
        print(f"no other way was found: {counted(len(plans), 'motion')} in place of {alternatives}")


def _progress(now: Progress) -> str:
    return f"cost {now.cost:.2f} s, at least {now.bound:.2f} s possible, {counted(now.expanded, 'state')} searched"


def _summary(found: Plan) -> str:
    """Return length, cost, bound and clearance of a plan in words."""
    proof = "the cheapest" if found.ratio <= 1.0 else f"within {found.ratio - 1.0:.1%} of the cheapest"
    return (
        f"{found.clip.duration:.2f} s, {counted(len(found.steps), 'step')}, cost {found.cost:.2f} s "
        f"({proof}), clearance {found.clearance:.2f} m"
    )


def parsed_place(option: str, text: str) -> tuple[float, float]:
    """Return the place in the text "X,Z"."""
    parts = text.split(",")
    try:
        x, z = (float(part) for part in parts)
    except ValueError:
        raise typer.BadParameter(
            f"expected two numbers X,Z in metres, got {text!r:.40}", param_hint=f"'{option}'"
        ) from None
    if not (math.isfinite(x) and math.isfinite(z)):
        raise typer.BadParameter("expected finite numbers of metres", param_hint=f"'{option}'")
    return x, z
