"""Check that all names in the documentation exist, and that its code prints what the pages show.

Checked are README.md, ARCHITECTURE.md, CONTRIBUTING.md and the pages in docs: names, paths, tests, commands and options
in backticks; values written as `NAME = value`; links; Python and console blocks with the output shown for them.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import doctest
import importlib
import inspect
import io
import pkgutil
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
import typer.main

import motionfields
from motionfields.base import arrays
from motionfields.cli import main
from motionfields.cli.app import app
from motionfields.control.contract import METHODS
from motionfields.control.tasks import TASKS
from motionfields.field.database.state_metric import METRICS
from motionfields.motion.formats import FORMATS

REPO = Path(__file__).resolve().parents[1]
PAGES = [
    *(REPO / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    *sorted(path for path in REPO.glob("docs/**/*.md") if REPO / "docs" / "_build" not in path.parents),
]

# Words in backticks that are meant as words: keep it short, a name of ours never belongs here.
PLAIN_WORDS = frozenset(
    {
        *("a", "b", "f", "h", "j", "p", "q", "t", "wxyz", "a_from_b", "_count", "NAME", "value"),  # letters, patterns
        *("world_from_joint", "world_from_parent", "world_from_root", "parent_from_joint"),  # frames
        *("HIERARCHY", "MOTION", "text", "console"),  # words of BVH files, kinds of blocks
        *("__init__", "MOTIONFIELDS_DATA", "PLAIN_WORDS", "locomotion", "perturbation", "annotated", "hostile"),
    }
)
OUTSIDE = ("../shared/data", "large.zip", "manifest.json", "expected.csv")  # files that are not in the repository
USER_FILES = re.compile(r"[\w*/]+\.(bvh|png|gif|json)")  # what a reader has or makes

MISTAKES = REPO / "docs" / "errors.md"  # commands typed wrong, and what they answer: tests/cli/test_wrong_inputs.py

FENCE = re.compile(r"^```(?P<kind>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
OUR_CHAIN = re.compile(r"\b(?:mf|motionfields)(?:\.[A-Za-z_]\w*)+")
REPO_PATH = re.compile(r"[\w.-]*/[\w./-]*(::\w+)?|[\w.]+\.(md|py|toml|cfg|zip|csv|json)")
OUR_PATH = re.compile(r"(?<![\w./-])(?:src|docs|tests|scripts|benchmarks|\.ci)/[\w./-]+")
EXTRAS = re.compile(r"motionfields\[([\w,]+)\]")


class Block(NamedTuple):
    """A fenced block, and what stands in the `text` block right after it."""

    line: int
    kind: str
    body: str
    output: str | None


def page_id(path: Path) -> str:
    return path.relative_to(REPO).as_posix()


def blocks_of(text: str) -> list[Block]:
    matches = list(FENCE.finditer(text))
    blocks = []
    for number, match in enumerate(matches):
        after = matches[number + 1] if number + 1 < len(matches) else None
        shown = after is not None and after["kind"] == "text" and not text[match.end() : after.start()].strip()
        output = after["body"] if after is not None and shown else None
        blocks.append(Block(text.count("\n", 0, match.start()) + 1, match["kind"].strip(), match["body"], output))
    return blocks


def inline_of(text: str) -> list[tuple[int, str]]:
    """The (line, text) of all code spans outside fenced blocks."""
    prose = FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
    return [(prose.count("\n", 0, match.start()) + 1, match[1].strip()) for match in INLINE.finditer(prose)]


# What there is to be named.


@cache
def all_modules() -> dict[str, ModuleType]:
    """The package and every module of its layers, by full name."""
    found = {"motionfields": motionfields}
    for one in pkgutil.walk_packages(motionfields.__path__, "motionfields."):
        if not one.name.endswith("__main__"):
            found[one.name] = importlib.import_module(one.name)
    return found


def members(value: Any) -> set[str]:
    """Return the names that may follow `value` after a dot: attributes, and the fields that a class only declares."""
    names = {name for name in dir(value) if not name.startswith("_")}
    if inspect.isclass(value):
        names |= set(inspect.get_annotations(value)) | set(getattr(value, "_fields", ()))
        names |= {field.name for field in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
    return names


def own_values() -> Iterator[tuple[str, Any]]:
    """Every public (name, value) that a module of the package defines or passes on."""
    for full, module in all_modules().items():
        yield full.rpartition(".")[2], module
        for name, value in vars(module).items():
            ours = module is arrays or str(getattr(value, "__module__", full)).startswith("motionfields")
            if not name.startswith("_") and ours and not inspect.ismodule(value):
                yield name, value


@cache
def namespace() -> dict[str, list[Any]]:
    """Name -> the values it may mean; a lower-case class name stands for an instance (`clip` for Clip)."""
    found: dict[str, list[Any]] = {"mf": [motionfields]}
    for name, value in own_values():
        found.setdefault(name, []).append(value)
        if inspect.isclass(value):
            found.setdefault(name.lower(), []).append(value)
    found["report"] = [all_modules()["motionfields.motion.clip"].LoadReport]
    return found


@cache
def plain_names() -> frozenset[str]:
    """Parameters, fields, methods, units, commands, extras: names that mean something without a dot before them."""
    found = set(commands()) | set(extras()) | set(motionfields.motion.formats.UNITS)
    for _, value in own_values():
        if inspect.isclass(value):
            found |= members(value)
            functions = [function for _, function in inspect.getmembers(value, inspect.isfunction)]
        else:
            functions = [value] if inspect.isfunction(value) else []
        for function in functions:
            found |= set(inspect.signature(function).parameters)
    return frozenset(found)


@cache
def commands() -> dict[str, frozenset[str]]:
    """Each command of the command line and its options; "" is the program itself, "bench response" one of a group."""
    program: Any = typer.main.get_command(app)

    def options(command: Any) -> frozenset[str]:
        own = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        return frozenset({option for option in own if option.startswith("-")} | {"-h", "--help"})

    def below(name: str, command: Any) -> dict[str, frozenset[str]]:
        found = {name: options(command)}
        for word, inner in getattr(command, "commands", {}).items():
            found |= below(f"{name} {word}".strip(), inner)
        return found

    return below("", program)


@cache
def extras() -> frozenset[str]:
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return frozenset(project["optional-dependencies"])


def resolves(chain: str) -> bool:
    """Whether a dotted name leads somewhere in the package."""
    first, *rest = chain.split(".")
    if not rest:
        return first in namespace() or first in plain_names() or hasattr(builtins, first)
    if chain in all_modules() or chain.replace("mf.", "motionfields.", 1) in all_modules():
        return True
    return any(_follows(value, rest) for value in namespace().get(first, []))


def _follows(value: Any, rest: list[str]) -> bool:
    for number, name in enumerate(rest):
        if name not in members(value):
            return False
        value = getattr(value, name, None)
        if value is None:  # a field: what its own name means goes on from there
            return number == len(rest) - 1 or resolves(".".join(rest[number:]))
    return True


# What is wrong with a piece of text; each function yields messages.


def faults_in_chain(chain: str) -> Iterator[str]:
    if chain not in PLAIN_WORDS and chain.split(".")[0] not in PLAIN_WORDS and not resolves(chain):
        yield f"`{chain}` is nothing in the package"


def faults_in_path(path: str) -> Iterator[str]:
    file, _, test = path.partition("::")
    if not (REPO / file).exists():
        yield f"there is no {file}"
    elif test and f"\ndef {test}(" not in (REPO / file).read_text(encoding="utf-8"):
        yield f"{file} has no test {test}"


def faults_in_command(line: str) -> Iterator[str]:
    """Of `motionfields COMMAND --option ...`."""
    words = shlex.split(line, comments=True)[1:]
    command = words[0] if words and not words[0].startswith("-") else ""
    if command.startswith("<"):  # motionfields <command> --help
        command = "info"
    if command not in commands():
        yield f"there is no command `motionfields {command}`"
        return
    if any(name.startswith(f"{command} ") for name in commands()) and len(words) > 1 and not words[1].startswith("-"):
        command = " ".join(words[:2])
        if command not in commands():
            yield f"there is no command `motionfields {command}`"
            return
    for word in words:
        if word.startswith("-") and word.partition("=")[0] not in commands()[command]:
            yield f"`motionfields {command}` has no option {word}"


def faults_in_python(source: str, *, all_names: bool) -> Iterator[str]:
    """Of the dotted names of ours in `source`; with `all_names`, of every name and keyword in it."""
    tree = ast.parse(source)
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Assign):
        yield from faults_in_value(tree.body[0])
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and id(node) not in inner:
            chain = ast.unparse(node)
            if re.fullmatch(r"[\w.]+", chain) and (all_names or OUR_CHAIN.fullmatch(chain)):
                yield from faults_in_chain(chain)
        if all_names and isinstance(node, ast.keyword) and node.arg:
            yield from faults_in_chain(node.arg)


def faults_in_value(statement: ast.Assign) -> Iterator[str]:
    """Of `NAME = value`: the value must be that in the code."""
    name = ast.unparse(statement.targets[0])
    with contextlib.suppress(ValueError):
        said = ast.literal_eval(statement.value)
        first, *rest = name.split(".")
        values = namespace().get(first, [])
        for part in rest:
            values = [getattr(value, part) for value in values if hasattr(value, part)]
        if not any(
            np.allclose(value, said, rtol=1e-12) for value in values if np.isscalar(value) or type(value) is tuple
        ):
            yield f"`{name}` is not {said}; the code has {values or 'no such name'}"


def faults_in_span(span: str) -> Iterator[str]:
    """Of one piece of inline code."""
    words = span.split()
    if words[0] == "motionfields" and len(words) > 1:
        yield from faults_in_command(span)
    elif span.startswith("--"):
        if not any(span in options for options in commands().values()):
            yield f"no command has the option {span}"
    elif span in OUTSIDE or USER_FILES.fullmatch(span):
        return
    elif words[0] == "python":
        yield from (fault for path in OUR_PATH.findall(span) for fault in faults_in_path(path))
    elif REPO_PATH.fullmatch(span):
        yield from faults_in_path(span)
    else:
        yield from _faults_in_expression(span)


def _faults_in_expression(span: str) -> Iterator[str]:
    try:
        yield from faults_in_python(span, all_names=True)
    except SyntaxError:  # words, a formula, a pattern: only names that are surely ours
        yield from (fault for chain in OUR_CHAIN.findall(span) for fault in faults_in_chain(chain))


def faults_in_block(block: Block) -> Iterator[str]:
    for chosen in EXTRAS.findall(block.body):
        yield from (f"there is no extra {extra}" for extra in chosen.split(",") if extra not in extras())
    if block.kind == "python":
        yield from faults_in_python(block.body, all_names=False)
    if block.kind in ("bash", "console"):
        for path in OUR_PATH.findall(block.body):
            yield from faults_in_path(path)
    for line in block.body.splitlines():
        if line.startswith("$ motionfields ") or (block.kind == "bash" and line.startswith("motionfields ")):
            yield from faults_in_command(line.removeprefix("$ "))


def faults_in_links(page: Path, text: str) -> Iterator[str]:
    for target in LINK.findall(FENCE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        if not path.exists():
            yield f"the link to {target} leads nowhere"
        elif anchor and anchor not in heading_anchors(path):
            yield f"{file or page.name} has no heading #{anchor}"


def heading_anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_everything_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    spans = [one for one in inline_of(text) if page != MISTAKES or not one[1].startswith("motionfields ")]
    faults = [f"line {line}: {fault}" for line, span in spans for fault in faults_in_span(span)]
    faults += [f"block at line {b.line}: {fault}" for b in blocks_of(text) for fault in faults_in_block(b)]
    faults += faults_in_links(page, text)
    assert not faults, f"{page_id(page)}\n" + "\n".join(faults)


# What is shown happens.


def assert_prints(wanted: str, got: str, where: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    same = doctest.OutputChecker().check_output(wanted, got, flags)
    assert same, f"{where} shows\n{wanted}\nbut it prints\n{got}"


def run_python(block: Block, scope: dict[str, Any], where: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.body, where, "exec"), scope)
    if block.output is not None:
        assert_prints(block.output, printed.getvalue(), where)


def run_console(block: Block, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        line, _, wanted = part.partition("\n")
        program, *arguments = shlex.split(line)
        if program == "motionfields":
            printed = io.StringIO()
            monkeypatch.setattr(sys, "argv", [program, *arguments])
            with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
                main()
            got = printed.getvalue()
        else:
            assert program == "python", f"{where}: only motionfields and python commands can be shown, not {program}"
            run = subprocess.run([sys.executable, *arguments], cwd=REPO, capture_output=True, text=True, check=True)
            got = run.stdout
        assert_prints(wanted, got, f"{where} ({line})")


SERVES = re.compile(r"motionfields (play|demo|draw|paint)\b")  # serves a page until it is stopped


def serve_for_a_moment(words: list[str], folder: Path) -> None:
    """Run a command that serves a page until it prints the address, and interrupt it."""
    line = [sys.executable, "-m", *words, "--no-browser", "--port", "0"]
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert re.match(r"the studio is at http://\S+", process.stdout.readline()), words
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=300.0)
            finally:
                process.kill()


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_the_code_on_a_page_runs_and_prints_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    for registry in (FORMATS, METHODS, METRICS, TASKS):  # what a page registers is not there for other tests
        monkeypatch.setattr(registry, "_added", dict(registry._added))
    scope: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        where = f"{page_id(page)}, block at line {block.line}"
        if block.kind == "python":
            run_python(block, scope, where)
        elif block.kind == "console":
            run_console(block, monkeypatch, where)
        elif block.kind == "bash" and page.parent.name == "tutorials":
            for line in filter(SERVES.match, block.body.splitlines()):
                serve_for_a_moment(shlex.split(line), tmp_path)


# Lines that a tutorial may show and not run: they install the package, or take minutes.
NOT_RUN = re.compile(r"pip install |\$ motionfields bench tables ")


@pytest.mark.parametrize("page", sorted(REPO.glob("docs/tutorials/*.md")), ids=page_id)
def test_a_tutorial_runs_nearly_all_that_it_shows(page: Path) -> None:
    blocks = blocks_of(page.read_text(encoding="utf-8"))
    outputs = {block.output for block in blocks if block.output is not None}
    for block in blocks:
        if block.kind not in ("python", "console") and not (block.kind == "text" and block.body in outputs):
            served = SERVES if block.kind == "bash" else NOT_RUN
            lines = [one for one in block.body.splitlines() if not NOT_RUN.match(one) and not served.match(one)]
            assert not lines, f"block at line {block.line} is not run: {lines}"
    assert any(block.kind == "python" for block in blocks)


DOCUMENTED = ("base", "motion", "field", "control", "measure")  # packages whose modules are public, one by one


def test_the_reference_covers_every_public_name() -> None:
    modules = re.findall(r"automodule:: (\S+)", (REPO / "docs" / "api.md").read_text(encoding="utf-8"))
    covered = set()
    for module in map(importlib.import_module, modules):
        covered |= set(getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]))
    assert set(motionfields.__all__) <= covered
    rooms = [path for path in (REPO / "src" / "motionfields").iterdir() if path.is_dir() and path.name in DOCUMENTED]
    parts = {
        f"motionfields.{room.name}.{part.stem}" for room in rooms for part in room.iterdir() if part.stem[0] != "_"
    }
    whole = {"motionfields.field", "motionfields.runtime", "motionfields.studio"}
    assert (parts | whole) - {"motionfields.base.arrays", "motionfields.field.field"} <= set(modules)


@pytest.mark.parametrize(
    ("span", "fault"),
    [
        ("mf.load_clop", "nothing in the package"),
        ("motionfields.motion.formats.load_clop", "nothing in the package"),
        ("Clip.length", "nothing in the package"),
        ("clip.report.colour", "nothing in the package"),
        ("quat_avarage", "nothing in the package"),
        ('mf.load_clip("a.bvh", unit_scale=1.0)', "nothing in the package"),
        ("ContactSettings.enter_speed = 0.3", "is not 0.3"),
        ("MOST_JOINTS = 9", "is not 9"),
        ("motionfields inform", "no command"),
        ("motionfields info --jason", "no option"),
        ("motionfields bench respond", "no command"),
        ("motionfields bench response --jason", "no option"),
        ("--mirrored", "no command has"),
        ("scripts/chek", "there is no"),
        ("docs/nothing.md", "there is no"),
        ("tests/motion/test_quality.py::test_nothing", "has no test"),
        ("python scripts/structures.py", "there is no"),
        ("python benchmarks/bench_crowds.py", "there is no"),
    ],
)
def test_the_checks_bite(span: str, fault: str) -> None:
    assert fault in " ".join(faults_in_span(span))


@pytest.mark.parametrize(
    "span",
    [
        "mf.load_clip",
        "clip.report.warnings",
        "Clip.duration",
        "[frame, 2]",
        "--mirror",
        "Frames:",
        "take.bvh",
        "motionfields bench response --trials 9",
    ],
)
def test_what_is_right_passes(span: str) -> None:
    assert not list(faults_in_span(span))
