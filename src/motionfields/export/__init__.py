"""Controllers for programs without Python: packs for the C runtime, standalone pages, live poses."""

from motionfields.export.pack import pack_bytes, save_pack
from motionfields.export.page import page_text, save_page

__all__ = ["pack_bytes", "page_text", "save_pack", "save_page"]
