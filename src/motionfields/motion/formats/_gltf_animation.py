"""Animations of a glTF file: keyframes, and the interpolation between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import GltfError
from motionfields.base.geometry import quat_normalize, quat_slerp
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_document import GltfDocument

MOST_ANIMATIONS: Final = 1000
"""Largest number of animations in a file."""

SPARSE_SPACING: Final = 0.1
SPARSE_RATE: Final = 30.0
"""Frames per second at which motion is sampled whose keys are more than SPARSE_SPACING seconds apart.

Such keys were set by hand and are not frames.
"""

_WIDTHS: Final = {"translation": 3, "rotation": 4, "scale": 3}
_INTERPOLATIONS: Final = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class Track:
    """Keyframes of one property of a node: `values` [key, width] at `times` [key] seconds, quaternions as wxyz.

    For CUBICSPLINE, `tangents` [key, 2, width] are the slopes into and out of each key, per second.
    """

    times: FloatArray
    values: FloatArray
    interpolation: str
    tangents: FloatArray | None = None

    def at(self, moments: FloatArray) -> FloatArray:
        """Return the values [moment, width] at `moments` seconds, constant before the first and after the last key."""
        if len(self.times) == 1:
            return np.tile(self.values, (len(moments), 1))
        before = np.clip(np.searchsorted(self.times, moments, side="right") - 1, 0, len(self.times) - 2)
        span = self.times[before + 1] - self.times[before]
        share = np.clip((moments - self.times[before]) / span, 0.0, 1.0)
        first, second = self.values[before], self.values[before + 1]
        if self.interpolation == "STEP":
            # A moment just before a key takes that key's value, because times are rounded to float32.
            return np.where((share > 1.0 - 1e-3)[:, np.newaxis], second, first)
        if self.interpolation == "CUBICSPLINE":
            return self._spline(before, share, span)
        if self.values.shape[1] == 4:
            return quat_slerp(first, second, share)
        return np.asarray(first + share[:, np.newaxis] * (second - first))

    def _spline(self, before: Any, share: FloatArray, span: FloatArray) -> FloatArray:
        """Return the values of cubic Hermite curves through the keys."""
        assert self.tangents is not None
        u, dt = share[:, np.newaxis], span[:, np.newaxis]
        out = dt * self.tangents[before, 1]
        into = dt * self.tangents[before + 1, 0]
        first, second = self.values[before], self.values[before + 1]
        values = (2 * u**3 - 3 * u**2 + 1) * first + (u**3 - 2 * u**2 + u) * out
        values += (-2 * u**3 + 3 * u**2) * second + (u**3 - u**2) * into
        if values.shape[1] != 4:
            return np.asarray(values)
        vanishing = np.linalg.norm(values, axis=-1, keepdims=True) < 1e-6
        return quat_normalize(np.where(vanishing, first, values))


class Animation(NamedTuple):
    """One animation: (node, property) -> track."""

    label: str
    tracks: dict[tuple[int, str], Track]


class Sampling(NamedTuple):
    """The times at which an animation is sampled."""

    start: float  # seconds
    rate: float  # per second
    frame_count: int
    evidence: str


def animation_labels(document: GltfDocument) -> list[str]:
    """Return a unique label for each animation: its name, or else its number."""
    return labels([item.get("name") for item in document.items("animations", most=MOST_ANIMATIONS)])


def labels(names: Sequence[object]) -> list[str]:
    """Return a unique label for each of `names`, without characters that file names cannot have."""
    plain = [re.sub(r"[^\w .()+-]", "_", name)[:100].strip() if isinstance(name, str) else "" for name in names]
    counts = Counter(plain)
    return [name if name and counts[name] == 1 else f"{name or 'animation'}.{n}" for n, name in enumerate(plain)]


def read_animation(document: GltfDocument, number: int, accessors: Accessors) -> Animation:
    """Return the tracks of translation, rotation and scale in animation `number`; other properties are ignored."""
    item = document.items("animations")[number]
    samplers = document.items("samplers", within=item)
    node_count = len(document.items("nodes"))
    tracks: dict[tuple[int, str], Track] = {}
    for channel in document.items("channels", within=item):
        target = channel.get("target")
        if not isinstance(target, dict):
            document.fail("channels: expected a target in each")
        path = target.get("path")
        if not isinstance(path, str) or path not in _WIDTHS or "node" not in target:
            continue
        node = document.whole(target, "node", most=node_count - 1)
        if (node, path) in tracks:
            document.fail(f"channels: expected one for each property of a node, got two for the {path} of node {node}")
        sampler = document.whole(channel, "sampler")
        if sampler >= len(samplers):
            document.fail(f"sampler: expected one of {len(samplers)} samplers, got {sampler}")
        tracks[node, path] = _track(document, samplers[sampler], _WIDTHS[path], accessors)
    return Animation(animation_labels(document)[number], tracks)


def choose_sampling(tracks: list[Track], *, longest: int) -> Sampling:
    """Return sample times at the spacing of the keys in `tracks`; raise `GltfError` for more than `longest` frames."""
    distinct = {id(track.times): track.times for track in tracks}
    times = np.unique(np.concatenate(list(distinct.values())))
    # At one hour, float32 resolves times to a quarter of a millisecond: closer keys count as one.
    times = times[np.concatenate([[True], np.diff(times) > 1e-6 + 2e-7 * abs(times[-1])])]
    start, length = float(times[0]), float(times[-1] - times[0])
    if len(times) < 2:
        return Sampling(start, SPARSE_RATE, 1, f"one key only; {SPARSE_RATE:g} frames/s assumed")
    spacing = float(np.median(np.diff(times)))
    if spacing > SPARSE_SPACING:
        rate, evidence = SPARSE_RATE, f"keys are {spacing:.3g} s apart; sampled at {SPARSE_RATE:g} frames/s"
    else:
        even = np.allclose(np.diff(times), spacing, rtol=0.2, atol=0.0)
        rate = (len(times) - 1) / length if even else 1.0 / spacing
        # A whole number, if the rounding of the last time to float32 explains the difference.
        rate = round(rate) if abs(round(rate) * length - rate * length) < 2.5e-7 * rate * times[-1] else rate
        evidence = f"keys at {len(times)} times, {1000.0 * spacing:.4g} ms apart" + ("" if even else " on most frames")
    frames = length * rate + 1e-2
    if not frames < longest:
        raise GltfError(
            f"expected motion in proportion to the file, at most {longest} frames, got keys {spacing:.3g} s apart "
            f"over {length:.4g} s"
        )
    return Sampling(start, rate, int(frames) + 1, evidence)


def _track(document: GltfDocument, sampler: dict[str, Any], width: int, accessors: Accessors) -> Track:
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in _INTERPOLATIONS:
        document.fail(f"interpolation: expected {', '.join(_INTERPOLATIONS)}, got {str(interpolation)[:40]!r}")
    times = accessors.column(sampler, "input")
    if np.any(np.diff(times) <= 0.0):
        document.fail("input: expected times that increase from key to key")
    rows = accessors.read(sampler, "output", width)
    key_rows = 3 if interpolation == "CUBICSPLINE" else 1
    if len(rows) != key_rows * len(times):
        document.fail(f"output: expected {key_rows * len(times)} rows for {len(times)} keys, got {len(rows)}")
    if width == 4:
        rows = rows[:, [3, 0, 1, 2]]
    tangents = None
    if interpolation == "CUBICSPLINE":
        by_key = rows.reshape(len(times), 3, width)
        rows, tangents = by_key[:, 1], by_key[:, [0, 2]]
    if width == 4:
        lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
        if not np.all(lengths > 1e-6):
            document.fail("output: expected unit quaternions, got one of no length")
        rows = rows / lengths
        tangents = None if tangents is None else tangents / lengths[:, np.newaxis]
    return Track(times, rows, interpolation, tangents)
