"""The command as a process of its own: pipes, signals, imports, and what only a real exit code shows."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import trimesh
from assembly_files import write_cubes
from terminal import HIDE_CURSOR, SHOW_CURSOR, needs_terminal, on_terminal

import tumble

pytestmark = pytest.mark.process

TUMBLE = [sys.executable, "-m", "tumble"]
HEAVY = {"numba", "llvmlite", "trimesh", "typer", "rich", "matplotlib", "scipy", "networkx"}

# Ctrl-C must not be ignored, as it is in children of a shell's background job.
SLOW_CHECK = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tumble.cli import main
import tumble.cli.check
command = sys.modules["tumble.cli.check"]
look = command.check_parts
def announced(*arguments):
    print("started", file=sys.stderr, flush=True)
    return look(*arguments)
command.check_parts = announced
main()
"""


def run(*arguments, stdout=subprocess.PIPE):
    # What an unbuffered stdout cannot hold back, it cannot lose at the end either.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["TUMBLE_QUIET"] = "1"  # what compiling says is tested in test_compiling.py
    command = [*TUMBLE, *map(str, arguments)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=300, env=environment)


@pytest.fixture(scope="module")
def loaded():
    """The packages that are loaded after Tumble, and after its command line in the same process."""
    show = "print(' '.join(sorted(name.partition('.')[0] for name in sys.modules)))"
    script = f"import sys, tumble, tumble.api.touching_parts\n{show}\nimport tumble.cli\n{show}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    return [set(line.split()) for line in done.stdout.splitlines()]


def test_importing_tumble_loads_nothing_heavy(loaded):
    assert loaded[0] & HEAVY == set()


def test_the_command_line_loads_the_compiler_only_to_check(loaded):
    assert "typer" in loaded[1]
    assert loaded[1] & (HEAVY - {"typer", "rich"}) == set()


@pytest.mark.slow  # by default without a process, in `test_info.py`
@pytest.mark.parametrize("option", [["--version"], ["info", "--json"]])
def test_version(option):
    assert tumble.__version__ in run(*option).stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--no-such-option"], 2), (["clear.glb"], 0), (["flush.glb"], 0), ([], 1), (["missing.glb"], 2)],
)
@pytest.mark.slow  # by default those of the tests below, 1, 2 and 130
def test_exit_codes(tmp_path, monkeypatch, arguments, code):
    write_cubes(tmp_path / "clear.glb", [0.0, 2.0])
    write_cubes(tmp_path / "flush.glb", [0.0, 1.0])
    monkeypatch.chdir(tmp_path)
    assert run("check", *arguments).returncode == code


@pytest.mark.slow
def test_json_alone_is_on_stdout_and_nothing_on_stderr(tmp_path):
    done = run("check", "--json", write_cubes(tmp_path / "cubes.glb", [0.0, 1.0]))
    assert json.loads(done.stdout)["counts"]["findings"] == 1
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("cubes", "letters"),
    [(40, 200), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((3, 8), (300, 8), (2000, 8)))],
)
def test_a_reader_who_leaves_is_no_error(tmp_path, cubes, letters):
    """Who reads nothing of a few rows, or of more than a buffer holds, which is the same of many and of long ones."""
    names = [f"{k:-<{letters}}" for k in range(cubes)]
    path = write_cubes(tmp_path / "chain.glb", [0.75 * k for k in range(cubes)], names)
    ours, theirs = os.pipe()
    os.close(ours)
    done = run("check", path, stdout=theirs)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["--version"], pytest.param(["check"], marks=pytest.mark.slow)])
