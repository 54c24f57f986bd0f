"""Open every page of the built documentation in headless Chromium, and report what is wrong with it.

    scripts/build_docs && python scripts/check_site.py [--pages 5]

Checks at 1280 and 390 pixels, in light and dark: messages on the console, requests that fail, links and anchors that
lead nowhere, pages wider than the screen, and text with less contrast than WCAG AA asks for. Needs Chromium on the
path. Exits with 1 if something is wrong.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlparse

from playwright.sync_api import Browser, sync_playwright

SITE = Path(__file__).resolve().parents[1] / "docs" / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-quic"]
WIDTHS = (1280, 390)  # pixels
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LINKS = "() => [...document.querySelectorAll('a[href]')].map(a => a.href)"
ANCHORS = "() => [...document.querySelectorAll('[id]')].map(e => e.id)"
TOO_WIDE = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
# Text of the article whose contrast with its background is under 4.5, or 3 for large text (WCAG 2.2, 1.4.3).
PALE = """() => {
  const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = color => color.slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const page = parse(getComputedStyle(document.body).backgroundColor);
    return layers.reverse().reduce((under, top) => over(top, under), page);
  };
  const found = new Map();
  for (const element of document.querySelectorAll('article *')) {
    const own = [...element.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join(' ').trim();
    const style = getComputedStyle(element);
    if (!own || style.visibility !== 'visible' || !element.getClientRects().length || +style.opacity < 0.1) continue;
    const under = behind(element), text = over(parse(style.color), under);
    const [high, low] = [light(text), light(under)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    const key = element.tagName + ' ' + style.color;
    if (ratio < (large ? 3 : 4.5) && !found.has(key)) found.set(key, `${ratio.toFixed(2)}: ${own.slice(0, 40)}`);
  }
  return [...found.values()];
}"""


class Visit:
    """One browser window that opens pages one after the other."""

    def __init__(self, browser: Browser, scheme: Literal["light", "dark"], width: int) -> None:
        self.name = f"{scheme}, {width} px"
        self.page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.heard: list[str] = []
        self.page.on("console", lambda message: self._hear(message.text))
        self.page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        self.page.on("requestfailed", lambda request: self.heard.append(f"request failed: {request.url}"))

    def _hear(self, text: str) -> None:
        if "GPU stall due to ReadPixels" not in text:  # a remark of the driver that draws on the processor
            self.heard.append(f"console: {text}")

    def faults(self, path: Path) -> Iterator[str]:
        """Open a page, and yield what is wrong with it."""
        self.heard.clear()
        self.page.goto(path.as_uri())
        yield from self.heard
        if (wider := self.page.evaluate(TOO_WIDE)) > 0:
            yield f"{wider} px wider than the screen"
        yield from (f"contrast {pale}" for pale in self.page.evaluate(PALE))


def check(browser: Browser, pages: list[Path]) -> Iterator[str]:
    """Yield what is wrong with `pages`, a line each; links may lead to other pages."""
    anchors: dict[Path, set[str]] = {}
    links: set[tuple[Path, str]] = set()
    for visit in [Visit(browser, scheme, width) for scheme in SCHEMES for width in WIDTHS]:
        for path in pages:
            yield from (f"{path.name} ({visit.name}): {fault}" for fault in visit.faults(path))
            anchors[path] = set(visit.page.evaluate(ANCHORS))
            links |= {(path, link) for link in visit.page.evaluate(LINKS)}
    for path, link in sorted(links):
        if fault := _link_fault(link, anchors):
            yield f"{path.name}: {fault}"


def _link_fault(link: str, anchors: dict[Path, set[str]]) -> str | None:
    """Return what is wrong with a link into the site; links to other sites are not opened."""
    parts = urlparse(link)
    if parts.scheme != "file":
        return None
    target = Path(unquote(parts.path))
    if not target.exists():
        return f"the link to {link} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and target.suffix == ".html" and anchor not in anchors.get(target, _written_anchors(target)):
        return f"{target.name} has no anchor {anchor}"
    return None


@cache
def _written_anchors(target: Path) -> set[str]:
    """Return the anchors of a page that was not opened."""
    return {part.split('"')[0] for part in target.read_text(encoding="utf-8").split(' id="')[1:]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, help="open this many pages, evenly chosen; by default all")
    options = parser.parse_args()
    pages = sorted(set(SITE.rglob("*.html")) - {SITE / "live.html"})  # that page has tests of its own
    if CHROMIUM is None or not pages:
        print("no Chromium on the path" if CHROMIUM is None else "no built documentation: run scripts/build_docs")
        return 1
    if options.pages:
        pages = pages[:: -(-len(pages) // options.pages)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        faults = list(check(browser, pages))
    print("\n".join(faults) or f"{len(pages)} pages, at {len(WIDTHS)} widths, light and dark: nothing wrong")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
