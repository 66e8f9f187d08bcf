"""A second process compiles for a command, at once or from when kernels are compiled, and ends with it."""

import os
import subprocess
import sys

import pytest

import tumble
from tumble.core import compile_notices, kernel_bundle
from tumble.core.kernel_bundle import Bundle, Lookup
from tumble.tools import beside
from tumble.tools.beside import FEW, SWITCH, compiled_beside
from tumble.tools.workloads import BESIDE, TOUCHING, check_backwards, overlapping_parts


@pytest.fixture
def started(monkeypatch):
    """The workloads for which a process was started, and the processes, which do nothing."""
    found = []

    def start(workload):
        found.append((workload, subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])))
        return found[-1][1]

    monkeypatch.setattr(beside, "_start", start)
    monkeypatch.setattr(beside, "usable_cores", lambda: 2)
    monkeypatch.setenv(SWITCH, "2")
    return found


def compile_some(count):
    for k in range(count):
        compile_notices.started(f"kernel {k}", None)
        compile_notices.finished(f"kernel {k}")


@pytest.mark.process
def test_it_is_started_once_and_ends_with_the_command(started):
    with compiled_beside("check-backwards"):
        compile_some(FEW + 3)
        ((workload, process),) = started
        assert workload in BESIDE
        assert process.poll() is None
    assert process.poll() is not None


@pytest.mark.process
def test_it_ends_when_the_command_is_interrupted(started):
    def interrupted():
        compile_some(FEW + 1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), compiled_beside("check-backwards"):
        interrupted()
    assert started[0][1].poll() is not None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for kernels that does not exist yet."""
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "own" / "kernels"))
    monkeypatch.setattr(kernel_bundle, "lookup", lambda: Lookup(None, ""))
    return tmp_path / "own" / "kernels"


@pytest.mark.process
@pytest.mark.parametrize("case", ["no folder", "an empty folder", "the folder of a compiler"])
def test_it_is_started_at_once_where_no_kernel_is_on_disk(started, folder, case):
    if case != "no folder":
        (folder / "0123" if case == "the folder of a compiler" else folder).mkdir(parents=True)
    with compiled_beside("check-backwards"):
        ((_, process),) = started
        compile_some(FEW + 3)
        assert len(started) == 1
    assert process.poll() is not None


@pytest.mark.parametrize("case", ["a kernel", "a package", "one core", "switched off", "read only"])
def test_it_waits_where_kernels_may_be_there_or_cannot_be(started, folder, monkeypatch, case):
    if case == "a kernel":
        (folder / "0123").mkdir(parents=True)
        (folder / "0123" / "grow.grow-1.py311.0123.nbc").touch()
    if case == "a package":
        monkeypatch.setattr(kernel_bundle, "lookup", lambda: Lookup(Bundle(folder, ("", "", "")), ""))
    if case == "one core":
        monkeypatch.setattr(beside, "usable_cores", lambda: 1)
    if case == "switched off":
        monkeypatch.setenv(SWITCH, "1")
    if case == "read only":
        monkeypatch.setattr(os, "access", lambda path, mode: path != folder.parents[1])
    with compiled_beside("check-backwards"):
        assert not started


@pytest.mark.parametrize("case", ["few kernels", "one core", "switched off"])
def test_it_is_not_started_where_it_would_not_help(started, monkeypatch, case):
    if case == "one core":
        monkeypatch.setattr(beside, "usable_cores", lambda: 1)
    if case == "switched off":
        monkeypatch.setenv(SWITCH, "1")
    with compiled_beside("check-backwards"):
        compile_some(FEW - 1 if case == "few kernels" else FEW + 1)
    assert not started


def test_the_parts_that_overlap_touch_where_it_says():
    a, b = overlapping_parts()
    assert tumble.collide(a.mesh, b.mesh).pairs.tolist() == TOUCHING
    assert tumble.penetration(a.mesh, b.mesh).volume > 0.1


def test_it_comes_to_its_end():
    check_backwards()


@pytest.mark.slow  # compiles all kernels of a check, 30 s
@pytest.mark.process
def test_it_compiles_what_a_check_of_the_sample_needs_and_nothing_else(tmp_path):
    own = {**os.environ, "TUMBLE_CACHE_DIR": str(tmp_path), "TUMBLE_AHEAD_OF_TIME": "0", SWITCH: "1"}

    def kernels_after(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", *arguments], env=own, capture_output=True, timeout=300, check=False
        )
        assert done.returncode in (0, 1), done.stderr
        return {path.name for path in tmp_path.glob("*/*.nbc")}

    late = kernels_after("tumble.tools.workloads", "check-backwards")
    every = kernels_after("tumble", "check")
    assert 300 < len(late) < len(every)
    assert late <= every
    for path in tmp_path.glob("*/*.nbc"):
        path.unlink()
    assert kernels_after("tumble", "check") == every
