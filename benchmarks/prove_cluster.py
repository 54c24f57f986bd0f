"""Prove that training on a Ray cluster of two local nodes gives the same bits, and measure its cost and resilience.

    python benchmarks/prove_cluster.py [--field FILE] [--out FOLDER] [--only same] [--quick]

Each node is a separate `ray start` on the loopback address with one core, token authentication and no dashboard. Parts:

- `same`: controllers trained by this process alone and by 1, 2 and 4 workers are the same file, byte for byte.
- `speed`: full sweeps by this process on two threads and by two workers, alternating within one training.
- `workers`: a worker is killed every 10 seconds; training ends with the same bytes.
- `node`: the second node is killed after the first checkpoint; training ends with the same bytes on the first.
- `driver`: the training process is killed at 20 random points and restarted each time; it ends with the same bytes,
  and never loses more than the work between two checkpoints.

The field is trained for the direction task; the parts that kill start with three quarters of the transitions. `--quick`
uses a field of generated samples and fewer kills.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from common import QUICK_CLIPS, Bounds, control_field, make_parser, sample_clips
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.control.cluster import RayBackend
from motionfields.control.root_motion import measure_root_motion
from motionfields.control.tasks import Direction
from motionfields.control.training import Actions, Job, Progress, TaskTable, TransitionParts, improve_here, solve, train
from motionfields.control.training.train import CHECKPOINT_SWEEPS
from motionfields.control.training.work import transitions_fingerprint
from motionfields.control.transitions import ControlSettings
from motionfields.field import MotionField

PARTS = ("same", "speed", "workers", "node", "driver")
KILL_SECONDS = 10.0
MOST_RATIO = 1.15
bounds = Bounds()


class Cluster:
    """A Ray head with one core, and further nodes with one core each, as separate processes."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        self.environment |= {"RAY_USAGE_STATS_ENABLED": "0", "NUMBA_NUM_THREADS": "2"}
        self.nodes: list[subprocess.Popen[bytes]] = []

    def start_node(self) -> None:
        """Start the head, or one more node."""
        where = ["--address", self.address]
        if not self.nodes:
            where = ["--head", "--port", self.address.split(":")[1], "--include-dashboard", "false"]
        command = ["ray", "start", *where, "--node-ip-address", "127.0.0.1", "--num-cpus", "1", "--block"]
        log = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the node
        node = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, start_new_session=True)
        self.nodes.append(node)
        for _ in range(240):
            log.seek(0)
            if b"Ray runtime started" in log.read():
                return
            if node.poll() is not None:
                break
            time.sleep(0.25)
        log.seek(0)
        raise RuntimeError(f"a node did not start: {log.read().decode()}")

    def kill_node(self, number: int) -> None:
        """Kill a node with all its processes, as if its computer was switched off."""
        for process in reversed([self.nodes[number].pid, *descendants(self.nodes[number].pid)]):
            kill(process)
        self.nodes[number].wait()

    def stop(self) -> None:
        """Kill all nodes."""
        for number in range(len(self.nodes)):
            self.kill_node(number)

    def workers(self) -> list[int]:
        """Return the process ids of the workers."""
        mine = {process for node in self.nodes for process in descendants(node.pid)}
        return [process for process in mine if command_of(process).startswith("ray::_Worker")]


@contextmanager
def two_nodes() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        cluster.start_node()
        cluster.start_node()
        yield cluster
    finally:
        cluster.stop()


def descendants(process: int) -> list[int]:
    """Return the ids of all processes below `process`, parents first."""
    parents = dict[int, list[int]]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found = list(parents.get(process, []))
    for child in found:
        found += parents.get(child, [])
    return found


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def command(field: Path, work: Path, output: Path, more: Sequence[str]) -> list[str]:
    """Return the `motionfields train` command for the direction task."""
    start = [sys.executable, "-m", "motionfields", "train", str(field), "--task", "direction", "-o", str(output)]
    return [*start, "--work", str(work), *more]


def by_ray(cluster: Cluster, workers: int) -> list[str]:
    return ["--backend", "ray", "--address", cluster.address, "--workers", str(workers)]


