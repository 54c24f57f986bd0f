"""Plant small faults in a copy of the package, one at a time, and report which of them the tests catch.

python scripts/mutate.py --count 100 --seed 1

A fault changes one place of one module: an operator, a comparison, a number, a condition, a range, or a statement that
is left out. The tests of that module run first, then those of the packages that use it, until one fails. A fault that
no test notices survived: either the change is equivalent, or a test is missing.

Faults are compiled in memory from a copy of the sources, so neither the working tree nor anything on disk changes.
Numba reads compiled loops from its cache, except those that contain the fault or call a loop that does: they are
recompiled for every fault and never saved. Compile the loops once before (`python scripts/compile_loops.py`, or
run the tests), or the first faults take minutes.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[1]
PACKAGE = "motionfields"
PLACES = ("base/geometry", "field/database", "field", "control", "runtime", "motion/planting")  # paths in the package
KERNELS = {"kernel", "lean_kernel", "parallel_kernel"}  # decorators of compiled functions
LONGEST = 300  # seconds of processor time for one test, compiling included; a fault that makes it hang is caught
NOT_FAULTED = ("control/cluster.py",)  # needs a cluster
NOT_RUN = ("test_cluster.py",)
LAST = ("test_gates.py", "test_streaming.py", "test_environment.py", "test_pushable.py", "test_simulation.py")  # slow
RECORD_TEST = "test_figures_are_those_on_record"
RECORDS = {  # the figures on record that notice most faults of each place; they are compared early
    "base/geometry": ("database", "passive"),
    "field/database": ("database", "settings"),
    "field": ("database", "passive"),
    "control": ("settings", "database", "training", "methods"),
    "runtime": ("passive", "training"),
    "motion/planting": ("settings", "foot_locking"),
}
ABOVE = {  # tests of the packages that use each place, for faults that its own tests miss
    "base/geometry": ("field/database/test_states.py", "motion/test_skeleton.py", "motion/planting/test_limb.py"),
    "field/database": ("field/test_field.py", "field/test_pruning.py"),
    "field": ("field/test_field.py", "field/test_passive.py"),
    "control": ("control/test_controller.py", "runtime/test_crowd.py"),
    "runtime": ("runtime/test_crowd.py", "control/test_own_tasks.py", "control/test_controller.py"),
    "motion/planting": ("motion/planting/test_planter.py", "field/test_passive.py"),
}

# Not mutated: numbers that affect only speed or memory, and arguments that only check or allocate.
SPEED_NAMES = re.compile(r"CHUNK|AT_ONCE|BLOCK|FEWEST|LEAF|BATCH|byte_count|on_sweep|_seconds_left|history|began")
SPEED_ARGUMENTS = {"strict", "stacklevel", "copy", "minlength", "assume_unique", "maxsize", "order", "repr"}
SMALLEST_NUMBER = 1e-5  # below this, numbers guard divisions
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
BOUNDS = {"abs", "fabs", "clip", "minimum", "maximum", "min", "max"}
RANGES = {"range", "prange", "arange"}


class Fault(NamedTuple):
    """One change of one module."""

    path: str  # of the module, below the package
    line: int
    kind: str
    before: str  # the source text that changes
    after: str
    span: tuple[int, int]  # first byte of the change, and the byte after it
    owner: str  # dotted name of the function, class or module-level name that holds the fault


class Verdict(NamedTuple):
    """Result of the tests on one fault."""

    fault: Fault
    outcome: str  # "caught", "crash" (of the process), "timeout" or "survived"
    test: str  # the test that failed; "" if none did, or if the tests could not be imported
    seconds: float  # of processor time; NaN if the process did not end on its own


def main() -> None:
    """Choose faults, run the tests on each, and print the report."""
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        copy = copy_sources(Path(folder))
        faults = choose_faults(copy, options.places, options.count, random.Random(options.seed))
        numbered = [(n, fault) for n, fault in enumerate(faults, 1) if not options.only or n in options.only]
        if options.list:
            print("\n".join(f"{number:4} {describe(fault)}" for number, fault in numbered))
            return
        began = time.perf_counter()
        workshop = Workshop(copy, Path(folder))
        workshop.check_healthy()
        verdicts = judge_all(workshop, numbered, options.jobs)
        broken = workshop.failing_anyway({verdict.test for verdict in verdicts} - {""})
    report(verdicts, broken, time.perf_counter() - began)
    caught = sum(verdict.outcome != "survived" for verdict in verdicts)
    raise SystemExit(1 if broken or caught < options.least * len(verdicts) else 0)


def judge_all(workshop: Workshop, numbered: Sequence[tuple[int, Fault]], jobs: int) -> list[Verdict]:
    """Return the verdicts on all faults in the order of completion, and print each one."""
    verdicts = []
    with ThreadPoolExecutor(jobs) as pool:
        numbers = {pool.submit(workshop.judge, fault): number for number, fault in numbered}
        for done in as_completed(numbers):
            verdicts.append(verdict := done.result())
            outcome = f"{numbers[done]:4} {verdict.outcome:8} {verdict.seconds:5.0f} s"
            print(f"{outcome}  {describe(verdict.fault)}\n{'':22}{verdict.test or '-'}", flush=True)
    return verdicts


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plant faults in a copy of the package and run the tests on each.")
    parser.add_argument("--count", type=int, default=100, help="Number of faults (default 100).")
    parser.add_argument("--seed", type=int, default=1, help="Seed of the choice of faults (default 1).")
    parser.add_argument("--jobs", type=int, default=2, help="Faults tested at the same time (default 2).")
    parser.add_argument("--least", type=float, default=0.95, help="Fail below this share of caught faults.")
    parser.add_argument("--list", action="store_true", help="Print the chosen faults and run no test.")
    parser.add_argument("--only", type=int, nargs="+", help="Test these faults alone, by their numbers in the list.")
    parser.add_argument(
        "--places", nargs="+", default=PLACES, help="Folders or modules of the package (default: all that compute)."
    )
    return parser.parse_args()


def describe(fault: Fault) -> str:
    before, after = (" ".join(text.split()) for text in (fault.before, fault.after))
    return f"{fault.path}:{fault.line} {fault.owner}: {fault.kind}: {before[:60]} -> {after[:60]}"


def report(verdicts: Sequence[Verdict], broken: set[str], seconds: float) -> None:
    survived = [verdict for verdict in verdicts if verdict.outcome == "survived"]
    counts = Counter(verdict.outcome for verdict in verdicts)
    print(f"\n{len(verdicts) - len(survived)} of {len(verdicts)} faults caught in {seconds:.0f} s")
    print(", ".join(f"{outcome}: {count}" for outcome, count in sorted(counts.items())))
    for place in PLACES:
        mine = [verdict for verdict in verdicts if place_of(verdict.fault.path) == place]
        if mine:
            caught = sum(verdict.outcome != "survived" for verdict in mine)
            known = [verdict.seconds for verdict in mine if verdict.seconds == verdict.seconds]
            mean = sum(known) / max(1, len(known))
            print(f"  {place:16} {caught:3} of {len(mine):3}, {mean:5.1f} s of processor time each")
    for verdict in survived:
        print(f"survived: {describe(verdict.fault)}")
    for test in sorted(broken):
        print(f"fails without a fault too: {test}")


def copy_sources(folder: Path) -> Path:
    """Copy the package, the tests and the scripts they import into `folder`; return the root of the copy."""
    copy = folder / "copy"
    copy.mkdir()
    for name in ("src", "tests", "scripts", "benchmarks", "docs/figures"):
        shutil.copytree(REPO / name, copy / name, ignore=shutil.ignore_patterns("page", "node_modules"))
    shutil.copy2(REPO / "pyproject.toml", copy)
    return copy


# Choosing faults


def place_of(path: str) -> str:
    """Return the entry of `PLACES` that contains the module `path`; the longest if several do."""
    fitting = [place for place in PLACES if path.startswith(f"{place}/")]
    return max(fitting, key=len, default="")


def choose_faults(copy: Path, places: Sequence[str], count: int, rng: random.Random) -> list[Fault]:
    """Return `count` faults in the modules of `places`, spread evenly over the packages, in an order drawn by `rng`."""
    package = copy / "src" / PACKAGE
    found: dict[str, list[Fault]] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if place_of(name) and name not in NOT_FAULTED and any(name.startswith(place) for place in places):
            found.setdefault(place_of(name), []).extend(faults_of(name, path.read_text()))
    for faults in found.values():
        rng.shuffle(faults)
    chosen: list[Fault] = []
    while len(chosen) < count and any(found.values()):
        for place in rng.sample(sorted(found), len(found)):
            if found[place]:
                fault = found[place].pop()
                if faulty_source(fault, (package / fault.path).read_text()) is not None:
                    chosen.append(fault)
    return chosen[:count]


def faults_of(path: str, source: str) -> list[Fault]:
    """Return every fault that can be planted in the module `path` with the text `source`."""
    text = Text(source)
    faults = []
    for owner, node in _places(ast.parse(source)):
        for kind, start, end, after in _changes(node, text):
            line = text.data[:start].count(b"\n") + 1
            faults.append(Fault(path, line, kind, text.between(start, end), after, (start, end), owner))
    return faults


def faulty_source(fault: Fault, source: str) -> str | None:
    """Return `source` with `fault` in it, or None if the result is not valid Python."""
    mutated = Text(source).replaced(*fault.span, fault.after)
    try:
        ast.parse(mutated)
    except SyntaxError:
        return None
    return mutated


class Text:
    """The source of a module, addressed by byte offsets as `ast` counts them."""

    def __init__(self, source: str) -> None:
        self.data = source.encode()
        self.lines = [0]
        for line in self.data.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def start(self, node: Any) -> int:
        """Return the offset of the first byte of `node`."""
        return int(self.lines[node.lineno - 1] + node.col_offset)

    def end(self, node: Any) -> int:
        """Return the offset after the last byte of `node`."""
        return int(self.lines[node.end_lineno - 1] + node.end_col_offset)

    def of(self, node: ast.AST) -> str:
        """Return the text of `node`."""
        return self.between(self.start(node), self.end(node))

    def between(self, start: int, end: int) -> str:
        """Return the text from byte `start` up to byte `end`."""
        return self.data[start:end].decode()

    def replaced(self, start: int, end: int, after: str) -> str:
        """Return the whole source with the bytes from `start` up to `end` replaced by `after`."""
        return (self.data[:start] + after.encode() + self.data[end:]).decode()


def _places(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node that may change, with its owner; skip strings, types, input checks and speed settings."""

    def walk(node: ast.AST, owner: str) -> Iterator[tuple[str, ast.AST]]:
        if _untouched(node):
            return
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            owner = f"{owner}.{node.name}".lstrip(".")
        elif not owner and isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            owner = ",".join(name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        if SPEED_NAMES.search(owner):
            return
        yield owner, node
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "bases", "type_params"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from walk(child, owner)

    yield from walk(tree, "")


def _untouched(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.keyword(arg=name) if name in SPEED_ARGUMENTS:
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) if name == "__all__" or SPEED_NAMES.search(name):
            return True
        case ast.ClassDef(bases=[ast.Name(id="Protocol"), *_]):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.FunctionDef(name=name) if name in {"__repr__", "__str__"}:
            return True
    return False


def _changes(node: ast.AST, text: Text) -> Iterator[tuple[str, int, int, str]]:
    """Yield the changes of `node` itself: kind, first and last byte, and the new text."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC and not _is_text(left, right):
            yield from _operator(text, text.end(left), text.start(right), ARITHMETIC[type(op)])
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in ARITHMETIC:
            yield from _operator(text, text.end(target), text.start(value), ARITHMETIC[type(op)])
            yield "dropped", text.start(node), text.end(node), _padded("pass", text.of(node))
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            operands = [left, *comparators]
            for number, comparison in enumerate(ops):
                if type(comparison) in COMPARISONS:
                    gap = text.end(operands[number]), text.start(operands[number + 1])
                    yield from _operator(text, *gap, COMPARISONS[type(comparison)])
        case ast.Constant(value=bool() as value):
            yield "constant", text.start(node), text.end(node), str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", text.start(node), text.end(node), str(value + 1)
        case ast.Constant(value=float() as value) if value == 0.0 or abs(value) > SMALLEST_NUMBER:
            yield "constant", text.start(node), text.end(node), str(2.0 * value if value else 1.0)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "condition", text.start(test), text.end(test), f"(not ({text.of(test)}))"
        case ast.Call(func=func, args=[first, *rest]) if _called(func) in BOUNDS:
            if rest or _called(func) in {"abs", "fabs"}:
                yield "bound", text.start(node), text.end(node), _padded(f"({text.of(first)})", text.of(node))
        case ast.Call(func=func, args=[only]) if _called(func) in RANGES:
            yield "range", text.start(only), text.end(only), f"{text.of(only)} - 1"
        case ast.Call(func=func, args=[first, _, *_]) if _called(func) in RANGES:
            yield "range", text.start(first), text.end(first), f"{text.of(first)} + 1"
        case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Subscript()]):
            yield "dropped", text.start(node), text.end(node), _padded("pass", text.of(node))


def _operator(text: Text, start: int, end: int, change: tuple[str, str]) -> Iterator[tuple[str, int, int, str]]:
    before, after = change
    place = text.between(start, end).find(before)
    if place >= 0:
        yield "operator", start + place, start + place + len(before), after


def _padded(after: str, before: str) -> str:
    """Return `after` padded to as many lines as `before`, so that later functions keep their line numbers."""
    missing = before.count("\n") - after.count("\n")
    return f"({after[1:-1]}{chr(10) * missing})" if after.startswith("(") else after + "\n" * missing


def _is_text(*nodes: ast.AST) -> bool:
    return any(
        isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in nodes
    )


def _called(func: ast.AST) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


# Judging faults


class Workshop:
    """Test runner for faults in a copy of the repository."""

    def __init__(self, copy: Path, folder: Path) -> None:
        self.copy = copy
        self.folder = folder
        self.mentions = read_mentions(copy / "src" / PACKAGE)
        os.environ.setdefault("MOTIONFIELDS_DATA", str(REPO.parent / "shared" / "data"))
        os.environ["PYTHONPATH"] = str(copy / "src")
        # A fork server that has imported the modules all tests need starts a process for every fault.
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["numba", "scipy.spatial", "scipy.ndimage", "scipy.signal", "pytest"])

    def judge(self, fault: Fault) -> Verdict:
        """Run the tests of `fault`."""
        result = self.folder / f"{id(fault)}.txt"
        plan = {
            "module": f"{PACKAGE}/{fault.path}".removesuffix(".py").removesuffix("/__init__").replace("/", "."),
            "path": str(self.copy / "src" / PACKAGE / fault.path),
            "source": faulty_source(fault, (self.copy / "src" / PACKAGE / fault.path).read_text()),
            "fresh": sorted(tainted(self.mentions, fault)),
            "tests": tests_of(fault.path, self.copy),
            "result": str(result),
            "root": str(self.copy),
        }
        code = self._run(plan)
        test = result.read_text() if result.exists() else ""
        ends = {0: "survived", -signal.SIGXCPU: "timeout"}
        used = Path(f"{result}.seconds")
        seconds = float(used.read_text()) if used.exists() else float("nan")
        return Verdict(fault, ends.get(code, "crash" if code < 0 else "caught"), test, seconds)

    def check_healthy(self) -> None:
        """Exit if the tests cannot be collected without a fault, since every fault would then seem to be caught."""
        plan = {"module": "", "fresh": [], "root": str(self.copy), "result": str(self.folder / "collected.txt")}
        if self._run(plan | {"tests": ["--collect-only", *[f"tests/{place}" for place in PLACES]]}) != 0:
            raise SystemExit("The tests cannot be collected without a fault; run pytest --collect-only to see why.")

    def failing_anyway(self, tests: set[str]) -> set[str]:
        """Return the ids of those of `tests` that fail without a fault."""
        plan = {"module": "", "fresh": [], "root": str(self.copy), "result": str(self.folder / "healthy.txt")}
        if not tests or self._run(plan | {"tests": sorted(tests)}) == 0:
            return set()
        return {test for test in tests if self._run(plan | {"tests": [test]}) != 0}

    def _run(self, plan: dict[str, Any]) -> int:
        """Run `plan` in a new process; return the exit code of pytest, or minus the signal that ended the process."""
        child = self.context.Process(target=run_tests_with, args=(plan,))
        child.start()
        child.join()
        return int(child.exitcode or 0)


PYTEST = (
    *("-x", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"),
    *("-m", "not slow and not journey"),
)


class Mentions(NamedTuple):
    """Names defined by compiled functions and module-level assignments, and the names that each of them mentions."""

    kernels: dict[str, set[str]]
    assigned: dict[str, set[str]]


def read_mentions(package: Path) -> Mentions:
    """Read the mentions of all modules of `package`; equal names in two modules count as one."""
    found = Mentions({}, {})
    for path in package.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and {_called(mark) for mark in node.decorator_list} & KERNELS:
                found.kernels.setdefault(node.name, set()).update(_names(node))
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for name in _names(target):
                        found.assigned.setdefault(name, set()).update(_names(node.value))
    return found


def _names(tree: ast.AST) -> set[str]:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def tainted(mentions: Mentions, fault: Fault) -> set[str]:
    """Return the compiled functions whose machine code `fault` may change: those that contain it or depend on it."""
    names = set(fault.owner.replace(",", ".").split("."))
    if not names & (mentions.kernels.keys() | mentions.assigned.keys()):
        return set()
    grown = True
    while grown:
        more = {
            name for table in mentions for name, mentioned in table.items() if name not in names and mentioned & names
        }
        grown = bool(more)
        names |= more
    return names & mentions.kernels.keys()


def tests_of(path: str, copy: Path) -> list[str]:
    """Return the tests for `path`: its own, those that import it, figures on record, those beside it and above it."""
    module, tests = Path(path), copy / "tests"
    name = ".".join((PACKAGE, *module.with_suffix("").parts)).removesuffix(".__init__")
    folder = tests / module.parent
    candidates = sorted((tests / module.parts[0]).rglob("test_*.py"))
    importing = [test for test in candidates if re.search(rf"\b{re.escape(name)}\b", test.read_text())]
    runs = [tests / f"record/test_record.py::{RECORD_TEST}[{run}]" for run in RECORDS[place_of(path)]]
    beside = sorted(folder.glob("test_*.py"))
    above = [tests / test for test in ABOVE[place_of(path)]]
    order = [folder / f"test_{module.stem}.py", *importing, *runs, *beside, *above]
    order.sort(key=lambda test: test.name in LAST)
    runnable = [test for test in order if test in runs or (test.exists() and test.name not in NOT_RUN)]
    return [str(test.relative_to(copy)) for test in dict.fromkeys(runnable)]


class _Loader(importlib.machinery.SourceFileLoader):
    """Loader of one module from a string instead of its file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, plan: dict[str, Any]) -> None:
        self.plan = plan

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        if fullname != self.plan["module"]:
            return None
        loader = _Loader(fullname, self.plan["path"], self.plan["source"])
        return importlib.util.spec_from_file_location(fullname, self.plan["path"], loader=loader)


