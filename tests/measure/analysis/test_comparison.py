"""Pictures of methods side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionfields.measure.analysis.comparison import Bar, render_bars, render_course, render_distribution

Image: Any = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

NEVER = (np.nan, np.nan, np.nan)


def draw_course(path: Path) -> None:
    seconds = np.linspace(0.0, 9.0, 271)
    off = {name: (seconds, 170.0 * np.sin(seconds + shift)) for shift, name in enumerate(("field", "graph $x$"))}
    render_course(off, path, changes=[(2.0, 90.0), (5.0, -135.0)], title="one", dpi=50.0)


def draw_distribution(path: Path) -> None:
    rng = np.random.default_rng(0)
    reached = {"field": rng.uniform(0.2, 1.0, 50), "graph": np.append(rng.uniform(0.2, 2.0, 49), np.inf)}
    render_distribution({**reached, "none": np.full(5, np.inf)}, path, title="spread", dpi=50.0)


def draw_bars(path: Path) -> None:
    bars = [Bar("field", (0.2, 0.4, 1.0), 0.01, (0.2, 0.4, 1.0)), Bar("never done", NEVER, np.nan, None)]
    render_bars(bars, path, title="bars", dpi=50.0)


@pytest.mark.parametrize("draw", [draw_course, draw_distribution, draw_bars])
def test_the_same_figures_give_the_same_picture(draw: Callable[[Path], None], tmp_path: Path) -> None:
    for name in ("one.png", "two.png"):
        draw(tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    with Image.open(tmp_path / "one.png") as picture:
        shades = np.asarray(picture.convert("L"))
    assert 0.02 < (shades < 200).mean() < 0.6


def test_distributions_of_nothing_done_are_drawn(tmp_path: Path) -> None:
    render_distribution({"none": np.full(5, np.inf)}, tmp_path / "none.png", dpi=50.0)
    assert (tmp_path / "none.png").exists()


def test_a_picture_needs_a_place(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no folder"):
        draw_bars(tmp_path / "nowhere" / "a.png")
