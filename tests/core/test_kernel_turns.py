"""Of several processes that want the same kernel one compiles, and no wait is without an end."""

import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from tiny_kernel import RUN_TINY, TINY, environment

from tumble.core import kernel_turns
from tumble.core.kernel_turns import LOCKED, end_turn, wait_for

pytestmark = pytest.mark.skipif(kernel_turns.fcntl is None, reason="files cannot be locked here")

TAKES_ITS_TURN = """
import sys
from pathlib import Path
from tumble.core.kernel_turns import end_turn, wait_for
kernel = Path(sys.argv[1])
assert not wait_for(kernel)
print("begun", flush=True)
if sys.stdin.readline():
    kernel.write_bytes(b"")
    end_turn(kernel)
"""


@pytest.fixture
def kernel(tmp_path):
    return tmp_path / "total.nbc"


@pytest.fixture
def other(kernel):
    """Another process, which compiles the kernel until it is told that it is done."""
    pipe, command = subprocess.PIPE, [sys.executable, "-c", TAKES_ITS_TURN, str(kernel)]
    with subprocess.Popen(command, env=environment(kernel.parent), stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        yield process
        process.kill()


def locked(kernel):
    return sorted(path.name for path in kernel.parent.glob(f"{LOCKED}*"))


def test_a_turn_ends_with_those_of_kernels_that_were_given_up(kernel):
    given_up = kernel.with_name("inner.nbc")
    assert not wait_for(kernel)
    assert not wait_for(given_up)
    assert locked(kernel) == [f"{LOCKED}inner.nbc", f"{LOCKED}total.nbc"]
    assert not wait_for(kernel)  # this process has it already
    end_turn(kernel)
    assert locked(kernel) == []
    end_turn(kernel)


def test_what_has_come_since_it_was_looked_for_is_loaded(kernel):
    kernel.write_bytes(b"")
    assert wait_for(kernel)
    assert locked(kernel) == []


@pytest.mark.process
def test_a_kernel_that_another_process_compiles_is_waited_for(kernel, other, monkeypatch):
    def look(_):
        assert not kernel.exists()
        other.stdin.write("done\n")
        other.stdin.flush()
        other.wait(timeout=60)

    monkeypatch.setattr(kernel_turns, "time", SimpleNamespace(sleep=look, monotonic=time.monotonic))
    assert wait_for(kernel)
    assert locked(kernel) == []


@pytest.mark.process
def test_a_process_that_is_killed_is_not_waited_for(kernel, other, monkeypatch):
    def look(_):
        other.kill()
        other.wait(timeout=60)

    monkeypatch.setattr(kernel_turns, "time", SimpleNamespace(sleep=look, monotonic=time.monotonic))
    assert not wait_for(kernel)  # it is this one's turn
    end_turn(kernel)
    assert locked(kernel) == []


@pytest.mark.process
def test_a_process_that_takes_too_long_is_not_waited_for(kernel, other, monkeypatch):
    monkeypatch.setattr(kernel_turns, "LONGEST_WAIT", 0.05)
    assert not wait_for(kernel)
    assert locked(kernel) == [f"{LOCKED}total.nbc"]
    end_turn(kernel)  # of the other one: it stays
    assert locked(kernel) == [f"{LOCKED}total.nbc"]


def test_where_files_cannot_be_locked_every_process_compiles(kernel, monkeypatch):
    assert not wait_for(kernel.parent / "not there" / "total.nbc")
    monkeypatch.setattr(kernel_turns, "fcntl", None)
    assert not wait_for(kernel)
    assert locked(kernel) == []


@pytest.mark.process
def test_processes_that_start_together_compile_once(tmp_path):
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "tiny.py").write_text(TINY)
    given = environment(tmp_path / "cache", tmp_path / "modules")
    command = [sys.executable, "-c", RUN_TINY]
    processes = [subprocess.Popen(command, env=given, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    found = [process.communicate(timeout=300)[0].split() for process in processes]
    assert sum(int(misses) for _, misses in found) == 1
    assert sum(int(hits) for hits, _ in found) == 3
