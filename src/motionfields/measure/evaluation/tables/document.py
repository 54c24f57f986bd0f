"""Documents of headings, paragraphs, tables and pictures, written as Markdown or as one self-contained HTML file."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --soft: #5b6675; --page: #ffffff; --line: #d7dde4; --mark: #b3261e;
  --link: #2a6f97; --band: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a3adba; --page: #14181d; --line: #343c46;
  --mark: #ff8a80; --link: #7cc0ea; --band: #1c2229; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { margin-top: 2.5rem; border-bottom: 2px solid var(--line); }
h3 { margin-top: 1.8rem; } p, li { max-width: 46rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.3rem; }
th, td { padding: 0.3rem 0.45rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--page); }
thead th { color: var(--soft); font-weight: 600; } tbody tr:nth-child(even) td { background: var(--band); }
td.missed { color: var(--mark); font-weight: 700; }
figure { margin: 1.2rem 0; } figure img { max-width: 100%; height: auto; background: #fff; border-radius: 4px; }
figcaption { color: var(--soft); font-size: 0.9rem; }
"""


class Heading(NamedTuple):
    """A heading of `level` 1 to 3."""

    level: int
    text: str


class Words(NamedTuple):
    """A paragraph."""

    text: str


class Points(NamedTuple):
    """A bulleted list of sentences."""

    items: Sequence[str]


class Grid(NamedTuple):
    """A table with caption, column heads and rows. A cell that ends in " !" is highlighted."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


class Picture(NamedTuple):
    """A picture file and its caption."""

    path: Path
    caption: str


Block = Heading | Words | Points | Grid | Picture


def as_markdown(blocks: Sequence[Block]) -> str:
    """Return the document as Markdown; pictures are linked by file name, so they must lie in the same folder."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def as_html(blocks: Sequence[Block], *, title: str) -> str:
    """Return the document as one HTML file with its pictures embedded."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_plain(text)}"
        case Words(text):
            return _plain(text)
        case Points(items):
            return "\n".join(f"- {_plain(item)}" for item in items)
        case Grid(caption, heads, rows):
            rule = "|".join(["---", *["---:"] * (len(heads) - 1)])
            lines = ["|".join(_plain(cell) for cell in row) for row in (heads, *rows)]
            return "\n".join(
                [f"{_plain(caption)}\n", f"|{lines[0]}|", f"|{rule}|", *(f"|{line}|" for line in lines[1:])]
            )
        case Picture(path, caption):
            return f"![{_plain(caption)}]({path.name})"


def _plain(text: str) -> str:
    """Return `text` on one line, with Markdown characters escaped."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(text.split()))


def _html(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"<h{level}>{html.escape(text)}</h{level}>"
        case Words(text):
            return f"<p>{html.escape(text)}</p>"
        case Points(items):
            return "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in items) + "</ul>"
        case Grid(caption, heads, rows):
            head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in heads)
            body = "".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>\n" for row in rows)
            return (
                f'<div class="wide"><table><caption>{html.escape(caption)}</caption>'
                f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
            )
        case Picture(path, caption):
            data = base64.b64encode(path.read_bytes()).decode()
            seen = html.escape(caption)
            return (
                f'<figure><img alt="{seen}" src="data:image/png;base64,{data}"><figcaption>{seen}</figcaption></figure>'
            )


def _cell(text: str) -> str:
    missed = ' class="missed"' if text.endswith(" !") else ""
    return f"<td{missed}>{html.escape(text)}</td>"
