"""The character that ships with the package, as the page `live.html` of the built documentation."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sphinx.application import Sphinx

from motionfields.export import save_page
from motionfields.studio.demo import Demo

NAME = "live.html"


def write_live_page(app: Sphinx, error: Exception | None) -> None:
    """Write the page beside the others, once they are written."""
    if error is None and app.builder.format == "html":
        with tempfile.TemporaryDirectory() as folder:
            save_page(Demo(Path(folder)).first(), app.outdir / NAME, title="live demo")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", write_live_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
