"""The C runtime through WebAssembly, in the module that ships, and through the C++ header."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.build_native import STRICT, compilers
from scripts.native import SOURCE, NativeCrowd, random_commands

import motionfields.export
from motionfields.control.root_motion import Warp
from motionfields.control.tasks import Lane
from motionfields.export import pack_bytes
from tests.native.crowds import controller

MODULE = Path(motionfields.export.__file__).parent / "page" / "motionfields.wasm"
COUNT, FRAMES = 5, 60
RUN_IN_NODE = """
import { readFileSync, writeFileSync } from "node:fs";
const [module, packFile, commandFile, output, count, columns] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const c = instance.exports, pack = readFileSync(packFile), commands = readFileSync(commandFile);
c._initialize();
const packAt = c.mfw_memory(pack.length);
new Uint8Array(c.memory.buffer).set(pack, packAt);
if (c.mfw_open(packAt, pack.length) || c.mfw_init(+count) || c.mfw_columns() !== +columns) process.exit(1);
const commandAt = c.mfw_memory(8 * count * columns), out = [];
for (let at = 0; at < commands.length; at += 8 * count * columns) {
  new Uint8Array(c.memory.buffer).set(commands.subarray(at, at + 8 * count * columns), commandAt);
  if (c.mfw_step(commandAt, +count)) process.exit(1);
  for (let i = 0; i < count; i += 1) {
    out.push(new Uint8Array(c.memory.buffer.slice(c.mfw_root(i), c.mfw_root(i) + 24)));
    out.push(new Uint8Array(c.memory.buffer.slice(c.mfw_rotations(i), c.mfw_rotations(i) + 32 * c.mfw_joints())));
  }
}
writeFileSync(output, Buffer.concat(out));
"""


def test_the_module_of_exported_pages_gives_the_bits_of_the_library(library: Any, tmp_path: Path) -> None:
    if not (node := shutil.which("node")):
        pytest.skip("no node on this machine")
    trained = controller(Lane(), Warp())
    joints = trained.field.database.skeleton.joint_count
    data, commands = pack_bytes(trained), random_commands(trained.task, FRAMES, COUNT)
    script, pack, given, output = (tmp_path / name for name in ("run.mjs", "walker.mfpack", "commands", "poses"))
    script.write_text(RUN_IN_NODE)
    pack.write_bytes(data)
    given.write_bytes(commands.tobytes())
    subprocess.run([node, script, MODULE, pack, given, output, str(COUNT), str(commands.shape[2])], check=True)
    shown = np.frombuffer(output.read_bytes()).reshape(FRAMES, COUNT, 3 + 4 * joints)
    native = NativeCrowd(library, data, COUNT, joint_count=joints)
    for frame in range(FRAMES):
        native.step(commands[frame])
        np.testing.assert_array_equal(shown[frame, :, :3], native.root, err_msg=f"frame {frame}")
        np.testing.assert_array_equal(shown[frame, :, 3:].reshape(native.rotations.shape), native.rotations)


def test_the_header_for_cpp_steps_characters_and_converts_axes(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not compiler or not compilers():
        pytest.skip("no C++ compiler: install g++ or clang")
    flags = [flag for flag in STRICT if not flag.startswith("-std")]
    library, program, pack = tmp_path / "motionfields.o", tmp_path / "example", tmp_path / "walker.mfpack"
    c = next(iter(compilers().values()))
    subprocess.run([*c, "-std=c99", "-O0", "-c", str(SOURCE / "motionfields.c"), "-o", str(library)], check=True)
    example = SOURCE.parent / "cpp" / "example.cpp"
    command = [compiler, "-std=c++17", *flags, "-I", str(SOURCE), str(example), str(library), "-o", str(program)]
    subprocess.run(command, check=True)
    pack.write_bytes(pack_bytes(controller(Lane(), Warp()), exact=True))
    said = subprocess.run([str(program), str(pack)], capture_output=True, text=True, check=True).stdout
    assert said.startswith("point_x: 22 joints")
    pack.write_bytes(b"nothing")
    failed = subprocess.run([str(program), str(pack)], capture_output=True, text=True)
    assert (failed.returncode, failed.stderr) == (2, "not a motionfields pack\n")