def trained(field: Path, work: Path, output: Path, more: Sequence[str], cluster: Cluster | None = None) -> str:
    """Run `motionfields train`, and return the digest of the controller it writes."""
    began = time.perf_counter()
    environment = os.environ if cluster is None else cluster.environment
    run = subprocess.run(command(field, work, output, more), env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr)
    print(f"  {run.stdout.splitlines()[-1]} (with all: {time.perf_counter() - began:.0f} s)", flush=True)
    return digest(output)


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def with_transitions(work: Path, of: Path, *, some: bool = False) -> Path:
    """Create a folder `work` with the transitions of `of`, without values; with `some`, three quarters of them."""
    work.mkdir()
    for number, path in enumerate(sorted(of.glob("*.part"))):
        if not some or number % 4:
            os.link(path, work / path.name)
    return work


def expect(is_so: bool, what: str) -> None:
    """Print the statement `what` with yes or NO, and record it as missed if it does not hold."""
    print(f"  {'yes' if is_so else 'NO'}: {what}", flush=True)
    bounds.require(is_so, what)


def prove_same(field: Path, out: Path, expected: str) -> None:
    with two_nodes() as cluster:
        for workers in (2, 1, 4):
            work = out / f"ray{workers}"
            if workers != 2:
                with_transitions(work, out / "ray2")
            found = trained(field, work, out / f"ray{workers}.ctrl", by_ray(cluster, workers), cluster)
            expect(found == expected, f"{workers} workers on two nodes give the bytes of this process alone")
    pairs = [(path, out / "ray2" / path.name) for path in sorted((out / "local").glob("*.part"))]
    expect(all(digest(a) == digest(b) for a, b in pairs), f"so do their {len(pairs)} parts of transitions")


