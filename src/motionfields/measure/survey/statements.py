"""The statements that a survey can make, each with its meaning and the advice that goes with it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from motionfields.base.arrays import BoolArray, IntArray
from motionfields.base.runs import true_runs

PROBLEM, GAP, NOTE = "problem", "gap", "note"  # wrong or lost data, motion that is missing, good to know
LEVELS = (PROBLEM, GAP, NOTE)
PARTS = ("coverage", "reachability", "redundancy", "faults")


class Meaning(NamedTuple):
    """One kind of statement: the part of the report and level it belongs to, when it is made, and what to do."""

    part: str
    level: str
    meaning: str
    advice: str


_CAPTURE_BOTH = "Capture the other side too, or build with mirror images."
_CHECK_FILE = "Look at the take at this frame; repair it, or leave the take out."

MEANINGS: Final[dict[str, Meaning]] = {
    "little-motion": Meaning(
        "coverage", GAP, "the set is shorter than 10 s", "Add takes: the character will repeat itself."
    ),
    "no-standing": Meaning(
        "coverage", GAP, "no take stands still for half a second", "Capture 10 s of standing, with a start and a stop."
    ),
    "no-start": Meaning(
        "coverage", GAP, "no take walks off from standing", "Capture a stand that walks off, once with each foot."
    ),
    "no-stop": Meaning(
        "coverage", GAP, "no take walks and comes to stand", "Capture a walk that comes to stand, once on each foot."
    ),
    "one-foot-start": Meaning("coverage", GAP, "all starts lift the same foot first", _CAPTURE_BOTH),
    "one-foot-stop": Meaning("coverage", GAP, "all stops end on the same foot", _CAPTURE_BOTH),
    "cannot-turn": Meaning(
        "coverage",
        PROBLEM,
        "nothing turns faster than 30 deg/s",
        "Capture turns to both sides by 45, 90 and 180 degrees while walking. Without them no task can steer.",
    ),
    "no-turn-to-side": Meaning("coverage", PROBLEM, "all turns go to one side", _CAPTURE_BOTH),
    "one-sided-turn": Meaning(
        "coverage", GAP, "one side lacks turns at a speed at which the other side has them", _CAPTURE_BOTH
    ),
    "turn-hole": Meaning(
        "coverage",
        GAP,
        "slower and faster motion turns at this rate, motion in between does not",
        "Capture this turn at this speed.",
    ),
    "turn-one-foot": Meaning(
        "coverage",
        GAP,
        "quick turns to one side happen on one foot only",
        "Capture the same turn on the other foot; until then, a turn has to wait for the right foot.",
    ),
    "turn-limit": Meaning(
        "coverage",
        NOTE,
        "no turn is faster than this at this speed",
        "Capture quicker turns if the character needs them.",
    ),
    "one-speed": Meaning(
        "coverage",
        GAP,
        "all walking has nearly the same speed",
        "Capture a slow walk, a fast walk, and changes between.",
    ),
    "speed-gap": Meaning(
        "coverage",
        GAP,
        "slower and faster motion exists, but nothing in between",
        "Capture a take that speeds up, and one that slows down, through this range.",
    ),
    "speed-limit": Meaning(
        "coverage", NOTE, "the fastest speed held for half a second", "Commands above it cannot be followed."
    ),
    "hardly-walks": Meaning(
        "coverage",
        GAP,
        "nothing moves ahead faster than 0.5 m/s",
        "Add walks: a controller for a direction or a speed cannot travel with this set.",
    ),
    "no-turn-in-place": Meaning(
        "coverage", NOTE, "nothing turns on the spot", "Capture turns while standing if the character needs them."
    ),
    "no-sidestep": Meaning(
        "coverage", NOTE, "nothing steps sideways", "Capture side steps if the character must keep its facing."
    ),
    "no-backward": Meaning(
        "coverage", NOTE, "nothing walks backwards", "Capture backward steps if the character needs them."
    ),
    "lost-take": Meaning(
        "reachability",
        PROBLEM,
        "characters can never play this take",
        "Capture a take that begins with the motion of the others and ends with this one, and the way back.",
    ),
    "island": Meaning(
        "reachability",
        PROBLEM,
        "several takes connect with each other, but not with the rest",
        "Build them as a field of their own, or capture one take that leads there and one that leads back.",
    ),
    "dead-end": Meaning(
        "reachability",
        PROBLEM,
        "the end of a take has no way back",
        "Capture the way back to the usual motion, or cut the end off.",
    ),
    "unreached-start": Meaning(
        "reachability",
        PROBLEM,
        "nothing leads into the beginning of a take",
        "Capture the way from the usual motion into it, or cut the beginning off.",
    ),
    "unreachable-kind": Meaning(
        "reachability",
        PROBLEM,
        "this motion exists, but only where characters cannot go",
        "Capture a take that leads from walking into this motion and back.",
    ),
    "speed-out-of-reach": Meaning(
        "reachability",
        PROBLEM,
        "the fastest motion lies where characters cannot go",
        "Capture takes that speed up from walking to this speed, and slow down again.",
    ),
    "slow-to-reach": Meaning(
        "reachability",
        GAP,
        "from some states this motion takes long to reach",
        "Capture more takes that lead into it, from both feet.",
    ),
    "no-choice": Meaning(
        "reachability",
        GAP,
        "a stretch without any transition out of it",
        "Characters that enter it cannot react until it ends. Capture variations of it.",
    ),
    "single-entry": Meaning(
        "reachability",
        GAP,
        "other takes lead into this one at a single moment",
        "Capture more ways into this motion, or expect characters to wait for that moment.",
    ),
    "duplicate-take": Meaning(
        "redundancy", PROBLEM, "two takes are nearly the same motion", "Leave one of them out: it adds nothing."
    ),
    "looped-take": Meaning(
        "redundancy",
        GAP,
        "a take repeats one cycle exactly",
        "Keep one or two cycles: the others add nothing, and exact repeats look mechanical.",
    ),
    "repeated-share": Meaning(
        "redundancy",
        NOTE,
        "share of the set that another take shows too",
        "Building with the option --prune removes repeats.",
    ),
    "skate": Meaning(
        "faults", PROBLEM, "the supporting foot slides", "Check the scale and the solve; or lock the feet in your tool."
    ),
    "jitter": Meaning(
        "faults", PROBLEM, "the joints shake", "Filter the take, or build with a lower cutoff frequency."
    ),
    "pop": Meaning(
        "faults",
        PROBLEM,
        "a joint jumps from one frame to the next",
        "Look at the take at this frame, and cut or repair it. A build with --no-mirror shows the bones of the file.",
    ),
    "frozen": Meaning(
        "faults", PROBLEM, "the pose does not change at all for a while", "Cut the frozen stretch out of the take."
    ),
    "floor-drift": Meaning(
        "faults", PROBLEM, "the floor rises or sinks during the take", "Level the take in your tool, or leave it out."
    ),
    "floor-offset": Meaning(
        "faults",
        PROBLEM,
        "the take stands higher or lower than the others",
        "Move the take to the floor of the others.",
    ),
    "through-floor": Meaning("faults", PROBLEM, "a foot goes below the floor", _CHECK_FILE),
    "frame-rate": Meaning(
        "faults",
        PROBLEM,
        "falls or steps do not fit the frame rate",
        "Check the frame rate of the recording, and pass the true one with --file-rate.",
    ),
    "missing-contacts": Meaning(
        "faults",
        PROBLEM,
        "a foot that stands still on the floor is not labelled as in contact",
        "Check the contact labels, or build without them to detect contacts.",
    ),
    "left-right-swap": Meaning(
        "faults",
        PROBLEM,
        "left and right limbs change places from one moment to the next",
        "Correct the marker labels from this frame on, and solve again.",
    ),
    "same-side-swing": Meaning(
        "faults",
        PROBLEM,
        "arm and leg of the same side swing together in a walk",
        "Check whether left and right are exchanged in the legs or in the arms.",
    ),
    "uneven-bones": Meaning(
        "faults",
        PROBLEM,
        "left and right bones differ by more than 3 cm",
        "Check whether the takes belong to this skeleton; otherwise retarget them.",
    ),
    "file-warning": Meaning("faults", PROBLEM, "reading a file gave a warning", "Check the file."),
}


class Statement(NamedTuple):
    """One finding of a survey, in words, with the place to look at."""

    kind: str  # a key of `MEANINGS`
    text: str
    take: str = ""  # name of the take; empty if the statement is about the whole set
    frame: int = -1  # frame in the take at the field's frame rate, from 0; -1 if there is none to look at
    value: float = float("nan")  # the measured figure, in the unit that `text` names
    other_take: str = ""  # the other clip of the nearest pair of frames, for gaps between takes; maybe a mirror image
    other_frame: int = -1

    @property
    def part(self) -> str:
        """Part of the report: coverage, reachability, redundancy or faults."""
        return MEANINGS[self.kind].part

    @property
    def level(self) -> str:
        """Weight of the statement: problem, gap or note."""
        return MEANINGS[self.kind].level

    @property
    def advice(self) -> str:
        """Advice on repairing the data or capturing more."""
        return MEANINGS[self.kind].advice


def runs(flags: BoolArray, starts: IntArray) -> IntArray:
    """Return first and last state [n, 2] of each run of `flags` [state]; runs end where a clip of `starts` ends."""
    return np.array(true_runs(flags, starts), np.int64).reshape(-1, 2) - (0, 1)
