"""Animations of a glTF file: keys in time, and what nodes do between them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import GltfError
from motionfields.base.geometry import quat_normalize, quat_slerp
from motionfields.motion.formats._gltf_accessors import Accessors
from motionfields.motion.formats._gltf_document import GltfDocument

MOST_ANIMATIONS: Final = 1000
"""Most animations a file may have."""

SPARSE_SPACING: Final = 0.1
SPARSE_RATE: Final = 30.0
"""Keys more than so many seconds apart are not frames but set by hand; such motion is read at so many a second."""

_WIDTHS: Final = {"translation": 3, "rotation": 4, "scale": 3}
_INTERPOLATIONS: Final = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class Track:
    """What one property of a node does: `values` [key, width] at `times` [key] seconds, quaternions as wxyz.

    For CUBICSPLINE, `tangents` [key, 2, width] are the slopes into and out of each key, per second.
    """

    times: FloatArray
    values: FloatArray
    interpolation: str
    tangents: FloatArray | None = None

    def at(self, moments: FloatArray) -> FloatArray:
        """The values [moment, width] at `moments` seconds; before the first key and after the last those of the key."""
        if len(self.times) == 1:
            return np.tile(self.values, (len(moments), 1))
        before = np.clip(np.searchsorted(self.times, moments, side="right") - 1, 0, len(self.times) - 2)
        span = self.times[before + 1] - self.times[before]
        share = np.clip((moments - self.times[before]) / span, 0.0, 1.0)
        first, second = self.values[before], self.values[before + 1]
        if self.interpolation == "STEP":
            # A moment a hair before a key is that key's: times are float32.
            return np.where((share > 1.0 - 1e-3)[:, np.newaxis], second, first)
        if self.interpolation == "CUBICSPLINE":
            return self._spline(before, share, span)
        if self.values.shape[1] == 4:
            return quat_slerp(first, second, share)
        return np.asarray(first + share[:, np.newaxis] * (second - first))

    def _spline(self, before: Any, share: FloatArray, span: FloatArray) -> FloatArray:
        """Cubic Hermite curves through the keys."""
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
    """One motion of nodes, (node, property) -> what it does."""

    label: str
    tracks: dict[tuple[int, str], Track]


class Sampling(NamedTuple):
    """The moments at which an animation is read."""

    start: float  # seconds
    rate: float  # per second
    frame_count: int
    evidence: str


def animation_labels(document: GltfDocument) -> list[str]:
    """What the animations are called, each differently: by their names, or else by their numbers."""
    items = document.items("animations", most=MOST_ANIMATIONS)
    names = [item.get("name") for item in items]
    plain = [re.sub(r"[^\w .()+-]", "_", name)[:100].strip() if isinstance(name, str) else "" for name in names]
    counts = Counter(plain)
    return [name if name and counts[name] == 1 else f"{name or 'animation'}.{n}" for n, name in enumerate(plain)]


def read_animation(document: GltfDocument, number: int, accessors: Accessors) -> Animation:
    """What the animation `number` does to places, turns and sizes of nodes; what it does to anything else is left."""
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
    """When to look at `tracks`: at the spacing that their keys have; raises `GltfError` for over `longest` frames."""
    distinct = {id(track.times): track.times for track in tracks}
    times = np.unique(np.concatenate(list(distinct.values())))
    # float32 tells moments of an hour apart by a quarter of a millisecond.
    times = times[np.concatenate([[True], np.diff(times) > 1e-6 + 2e-7 * abs(times[-1])])]
    start, length = float(times[0]), float(times[-1] - times[0])
    if len(times) < 2:
        return Sampling(start, SPARSE_RATE, 1, f"there is one key; taken as {SPARSE_RATE:g}/s")
    spacing = float(np.median(np.diff(times)))
    if spacing > SPARSE_SPACING:
        rate, evidence = SPARSE_RATE, f"keys are {spacing:.3g} s apart; read at {SPARSE_RATE:g}/s"
    else:
        even = np.allclose(np.diff(times), spacing, rtol=0.2, atol=0.0)
        rate = (len(times) - 1) / length if even else 1.0 / spacing
        # Whole, if the rounding of the last time to float32 explains the rest.
        rate = round(rate) if abs(round(rate) * length - rate * length) < 2.5e-7 * rate * times[-1] else rate
        evidence = f"keys at {len(times)} times, {1000.0 * spacing:.4g} ms apart" + ("" if even else " as a rule")
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