def test_a_full_disk_is_an_error(arguments):
    with open("/dev/full", "w") as full:
        done = run(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.startswith("error: the output cannot be written")
    assert done.stderr.count("\n") == 1


def test_an_unexpected_failure_does_not_look_like_a_verdict():
    code = "from tumble.cli import main, reading; reading.sample_parts = lambda: 1 / 0; main()"
    done = subprocess.run([sys.executable, "-c", code, "check"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "ZeroDivisionError" in done.stderr
    assert done.stdout == ""


def test_no_garbage_is_looked_for_at_the_end():
    code = """if True:
        import atexit, gc
        atexit.register(lambda: print(gc.get_freeze_count() > 1_000))
        from tumble.cli import main
        main()
    """
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == ["True"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_ctrl_c_ends_a_long_kernel(tmp_path):
    # Everything touches everything: 10**10 pairs of triangles, in one kernel call of many minutes.
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    heap = trimesh.Trimesh(np.tile(corners, (100_000, 1)), np.arange(300_000).reshape(-1, 3), process=False)
    path = tmp_path / "heap.stl"
    heap.export(path)
    heap.apply_translation([0.125, 0, 0])  # or they would be copies, which are found without a kernel
    heap.export(tmp_path / "other.stl")
    command = [sys.executable, "-c", SLOW_CHECK, "check", str(path), str(tmp_path / "other.stl")]
    environment = {**os.environ, "TUMBLE_QUIET": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stderr.readline() == "started\n"
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, output, errors) == (130, "", "interrupted\n")


TERMINATED_WHILE_WRITING = """
import os, signal, sys
import tumble.cli.check, tumble.core.whole_files as whole_files
from tumble.cli import main

def terminate(beside, target, content):
    beside.write_bytes(content[:10])
    os.kill(os.getpid(), signal.SIGTERM)

sys.modules["tumble.cli.check"].check_parts = lambda *arguments: tumble.clash.Checked([], [])
whole_files._write_beside = terminate
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_a_signal_to_terminate_leaves_no_part_of_a_file(tmp_path):
    command = [sys.executable, "-c", TERMINATED_WHILE_WRITING, "check", "--csv", str(tmp_path / "out.csv")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, "TUMBLE_QUIET": "1"})
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "")
    assert os.listdir(tmp_path) == []


@needs_terminal
@pytest.mark.slow  # by default with results that go to a pipe, as below
@pytest.mark.parametrize("columns", [60, 240])
def test_on_a_terminal(tmp_path, columns):
    names = ["x" * 70 + "left", "x" * 70 + "right"]
    path = write_cubes(tmp_path / "cubes.glb", [0.0, 1.0], names)
    shown, _ = on_terminal(columns, [*TUMBLE, "check", str(path)])
    assert shown.count(HIDE_CURSOR) == shown.count(SHOW_CURSOR) == 1
    table = shown.partition(SHOW_CURSOR)[2]
    assert table.count("x") == 140
    assert "\x1b[1;32mNo fault in 1 finding" in table
    if columns == 240:
        assert all(name in table for name in names)


@needs_terminal
def test_progress_goes_to_the_terminal_when_results_go_to_a_pipe(tmp_path):
    path = write_cubes(tmp_path / "cubes.glb", [0.0, 1.0])
    shown, output = on_terminal(60, [*TUMBLE, "check", str(path)], stdout=subprocess.PIPE)
    assert shown.count(HIDE_CURSOR) == shown.count(SHOW_CURSOR) == 1
    assert "reading" in shown
    assert "No fault in 1 finding: 1 touching." in output
    assert "\x1b" not in output


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "closed", [*(pytest.param(each, marks=pytest.mark.slow) for each in ("2>&-", ">&-")), ">&- 2>&-"]
)
def test_closed_streams_leave_the_exit_code_alone(tmp_path, closed, every):
    crossing = write_cubes(tmp_path / "crossing.glb", [0.0, 0.75])
    clear = write_cubes(tmp_path / "clear.glb", [0.0, 2.0])
    ends = {"2>&-": (crossing, 1), ">&-": (clear, 0), ">&- 2>&-": (tmp_path / "missing.glb", 2)}
    for path, code in ends.values() if every else [ends[closed]]:
        done = subprocess.run(
            ["sh", "-c", f'"$@" {closed}', "sh", *TUMBLE, "check", str(path)], check=False, timeout=300
        )
        assert done.returncode == code, path
