"""`tumble simulate`: scenes in; tables, JSON and files out; Ctrl-C saves what there is."""

import _thread
import json
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from typer.testing import CliRunner

from tumble import shapes
from tumble.cli import app
from tumble.cli.progress import first_interrupt_sets, run_interruptibly
from tumble.dynamics import World
from tumble.errors import SimulationError
from tumble.playback import Recorder
from tumble.scenario.worlds import WORLDS

DONE, ERROR, INTERRUPTED = 0, 2, 130
QUICK = ("stack", "--count", 2, "--steps", 8)


@pytest.fixture(autouse=True)
def ctrl_c_is_heard():
    """A shell that starts the tests in the background lets them ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def run(*arguments):
    return CliRunner().invoke(app, ["simulate", *map(str, arguments)])


def plain(text):
    """Return the words of a text without colours, frames and line ends."""
    return " ".join(re.sub(r"\x1b\[[0-9;]*m|[│╭╮╰╯─]", " ", text).split())


# Prints the kernels that are loaded, or compiled, after the command has prepared all of them, and whether the broad
# phase of many bodies was asked; they are many from a number of comparisons per body on.
LATE_KERNELS = """
import importlib
import sys
from tumble.broad.choice import Auto, Tree
from tumble.cli import app
from tumble.core.kernel_cache import KernelCache

simulate = importlib.import_module("tumble.cli.simulate")
late, load, prepare = [], KernelCache.load_overload, simulate._compile
asked, keys = [], Tree.keys
Auto.MOST_COMPARED = int(sys.argv[1])

def load_and_note(cache, *arguments):
    late.append(cache._py_func.__name__)
    return load(cache, *arguments)

def prepare_and_forget(options):
    prepare(options)
    late.clear()
    asked.clear()

def keys_and_note(*arguments):
    asked.append(1)
    return keys(*arguments)

Tree.keys = keys_and_note
KernelCache.load_overload = load_and_note
simulate._compile = prepare_and_forget
app(["simulate", *sys.argv[2:], "--json"], standalone_mode=False)
print(late, bool(asked), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("most_compared", "arguments", "asked"),
    [
        (4, ["cows", "--count", "64", "--steps", "2"], True),
        pytest.param(24, ["cows", "--count", "512", "--steps", "2"], True, marks=pytest.mark.slow),
        pytest.param(24, ["stack", "--steps", "20"], False, marks=pytest.mark.slow),
        pytest.param(24, ["dominoes", "--steps", "60", "--continuous"], False, marks=pytest.mark.slow),
    ],
)
@pytest.mark.process
def test_no_step_compiles(most_compared, arguments, asked):
    """Many bodies have another broad phase than few: its kernels too belong to the preparation, not to a step."""
    command = [sys.executable, "-c", LATE_KERNELS, str(most_compared), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    assert done.stderr.splitlines()[-1] == f"[] {asked}"


def test_help_lists_the_scenes():
    text = plain(run("--help").stdout)
    for kind in WORLDS.values():
        assert f"{kind.name} {kind.summary}".replace("`", "") in text  # the help is Markdown: backticks are a style
    options = "save steps count mesh hull every continuous device threads json"
    for option in options.split():
        assert f"--{option}" in text
    assert "simulate" in CliRunner().invoke(app, ["--help"]).stdout


def test_tables_tell_the_phases_and_what_happened():
    result = run(*QUICK)
    assert result.exit_code == DONE, result.output
    assert "stack: 2 bodies of 24 triangles, 8 steps, 0.08 s of its time" in result.stdout
    rows = {line.split("  ")[0]: line.split() for line in result.stdout.splitlines()}
    for phase in ("broad phase", "narrow phase", "contacts", "solve", "integrate", "all"):
        assert phase in rows
    assert rows["all"][-2:] == ["100.0", "%"]
    assert "deepest at any step" in result.stdout
    assert "Still moving: 2." in result.stdout
    assert "The recording" not in result.stdout


def test_kernels_are_compiled_before_the_clock_runs(monkeypatch):
    seen = []
    step = World.step
    monkeypatch.setattr(World, "step", lambda world, count=1: (step(world, count), seen.append(world))[0])
    assert run(*QUICK).exit_code == DONE
    first = seen[0]
    assert first is not seen[1]
    assert (first.contacts.body_b >= 0).any()  # two bodies
    assert (first.contacts.body_b < 0).any()  # a body and a plane


def test_fast_bodies_can_be_stopped(monkeypatch):
    seen = []
    step = World.step
    monkeypatch.setattr(World, "step", lambda world, count=1: (step(world, count), seen.append(world))[0])
    assert run(*QUICK, "--continuous").exit_code == DONE
    assert all(world.settings.continuous for world in seen)
    assert seen[0].velocities()[2, 2] > -50.0  # in the world that compiles, a fast body is stopped
    assert seen[0].positions()[2, 2] > 1.98


def test_json_says_everything(tmp_path):
    file = tmp_path / "out.glb"
    result = run(*QUICK, "--json", "--threads", 1, "--save", file)
    found = json.loads(result.stdout)
    assert (found["scene"], found["bodies"], found["triangles"], found["steps"]) == ("stack", 2, 24, 8)
    assert found["simulated_seconds"] == pytest.approx(0.08)
    assert found["at_rest"] is False
    assert found["awake"] == 2
    assert found["energy"]["end"] <= found["energy"]["start"] * (1 + 1e-12)
    assert sum(found["phases"].values()) <= found["seconds"]
    assert found["file"] == str(file)
    assert found["file_bytes"] == file.stat().st_size
    assert not found["interrupted"]


def test_the_page_is_written_and_its_size_told(tmp_path):
    pytest.importorskip("viser")
    file = tmp_path / "out.html"
    result = run(*QUICK, "--save", file, "--every", 1)
    assert result.exit_code == DONE, result.output
    assert f"The recording: {file} ({file.stat().st_size / 1e3:.0f} kB)" in result.stdout
    assert "<title>tumble · stack</title>" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cats",), "there is no scene 'cats'; choose one of: cows, stack, dominoes, gears, linkage, bowl"),
        (("stack", "--save", "out.mp4"), "must end in .html or .glb"),
        (("stack", "--save", "no-such-folder/out.glb"), "there is no folder no-such-folder"),
        (("stack", "--count", 0), "count must be a whole number from 1, not 0"),
        (("stack", "--hull"), "--hull is about the mesh"),
        (("stack", "--device", "abacus"), "unknown device 'abacus'"),
        (("bowl", "--mesh", "nothing.stl"), "nothing.stl"),
    ],
)
def test_errors_come_before_the_first_step(arguments, message, monkeypatch):
    monkeypatch.setattr(World, "step", lambda *_: pytest.fail("the simulation has begun"))
    result = run(*arguments)
    assert result.exit_code == ERROR
    assert message in plain(result.stderr)


