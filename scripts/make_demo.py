"""Make the controller of the demo that ships with the package: generated walking, stops and turns, task velocity.

    python scripts/make_demo.py

Writes src/motionfields/studio/demo.ctrl.xz. Run it after a change of the controller's format or of the samples.
"""

from __future__ import annotations

import lzma
import re
import tempfile
from pathlib import Path

from motionfields.control.tasks import Velocity
from motionfields.control.training import train
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField
from motionfields.field.database import MotionDatabase
from motionfields.motion.samples import generate_samples

CLIPS = re.compile(r"walk_(forward|stop)|stand_idle|turn_left_(045|090|180)_quick")  # and mirror images
OUTPUT = Path(__file__).resolve().parents[1] / "src" / "motionfields" / "studio" / "demo.ctrl.xz"


def main() -> None:
    clips = [sample.clip for sample in generate_samples(only=CLIPS)]
    field = MotionField(MotionDatabase.build(clips))
    controller = train(field, Velocity(), settings=ControlSettings(neighbor_count=24))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demo.ctrl"
        controller.save(path)
        content = path.read_bytes()
    OUTPUT.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    size = OUTPUT.stat().st_size
    print(f"{OUTPUT.name}: {field.database.state_count} states, {size:,} bytes, {len(content):,} unpacked")


if __name__ == "__main__":
    main()
