"""`motionfields compose` and `motionfields annotate`: motions from labels and timelines, and labels from a few."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from motionfields.base.wording import counted
from motionfields.cli.options import COMPILES, Field, checked_output, status_line

if TYPE_CHECKING:
    from motionfields.authoring.compose import Composition

Labels = Annotated[
    Path,
    typer.Option(
        "--labels",
        help="Labels of the takes: .csv, BABEL .json, an Audacity or ELAN .txt, or a folder of them.",
        show_default=False,
    ),
]


def compose(
    field: Field,
    labels: Labels,
    timeline: Annotated[Path, typer.Option(help="Timeline to compose, .json.", show_default=False)],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output file: .bvh, .glb, .usda or .usdc.", show_default=False)
    ],
    alternatives: Annotated[
        int, typer.Option(help="Number of motions; the further ones get -2, -3 ... in their file names.", min=1, max=20)
    ] = 1,
    seed: Annotated[int, typer.Option(help="Random seed; 0 gives the cheapest motion.", min=0)] = 0,
    force: Annotated[
        bool, typer.Option(help="Meet places even if the motion has to be warped beyond the limits.")
    ] = False,
) -> None:
    """Compose a motion of captured frames that shows the labels of a timeline."""
    from motionfields.authoring.compose import Composer, ComposeSettings, read_timeline
    from motionfields.field import MotionField
    from motionfields.motion.annotations import read_annotations
    from motionfields.motion.formats import OUTPUT_SUFFIXES, save_clip

    checked_output(output, OUTPUT_SUFFIXES)
    wanted, known = read_timeline(timeline), read_annotations(labels)
    loaded = MotionField.load(field)
    with status_line(f"composing {COMPILES}"):
        composer = Composer(loaded, known, settings=ComposeSettings(forced=force))
        best = composer.compose(wanted, alternatives=alternatives, seed=seed)
    for number, motion in enumerate((best, *best.alternatives), 1):
        path = output if number == 1 else output.with_stem(f"{output.stem}-{number}")
        save_clip(motion.clip, path)
        print(f"{path}: {motion.clip.duration:.2f} s, {_summary(motion)}")
        for piece in motion.pieces:
            name = f"{piece.take} at {piece.take_start:.2f} s"
            print(f"  {piece.start:6.2f} to {piece.end:6.2f} s: {name}")
        for missed in motion.missed:
            print(f"  missed: {missed.goal.text}, met for {missed.share:.0%}: {missed.reason}")


def annotate(
    field: Field,
    labels: Labels,
    output: Annotated[Path, typer.Option("--output", "-o", help="Output file, .csv or .json.", show_default=False)],
    propose: Annotated[
        bool, typer.Option("--propose", help="Propose labels for the rest of the takes, learnt from the given ones.")
    ] = False,
) -> None:
    """Convert labels, or propose labels for takes that have few."""
    from motionfields.authoring.compose.labels import label_states
    from motionfields.authoring.compose.learning import learn_labels, proposals
    from motionfields.field import MotionField
    from motionfields.motion.annotations import read_annotations, write_annotations

    checked_output(output, (".csv", ".json"))
    known = read_annotations(labels, complete=not propose)
    database = MotionField.load(field).database
    painted = label_states(database, known)
    if propose:
        known = proposals(database, painted, learn_labels(database, painted))
    write_annotations(known, output)
    print(f"{output}: {counted(len(known.spans), 'span')}, {counted(len(known.labels), 'label')}")


def _summary(motion: Composition) -> str:
    """Return the costs and the warp of `motion` in words."""
    text = f"labels met {motion.labels_met:.0%}, cost {motion.costs.total:.1f} ({motion.costs.cuts:.1f} of it cuts)"
    if motion.warp.shift_share > 0.0:
        text += f", warped by {motion.warp.shift_share:.1%} of the way"
    return text
