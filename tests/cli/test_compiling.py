"""What a command shows while it compiles, with a terminal and without one."""

import os
import subprocess
import sys

import pytest
from terminal import HIDE_CURSOR, SHOW_CURSOR, needs_terminal, on_terminal

pytestmark = pytest.mark.process

# `tumble check` with a small kernel to compile instead of two hundred, and time to look at the bar
QUICK = """
import sys, time
import tumble.cli.check
from tumble.cli import main

def check_parts(parts, settings, rules, report):
    import tiny
    from tumble.clash import Checked
    pause = 0.3 if sys.stderr.isatty() else 0.0
    report("checking", 0, 22)
    assert tiny.double(1.0) == 2.0
    time.sleep(pause)
    report("checking", 21, 22)
    time.sleep(pause)
    return Checked(parts, [])

sys.modules['tumble.cli.check'].check_parts = check_parts
"""
ONCE = QUICK + "main()"
# two processes after each other, which find loaded what compiling needs
TWICE = (
    QUICK
    + """
import os
import numba
numba.njit(lambda x: x)(1.0)
for _ in range(2):
    child = os.fork()
    if child == 0:
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    print("ended", file=sys.stderr, flush=True)
"""
)
TINY = """
import time
from numba.extending import overload
from tumble.core.jit import kernel

def slowly(value): ...

@overload(slowly)
def compile_slowly(value):
    time.sleep(0.3)
    return lambda value: value + value

@kernel
def double(value):
    return slowly(value)
"""


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The command, in an environment where nothing has been compiled yet."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "tiny.py").write_text(TINY)
    paths = [str(tmp_path / "modules"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))
    monkeypatch.setenv("TUMBLE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TUMBLE_QUIET", raising=False)
    return [sys.executable, "-c", ONCE, "check"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize("options", [[], pytest.param(["--json"], marks=pytest.mark.slow)])
def test_plain_lines_without_a_terminal(command, options):
    python, dash_c, _, *arguments = command
    done = run([python, "-W", "ignore", dash_c, TWICE, *arguments, *options])
    assert done.returncode == 0, done.stderr
    # lines about what is going on depend on the machine: `test_progress.py`
    begin, end, *warm = [line for line in done.stderr.splitlines() if not line.endswith(" s)")]
    assert begin == "compiling kernels: the first use of each method does, which takes about a minute"
    assert end.startswith("compiled 1 kernel in ")
    assert warm == ["ended", "ended"]
    cold, code, rest = done.stdout.partition("\n0\n")
    assert ("with compiling, this first time" in cold) is (not options)
    assert code
    assert rest.endswith("\n0\n")
    assert "compiling" not in rest


@pytest.mark.slow  # by default in `test_compile_notices.py`, without a process
def test_lines_can_be_switched_off(command, monkeypatch):
    monkeypatch.setenv("TUMBLE_QUIET", "1")
    assert run(command).stderr == ""


@needs_terminal
@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_the_bar_says_compiling_while_it_does(command, again):
    cold, _ = on_terminal(100, command)
    bar, _, result = cold.partition(SHOW_CURSOR)
    before, compiling, after = bar.partition("compiling, this first time")
    assert HIDE_CURSOR in before
    assert compiling
    assert "0 kernels done" in after
    assert "checking" in after.rpartition("compiling, this first time")[2]
    assert "no parts touch" in result
    assert "compiled" not in cold
    assert not again or "compiling" not in on_terminal(100, command)[0]
