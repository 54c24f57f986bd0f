"""`motionfields play` and `motionfields demo`: steer characters in the browser."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from motionfields.studio.loop import Loop
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
) -> None:
    """Steer, push and inspect a character in the browser."""
    from motionfields import studio
    from motionfields.control.methods import load_controller

    loaded = [load_controller(path) for path in controllers]

    def prepare(loop: Loop) -> Session:
        loop.tell("starting", 0.3)
        session = studio.Session(loaded, title=PurePath(controllers[0]).stem, seed=seed)
        loop.tell("compiling pushes", 0.8)
        session.warm_pushes()
        return session

    studio.serve(prepare, host=host, port=port, token=token, names=name or (), browser=browser)


def demo(port: Port = 8017, browser: Browser = True) -> None:
    """Steer a generated character in the browser; needs no download and no motion files."""
    from motionfields import studio
    from motionfields.base.storage import cache_folder
    from motionfields.studio.demo import Demo

    studio.serve(Demo(cache_folder()).prepare, port=port, browser=browser)
