"""Programs that a user would write to extend the package, each at most 40 lines and run as it stands."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent
LONGEST = 40  # lines of code, without blank lines, imports and the docstring


@pytest.mark.parametrize("name", ["own_task", "own_planter", "velocity_vectors"])
def test_a_program_runs_and_checks_itself(name: str) -> None:
    runpy.run_path(str(PROGRAMS / f"{name}.py"), run_name="__main__")


def test_an_installed_method_trains_records_and_plays(tmp_path: Path) -> None:
    """A package with an entry point is seen by the command line: train, info, record."""
    folder = tmp_path / "packages"
    (folder / "stroll-1.0.dist-info").mkdir(parents=True)
    (folder / "stroll.py").write_text((PROGRAMS / "own_method.py").read_text())
    (folder / "stroll-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: stroll\nVersion: 1.0\n")
    points = "[motionfields.methods]\nstroll = stroll:Stroll\n"
    (folder / "stroll-1.0.dist-info" / "entry_points.txt").write_text(points)
    run = subprocess.run(
        [sys.executable, str(PROGRAMS / "own_method_commands.py"), str(folder)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "stroll, " in run.stdout
    assert (tmp_path / "walk.bvh").stat().st_size > 0


def test_programs_are_short() -> None:
    for path in PROGRAMS.glob("[ov]*.py"):
        code = path.read_text().split('"""', 2)[2]
        lines = [line for line in code.splitlines() if line.strip() and not line.startswith(("from ", "import "))]
        assert len(lines) <= LONGEST, f"{path.name}: {len(lines)} lines"
