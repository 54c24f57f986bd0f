"""Labels of motion files, and the files that hold them: CSV, Audacity label tracks, ELAN exports, BABEL."""

from motionfields.motion.annotations.audacity import format_audacity, parse_audacity
from motionfields.motion.annotations.babel import format_babel, parse_babel
from motionfields.motion.annotations.elan import format_elan, parse_elan
from motionfields.motion.annotations.files import read_annotations, write_annotations, write_label_track
from motionfields.motion.annotations.spans import EVERYTHING, Annotations, Span, mirrored_label, take_name
from motionfields.motion.annotations.tables import format_csv, parse_csv

__all__ = [
    "EVERYTHING",
    "Annotations",
    "Span",
    "format_audacity",
    "format_babel",
    "format_csv",
    "format_elan",
    "mirrored_label",
    "parse_audacity",
    "parse_babel",
    "parse_csv",
    "parse_elan",
    "read_annotations",
    "take_name",
    "write_annotations",
    "write_label_track",
]
