"""Jobs that are killed and resumed; `scripts/kill.py` kills many more."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import REPO


@pytest.mark.skipif(sys.platform != "linux", reason="forks and sends SIGKILL")
def test_killed_builds_training_and_downloads_resume_with_the_same_bytes() -> None:
    command = [sys.executable, "scripts/kill.py", "--kills", "6", "--seed", "11"]
    ran = subprocess.run(command, cwd=REPO, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "same bytes" in ran.stdout
