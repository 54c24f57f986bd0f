"""The file that saved databases, fields and controllers are: arrays, facts about them, and checksums of it all.

`write_artifact` and `read_artifact` know nothing of what they carry; each kind of artifact has its own loader on top.
A file has the layout of a safetensors file, so other tools can read it. It promises more:

- Bytes 0-7 are the length of the header, little-endian. The header is JSON, padded with spaces to a multiple of 64.
- Its `__metadata__` comes first and holds, as strings, `format` ("motionfields"), `layout` ("1", of all this),
  `sha256` (of the whole header and its length, without these 64 digits), `kind`, `version` (of what the kind holds),
  `facts` (JSON) and `block_sha256` (JSON: for each array the SHA-256 of every MiB, joined).
- The arrays follow without gaps, C-contiguous and little-endian, the widest elements first.

The header is checked when a file is opened, an array before its values are first seen; so opening takes no longer for
a large file, every bit of the file is covered, and `Artifact.digest` stands for the whole content.
"""

from motionfields.base.artifacts.layout import ArrayEntry, JsonValue
from motionfields.base.artifacts.reading import Artifact, CheckedArrays, artifact_kind, read_artifact
from motionfields.base.artifacts.writing import write_artifact

__all__ = ["ArrayEntry", "Artifact", "CheckedArrays", "JsonValue", "artifact_kind", "read_artifact", "write_artifact"]
