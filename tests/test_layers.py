"""The data flows one way: a module imports only from its own package and from layers below."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "motionfields"

# From the bottom up. A new package gets its place here before it gets its first import.
LAYERS = (
    "arrays",
    "compiled",
    "errors",
    "files",
    "json_files",
    "storage",
    "geometry",
    "skeleton",
    "body",
    "legs",
    "clip",
    "contacts",
    "quality",
    "formats",
    "datasets",
    "artifacts",
    "neighbors",
    "planting",
    "retargeting",
    "database",
    "connectivity",
    "pruning",
    "flow",
    "field",
    "physics",
    "tasks",
    "grids",
    "moves",
    "choices",
    "values",
    "compression",
    "policy",
    "runtime",
    "controller",
    "training",
    "cluster",
    "recording",
    "testing",
    "methods",
    "samples",
    "evaluation",
    "environment",
    "analysis",
    "viewer",
    "cli",
)
# What `import motionfields` must not bring in: it has to be quick, and these are heavy or optional.
HEAVY = ("numpy", "scipy", "numba", "matplotlib", "typer", "rich", "safetensors", "PIL", "mujoco", "ray", "faiss")
OPTIONAL = (
    *("matplotlib", "PIL", "mujoco", "ray", "faiss", "starlette", "uvicorn", "msgspec", "sklearn", "gymnasium"),
    *("fsspec", "s3fs"),
)
# What a package may bring in as a whole, because nothing of it works without: only commands import it, when they run.
ADAPTERS = {"viewer": {"starlette", "uvicorn", "msgspec"}, "environment": {"gymnasium"}}

MODULES = sorted(SOURCE.rglob("*.py"))


def package_of(path: Path) -> str:
    """The layer a file belongs to; "" for the package's own `__init__` and `__main__`."""
    first = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "" if first in ("__init__", "__main__") else first


def imported_packages(tree: ast.AST) -> set[str]:
    """The layers that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the whole path, not a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("motionfields.")}
    return found


def test_every_package_has_its_place_in_the_order() -> None:
    assert {package_of(path) for path in MODULES} - {""} == set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_down_only(path: Path) -> None:
    package = package_of(path)
    allowed = set(LAYERS[: LAYERS.index(package) + 1]) if package else set(LAYERS)
    breaches = (imported_packages(ast.parse(path.read_text())) & set(LAYERS)) - allowed
    assert not breaches, f"{package} must not import {', '.join(sorted(breaches))}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_optional_packages_are_never_imported_at_module_level(path: Path) -> None:
    for node in ast.parse(path.read_text()).body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
        breaches = {name.split(".")[0] for name in names} & set(OPTIONAL) - ADAPTERS.get(package_of(path), set())
        assert not breaches, f"line {node.lineno}"


def loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(' '.join(sorted(m.split('.')[0] for m in sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_brings_in_nothing_heavy() -> None:
    assert not loaded_after("import motionfields") & set(HEAVY)


def test_loading_a_clip_brings_in_nothing_optional() -> None:
    assert not loaded_after("import motionfields as mf; mf.load_clip; mf.analysis; mf.samples") & set(OPTIONAL)


def test_every_public_name_can_be_had_and_is_documented() -> None:
    import motionfields as mf

    for name in mf.__all__:
        value = getattr(mf, name)
        assert value.__doc__, f"{name} has no docstring"
    assert set(mf.__all__) <= set(dir(mf))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = mf.nonsense
