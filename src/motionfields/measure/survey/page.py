"""The report of a survey: one page that stands alone, with the same facts as JSON and the pictures beside it."""

from __future__ import annotations

import base64
import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Final

import numpy as np

from motionfields.base.files import replacing
from motionfields.base.wording import counted
from motionfields.field import MotionField
from motionfields.measure.analysis.filmstrip import render_filmstrip
from motionfields.measure.survey.coverage import COVERED
from motionfields.measure.survey.drawing import render_map, render_reach, render_statements
from motionfields.measure.survey.shots import MEANT, NEVER, Shot
from motionfields.measure.survey.statements import GAP, MEANINGS, NOTE, PROBLEM, Statement
from motionfields.measure.survey.survey import Survey
from motionfields.measure.survey.tracks import shown_name
from motionfields.measure.survey.worth import Worth

SHOWN_OF_KIND = 4  # statements of one kind that are not folded away
NEARLY_ALL = 0.99  # share of playable frames that is not worth a sentence
LONG_PAGE = 12  # problems and gaps above which the page begins with a list of their kinds
PAGE_NAME, JSON_NAME = "index.html", "survey.json"
MAP_NAME, REACH_NAME, SHOT_NAME = "map.png", "reach.png", "shot_{}.png"
STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;color:#23272d;background:#f4f5f7;margin:0}
main{max-width:1000px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:28px;margin:8px 0}h2{font-size:21px;margin:36px 0 8px}p{margin:8px 0}
img{max-width:100%;background:#fff;border-radius:6px}
.card{background:#fff;border-radius:8px;border-left:6px solid #8a929c;padding:10px 16px;margin:10px 0}
.problem{border-color:#c8553d}.gap{border-color:#d9a441}.note{border-color:#7fa6bd}
.card b{display:block}.do{color:#4a4f57}.where{color:#6b717a;font-size:14px}
.counts span{display:inline-block;background:#fff;border-radius:8px;padding:8px 16px;margin:4px 8px 4px 0}
.wide{overflow-x:auto}table{border-collapse:collapse;background:#fff;font-size:14px}
td,th{padding:3px 8px;border-bottom:1px solid #e4e6e9;text-align:right}td{white-space:nowrap}
td:first-child,th:first-child{text-align:left}summary{cursor:pointer;font-weight:600;margin:10px 0}
.list td,.list th{text-align:left;white-space:normal}
.bad{background:#fbe9e5}
.bar{display:inline-block;min-width:120px;background:linear-gradient(#bcd3e0,#bcd3e0) left no-repeat}
.small{color:#6b717a;font-size:14px}
"""
PAGE: Final = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:" />
<link rel="icon" href="data:," /><title>$title</title><style>$style</style></head>
<body><main>
<h1>$title</h1>
<p>$summary</p>
<p class="counts">$counts</p>
$overview
<h2 id="problems">Problems: wrong or lost motion</h2>
<p class="small">Fix these first. In the pictures, left limbs are blue, right limbs orange, and the frame to look
at is marked.</p>
$problems
<h2 id="gaps">Gaps: motion to capture</h2>
$gaps
$shots
<h2 id="coverage">What the set can do</h2>
<p>Each cell counts the seconds of motion at that speed and turning rate, mirror images included. A dash is a hole: a
character cannot do it. Left turns are on the left.</p>
<p><img alt="Seconds of motion by speed and turning rate" src="$map" /></p>
<h2 id="reach">How soon a character can do it</h2>
<p>From a random moment of the set, a character reaches each kind of motion by playing on and by changing to similar
frames, each change blended over a quarter of a second. Long bars mean a slow reaction, whatever is trained later.</p>
<p><img alt="Time to reach each kind of motion" src="$reach" /></p>
<div class="wide">$kinds</div>
$turns
$worth
<h2 id="notes">Good to know</h2>
$notes
<h2 id="takes">Takes</h2>
<p class="small">Playable: share of the frames that characters can get to. Repeated: share that another take shows too.
Slide: how fast the standing foot moves. Cells that gave rise to a problem are marked.</p>
<details $open><summary>$take_count</summary><div class="wide">$takes</div></details>
<h2>What this report cannot see</h2>
<p class="small">It measures motion, not style: it cannot tell whether a walk looks tired or a turn looks natural. It
knows walking, turning, standing and side steps; of a dance or a fight it judges only these. Frame numbers are those of
the field ($rate frames/s), counted from the first frame after the rest pose. The limits of a trained character also
depend on its task and settings.</p>
</main></body></html>
""")


def save_report(survey: Survey, field: MotionField, folder: str | Path, *, title: str = "Survey") -> Path:
    """Write the report of the `survey` of `field` into `folder` and return the path of the page.

    The page holds its pictures and makes no request. JSON and PNG files beside it hold the same facts and pictures.
    Needs the extra `plots`.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    render_map(survey.motion_map, place / MAP_NAME)
    render_reach(survey.reach, place / REACH_NAME)
    pictures = render_statements(survey.statements, field, place)
    for number, shot in enumerate(survey.shots or ()):
        render_filmstrip(
            shot.clip, place / SHOT_NAME.format(number), pose_count=6, title=shot.kind, width=10.0, dpi=80.0
        )
    _write(place / JSON_NAME, json.dumps({"title": title, **survey.as_json()}, indent=1, allow_nan=False))
    _write(place / PAGE_NAME, page_text(survey, place, pictures, title=title))
    return place / PAGE_NAME


def page_text(survey: Survey, folder: Path, pictures: Mapping[int, str], *, title: str) -> str:
    """Return the page of `survey`, with the pictures in `folder`: the map, the times, and `pictures` of statements."""
    cards = {level: _cards(survey, level, folder, pictures) for level in (PROBLEM, GAP, NOTE)}
    rows = len(survey.takes["take"])
    return PAGE.substitute(
        title=html.escape(title),
        style=STYLE,
        summary=html.escape(summary(survey)),
        counts="".join(f"<span>{text}</span>" for text in _counts(survey)),
        overview=_overview(survey),
        problems=cards[PROBLEM] or "<p>None found.</p>",
        gaps=cards[GAP] or "<p>None found.</p>",
        notes=cards[NOTE] or "<p>Nothing more.</p>",
        map=_embedded(folder / MAP_NAME),
        reach=_embedded(folder / REACH_NAME),
        kinds=_kind_table(survey),
        turns=_turn_table(survey),
        worth=_worth_section(survey.worth),
        shots=_shot_section(survey.shots, folder),
        takes=_take_table(survey),
        take_count=counted(rows, "take"),
        open="open" if rows <= 50 else "",
        rate=f"{1.0 / survey.frame_time:g}",
    )


def summary(survey: Survey) -> str:
    """Return the set in few sentences: its length, what it shows and lacks, and how much of it characters can play."""
    seconds = float(np.sum(survey.takes["seconds"]))
    length = f"{seconds:.0f} s" if seconds < 180.0 else f"{seconds / 60.0:.0f} minutes"
    images = ", used together with their mirror images" if survey.mirrored else ""
    can = [name for name, value in survey.seconds.items() if value >= COVERED]
    cannot = [name for name, value in survey.seconds.items() if value < COVERED]
    text = f"{counted(len(survey.takes['take']), 'take')}, {length}{images}. It shows: {', '.join(can) or 'nothing'}."
    if cannot:
        text = f"{text} It lacks: {', '.join(cannot)}."
    playable = float(np.average(survey.takes["in_core"], weights=survey.takes["frames"]))
    return f"{text} Characters can play {100.0 * playable:.0f} % of it." if playable < NEARLY_ALL else text


def _counts(survey: Survey) -> list[str]:
    names = (
        (PROBLEM, counted(len(survey.of_level(PROBLEM)), "problem")),
        (GAP, counted(len(survey.of_level(GAP)), "gap")),
    )
    return [f'<a href="#{level}s">{text}</a>' for level, text in names]


def _overview(survey: Survey) -> str:
    """Return a table that counts each kind of problem and gap; empty if the page is short."""
    found = [one for one in survey.statements if one.level != NOTE]
    if len(found) <= LONG_PAGE:
        return ""
    rows = []
    for kind, count in Counter(one.kind for one in found).items():
        link = f'<a href="#{kind}">{html.escape(MEANINGS[kind].meaning)}</a>'
        rows.append([str(count), MEANINGS[kind].level, link])
    return f'<div class="list">{_table(["number", "level", "finding"], rows)}</div>'


def _cards(survey: Survey, level: str, folder: Path, pictures: Mapping[int, str]) -> str:
    """Return the statements of `level` kind by kind; after the first few of a kind, the others are folded away."""
    by_kind: dict[str, list[str]] = {}
    for number, one in enumerate(survey.statements):
        if one.level == level:
            image = _embedded(folder / pictures[number]) if number in pictures else ""
            by_kind.setdefault(one.kind, []).append(_card(one, survey.frame_time, image))
    parts = []
    for kind, cards in by_kind.items():
        parts += [f'<div id="{kind}"></div>', *cards[:SHOWN_OF_KIND]]
        if more := cards[SHOWN_OF_KIND:]:
            words = html.escape(f"{len(more)} more like this: {MEANINGS[kind].meaning}")
            parts.append(f"<details><summary>{words}</summary>{''.join(more)}</details>")
    return "".join(parts)


def _card(one: Statement, frame_time: float, image: str) -> str:
    where = ""
    if one.frame >= 0:
        where = f"Look at {one.take}, {one.frame * frame_time:.2f} s (frame {one.frame})"
        where += (
            f", beside {shown_name(one.other_take)}, {one.other_frame * frame_time:.2f} s." if one.other_take else "."
        )
    first, stop, rest = one.text.partition(". ")
    parts = [
        f"<b>{html.escape(first + stop.rstrip())}</b>",
        f"<span>{html.escape(rest)}</span><br />" if rest else "",
        f'<span class="do">{html.escape(one.advice)}</span>',
        f'<br /><span class="where">{html.escape(where)}</span>' if where else "",
        f'<p><img loading="lazy" alt="{html.escape(where)}" src="{image}" /></p>' if image else "",
    ]
    return f'<div class="card {one.level}">{"".join(parts)}</div>'


def _kind_table(survey: Survey) -> str:
    rows = []
    for name, seconds in survey.seconds.items():
        reach = survey.reach.get(name)
        times = ["–"] * 3 if reach is None or np.isnan(reach.median) else [_seconds(value) for value in reach]
        rows.append([html.escape(name), f"{seconds:.1f}", *times])
    return _table(["motion", "in the set, s", "reached: half, s", "95 %, s", "longest, s"], rows)


def _turn_table(survey: Survey) -> str:
    """Return the section on the least times to turn; empty if they were not asked for."""
    if not survey.turn_times:
        return ""
    rows = [
        [f"{abs(one.degrees):g} degrees to the {'left' if one.degrees > 0.0 else 'right'}", *map(_seconds, one[1:])]
        for one in survey.turn_times
    ]
    table = _table(["turn", "mean, s", "95 %, s", "longest, s"], rows)
    return (
        '<h2 id="turns">The soonest possible turns</h2><p>No controller trained on this set turns a walking character '
        "sooner than this. A trained one is slower, because it also keeps the motion smooth.</p>"
        f'<div class="wide">{table}</div>'
    )


def _shot_section(shots: Sequence[Shot] | None, folder: Path) -> str:
    """Return the shot list; empty if it was not asked for."""
    if shots is None:
        return ""
    cards = []
    for number, shot in enumerate(shots):
        before = "not possible now" if shot.before >= NEVER else f"{shot.before:.1f} s now"
        text, image = html.escape(shot.text), _embedded(folder / SHOT_NAME.format(number))
        cards.append(
            f'<div class="card note"><b>{number + 1}. {text}</b>'
            f"<span>Mean time to {MEANT[shot.kind]}: {before}, {shot.after:.1f} s with this shot. Together with other "
            f"motion, it saves {shot.gain:.1f} s.</span>"
            f'<p><img loading="lazy" alt="{text}" src="{image}" /></p></div>'
        )
    return (
        '<h2 id="shots">What to capture next</h2><p>The most useful shot first. Each was tried: a walk of this set was '
        "warped into the motion, added, and the set was measured again. The pictures show the warped walk; its feet "
        "slide, so capture the motion and do not use the warp.</p>"
        f"{''.join(cards) or '<p>Nothing that would save more than 0.2 s.</p>'}"
    )


def _worth_section(worth: Worth | None) -> str:
    """Return the section on the worth of takes; empty if it was not asked for."""
    if worth is None:
        return ""
    rows = []
    for one in worth.takes:
        name = html.escape(one.take)
        rows.append([
            f"<b>{name}</b>" if one.take in worth.enough else name,
            _bar(one.share),
            f"{100.0 * one.played:.0f}",
            *(_change(value, digits) for value, digits in ((-100.0 * one.loss, 1), (one.slower, 2))),
            _change(100.0 * one.rougher, 0),
            html.escape(", ".join(one.kinds)) or "–",
        ])  # fmt: skip
    heads = ["take", "worth, %", "played, %", "without it: performance, %", "turning time, s", "roughness, %"]
    table = _table([*heads, "only this take shows"], rows)
    return (
        f'<h2 id="worth">What each take is worth</h2><p><b>{html.escape(worth.text)}</b> They are in bold. To keep a '
        "few takes, run <code>motionfields select</code>.</p>"
        "<p>Measured on a character that walks and is sent in a new direction every few seconds. Worth: the share "
        "of the take in how well the set does this. Takes that show the same motion share its worth: you can leave "
        "out either of two copies, but not both. Played: share of the time that the character spends in the take. "
        "The next three columns tell what changes if this take alone is left out: how well the character follows "
        "its direction, the time of a turn, and the roughness of the motion. A take worth little here may still be "
        "needed for another task: this character never has to stand or step sideways.</p>"
        f'<div class="wide">{table}</div>'
    )


def _change(value: float, digits: int) -> str:
    """Return a change with its sign; 0 has none."""
    return f"{value:+.{digits}f}" if round(value, digits) else "0"


def _bar(share: float) -> str:
    """Return a share as a percentage with a bar."""
    percent = 100.0 * max(0.0, share)
    return f'<span class="bar" style="background-size:{percent:.0f}% 100%">{round(100.0 * share)}</span>'


def _take_table(survey: Survey) -> str:
    takes = survey.takes
    marked = {(one.take, one.kind) for one in survey.of_level(PROBLEM)}
    faults = {
        "slide": "skate",
        "jerk": "jitter",
        "floor": "floor-offset",
        "drift": "floor-drift",
        "depth": "through-floor",
    }
    rows = []
    for row, name in enumerate(takes["take"].tolist()):
        cells = [html.escape(name)]
        for column, factor, form in (
            *(("seconds", 1.0, ".1f"), ("in_core", 100.0, ".0f"), ("repeated", 100.0, ".0f"), ("speed", 1.0, ".2f")),
            *(("left_turn", 1.0, ".0f"), ("right_turn", 1.0, ".0f"), ("slide", 100.0, ".0f"), ("jerk", 1.0, ".0f")),
            *(("floor", 100.0, ".1f"), ("drift", 100.0, ".1f"), ("depth", 100.0, ".1f"), ("faults", 1.0, ".0f")),
        ):
            value = float(takes[column][row])
            text = "–" if np.isnan(value) else f"{factor * value:{form}}"
            cells.append(f'<span class="bad">{text}</span>' if (name, faults.get(column)) in marked else text)
        rows.append(cells)
    heads = ["take", "seconds", "playable, %", "repeated, %", "speed, m/s", "left turn, deg/s", "right turn, deg/s"]
    heads += ["slide, cm/s", "jerk, m/s³", "floor, cm", "drift, cm", "below floor, cm", "faults"]
    return _table(heads, rows)


def _table(heads: list[str], rows: list[list[str]]) -> str:
    top = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _seconds(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "never"


def _embedded(path: Path) -> str:
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode())