def prove_speed(field: Path, out: Path, quick: bool) -> None:
    """Time alternating sweeps: the odd ones by workers, the even ones by this process."""
    loaded, settings, task = MotionField.load(field), ControlSettings().agile(0.5), Direction()
    database = loaded.database
    moves, fingerprint = measure_root_motion(database), transitions_fingerprint(loaded, None, settings)
    parts = TransitionParts(str(out / "local"), fingerprint, database.state_count)
    table = TaskTable.build(task.adapted(database), database, moves)
    with two_nodes() as cluster:
        os.environ.update({name: cluster.environment[name] for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN")})
        with RayBackend(2, cluster.address).hire(Job(loaded, moves, None, settings, parts)) as workers:
            transitions = workers.transitions(lambda found: None)
            times = list[float]()
            improving = list[float]()

            def improve(actions: Actions, action_values: FloatArray, values: FloatArray, best: IntArray) -> None:
                began = time.perf_counter()
                (workers.improve if len(times) % 2 else improve_here)(actions, action_values, values, best)
                improving.append(time.perf_counter() - began)

            def on_sweep(progress: Progress, values: FloatArray) -> None:
                times.append(time.perf_counter())

            solve(
                table,
                transitions,
                discount=settings.discount,
                goal_change=settings.goal_change,
                tolerance=1e-9,
                most_sweeps=6 if quick else 25,
                on_sweep=on_sweep,
                improve=improve,
            )
    took = np.diff(times)  # took[i] is sweep i + 1; the first two compile and send the workers' states
    ray, local = float(np.median(took[2::2])), float(np.median(took[1::2]))
    best_ray, best_local = np.median(improving[3::2]), np.median(improving[2::2])
    print(f"  a sweep: {ray:.3f} s by two workers, {local:.3f} s by this process on two threads")
    print(f"  of it finding the best actions: {best_ray:.3f} s by workers, {best_local:.3f} s here")
    megabytes = table.rewards.nbytes / 1e6
    print(f"  sent to each node: {megabytes:.0f} MB of outlook a sweep; back: {megabytes / 2:.0f} MB of actions in all")
    ratio = ray / local
    said = f"a sweep by workers takes {ratio:.2f} times as long (most {MOST_RATIO})"
    if quick:
        print(f"  {said}; samples are too few to judge by")
    else:
        expect(ratio <= MOST_RATIO, said)


def prove_workers(field: Path, out: Path, expected: str, quick: bool) -> None:
    seconds, over, kills = 3.0 if quick else KILL_SECONDS, threading.Event(), 0
    with two_nodes() as cluster:

        def killing() -> None:
            nonlocal kills
            rng = random.Random(0)
            while not over.wait(seconds):
                if victims := sorted(cluster.workers()):
                    kill(rng.choice(victims))
                    kills += 1

        killer = threading.Thread(target=killing)
        killer.start()
        try:
            work = with_transitions(out / "killed", out / "local", some=True)
            found = trained(field, work, out / "killed.ctrl", by_ray(cluster, 2), cluster)
        finally:
            over.set()
            killer.join()
    expect(found == expected and kills > 0, f"{kills} workers killed, one every {seconds:g} s: the same bytes")


def prove_node(field: Path, out: Path, expected: str) -> None:
    with two_nodes() as cluster:
        work = with_transitions(out / "node", out / "local", some=True)

        def removing() -> None:
            while not any(work.glob("values-*")):
                time.sleep(0.05)
            cluster.kill_node(1)

        remover = threading.Thread(target=removing)
        remover.start()
        found = trained(field, work, out / "node.ctrl", by_ray(cluster, 2), cluster)
        remover.join()
    expect(found == expected, "the second node killed after the first checkpoint: the same bytes")


def prove_driver(field: Path, out: Path, expected: str, quick: bool) -> None:
    """Kill training at random points, one after the other, so that the kills fall into all its phases."""
    with_transitions(out / "driver", out / "local", some=True)
    output, rng = out / "driver.ctrl", random.Random(1)
    points = sorted(rng.sample(range(1, 53), 6 if quick else 20))  # out of 60: 30 for transitions, 30 for 24 sweeps
    found_parts, sweep, lost_parts, lost_sweeps, kills = 0, 0, 0, 0, 0
    with two_nodes() as cluster:
        words = [sys.executable, str(Path(__file__).resolve()), "--drive", cluster.address]
        words += ["--field", str(field), "--out", str(out)]
        while True:
            run = subprocess.Popen(words, env=cluster.environment, stdout=subprocess.PIPE, text=True)
            assert run.stdout is not None
            for line in run.stdout:
                done, total, now = json.loads(line)
                if now == 0:
                    lost_parts = max(lost_parts, found_parts - done + 1)
                    found_parts = done
                elif now <= sweep:
                    lost_sweeps, sweep = max(lost_sweeps, sweep - now + 1), now
                else:
                    sweep = now
                if points and (done / total if now == 0 else 1.0 + now / 24.0) * 30.0 >= points[0]:
                    points.pop(0)
                    time.sleep(rng.uniform(0.0, 1.0))
                    break
            else:
                run.wait()
                break
            kill(run.pid)
            run.wait()
            run.stdout.close()
            kills += 1
            print(f"  killed at part {found_parts}, sweep {sweep}", flush=True)
    expect(
        run.returncode == 0 and digest(output) == expected, f"killed {kills} times and started again: the same bytes"
    )
    expect(lost_parts <= 2, f"at most {lost_parts} parts of transitions lost by a kill, of 2 that were under way")
    expect(lost_sweeps <= CHECKPOINT_SWEEPS, f"at most {lost_sweeps} sweeps lost by a kill, of {CHECKPOINT_SWEEPS}")


def drive(field: Path, out: Path, address: str) -> None:
    """Train as the command does, and print the progress: parts done, parts in all, sweep."""

    def tell(done: int, total: int, sweep: int) -> None:
        print(json.dumps([done, total, sweep]), flush=True)

    controller = train(
        MotionField.load(field),
        Direction(),
        work=out / "driver",
        backend=RayBackend(2, address),
        on_transitions=lambda found: tell(found.done, found.total, 0),
        on_progress=lambda progress: tell(1, 1, progress.sweep),
    )
    controller.save(out / "driver.ctrl")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; see the module docstring."""
    parser = make_parser(__doc__, quick="generated samples, fewer kills")
    parser.add_argument("--field", type=Path, help="the field to train on; default: of generated samples")
    parser.add_argument("--out", type=Path, help="a folder for what is made; default: one that is removed")
    parser.add_argument("--only", choices=PARTS, action="append", help="only this part")
    parser.add_argument("--drive", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.drive:
        drive(options.field, options.out, options.drive)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        out: Path = options.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        field = options.field
        if field is None:
            field = out / "samples.field"
            clips = sample_clips(QUICK_CLIPS if options.quick else None)
            control_field(clips).save(field)
        print("by this process alone", flush=True)
        alone = out / "local.ctrl"
        expected = digest(alone) if alone.exists() else trained(field, out / "local", alone, [])
        for part in options.only or PARTS:
            print(part, flush=True)
            prove(part, field, out, expected, options.quick)
    return bounds.exit_code()


def prove(part: str, field: Path, out: Path, expected: str, quick: bool) -> None:
    if part == "same":
        prove_same(field, out, expected)
    elif part == "speed":
        prove_speed(field, out, quick)
    elif part == "workers":
        prove_workers(field, out, expected, quick)
    elif part == "node":
        prove_node(field, out, expected)
    else:
        prove_driver(field, out, expected, quick)


if __name__ == "__main__":
    sys.exit(main())
