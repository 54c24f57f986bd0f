"""The kernel cache: machine code of numba on disk, until a source that went into it changes.

Numba's own cache checks the file of the outermost function alone, so a kernel inlined from another file goes on as it
was before an edit. Here the name of each cache entry contains a digest of every source file that the kernel's module
imports, directly or through others, together with the versions, processor and settings that code generation depends
on. A checksum in front of each entry is verified before anything in it is used. An entry that is missing, damaged or
unreadable is compiled again; a folder that cannot be written to leaves the kernels in memory only.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import llvmlite
import numba
import numpy as np
from numba.core import compiler, serialize
from numba.core import config as numba_config
from numba.core.errors import NumbaWarning
from numba.misc import appdirs

from motionfields.base.compiled import STARTED

# Parts of numba without types.
config: Any = numba_config
dumps: Any = serialize.dumps
CompileResult: Any = compiler.CompileResult
AppDirs: Any = appdirs.AppDirs

SUFFIX: Final = ".kernel"
KEPT_VERSIONS: Final = 3
"""Number of versions of a kernel's sources whose machine code is kept, so that two branches can run in turns."""
KEPT_SECONDS: Final = 60 * 24 * 3600.0
"""Time after which an unused entry is removed; covers kernels that were renamed or deleted."""

_MAGIC: Final = b"mfkern1\n"
_CHECKSUM_SIZE: Final = 32
_LARGEST_ENTRY: Final = 1 << 28  # bytes; far above any kernel, and bounds what a damaged file makes us read
_ABANDONED_SECONDS: Final = 3600.0  # age at which a temporary file belongs to a process that was killed
_HOME: Final = __name__.partition(".")[0]
_ELSEWHERE: Final = {*sys.stdlib_module_names, "numba", "llvmlite", "numpy", "scipy"}
"""Packages whose sources are not followed: the versions stand for them."""
# Numba settings that change machine code and are missing from numba's description of the target.
_SETTINGS: Final = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
_IMPORT: Final = re.compile(  # begins with the line break, which is searched for faster than "^"
    r"\n[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]+))"
)
_UNSAFE: Final = re.compile(r"[^\w.]")  # not for file names
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")


class CacheState(NamedTuple):
    """Contents and condition of the folder in which this package's kernels are kept."""

    folder: Path
    writable: bool
    entries: int  # undamaged ones, of all versions of the sources
    size: int  # bytes, damaged entries included
    outdated: int  # entries compiled from other versions of the sources than the latest
    damaged: tuple[Path, ...]


def cache_state() -> CacheState:
    """Return the state of this package's kernel cache; reads and verifies every entry, and creates the folder."""
    folders = _folders(_Place(_HOME, str(Path(__file__).parents[1])))
    folder = next(filter(_is_writable, folders), None)
    writable = folder is not None
    if folder is None:
        folder = next((place for place in folders if any(_entries(place))), folders[0])
    paths = list(_entries(folder))
    damaged = tuple(sorted(path for path in paths if _read_entry(path) is None))
    outdated = sum(len(old) for group in {_group(path) for path in paths} for old in _versions(folder, group)[1:])
    size = 0
    for path in paths:
        with suppress(OSError):
            size += path.lstat().st_size
    return CacheState(folder, writable, len(paths) - len(damaged), size, outdated, damaged)


