"""The file format of saved databases, fields and controllers: arrays, facts about them, and checksums of everything.

`write_artifact` and `read_artifact` do not interpret what they store; each kind of artifact has its own loader on top.
A file is a valid safetensors file, so other tools can read it, with these additional guarantees:

- Bytes 0-7 are the length of the header, little-endian. The header is JSON, padded with spaces to a multiple of 64.
- Its `__metadata__` comes first and holds, as strings, `format` ("motionfields"), `layout` ("1", the version of this
  layout), `sha256` (of the header and its length, without these 64 digits), `kind`, `version` (of the kind's content),
  `facts` (JSON) and `block_sha256` (JSON: for each array the SHA-256 of every MiB, joined).
- The arrays follow without gaps, C-contiguous and little-endian, the widest elements first.

The header is checked when a file is opened, and each array before its values are first used. Opening a large file
therefore takes no longer than opening a small one, every bit of the file is covered, and `Artifact.digest` identifies
the whole content.
"""

from motionfields.base.artifacts.layout import ArrayEntry, JsonValue
from motionfields.base.artifacts.reading import Artifact, CheckedArrays, artifact_kind, read_artifact
from motionfields.base.artifacts.writing import write_artifact

__all__ = ["ArrayEntry", "Artifact", "CheckedArrays", "JsonValue", "artifact_kind", "read_artifact", "write_artifact"]
