"""Write one small file of each kind, as this release writes it, for the test that later releases still open them.

    python scripts/make_release_files.py [FOLDER]    by default tests/releases

Run it once for each release. The files hold a few steps of a generated walk, compressed with xz.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from pathlib import Path

import motionfields as mf
from motionfields.authoring.plan import StepGraph
from motionfields.authoring.worlds import Futures
from motionfields.export import save_pack
from motionfields.motion.clip import resample, trim

RELEASES = Path(__file__).parents[1] / "tests" / "releases"


def main() -> None:
    """Write the files, and print the size of each."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RELEASES
    [walk] = mf.samples.generate_samples(only=["walk_forward"])
    field = mf.MotionField(mf.MotionDatabase.build([trim(resample(walk.clip, 30.0), 0, 80)]))
    controller = mf.train(field, mf.tasks.Direction())
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        field.save(place / "walk.field")
        controller.save(place / "walk.ctrl")
        save_pack(controller, place / "walk.mfpack")
        StepGraph.build(field).save(place / "walk.steps")
        Futures.of(mf.train(field, mf.tasks.Velocity())).save(place / "walk.futures")
        for path in sorted(place.iterdir()):
            target = folder / f"{mf.__version__}{path.suffix}.xz"
            target.write_bytes(lzma.compress(path.read_bytes(), preset=9))
            print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
