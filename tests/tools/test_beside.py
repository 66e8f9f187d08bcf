"""A second process compiles for a command, from when kernels are compiled, and ends with it."""

import subprocess
import sys

import pytest

from tumble.core import compile_notices
from tumble.tools import beside
from tumble.tools.beside import FEW, SWITCH, compiled_beside
from tumble.tools.workloads import BESIDE


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


@pytest.mark.parametrize("case", ["few kernels", "one core", "switched off"])
def test_it_is_not_started_where_it_would_not_help(started, monkeypatch, case):
    if case == "one core":
        monkeypatch.setattr(beside, "usable_cores", lambda: 1)
    if case == "switched off":
        monkeypatch.setenv(SWITCH, "1")
    with compiled_beside("check-backwards"):
        compile_some(FEW - 1 if case == "few kernels" else FEW + 1)
    assert not started
