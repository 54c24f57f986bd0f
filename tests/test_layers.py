"""Data flows one way: a package imports only from itself and from the packages below it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scripts.structure import SOURCE, Module, read_modules

# Each package, from the bottom up, and what it may import besides itself.
LAYERS = {
    "base": "",
    "motion": "base",
    "field": "base motion",
    "control": "base motion field",
    "runtime": "base motion field control",
    "authoring": "base motion field control runtime",
    "measure": "base motion field control runtime authoring",
    "studio": "base motion field control runtime authoring measure",
    "export": "base motion field control runtime authoring measure studio",
    "cli": "base motion field control runtime authoring measure studio export",
}
# What `import motionfields` must not bring in: it has to be quick, and these are heavy or optional.
HEAVY = {"numpy", "scipy", "numba", "matplotlib", "typer", "rich", "PIL", "mujoco", "ray", "faiss"}
OPTIONAL = {
    *("matplotlib", "PIL", "mujoco", "ray", "faiss", "starlette", "uvicorn", "msgspec", "sklearn", "gymnasium"),
    *("fsspec", "s3fs", "ufbx", "pxr", "bpy"),
}
# What a part may import at module level, because nothing in it works without: only commands import it, when they run.
ADAPTERS = {
    "motionfields.studio": {"starlette", "uvicorn", "msgspec"},
    "motionfields.runtime.environment": {"gymnasium"},
}


def allowed(module: Module) -> set[str]:
    """The optional packages that `module` may import at module level."""
    return {name for part, names in ADAPTERS.items() if module.name.startswith(part) for name in names}


def test_imports_go_down_only() -> None:
    modules = read_modules(SOURCE)
    assert {module.package for module in modules} - {""} == set(LAYERS)
    breaches = [
        f"{module.name} imports {name}"
        for module in modules
        if module.package
        for name in module.imports
        if name.split(".")[1] in set(LAYERS) - {module.package, *LAYERS[module.package].split()}
    ]
    assert not breaches


def test_optional_packages_are_never_imported_at_module_level() -> None:
    breaches = [
        f"{module.name} imports {', '.join(found)}"
        for module in read_modules(SOURCE)
        if (found := module.outside & OPTIONAL - allowed(module))
    ]
    assert not breaches


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(' '.join(sorted(m.split('.')[0] for m in sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_brings_in_nothing_heavy() -> None:
    assert not loaded_after("import motionfields") & HEAVY


def test_loading_a_clip_brings_in_nothing_optional() -> None:
    assert not loaded_after("import motionfields as mf; mf.load_clip; mf.analysis; mf.samples") & OPTIONAL


def test_every_public_name_can_be_had_and_is_documented() -> None:
    import motionfields as mf

    for name in mf.__all__:
        value = getattr(mf, name)
        assert value.__doc__, f"{name} has no docstring"
    assert set(mf.__all__) <= set(dir(mf))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = mf.nonsense
