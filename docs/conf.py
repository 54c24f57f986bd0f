"""Sphinx configuration; run by scripts/build_docs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import motionfields

project = "motionfields"
author = "The motionfields authors"
project_copyright = author
release = version = motionfields.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "plain_docstrings", "name_links", "live_demo", "notebooks"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
default_role = "code"  # docstrings write names in single backticks
smartquotes = False  # "+x" and [..., 4] stay as they are typed

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("FloatArray", "IntArray", "BoolArray", "ArrayLike")}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
add_module_names = False

html_theme = "furo"
html_title = f"motionfields {release}"
html_copy_source = False
