"""Names of functions and classes written in backticks link to their place in the reference.

So the pages stay plain Markdown. Methods and properties link when written with their class (`Clip.duration`).
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

LINKED_ALONE = {"function", "class", "exception"}
LINKED_WITH_CLASS = {"method", "property", "attribute"}


def reference_names(app: Sphinx) -> dict[str, tuple[str, str]]:
    """Each way to write a documented name -> (page, anchor)."""
    found: dict[str, tuple[str, str]] = {}
    for full, entry in app.env.domains["py"].data["objects"].items():
        parts = full.split(".")
        kept = 1 if entry.objtype in LINKED_ALONE else 2 if entry.objtype in LINKED_WITH_CLASS else len(parts) + 1
        place = (entry.docname, entry.node_id)
        for length in range(kept, len(parts) + 1):
            found.setdefault(".".join(parts[-length:]), place)
        if kept == 1:
            found.setdefault(f"mf.{parts[-1]}", place)
            found.setdefault("mf." + ".".join(parts[1:]), place)
    return found


def link_names(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Wrap the literals of one page that name something documented."""
    names = reference_names(app)
    for literal in list(doctree.findall(nodes.literal)):
        place = names.get(literal.astext().removesuffix("()"))
        if place is None or isinstance(literal.parent, nodes.reference):
            continue
        page, anchor = place
        literal.replace_self(make_refnode(app.builder, docname, page, anchor, [literal.deepcopy()]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
