"""Print the import structure of the package: modules, packages, levels, arrows and cycles.

python scripts/structure.py [SOURCE]

SOURCE is a folder such as src/motionfields; that of an earlier checkout gives the figures to compare with. An arrow is
an import of one top-level module or package by another, counted once; imports inside functions and for type checking
count too. A level is the longest chain of arrows below a package, plus one.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src" / "motionfields"


class Module(NamedTuple):
    """One module and its imports."""

    name: str  # full dotted name
    package: str  # the top-level package or module it belongs to; "" for the package's own `__init__` and `__main__`
    imports: set[str]  # full names of modules of this package
    outside: set[str]  # top-level names of other packages imported at module level


def read_modules(source: Path) -> list[Module]:
    """Return every module in the package folder `source`, sorted by name."""
    trees = {_module_name(path, source): ast.parse(path.read_text()) for path in sorted(source.rglob("*.py"))}
    modules = []
    for name, tree in trees.items():
        parts = name.split(".")
        package = "" if len(parts) < 2 or parts[1] == "__main__" else parts[1]
        own = {_known(found, trees) for found in _imported(ast.walk(tree)) if found.startswith(f"{source.name}.")}
        outside = {found.split(".")[0] for found in _imported(iter(tree.body))}
        modules.append(Module(name, package, own - {name, source.name}, outside))
    return modules


def _module_name(path: Path, source: Path) -> str:
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """Yield the full name of everything imported by the import statements among `nodes`."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the whole path, not a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _known(name: str, modules: Mapping[str, ast.Module]) -> str:
    """Return the module that `name` belongs to; `name` is a module or something defined in one."""
    while name not in modules:
        name = name.rpartition(".")[0]
    return name


def arrows(modules: list[Module]) -> dict[str, set[str]]:
    """Return the top-level packages that each top-level package imports."""
    found: dict[str, set[str]] = {module.package: set() for module in modules if module.package}
    for module in modules:
        if module.package:
            found[module.package] |= {name.split(".")[1] for name in module.imports} - {module.package}
    return found


def levels(graph: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the level of each node: one more than the highest level among its imports."""
    found: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        found[name] = 1 + max((found[below] for below in graph[name]), default=0)
    return found


def cycles(modules: list[Module]) -> list[list[str]]:
    """Return import cycles among modules; a module's import of a package that contains it does not count.

    Each cycle found is broken before the search continues, so overlapping cycles may be reported once.
    """
    graph = {
        module.name: {name for name in module.imports if not module.name.startswith(f"{name}.")} for module in modules
    }
    found: list[list[str]] = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            cycle = error.args[1]
            found.append(cycle)
            graph[cycle[1]].discard(cycle[0])
        else:
            return found


def main() -> None:
    """Print the import structure of the package."""
    modules = read_modules(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SOURCE)
    graph = arrows(modules)
    level = levels(graph)
    for name in sorted(graph, key=lambda name: (-level[name], name)):
        count = sum(module.package == name for module in modules)
        print(f"{level[name]:>2}  {name:<14} {count:>3} modules  imports {', '.join(sorted(graph[name])) or 'nothing'}")
    tangles = cycles(modules)
    print(
        f"{len(modules)} modules in {len(graph)} packages on {max(level.values())} levels, "
        f"{sum(map(len, graph.values()))} arrows, {len(tangles)} cycles"
    )
    for tangle in tangles:
        print("  cycle:", " -> ".join(tangle))


if __name__ == "__main__":
    main()