class _Watch:
    """Pytest plugin that writes the id of the first failing test to a file, and limits the time of each test."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)

    def pytest_runtest_logstart(self) -> None:
        _limit_time()

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.path.exists():
            self.path.write_text(report.nodeid)


def _limit_time() -> None:
    """Limit this process to `LONGEST` more seconds of processor time."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + LONGEST, most))


def _bypass_cache(names: set[str]) -> None:
    """Bypass the disk cache for the kernels called `names`, whose cached code does not contain the fault."""
    from motionfields.base.kernel_cache import KernelCache

    for action in ("load_overload", "save_overload"):
        usual = getattr(KernelCache, action)

        def bypassed(self: Any, *arguments: Any, usual: Any = usual) -> Any:
            return None if self._function.__name__ in names else usual(self, *arguments)

        setattr(KernelCache, action, bypassed)


def run_tests_with(plan: dict[str, Any]) -> None:
    """Plant the fault of `plan` in this process, run its tests, and exit with the code of pytest."""
    import pytest

    _limit_time()
    os.chdir(plan["root"])
    sys.path[:0] = [plan["root"], f"{plan['root']}/src"]
    for stream in (1, 2):
        os.dup2(os.open(f"{plan['result']}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    sys.meta_path.insert(0, _Finder(plan))
    _bypass_cache(set(plan["fresh"]))
    code = pytest.main(["-q", *PYTEST, *plan["tests"]], plugins=[_Watch(plan["result"])])
    Path(f"{plan['result']}.seconds").write_text(str(time.process_time()))
    os._exit(int(code))  # does not wait for threads that the fault left running


if __name__ == "__main__":
    main()
