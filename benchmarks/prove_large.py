"""Build a field of large.zip, 71 people, on one skeleton within a memory limit, and check the result.

    python benchmarks/prove_large.py [--memory 2G] [--keep large.field] [--picture strips.png]
    python benchmarks/prove_large.py --quick

Runs `motionfields build` as a user would, in a process limited to `--memory` of its own, and prints its duration and
its peak memory, both its own and that of mapped files. Then retargets each clip again, and prints how much the feet
slide compared with the captured clips. `--picture` draws five very different people, as captured and as retargeted.
`--quick` uses 20 clips and takes less than a minute. Exits with an error if the build fails, or if feet slide more than
1.5 times as fast as captured. Needs the shared data, and Linux for the memory figures.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from common import DATA, make_parser
from motionfields.cli.build import byte_count
from motionfields.field.database.bodies import Bodies, Change, mean_skate
from motionfields.motion.clip import Clip, trim
from motionfields.motion.formats import iter_clips, load_clip

SKELETON = DATA / "locomotion" / "69_01.bvh"
MOST_SKATE = 1.5  # times that of the captured clips
QUICK_STEP = 50  # --quick uses every 50th clip
# Clip name, start in seconds, and description.
SHOWN = (
    ("91_05", 4.0, "leg 0.74 m, walks like a mummy"),
    ("86_01", 8.0, "leg 0.90 m, lands from a jump"),
    ("127_03", 1.2, "runs"),
    ("118_01", 2.8, "jumps"),
    ("83_03", 2.4, "steps on a ledge"),
)
SHOWN_SECONDS = 1.5


class Took(NamedTuple):
    """Time and memory that a process used."""

    seconds: float
    processor_seconds: float
    peaks: dict[str, int]  # bytes, by field name in /proc


def run_within(command: Sequence[str], memory: int) -> Took:
    """Run `command` limited to `memory` bytes of its own; return the time and memory used."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

    started = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, preexec_fn=limit)
    peaks = {"RssAnon": 0, "RssFile": 0, "VmData": 0, "VmHWM": 0}
    while process.poll() is None:
        for name, kilobytes in re.findall(r"^(\w+):\s+(\d+) kB", _status(process.pid), re.MULTILINE):
            if name in peaks:
                peaks[name] = max(peaks[name], 1024 * int(kilobytes))
        time.sleep(0.1)
    if process.returncode:
        sys.exit(f"the build failed with code {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(time.monotonic() - started, used, peaks)


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def brought_all(source: Path) -> list[Change]:
    """Return the changes made by retargeting, for each clip of another body."""
    bodies = Bodies(load_clip(SKELETON))
    for clip in iter_clips(source):
        bodies.survey(clip)
    changes = (bodies.brought(clip).change for clip in iter_clips(source))
    return [change for change in changes if change is not None]


def judge_skate(changes: Sequence[Change]) -> float:
    """Print the foot skate before and after retargeting; return their ratio over all contacts."""
    before, after = mean_skate(changes)
    over = [change for change in changes if change.skate_after > MOST_SKATE * change.skate_before]
    worst = sorted(over, key=lambda change: change.skate_after / max(change.skate_before, 1e-9), reverse=True)
    print(f"foot skate of {len(changes)} clips of other people, over all {_contact(changes):.0f} s of contact:")
    print(f"  captured {100 * before:.2f} cm/s, retargeted {100 * after:.2f} cm/s: {after / before:.2f} times")
    print(f"  clips over {MOST_SKATE} times: {len(over)} of {len(changes)}, {_contact(over):.0f} s of contact")
    for change in worst[:10]:
        print(
            f"  {change.name}: {100 * change.skate_before:.2f} to {100 * change.skate_after:.2f} cm/s "
            f"in {change.contact_seconds:.1f} s of contact"
        )
    return after / before


def _contact(changes: Sequence[Change]) -> float:
    return sum(change.contact_seconds for change in changes)


def draw(source: Path, picture: Path) -> None:
    """Draw five people as captured, each above the same motion retargeted to subject 69."""
    from PIL import Image

    from motionfields.measure.analysis import render_comparison

    bodies = Bodies(load_clip(SKELETON))
    shown: dict[str, tuple[Clip, Clip]] = {}
    names = [name for name, _, _ in SHOWN]
    clips = list(iter_clips(source))
    for clip in clips:
        bodies.survey(clip)
    for clip in clips:
        if clip.name in names:
            shown[clip.name] = (clip, bodies.brought(clip).clip)
    rows, titles = list[Clip](), list[str]()
    for name, start, text in SHOWN:
        for clip, kind in zip(shown[name], ("captured", "as subject 69"), strict=True):
            first = round(start * clip.frame_rate)
            rows.append(trim(clip, first, first + round(SHOWN_SECONDS * clip.frame_rate)))
            titles.append(f"{name}, {text}: {kind}")
    render_comparison(rows, picture, titles=titles, pose_count=7, width=11.0, dpi=60.0)
    with Image.open(picture) as drawn:
        smaller = drawn.convert("RGB").quantize(96)
    smaller.save(picture, optimize=True)


def some_clips(folder: Path) -> Path:
    """Extract a few clips of the archive to `folder`."""
    with zipfile.ZipFile(DATA / "large.zip") as archive:
        names = [name for name in sorted(archive.namelist()) if name.endswith(".bvh")][::QUICK_STEP][:20]
        archive.extractall(folder, names)
    return folder


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__, quick="20 clips")
    parser.add_argument("--memory", default="2G", help="what the build may take up itself")
    parser.add_argument("--keep", type=Path, help="where to leave the field")
    parser.add_argument("--picture", type=Path, help="where to draw five people")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = some_clips(folder / "clips") if options.quick else DATA / "large.zip"
        field = options.keep or folder / "large.field"
        words = ["build", source, "-o", field, "--skeleton", SKELETON, "--memory", options.memory]
        took = run_within([sys.executable, "-m", "motionfields", *map(str, words)], byte_count(options.memory))
        print(f"built in {took.seconds:.0f} s, {took.processor_seconds:.0f} s of processor time")
        for peak, meaning in (("RssAnon", "its own memory"), ("RssFile", "mapped files"), ("VmHWM", "both at once")):
            print(f"  most {meaning}: {took.peaks[peak] / 2**20:.0f} MiB ({peak})")
        print(f"  file: {field.stat().st_size / 2**20:.0f} MiB")
        ratio = judge_skate(brought_all(source))
        if options.picture:
            draw(DATA / "large.zip", options.picture)
    if not ratio <= MOST_SKATE:
        sys.exit(f"feet slide {ratio:.2f} times as fast as captured; expected at most {MOST_SKATE}")


if __name__ == "__main__":
    main()