class KernelCache:
    """Machine code of one function on disk, in the form that numba's dispatchers ask for it.

    One file holds one signature. Its name is a digest of all that the code depends on, and it is replaced whole, so
    that processes can share a folder without locks.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The folder of this function's entries; None for a function without a source file."""
        return None if self._place is None else str(_folders(self._place)[0])

    @property
    def is_filled(self) -> bool:
        """Whether a file holds machine code of this function for the present sources."""
        if not self._enabled or self._place is None or self._stamp is None:
            return False
        start = f"{self._name}.{self._stamp}."
        return any(True for folder in _folders(self._place) for _ in _entries(folder, start))

    def enable(self) -> None:
        """Use the files again after `disable`."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write files."""
        self._enabled = False

    def flush(self) -> None:
        """Remove the entries of this function for the present sources."""
        if self._place is not None and self._stamp is not None:
            for folder in _folders(self._place):
                for path in _entries(folder, f"{self._name}.{self._stamp}."):
                    with suppress(OSError):
                        path.unlink()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return numba's compile result for `signature`, or None if it has to be compiled."""
        target_context.refresh()
        try:
            key = self._key(signature, target_context.codegen())
            for path in self._paths(key):
                if (payload := _read_entry(path)) is None:
                    continue
                found, reduced = pickle.loads(payload)  # noqa: S301 (own files, and the checksum was right)
                if found == key:
                    result = CompileResult._rebuild(target_context, *reduced)
                    with suppress(OSError):
                        os.utime(path)  # used last by now
                    return result
        except Exception:  # whatever is wrong with a file, the source is still there
            return None
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write numba's compile `result` for `signature`, if a folder can be written to."""
        if result.library.has_dynamic_globals or any(not lifted.can_cache for lifted in result.lifted):
            message = (
                f"{self._function.__qualname__} cannot be cached: it uses pointers, large global arrays or lifted code"
            )
            warnings.warn_explicit(message, NumbaWarning, *_position(self._function))
            return
        try:
            key = self._key(signature, result.codegen)
            paths = self._paths(key)
            if not paths:
                return
            payload = dumps((key, result._reduce()))
            for path in paths:
                if _write_entry(path, payload):
                    _prune(path)
                    return
        except Exception:  # the kernel itself works; the next process compiles it again
            return

    @cached_property
    def _place(self) -> _Place | None:
        return _place_of(self._function)

    @cached_property
    def _name(self) -> str:
        module = Path(self._function.__code__.co_filename).stem
        name = f"{self._function.__module__}.{self._function.__qualname__}".replace("__main__", module)
        return f"{_UNSAFE.sub('', name)[-120:]}-{sys.implementation.cache_tag}"

    @cached_property
    def _stamp(self) -> str | None:
        """Digest of the sources, the versions and the settings; None if the sources are unknown or have changed."""
        sources = _sources(self._function)
        if sources is None:
            return None
        versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
        settings = [getattr(config, name, None) for name in _SETTINGS]
        return _digest(repr((versions, settings, sorted(sources.items()))).encode())[:16]

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Return what tells this machine code from others with the same sources: types, processor, line, closure."""
        code, cells = self._function.__code__, self._function.__closure__ or ()
        closure = dumps(tuple(cell.cell_contents for cell in cells)) if cells else b""
        return signature, codegen.magic_tuple(), code.co_firstlineno, _digest(code.co_code), _digest(closure)

    def _paths(self, key: tuple[Any, ...]) -> list[Path]:
        if not self._enabled or self._place is None or self._stamp is None:
            return []
        # An address differs from process to process; without it, such an entry is replaced rather than added.
        text = _ADDRESS.sub("", str(key))
        name = f"{self._name}.{self._stamp}.{_digest(text.encode())[:24]}{SUFFIX}"
        return [folder / name for folder in _folders(self._place)]


class _Place(NamedTuple):
    """The outermost package of a function, or the folder of its file if it is in none."""

    package: str  # empty for a file that is in no package
    folder: str


def _place_of(function: Callable[..., Any]) -> _Place | None:
    """Return the outermost package of `function`; None for a function that was not read from a file."""
    file = function.__code__.co_filename
    if not os.path.isfile(file):
        return None
    package = (function.__globals__.get("__package__") or "").partition(".")[0]
    folder = _folder_of_package(package) if package else None
    return _Place("", os.path.dirname(os.path.abspath(file))) if folder is None else _Place(package, folder)


def _folder_of_package(package: str) -> str | None:
    """Return the folder of an outermost package that is loaded; None for a module, or if it is unknown."""
    places = list(getattr(sys.modules.get(package), "__path__", ()))
    return os.path.abspath(places[0]) if places else None


def _folders(place: _Place) -> list[Path]:
    """Return the folders in which entries are looked for, the first choice for new ones first."""
    shared = f"{os.path.basename(place.folder)}_{_digest(place.folder.encode())[:16]}"
    if config.CACHE_DIR:
        return [Path(config.CACHE_DIR, shared)]
    user = AppDirs(appname="numba", appauthor=False).user_cache_dir
    return [Path(place.folder, "__pycache__", "kernels"), Path(user, shared)]


class _Source(NamedTuple):
    """One source file: its digest, the modules that it imports, and whether it is as it was when this process began."""

    digest: str
    imports: tuple[str, ...]
    unchanged: bool


def _sources(function: Callable[..., Any]) -> dict[str, str] | None:
    """Return the digest of each source file that the module of `function` imports, by the name of the module.

    None if one of them cannot be read, or has changed since this process began: the functions in memory may then be
    older than the files.
    """
    package = str(function.__globals__.get("__package__") or "")
    waiting = [(str(function.__globals__.get("__name__", "")), os.path.abspath(function.__code__.co_filename), package)]
    own = {package.partition(".")[0], _HOME}
    found: dict[str, str] = {}
    while waiting:
        name, path, package = waiting.pop()
        if name in found:
            continue
        try:
            source = _read_source(path, package)
        except OSError:
            return None
        if not source.unchanged:
            return None
        found[name] = source.digest
        waiting += [
            file for module in source.imports for file in _files_of_module(module, module.partition(".")[0] in own)
        ]
    return found


@cache
def _read_source(path: str, package: str) -> _Source:
    about = os.stat(path)
    data = Path(path).read_bytes()
    # Elsewhere than on Windows this is the time of the last change, whatever a copy says its time is.
    changed = about.st_mtime if os.name == "nt" else about.st_ctime
    imports: set[str] = set()
    text = "\n" + data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\\\n", " ")
    for origin, names, modules in _IMPORT.findall(text):
        base = _absolute(origin, package)
        # "import a.b" brings in what is in a as well.
        found = [f"{base}.{name}" for name in _imported(names)] if origin else _prefixes(_imported(modules))
        imports.update(module for module in [base, *found] if module and module.partition(".")[0] not in _ELSEWHERE)
    return _Source(_digest(data), tuple(sorted(imports)), changed <= STARTED)


def _imported(names: str) -> list[str]:
    """Return the names in the list of an import statement, without comments and aliases."""
    text = (re.sub(r"#[^\n]*", "", names) if "#" in names else names).strip("() \t\r\n")
    return [words[0] for part in text.split(",") if (words := part.split())]


def _prefixes(modules: list[str]) -> list[str]:
    """Return each of the dotted names with the packages that it is in."""
    return [".".join(words[: i + 1]) for words in (module.split(".") for module in modules) for i in range(len(words))]


def _absolute(origin: str, package: str) -> str:
    """Return the full name of the module `origin`, which may begin with dots, as imported within `package`."""
    level = len(origin) - len(origin.lstrip("."))
    if not level:
        return origin
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - level + 1], *filter(None, [origin[level:]])])


@cache
def _files_of_module(module: str, own: bool) -> tuple[tuple[str, str, str], ...]:
    """Return name, path and package of the files of `module`: one, or all below a package that loads parts on demand.

    There are none for a name that is no module and, unless `own`, for installed packages.
    """
    outermost, *parts = module.split(".")
    folder, file = _outermost(outermost)
    if not own and "site-packages" in (folder or file or ""):
        return ()
    if folder is None:
        return ((module, file, ""),) if file is not None and not parts else ()
    *above, name = [folder, *parts]
    siblings = _listed("/".join(above)) if above else frozenset({name})
    if f"{name}.py" in siblings:
        return ((module, "/".join([*above, f"{name}.py"]), module.rpartition(".")[0]),)
    where = "/".join([*above, name])
    if name not in siblings or "__init__.py" not in _listed(where):
        return ()
    if not parts and b"\ndef __getattr__(" in Path(where, "__init__.py").read_bytes():
        return tuple(_files_below(where, module))
    return ((module, f"{where}/__init__.py", module),)


@cache
def _outermost(name: str) -> tuple[str | None, str | None]:
    """Return the folder of a package that is loaded, or the file of a module that is."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return _folder_of_package(name), os.path.abspath(file) if file and file.endswith(".py") else None


