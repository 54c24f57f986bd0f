"""Description of the character for the pages: its skeleton and the parts of its body."""

from __future__ import annotations

from motionfields.field.database import MotionDatabase
from motionfields.motion.body import find_body
from motionfields.runtime.physics.segments import SegmentedBody
from motionfields.studio.messages import Part


def character_fields(database: MotionDatabase) -> dict[str, object]:
    """Return the fields of the first message to a page that describe the character of `database`."""
    skeleton = database.skeleton
    body = SegmentedBody(skeleton, rotations=database.rotations)
    return {
        "joint_names": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "offsets": [tuple(offset) for offset in skeleton.offsets.tolist()],
        "parts": [
            Part(s.joint, s.part, s.side or "", tuple(s.start.tolist()), tuple(s.end.tolist()), s.radius)
            for s in body.segments
        ],
        "feet": tuple(int(leg.ankle) for leg in find_body(skeleton).legs),
    }