def test_an_open_mesh_is_refused_and_its_hull_is_not(tmp_path):
    import trimesh

    file = tmp_path / "open.stl"
    ball = shapes.icosphere(1)
    trimesh.Trimesh(ball.vertices, ball.faces[1:]).export(file)
    result = run("bowl", "--mesh", file, "--count", 1, "--steps", 1)
    assert result.exit_code == ERROR
    assert "open.stl: the mesh is open" in plain(result.stderr)
    assert "--hull" in plain(result.stderr)
    assert run("bowl", "--mesh", file, "--hull", "--count", 1, "--steps", 1).exit_code == DONE


def test_without_viser_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    result = run(*QUICK, "--save", tmp_path / "out.html")
    assert result.exit_code == ERROR
    assert 'pip install "tumble[view]"' in plain(result.stderr)
    assert run(*QUICK, "--save", tmp_path / "out.glb").exit_code == DONE


def test_ctrl_c_ends_early_and_saves(tmp_path, monkeypatch):
    note = Recorder.note

    def note_and_interrupt(recorder):
        note(recorder)
        if recorder._world.steps == 3:
            _thread.interrupt_main()
            time.sleep(0.5)  # the main thread looks five times a second

    monkeypatch.setattr(Recorder, "note", note_and_interrupt)
    result = run("stack", "--count", 2, "--steps", 300, "--save", tmp_path / "out.glb", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == INTERRUPTED
    assert found["interrupted"]
    assert 3 <= found["steps"] < 300
    assert (tmp_path / "out.glb").stat().st_size == found["file_bytes"]


def test_the_second_ctrl_c_does_not_wait():
    stop, end = threading.Event(), threading.Event()

    def work():
        _thread.interrupt_main()
        stop.wait(20)
        _thread.interrupt_main()
        end.wait(20)

    with pytest.raises(KeyboardInterrupt), first_interrupt_sets(stop):
        run_interruptibly(work)
    assert stop.is_set()
    end.set()


def test_what_happened_before_an_explosion_is_saved(tmp_path, monkeypatch):
    step = World.step

    def step_or_explode(world, count=1):
        if world.steps == 4:
            raise SimulationError("body 'box 1' is nowhere")
        step(world, count)

    monkeypatch.setattr(World, "step", step_or_explode)
    file = tmp_path / "out.glb"
    result = run(*QUICK, "--save", file)
    assert result.exit_code == ERROR
    assert "body 'box 1' is nowhere; what happened until then is in" in plain(result.stderr)
    assert file.exists()
