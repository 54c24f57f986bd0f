"""Docstrings as they are written here: plain sentences, with shapes and units in the comments beside a class's fields.

Stars, bars and trailing underscores stand for themselves, and the comment that follows a field of a dataclass or named
tuple becomes its description.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import Any

from sphinx.application import Sphinx

CODE_OR_MARKUP = re.compile(r"(`[^`]*`)|([*|\\]|_(?=\W|$))")


def field_comments(cls: type) -> dict[str, str]:
    """The fields that a class declares, in order, with the comment at the end of each one's line."""
    try:
        source = textwrap.dedent(inspect.getsource(cls))
    except (OSError, TypeError):
        return {}
    lines = source.splitlines()
    body = ast.parse(source).body[0]
    assert isinstance(body, ast.ClassDef)
    fields = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            after = lines[(node.end_lineno or node.lineno) - 1][node.end_col_offset or 0 :]
            fields[node.target.id] = after.partition("#")[2].strip()
    return fields


def literal(line: str) -> str:
    """`line` with nothing in it taken for markup except names in backticks."""
    return CODE_OR_MARKUP.sub(lambda match: match[1] or f"\\{match[2]}", line)


def plain_text(_: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Rewrite a docstring's `lines` in place, and add what a class says of its fields."""
    lines[:] = [literal(line) for line in lines]
    if what == "class":
        comments = field_comments(obj)
        lines += [""] + [f"* `{field}`: {literal(comment)}" for field, comment in comments.items() if comment] + [""]


def skip_fields(_: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out the fields of named tuples, which are described with the class."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.connect("autodoc-process-docstring", plain_text)
    app.connect("autodoc-skip-member", skip_fields)
    return {"parallel_read_safe": True}
