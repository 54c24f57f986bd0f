"""Controllers for programs without Python: packs for the C runtime."""

from motionfields.export.pack import pack_bytes, save_pack

__all__ = ["pack_bytes", "save_pack"]
