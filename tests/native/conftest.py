"""The C runtime, compiled once for all tests of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.native.crowds import compiled


@pytest.fixture(scope="session")
def twin_library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The runtime with the system's mathematical functions, which the Python package uses too."""
    return compiled(tmp_path_factory.mktemp("twin"), "-O1", "-DMF_SYSTEM_MATH")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The runtime as it ships."""
    return compiled(tmp_path_factory.mktemp("runtime"), "-O1")
