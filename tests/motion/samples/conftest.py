"""The generated clips, made once for all tests about them."""

from __future__ import annotations

import pytest

from motionfields.motion.samples import Sample, generate_samples


@pytest.fixture(scope="session")
def samples() -> list[Sample]:
    return generate_samples()
