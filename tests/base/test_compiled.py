from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from motionfields.base.compiled import kernel
from motionfields.base.errors import MissingExtraError, naming_the_extra

SOURCE = Path(__file__).resolve().parents[2] / "src" / "motionfields"
NO_FOLDER = "/proc/nothing"  # cannot be made, not even by root

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder in which nothing can be made")


def test_kernels_work_where_numba_can_keep_nothing(tmp_path: Path) -> None:
    package = tmp_path / "motionfields"
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (package, *(path for path in package.rglob("*") if path.is_dir())):
        (folder / "__pycache__").touch()  # a file, so no folder of this name can be made: as in a read-only install
    surroundings = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    surroundings |= {"PYTHONPATH": str(tmp_path), "HOME": NO_FOLDER, "XDG_CACHE_HOME": NO_FOLDER}
    code = "from motionfields import geometry as g, formats, skeleton; print(g.__file__, g.quat_log([1, 0, 0, 0]))"
    run = subprocess.run([sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == f"{package / 'base' / 'geometry' / '__init__.py'} [0. 0. 0.]\n"


def test_a_division_by_zero_gives_what_numpy_gives() -> None:
    @kernel
    def quotient(a: float, b: float) -> float:
        return a / b

    assert quotient(1.0, 0.0) == np.inf
    assert np.isnan(quotient(0.0, 0.0))


def test_without_numba_a_loop_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    @kernel
    def double(number: float) -> float:
        return 2.0 * number

    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingExtraError, match=r'pip install "motionfields\[train\]"'):
        double(1.0)


def test_a_missing_package_of_training_names_the_extra_and_others_do_not() -> None:
    with pytest.raises(MissingExtraError, match="this needs scipy"), naming_the_extra():
        raise ModuleNotFoundError("no scipy", name="scipy.sparse")
    with pytest.raises(ModuleNotFoundError, match="no other"), naming_the_extra():
        raise ModuleNotFoundError("no other", name="other")
