"""The fuzzer of the BVH reader, for a short while."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "fuzz_bvh.py"


@pytest.mark.slow
def test_broken_files_meet_only_typed_errors_in_bounded_time_and_memory(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--seconds", "10", "--save", str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert " 0 violations" in result.stdout
    assert list(tmp_path.iterdir()) == []
