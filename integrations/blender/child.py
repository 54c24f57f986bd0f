"""Commands of motionfields in a second Python, with their progress, their errors and a way to stop them."""

import os
import subprocess
from collections.abc import Generator, Sequence
from pathlib import Path

INSTALL = '{python} -m pip install "motionfields[train]"'
PROGRESS = "progress: "
PATIENCE = 5.0  # seconds to end by itself before a stopped command is killed


class JobError(Exception):
    """A job cannot go on; the message says why and what to do."""


def finished(python: str, words: Sequence[str], folder: Path) -> Generator[str, None, list[str]]:
    """Run a command of motionfields, yield its progress until it ends, and return the lines of its output.

    Its warnings follow as lines that start with "warning:". Closing the generator stops the command.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}  # that of Blender
    environment |= {"MOTIONFIELDS_PROGRESS": "lines", "PYTHONUTF8": "1", "NO_COLOR": "1"}
    out, err = folder / "out.txt", folder / "err.txt"
    with out.open("wb") as output, err.open("wb") as errors:
        try:
            process = subprocess.Popen(  # noqa: S603 (a list of words, no shell)
                [python, "-m", "motionfields", *words],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as error:
            raise JobError(f"{python} cannot be started: {error}. Choose another Python in the preferences.") from None
        try:
            while process.poll() is None:
                told = [line for line in _lines(err) if line.startswith(PROGRESS)]
                yield told[-1].removeprefix(PROGRESS) if told else words[0]
        finally:
            _stop(process)
    said = [line for line in _lines(err) if not line.startswith(PROGRESS)]
    if process.returncode:
        if any("No module named" in line for line in said):
            raise JobError(f"This Python lacks motionfields or a part of it. Run: {INSTALL.format(python=python)}")
        told = [line.removeprefix("error: ") for line in said if line.startswith("error:")][-1:] or said[-3:]
        raise JobError(" ".join(told) or f"motionfields ended with code {process.returncode}.")
    return _lines(out) + [line for line in said if line.startswith("warning:")]


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End a process if it runs, and wait for its end."""
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines()
