"""Compiled loops from several threads and after a fork."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading

import pytest

from motionfields.base.errors import ConcurrencyError
from motionfields.base.parallel import OneThread
from tests.conftest import REPO

PREAMBLE = """
import os, signal, sys, threading
import numpy as np
from motionfields.field.neighbors.long_lists import search_long_lists
from motionfields.field.neighbors import make_index
features = np.random.default_rng(0).normal(size=(400, 8)).astype(np.float32)
def search():
    return make_index(features, "exact").search(features, 5).indices.sum()
"""


def run(code: str, **variables: str) -> str:
    environment = {**os.environ, "NUMBA_NUM_THREADS": "2", **variables}
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + code], capture_output=True, text=True, cwd=REPO, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_is_told_and_does_not_hang() -> None:
    code = """
from motionfields.base.errors import ConcurrencyError
search()
child = os.fork()
if child == 0:
    signal.alarm(60)
    try:
        search()
    except ConcurrencyError as error:
        os._exit(7 if "spawn" in str(error) else 8)
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), search() == search())
"""
    assert run(code) == "7 True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_before_the_first_loop_runs() -> None:
    code = """
child = os.fork()
if child == 0:
    signal.alarm(200)
    search()
    os._exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(code) == "5"


def test_two_threads_take_turns_where_numba_would_end_the_process() -> None:
    code = """
expected = search()
found = []
def work():
    for _ in range(30):
        found.append(search() == expected)
threads = [threading.Thread(target=work) for _ in range(2)]
[one.start() for one in threads]
[one.join() for one in threads]
print(len(found), all(found))
"""
    assert run(code, NUMBA_THREADING_LAYER="workqueue") == "60 True"


def test_a_second_thread_is_refused_and_the_first_may_enter_again() -> None:
    one = OneThread("crowd")
    refused: list[str] = []

    def enter() -> None:
        try:
            with one:
                pass
        except ConcurrencyError as error:
            refused.append(str(error))

    with one, one:
        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert "crowd is in use by another thread" in refused[0]
    enter()
    assert len(refused) == 1


def test_a_copy_is_free() -> None:
    one = OneThread("crowd")
    with one:
        for other in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            with other:
                pass
