"""Standalone pages: a character, the C runtime in WebAssembly and the studio's scene in one file, without a server.

`scripts/build_studio` builds the script and the style sheet of the page from `studio/web`, `scripts/build_wasm` the
module from `runtime/c` and `runtime/web`.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Final

import numpy as np

from motionfields.base.files import replacing
from motionfields.control.contract import Controller
from motionfields.export.pack import ENTRY, HEADER, pack_bytes
from motionfields.motion.formats import Character

if TYPE_CHECKING:
    from motionfields.studio.costume import Costume

PAGE: Final = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, user-scalable=no" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; \
style-src 'unsafe-inline'; img-src data:" />
<link rel="icon" href="data:," />
<title>$title</title>
<!--
$licences
-->
<style>$style</style>
</head>
<body>
<canvas id="scene"></canvas>
<div id="ui"></div>
<script type="application/json" id="hello">$hello</script>
<script type="text/plain" id="runtime">$runtime</script>
<script type="text/plain" id="pack">$pack</script>
$costume
<script type="text/plain" id="program">$program</script>
<script>$start</script>
</body>
</html>
""")


START: Final = """
const packed = Uint8Array.from(atob(document.getElementById("program").textContent), (letter) => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
new Response(stream).text().then((text) => {
  const program = document.createElement("script");
  program.type = "module";
  program.textContent = text;
  document.body.append(program);
});
"""
COSTUME: Final = Template('<script type="text/plain" id="costume">$mesh</script>')
LARGEST_MESH: Final = 64 * 2**20
"""Most bytes of a character's mesh, materials and pictures in a page, before compression."""


def save_page(
    controller: Controller,
    path: str | os.PathLike[str],
    *,
    title: str = "character",
    exact: bool = False,
    character: Character | None = None,
) -> int:
    """Write a page `path` on which `controller` can be steered, and return its size in bytes.

    Any browser opens the file; it needs no server and makes no request. `exact` is as in `save_pack`. The page shows
    `character` in place of the plain body, as the studio does; its joints must match those of the controller
    (`SkeletonError`).
    """
    data = page_text(controller, title=title, exact=exact, character=character).encode()
    with replacing(path) as file:
        file.write(data)
    return len(data)


def page_text(
    controller: Controller, *, title: str = "character", exact: bool = False, character: Character | None = None
) -> str:
    """Return the content of the file that `save_page` writes."""
    pack = pack_bytes(controller, exact=exact)
    costume = None if character is None else _costume(controller, character)
    parts = files("motionfields.export") / "page"
    return PAGE.substitute(
        title=html.escape(f"{title} · motionfields"),
        licences=(files("motionfields.studio") / "page" / "THIRD_PARTY.txt").read_text("utf-8").replace("--", "- -"),
        style=(parts / "standalone.css").read_text("utf-8"),
        hello=_hello(controller, title, costume),
        runtime=_embedded((parts / "motionfields.wasm").read_bytes()),
        pack=_embedded(by_significance(pack)),
        costume="" if costume is None else COSTUME.substitute(mesh=_embedded(costume.mesh)),
        program=_embedded((parts / "standalone.js").read_bytes()),
        start=START,
    )


def _costume(controller: Controller, character: Character) -> Costume:
    """Return what pages need to draw `character`, if that is not too large for one."""
    from motionfields.studio.costume import Costume

    costume = Costume.of(character, controller.field.database.skeleton)
    if len(costume.mesh) > LARGEST_MESH:
        raise ValueError(
            f"character: expected at most {LARGEST_MESH / 2**20:g} MB of mesh and pictures for a page, got "
            f"{len(costume.mesh) / 2**20:.0f}; export the character with smaller textures or fewer vertices"
        )
    return costume


def _hello(controller: Controller, title: str, costume: Costume | None) -> str:
    """Return the studio's description of the character as JSON that can stand inside a script element."""
    import msgspec

    from motionfields import studio

    session = studio.Session([controller], title=title)
    session.costume = costume
    facts = msgspec.to_builtins(session.hello()) | {"can_push": False}
    return json.dumps(facts, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def by_significance(pack: bytes) -> bytes:
    """Return `pack` with the first bytes of all numbers of a section before their second ones, and so on.

    High bytes of neighbouring numbers are alike, so this compresses to a tenth less; the page undoes it.
    """
    out = bytearray(pack)
    for number in range(HEADER.unpack_from(pack)[2]):
        _, item, _, place, size, _ = ENTRY.unpack_from(pack, HEADER.size + number * ENTRY.size)
        out[place : place + size] = np.frombuffer(pack, np.uint8, size, place).reshape(-1, item).T.tobytes()
    return bytes(out)


def _embedded(content: bytes) -> str:
    """Return `content` compressed, as text; the same bytes give the same text."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
