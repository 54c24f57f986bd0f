"""Compare all methods on three data sets, and put the tables and pictures into docs/results.md.

    python benchmarks/make_results.py [--report report] [--trials 500] [--quick] [--paper] [--fresh]

The data sets: `captured` is the `locomotion` set and `walks_69`, `samples` the generated clips, `subject16` the walks
of subject 16. Runs `motionfields bench tables`, which resumes an earlier run into the same folder. Replaces the text
between the two markers in docs/results.md; the rest of the page stays. Needs the shared data (or MOTIONFIELDS_DATA).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from common import DATA, IMAGES, REPO, extract_walks, make_parser

PAGE = REPO / "docs" / "results.md"
BEGIN, END = "<!-- tables begin: benchmarks/make_results.py writes from here -->", "<!-- tables end -->"
SEEDS = 2  # that the changes are spread over
COLORS = 128  # of the pictures, which reduces them to a quarter of the size


def run_tables(report: Path, options: argparse.Namespace) -> None:
    """Run `motionfields bench tables` as a user would."""
    with tempfile.TemporaryDirectory() as folder:
        extract_walks(Path(folder))
        sets = (
            f"captured={DATA / 'locomotion'},{DATA / 'perturbation' / 'walks_69'}",
            "samples",
            f"subject16={folder}",
        )
        words = [sys.executable, "-m", "motionfields", "bench", "tables", "-o", str(report)]
        words += [word for one in sets for word in ("--data", one)]
        words += ["--trials", str(options.trials), "--seeds", str(SEEDS)]
        words += [f"--{name}" for name in ("quick", "paper", "fresh") if getattr(options, name)]
        began = time.perf_counter()
        subprocess.run(words, check=True)
        print(f"the whole report took {(time.perf_counter() - began) / 60.0:.1f} minutes")


def copy_picture(source: Path) -> str:
    """Copy a picture to docs/images with few colours; return its path relative to the page."""
    target = IMAGES / f"results_{source.name}"
    Image.open(source).convert("RGB").quantize(COLORS).save(target, optimize=True)
    return f"images/{target.name}"


def write_page(report: Path) -> None:
    """Replace the text between the markers of the page with the tables of the report, without its title."""
    text = (report / "report.md").read_text()
    text = re.sub(r"\A# .*\n", "", text)
    text = re.sub(r"\]\(([\w.-]+\.png)\)", lambda found: f"]({copy_picture(report / found[1])})", text)
    head, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\n{text.strip()}\n\n{END}{rest.split(END)[1]}")


def main() -> int:
    parser = make_parser(__doc__, quick="direction alone, with graph, matching and field as trained")
    parser.add_argument("--report", type=Path, default=REPO / "report", help="the folder of the report")
    parser.add_argument("--trials", type=int, default=500, help="changes of the goal for each row")
    parser.add_argument("--paper", action="store_true", help="with the rows of Lee et al. 2010, which take hours")
    parser.add_argument("--fresh", action="store_true", help="use nothing of an earlier run")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"no motion capture at {DATA}; set MOTIONFIELDS_DATA")
        return 1
    run_tables(options.report, options)
    write_page(options.report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
