"""Motion made offline from captured frames: composition from labels and constraints."""