def _files_below(folder: str, package: str) -> Iterator[tuple[str, str, str]]:
    for path in sorted(Path(folder).rglob("*.py")):
        parts = [package, *path.relative_to(folder).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, str(path), ".".join(parts[:-1])


@cache
def _listed(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _position(function: Callable[..., Any]) -> tuple[str, int]:
    return function.__code__.co_filename, function.__code__.co_firstlineno


def _read_entry(path: Path) -> bytes | None:
    """Return what `_write_entry` wrote; None for a file that is missing, damaged, or not a regular file."""
    try:
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST_ENTRY:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    checksum, payload = data[len(_MAGIC) : len(_MAGIC) + _CHECKSUM_SIZE], data[len(_MAGIC) + _CHECKSUM_SIZE :]
    if not data.startswith(_MAGIC) or hashlib.sha256(payload).digest() != checksum:
        return None
    return payload


def _write_entry(path: Path, payload: bytes) -> bool:
    """Write an entry in one step, and return whether that was possible."""
    temporary = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(_MAGIC + hashlib.sha256(payload).digest() + payload)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError:
        return False
    return True


def _entries(folder: Path, start: str = "", suffix: str = SUFFIX) -> Iterator[Path]:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    yield from (folder / name for name in names if name.startswith(start) and name.endswith(suffix))


def _group(path: Path) -> str:
    """Return the part of an entry's name that stays when its sources change."""
    return path.name.rsplit(".", 3)[0]


def _versions(folder: Path, group: str) -> list[list[Path]]:
    """Return the entries of one function, those of one version of its sources together, the last used first."""
    versions: dict[str, list[Path]] = {}
    used: dict[str, float] = {}
    for path in _entries(folder, f"{group}."):
        with suppress(OSError):
            stamp = path.name.removeprefix(f"{group}.").partition(".")[0]
            used[stamp] = max(used.get(stamp, 0.0), path.lstat().st_mtime)
            versions.setdefault(stamp, []).append(path)
    return [versions[stamp] for stamp in sorted(versions, key=lambda stamp: -used[stamp])]


def _prune(path: Path) -> None:
    """Remove old versions of the entry just written, and at times what has not been used for long.

    Another process may need what is removed here: it has it in memory, or compiles it again.
    """
    old = [entry for version in _versions(path.parent, _group(path))[KEPT_VERSIONS:] for entry in version]
    for entry in old + _unused(path.parent):
        with suppress(OSError):
            entry.unlink()


@cache
def _unused(folder: Path) -> list[Path]:
    """Return entries and temporary files that are too old; looked for once in a process."""
    now, found = time.time(), []
    for suffix, age in ((SUFFIX, KEPT_SECONDS), (".tmp", _ABANDONED_SECONDS)):
        for path in _entries(folder, suffix=suffix):
            with suppress(OSError):
                if path.lstat().st_mtime < now - age:
                    found.append(path)
    return found


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(1 << 16))
            file.flush()
    except OSError:
        return False
    return True
