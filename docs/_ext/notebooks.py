"""Tutorials as notebooks: `explore-a-set.ipynb` beside its page, made from the page itself, outputs included.

The tests run the code of every page and compare what it prints, so the notebook shows what its cells print.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PAGES = ("tutorials/explore-a-set",)
_BLOCK = re.compile(r"^```(python|text)\n(.*?)^```\n", flags=re.DOTALL | re.MULTILINE)


def notebook_of(page: str) -> dict[str, Any]:
    """Return the Markdown text `page` as a notebook: Python blocks are cells, text blocks after them their output."""
    cells: list[dict[str, Any]] = []
    end = 0
    for block in _BLOCK.finditer(page):
        between = page[end : block.start()].strip()
        is_output = block[1] == "text" and not between and bool(cells) and cells[-1]["cell_type"] == "code"
        if not is_output and block[1] == "text":
            continue  # stays in the Markdown around it
        end = block.end()
        if between:
            cells.append({"cell_type": "markdown", "metadata": {}, "source": between})
        if is_output:
            cells[-1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": block[2]}]
        else:
            code: dict[str, Any] = {
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": block[2].rstrip("\n"),
            }
            cells.append({"cell_type": "code", **code})
    if rest := page[end:].strip():
        cells.append({"cell_type": "markdown", "metadata": {}, "source": rest})
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Write the notebooks beside their pages, once these are written."""
    if error is None and app.builder.format == "html":
        for name in PAGES:
            page = (Path(app.srcdir) / f"{name}.md").read_text(encoding="utf-8")
            (Path(app.outdir) / f"{name}.ipynb").write_text(json.dumps(notebook_of(page), indent=1), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
