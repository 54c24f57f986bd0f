"""The user's own character on the studio's page: its mesh in the format of the page, and its joints."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from motionfields.motion.body import Leg
from motionfields.motion.clip import Clip
from motionfields.motion.clip.resting import rest_corrections, rest_positions
from motionfields.motion.clip.retargeting import match_skeletons
from motionfields.motion.formats import Character, format_glb
from motionfields.motion.retargeting import retarget_with_report
from motionfields.motion.skeleton import Skeleton
from motionfields.studio import costume_messages as m


@dataclass(frozen=True, eq=False)
class Costume:
    """A character for pages to draw in place of the plain body."""

    character: Character
    message: m.Costume  # for the first message to a page
    mesh: bytes  # MessagePack of `m.CostumeMesh`, which pages fetch

    @classmethod
    def of(cls, character: Character, skeleton: Skeleton) -> Costume:
        """Return `character` driven by motion of `skeleton`; raise `SkeletonError` if the two do not match.

        The page turns each joint as the joint that it is matched with, corrected by the rest poses, draws the character
        in the size at which its legs are as long as those of `skeleton`, and bends its legs so that the feet match.
        """
        joints, scale, old, new = match_skeletons(skeleton, character.skeleton)
        turns = rest_corrections(skeleton, character.skeleton, joints, new)
        own = character.skeleton
        message = m.Costume(
            parents=own.parents.tolist(),
            offsets=[tuple(offset) for offset in (own.offsets / scale).tolist()],
            sources=joints.source_of.tolist(),
            turns=[(x, y, z, w) for w, x, y, z in turns.tolist()],
            size=1.0 / scale,
            source_hips=(int(old.left_leg.hip), int(old.right_leg.hip)),
            hips=(int(new.left_leg.hip), int(new.right_leg.hip)),
            legs=[_leg(own, skeleton, ours, theirs, scale) for ours, theirs in zip(new.legs, old.legs, strict=True)],
        )
        return cls(character, message, msgspec.msgpack.encode(_mesh(character)))

    def glb(self, clip: Clip) -> bytes:
        """Return `clip` on the character as a .glb file, retargeted with foot locking."""
        moved = retarget_with_report(clip, self.character.skeleton).clip
        return format_glb(moved, character=self.character)


def _leg(own: Skeleton, source: Skeleton, leg: Leg, other: Leg, scale: float) -> m.CostumeLeg:
    lengths = [
        float(np.linalg.norm(places[toe] - places[ankle]))
        for places, ankle, toe in (
            (rest_positions(own) / scale, leg.ankle, leg.toe),
            (rest_positions(source), other.ankle, other.toe),
        )
    ]
    stretch = lengths[0] / max(lengths[1], 1e-9)
    return m.CostumeLeg(leg.hip, leg.knee, leg.ankle, other.ankle, other.toe, stretch)


def _mesh(character: Character) -> m.CostumeMesh:
    surfaces = [
        m.CostumeSurface(
            positions=one.positions.astype("<f4").tobytes(),
            normals=one.normals.astype("<f4").tobytes(),
            texture_places=b"" if one.texture_places is None else one.texture_places.astype("<f4").tobytes(),
            joints=one.joints.astype("<u2").tobytes(),
            weights=one.weights.astype("<f4").tobytes(),
            triangles=one.triangles.astype("<u4").tobytes(),
            material=-1 if one.material is None else one.material,
        )
        for one in character.surfaces
    ]
    images = [m.CostumeImage(image.kind, image.data) for image in character.looks.images]
    return m.CostumeMesh(surfaces, [_material(character, one) for one in character.looks.materials], images)


def _material(character: Character, material: dict[str, object]) -> m.CostumeMaterial:
    """Return a material of glTF in the words of the page, with glTF's defaults."""
    surface = material.get("pbrMetallicRoughness", {})
    assert isinstance(surface, dict)

    def picture(holder: dict[str, object], name: str) -> int:
        told = holder.get(name)
        return int(character.looks.textures[told["index"]]["source"]) if isinstance(told, dict) else -1

    color = np.array(surface.get("baseColorFactor", (1.0, 1.0, 1.0, 1.0)), np.float64)
    glow = np.array(material.get("emissiveFactor", (0.0, 0.0, 0.0)), np.float64)
    mode = str(material.get("alphaMode", "OPAQUE"))
    return m.CostumeMaterial(
        color=tuple(color[:3].tolist()),
        opacity=float(color[3]) if mode == "BLEND" else 1.0,
        cutoff=float(str(material.get("alphaCutoff", 0.5))) if mode == "MASK" else 0.0,
        blended=mode == "BLEND",
        metalness=float(surface.get("metallicFactor", 1.0)),
        roughness=float(surface.get("roughnessFactor", 1.0)),
        emissive=tuple(glow.tolist()),
        color_image=picture(surface, "baseColorTexture"),
        surface_image=picture(surface, "metallicRoughnessTexture"),
        normal_image=picture(material, "normalTexture"),
        emissive_image=picture(material, "emissiveTexture"),
        two_sided=material.get("doubleSided") is True,
        unlit="extensions" in material,
    )
