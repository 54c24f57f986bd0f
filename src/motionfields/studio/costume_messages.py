"""Messages that describe a character of the user's own to pages; part of `messages`."""

from __future__ import annotations

from msgspec import Struct

Vector = tuple[float, float, float]


class CostumeLeg(Struct, frozen=True):
    """Leg of a costume that the page bends so that its foot is where that of the plain character is."""

    hip: int  # joints of the costume
    knee: int
    ankle: int
    source_ankle: int  # joints of the plain character
    source_toe: int
    stretch: float  # length of the foot as drawn divided by that of the plain character


class Costume(Struct, frozen=True):
    """Character of the user's own that the page draws in place of the plain body, and the joints that drive it."""

    parents: list[int]  # parent of each of its joints, -1 for the root
    offsets: list[Vector]  # offset of each from its parent, in the size that is drawn
    sources: list[int]  # joint of the plain character that each is turned by, -1 for none
    turns: list[tuple[float, float, float, float]]  # xyzw, correction of each by the rest poses
    size: float  # factor of the mesh in the size that is drawn
    source_hips: tuple[int, int]  # joints of the plain character at the tops of its legs
    hips: tuple[int, int]  # the same of this one
    legs: list[CostumeLeg]


class CostumeSurface(Struct, frozen=True):
    """Part of the mesh of a costume at rest, with its root at the origin."""

    positions: bytes  # float32 [vertex, 3]
    normals: bytes  # float32 [vertex, 3]
    texture_places: bytes  # float32 [vertex, 2], or empty
    joints: bytes  # uint16 [vertex, 4]
    weights: bytes  # float32 [vertex, 4]
    triangles: bytes  # uint32 [triangle, 3]
    material: int  # -1 for none


class CostumeMaterial(Struct, frozen=True):
    """Material of a costume; images are numbers of `CostumeMesh.images`, or -1."""

    color: Vector  # linear
    opacity: float
    cutoff: float  # opacity below which nothing is drawn
    blended: bool
    metalness: float
    roughness: float
    emissive: Vector  # linear
    color_image: int
    surface_image: int  # roughness and metalness
    normal_image: int
    emissive_image: int
    two_sided: bool
    unlit: bool


class CostumeImage(Struct, frozen=True):
    """Picture of a costume."""

    kind: str  # media type
    data: bytes


class CostumeMesh(Struct, frozen=True):
    """Mesh of a costume, which pages fetch as `costume.msgpack`."""

    surfaces: list[CostumeSurface]
    materials: list[CostumeMaterial]
    images: list[CostumeImage]
