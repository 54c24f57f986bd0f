"""Redraw the pictures of the documentation; lists the script that draws each picture and the motion it needs.

    python docs/figures/gallery.py --list                   list every picture, its script and its motion
    python docs/figures/gallery.py --only push_left.gif     draw some pictures; by default all, which takes hours
    python docs/figures/gallery.py --fetch data             first fetch the public sets that are needed, into data
    python docs/figures/gallery.py --check                  check that each picture has one script and a page

Captured motion is read from the folder named by MOTIONFIELDS_DATA, or else from `../shared/data` beside the
repository. `--fetch` fills a folder with the same layout, using `motionfields data fetch`. Pictures whose motion is
missing stay unchanged.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

REPO = Path(__file__).resolve().parents[2]
IMAGES = REPO / "docs" / "images"
DATA = Path(os.environ.get("MOTIONFIELDS_DATA", REPO.parent / "shared" / "data"))
# Public set, and its path in the data folder.
PUBLIC = {
    "cmu-locomotion": "locomotion",
    "cmu-walks-69": "perturbation/walks_69",
    "cmu-stumble-22": "perturbation/stumble_22",
    "cmu-stumble-23": "perturbation/stumble_23",
    "cmu-stagger-104": "perturbation/stagger_104",
    "cmu-pulled-19": "perturbation/pulled_19",
}
LARGE = "large.zip"  # 71 subjects of the CMU database in one archive, with manifest.json; cannot be fetched
ANNOTATED = "annotated"  # takes of subject 143 with labels.csv
SCENES = "push_front push_back push_left push_right push_standing pull_walking pull_standing ball_walking ball_standing"


class Maker(NamedTuple):
    """Command that draws pictures."""

    words: tuple[str, ...]  # after `python`; "{folder}" stands for the folder of the pictures
    pictures: tuple[str, ...]
    motion: tuple[str, ...] = ()  # sets of captured motion that it needs; empty for generated motion only

    @property
    def command(self) -> str:
        """Command line, as a user would type it."""
        return " ".join(("python", *self.words)).format(folder="docs/images")


def both(stems: str) -> tuple[str, ...]:
    """Return the file names of a filmstrip and an animation for each of `stems`."""
    return tuple(f"{stem}.{kind}" for stem in stems.split() for kind in ("png", "gif"))


def results() -> tuple[str, ...]:
    """Return the file names of the pictures of docs/results.md."""
    kinds = ("bars_{}_direction", "distribution_{}_direction", "course_{}", "film_{}_090", "film_{}_180")
    return tuple(f"results_{kind.format(data)}.png" for data in ("captured", "samples", "subject16") for kind in kinds)


MAKERS = (
    Maker(
        ("docs/figures/make_images.py", "--output", "{folder}", "--only", "generated"),
        ("turn.gif", "filmstrip.png", *both("passive_samples control_samples_090 control_samples_180")),
    ),
    Maker(
        ("docs/figures/make_images.py", "--output", "{folder}", "--only", "captured"),
        (
            *both("passive_captured control_captured_090 control_captured_180"),
            *("compare_walk.png", "compare_turn_090.png", "compare_turn_180.png"),
            *("contacts_69_01.png", "contacts_69_13.png", "contacts_69_24.png"),
        ),
        ("cmu-locomotion",),
    ),
    Maker(
        ("docs/figures/draw_concepts.py", "--output", "{folder}"),
        (
            *("concept_states.png", "concept_choices.png", "concept_value.png", "concept_planning.png"),
            *("concept_methods.png", "methods_turn.gif", "line.gif"),
        ),
    ),
    Maker(("docs/figures/draw_crowd.py", "--output", "{folder}"), ("crowd.png", "crowd.gif")),
    Maker(
        ("docs/figures/draw_studio.py", "--out", "{folder}"),
        tuple(f"studio_{scene}.jpg" for scene in ("first", "turn", "push", "why", "crowd", "compare", "phone")),
    ),
    Maker(("docs/figures/draw_hero.py", "--out", "{folder}"), ("studio.webp",), ("cmu-locomotion",)),
    Maker(("docs/figures/draw_export.py", "--output", "{folder}"), ("export_page.jpg",)),
    Maker(("docs/figures/draw_compose.py", "--out", "{folder}"), ("studio_compose.jpg",), (ANNOTATED,)),
    Maker(("docs/figures/draw_plan.py", "--out", "{folder}"), ("studio_plan.jpg",), ("cmu-locomotion",)),
    *(
        Maker(
            ("docs/figures/draw_worlds.py", "--out", "{folder}", "--only", scene),
            (f"world_{scene}.jpg",),
            ("cmu-locomotion",),
        )
        for scene in ("doorway", "why")
    ),
    Maker(("docs/figures/draw_crossing.py", "--out", "{folder}"), ("crossing.webp",), ("cmu-locomotion",)),
    Maker(("docs/figures/draw_gltf.py", "--picture", "{folder}/gltf_beside.jpg"), ("gltf_beside.jpg",)),
    # Needs a Python with bpy, Blender as a module, which the environment variable MOTIONFIELDS_BLENDER names.
    Maker(("scripts/prove_blender_addon.py", "--pictures", "{folder}"), ("blender_walk.jpg",)),
    Maker(("docs/figures/draw_pushes.py", "--output", "{folder}"), both(SCENES), ("cmu-locomotion",)),
    Maker(
        ("benchmarks/bench_push.py", "--only", "dose", "--images", "{folder}"),
        ("push_doses.png",),
        tuple(PUBLIC),
    ),
    Maker(
        ("benchmarks/bench_response.py", "--only", "frontier", "--set", "A", "--images", "{folder}"),
        ("frontier_A.png",),
        ("cmu-locomotion",),
    ),
    Maker(
        ("benchmarks/bench_matching.py", "--only", "sweep", "--image", "{folder}/matching_sweep.png"),
        ("matching_sweep.png",),
        ("cmu-locomotion", "cmu-walks-69", LARGE),
    ),
    Maker(("benchmarks/prove_large.py", "--picture", "{folder}/retargeted.png"), ("retargeted.png",), (LARGE,)),
    Maker(("benchmarks/make_results.py",), results(), ("cmu-locomotion", "cmu-walks-69", LARGE)),
)


def faults(makers: Sequence[Maker], images: Path, pages: Sequence[Path]) -> list[str]:
    """Return faults of the pictures in `images`: no script or several, a missing file, or shown on none of `pages`."""
    made = Counter(picture for maker in makers for picture in maker.pictures)
    there = {path.name for path in images.iterdir()}
    shown = {name for page in pages for name in re.findall(r"images/([\w.-]+)", page.read_text(encoding="utf-8"))}
    found = [f"{name}: {count} makers" for name, count in sorted(made.items()) if count > 1]
    found += [f"{name}: no script makes it" for name in sorted(there - set(made))]
    found += [f"{name}: is not there" for name in sorted(set(made) - there)]
    found += [f"{name}: no page shows it" for name in sorted(there - shown)]
    scripts = [maker.words[0] for maker in makers]
    return found + [f"{script}: there is no such script" for script in scripts if not (REPO / script).exists()]


def all_pages() -> list[Path]:
    """Return the documentation pages that may show pictures."""
    built = REPO / "docs" / "_build"
    return [REPO / "README.md", *(path for path in sorted(REPO.glob("docs/**/*.md")) if built not in path.parents)]


def chosen_makers(wanted: Sequence[str]) -> dict[Maker, tuple[str, ...]]:
    """Return the makers of the pictures `wanted` (all if empty), each with its wanted pictures.

    Raises ValueError for a picture that no maker draws.
    """
    known = {picture for maker in MAKERS for picture in maker.pictures}
    for name in wanted:
        if name not in known:
            raise ValueError(f"there is no picture {name}; python docs/figures/gallery.py --list names all")
    chosen = {maker: tuple(name for name in maker.pictures if name in wanted or not wanted) for maker in MAKERS}
    return {maker: names for maker, names in chosen.items() if names}


def fetch(makers: Sequence[Maker], folder: Path) -> None:
    """Fetch the public sets that `makers` need into `folder`, in the layout that the scripts expect."""
    for name in sorted({name for maker in makers for name in maker.motion if name in PUBLIC}):
        target = folder / PUBLIC[name]
        target.parent.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, "-m", "motionfields", "data", "fetch", name, "-o", str(target)]
        subprocess.run(words, check=True)


def missing(maker: Maker, data: Path) -> list[str]:
    """Return the sets that `maker` needs and that are missing in `data`."""
    return [name for name in maker.motion if not (data / PUBLIC.get(name, name)).exists()]


def make(maker: Maker, names: Sequence[str], data: Path) -> None:
    """Run `maker`, and copy the pictures `names` among its output to the documentation."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [word.format(folder=folder) for word in maker.words]
        environment = {**os.environ, "MOTIONFIELDS_DATA": str(data)}
        # Some scripts draw their pictures and then exit with 1 because a result misses a bound.
        subprocess.run([sys.executable, *words], cwd=REPO, env=environment, check=False)
        if not any("{folder}" in word for word in maker.words):
            return  # the script has written them to the documentation itself
        for picture in names:
            shutil.copyfile(folder / picture, IMAGES / picture)
            print(IMAGES / picture, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line of this script and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], metavar="PICTURE", help="draw this one; may be repeated")
    parser.add_argument(
        "--fetch", type=Path, metavar="FOLDER", help="get the public sets that are needed to there first"
    )
    parser.add_argument("--list", action="store_true", help="list pictures, scripts and motion")
    parser.add_argument("--check", action="store_true", help="look whether each picture has one maker and a page")
    options = parser.parse_args(arguments)
    if options.check:
        found = faults(MAKERS, IMAGES, all_pages())
        count = sum(len(maker.pictures) for maker in MAKERS)
        print("\n".join(found) or f"{count} pictures, each made by one script and shown on a page")
        return 1 if found else 0
    try:
        chosen = chosen_makers(options.only)
    except ValueError as error:
        parser.error(str(error))
    if options.list:
        for maker, names in chosen.items():
            print(f"{maker.command}\n  motion: {', '.join(maker.motion) or 'generated'}\n  {', '.join(names)}")
        return 0
    data = options.fetch or DATA
    if options.fetch is not None:
        fetch(list(chosen), data.resolve())
    for maker, names in chosen.items():
        if lacking := missing(maker, data):
            print(f"left as they are, for want of {', '.join(lacking)} in {data}: {', '.join(names)}")
        else:
            make(maker, names, data.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
