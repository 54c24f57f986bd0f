"""The fuzzer of the BVH reader, for 10 seconds, or for 300 with MOTIONFIELDS_LONG=1."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import LONG

SCRIPT = Path(__file__).with_name("fuzz_bvh.py")
SECONDS = 300 if LONG else 10


@pytest.mark.slow
def test_broken_files_meet_only_typed_errors_in_bounded_time_and_memory(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--seconds", str(SECONDS), "--save", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 violations" in result.stdout
    assert list(tmp_path.iterdir()) == []
