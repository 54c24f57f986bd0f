"""`motionfields play`, `demo`, `paint` and `draw`: steer characters, compose and plan motion in the browser."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.cli.compose import Labels
from motionfields.cli.options import Field
from motionfields.cli.plan import Steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from motionfields.field.database import MotionDatabase
    from motionfields.motion.skeleton import Skeleton
    from motionfields.runtime import Controller, Frame
    from motionfields.studio.compose.loop import ComposeLoop
    from motionfields.studio.compose.session import ComposeSession
    from motionfields.studio.costume import Costume
    from motionfields.studio.loop import Loop
    from motionfields.studio.plan.loop import PlanLoop
    from motionfields.studio.plan.session import PlanSession
    from motionfields.studio.session import Session

Port = Annotated[int, typer.Option(help="Port of the page; 0 picks a free port.", min=0, max=65535)]
Browser = Annotated[bool, typer.Option(help="Open the page in a browser.")]
Host = Annotated[
    str, typer.Option(help="Address to listen on; the default accepts connections from this machine only.")
]
Token = Annotated[str | None, typer.Option(help="Secret in the address of the page. Default: random.")]
Name = Annotated[
    list[str] | None, typer.Option(help="Additional host name or address that may open the page; repeatable.")
]


def play(
    controllers: Annotated[
        list[str],
        typer.Argument(
            metavar="CTRL...", help="Controllers, .ctrl, trained on the same field, or their URLs.", show_default=False
        ),
    ],
    port: Port = 8017,
    browser: Browser = True,
    host: Host = "127.0.0.1",
    token: Token = None,
    name: Name = None,
    seed: Annotated[int, typer.Option(help="Random seed of the start state.", min=0)] = 0,
    stream: Annotated[
        str | None,
        typer.Option(
            help="Also send the selected character to a VMC receiver, such as vmc://127.0.0.1:39539.",
            metavar="URL",
            show_default=False,
        ),
    ] = None,
    character: Annotated[
        Path | None,
        typer.Option(
            help="Your own character, a skinned .glb or .gltf, in place of the plain body.", show_default=False
        ),
    ] = None,
    world: Annotated[
        Path | None,
        typer.Option(
            help="Start in this world, where characters find their way by themselves: world or room, .json, MuJoCo "
            "model, .xml, or scene, .glb or .gltf. The first controller must be for velocity.",
            show_default=False,
        ),
    ] = None,
    futures: Annotated[
        str | None,
        typer.Option(help="Futures of the first controller, .futures, for worlds. Default: computed when needed."),
    ] = None,
) -> None:
    """Steer, push and inspect a character in the browser."""
    from motionfields import studio
    from motionfields.control.methods import load_controller
    from motionfields.studio.warming import warm_beside

    loaded = [load_controller(path) for path in controllers]
    costume = None if character is None else _costume(character, loaded[0].field.database.skeleton)
    watchers = [] if stream is None else [_sender(stream, loaded[0].field.database)]
    enter = _entrance(world, futures, loaded[0])

    def prepare(loop: Loop) -> Session:
        loop.tell("starting", 0.5)
        session = studio.Session(loaded, title=PurePath(controllers[0]).stem, seed=seed)
        enter(loop, session)
        session.watchers.extend(watchers)
        session.costume = costume
        warm_beside(loop, session, loaded, controllers)
        return session

    studio.serve(prepare, host=host, port=port, token=token, names=name or (), browser=browser)


def _entrance(world: Path | None, futures: str | None, controller: Controller) -> Callable[[Loop, Session], None]:
    """Return a function that lets a session enter `world`, if there is one, or just know the futures in a file."""
    if world is None and futures is None:
        return lambda loop, session: None
    from motionfields.authoring.worlds import Futures
    from motionfields.motion.formats import load_world
    from motionfields.studio.warming import use_worlds

    place = None if world is None else load_world(world)
    table = None if futures is None else Futures.load(futures)
    if table is not None:
        table.check_controller(controller)

    def enter(loop: Loop, session: Session) -> None:
        doing = "tabulating where characters will be (motionfields futures saves this for later)"
        known = table or Futures.of(controller, on_progress=lambda share: loop.tell(doing, 0.9 * share))
        loop.tell("compiling steering (first run only)", 0.92)
        use_worlds(controller, known)
        if place is None:
            session.worlds.learn(session.task, known, controller)
        else:
            session.enter(known, place)

    return enter


def _costume(path: Path, skeleton: Skeleton) -> Costume:
    """Return the character in a file, driven by motion of `skeleton`."""
    from motionfields.motion.formats import load_character
    from motionfields.studio.costume import Costume

    character = load_character(path)
    for note in character.notes:
        print(f"{path}: {note}")
    return Costume.of(character, skeleton)


def _sender(url: str, database: MotionDatabase) -> Callable[[Frame, int, float], None]:
    """Return a function that sends the selected character of a frame to the receiver at `url`."""
    from motionfields.export.streaming import Pacer, Vmc

    receiver = Pacer(Vmc.at(url, database.skeleton), database.frame_time)
    return lambda frame, selected, time: receiver.send(
        frame.root_position[selected], frame.rotations[selected], time=time
    )


def demo(
    port: Port = 8017,
    browser: Browser = True,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on; the default accepts connections from this machine only. 0.0.0.0 lets phones in "
            "the same network join: scan the QR code."
        ),
    ] = "127.0.0.1",
    token: Token = None,
    name: Name = None,
) -> None:
    """Steer a generated character in the browser; needs no download and no motion files."""
    import secrets

    from motionfields import studio
    from motionfields.base.storage import cache_folder
    from motionfields.studio.access import is_any_address, own_address
    from motionfields.studio.demo import Demo

    names = name or ([own_address()] if is_any_address(host) else [])
    token = token or secrets.token_urlsafe(16)
    prepare = Demo(cache_folder()).prepare
    studio.serve(prepare, host=host, port=port, token=token, names=names, browser=browser)


def paint(
    field: Field,
    labels: Labels,
    timeline: Annotated[
        Path | None, typer.Option(help="Timeline to start with, .json. Default: an empty one of 20 s.")
    ] = None,
    learn: Annotated[
        bool,
        typer.Option(help="Treat the labels as a few examples and learn those of the remaining takes (extra `learn`)."),
    ] = False,
    port: Port = 8017,
    browser: Browser = True,
    host: Host = "127.0.0.1",
    token: Token = None,
    name: Name = None,
) -> None:
    """Paint a timeline of labels, places and poses in the browser, and watch the composed motion."""
    from motionfields import studio
    from motionfields.authoring.compose import read_timeline
    from motionfields.field import MotionField
    from motionfields.motion.annotations import read_annotations

    start = None if timeline is None else read_timeline(timeline)
    known = read_annotations(labels, complete=not learn)
    loaded = MotionField.load(field)

    def prepare(loop: ComposeLoop) -> ComposeSession:
        loop.tell("finding cuts between the takes", 0.2)
        session = studio.ComposeSession(loaded, known, timeline=start, learn=learn, title=PurePath(field).stem)
        loop.tell("compiling the search (first run only)", 0.7)
        session.warm()
        return session

    studio.serve(
        prepare,
        server=studio.ComposeServer,
        host=host,
        port=port,
        token=token,
        names=name or (),
        browser=browser,
    )


def draw(
    graph: Steps,
    room: Annotated[
        Path | None,
        typer.Option(help="Room to start with, .json, .glb or .gltf. Default: an empty one of 10 m by 10 m."),
    ] = None,
    port: Port = 8017,
    browser: Browser = True,
    host: Host = "127.0.0.1",
    token: Token = None,
    name: Name = None,
) -> None:
    """Plan and sketch motion in the browser: set goals, drag boxes, draw paths and strokes."""
    from motionfields import studio
    from motionfields.authoring.plan import StepGraph
    from motionfields.motion.formats import load_room
    from motionfields.studio.plan.session import ROOM

    world = ROOM if room is None else load_room(room)
    loaded = StepGraph.load(graph)

    def prepare(loop: PlanLoop) -> PlanSession:
        loop.tell("compiling the search (first run only)", 0.3)
        session = studio.PlanSession(loaded, room=world, title=PurePath(graph).stem)
        session.warm()
        return session

    studio.serve(
        prepare,
        server=studio.PlanServer,
        host=host,
        port=port,
        token=token,
        names=name or (),
        browser=browser,
    )
