"""What every test shares: the folder of the judges on the path, and the hypothesis profiles."""

import contextlib
import gc
import importlib
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# `import oracle` and `import pairs` must work from any test folder, however pytest was started.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from covering import without_slow_cases

# The processes of a run, and those that tests start, import the same sources: whoever compiles one keeps it for all.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# All cores are busy with tests: no command starts a process that compiles beside it, unless a test asks for one.
os.environ.setdefault("TUMBLE_COMPILERS", "1")

# The compiler keeps millions of objects, which Python would look through over and over: a twentieth of a run.
gc.set_threshold(50_000, 20, 20)

# `ci` asks the same questions on every run; HYPOTHESIS_PROFILE=search looks for new counterexamples.
settings.register_profile("ci", max_examples=30, derandomize=True, deadline=None, database=None)
settings.register_profile("search", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def _is_worker(config):
    return hasattr(config, "workerinput")


def _is_odd_worker(config):
    return _is_worker(config) and int(config.workerinput["workerid"].removeprefix("gw")) % 2 == 1


def pytest_configure(config):
    """Let the processes of a run begin with different kernels, each of which the others then find on disk.

    All of them import the same files, and would compile what these need at the same time.
    """
    if _is_worker(config):  # what starts the others needs no compiler
        import numpy as np

        import tumble
        from tumble.dynamics.manifold import gather, manifold

        ball = tumble.shapes.icosphere(1)
        if not _is_odd_worker(config):
            tumble.collide(ball, ball)
            tumble.collide(ball, ball, tree="boxtree")
            tumble.self_collide(ball)
        else:
            poses, pair = np.stack([np.eye(4), np.eye(4)]), np.array([[0, 0]])
            manifold(gather([ball]), np.array([0, 0]), poses, np.array([[0, 1]]), np.array([0, 1]), pair)
            tumble.contains(ball, [[0.0, 0.0, 0.0]])
            tumble.distance(ball, ball)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """Let every second process of a run import the files from the last to the first, where all files are collected.

    Reading the asserts of a file takes as long as all else in its import, and what one process has read the others
    find on disk: each of two does half of it.
    """
    if _is_odd_worker(session.config) and session.config.args == session.config.getini("testpaths"):
        for path in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
            sys.path.insert(0, str(path.parent))
            with contextlib.suppress(Exception, pytest.skip.Exception):  # is raised again where pytest reports it
                importlib.import_module(path.stem)
            sys.path.remove(str(path.parent))


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc):
    """Leave out what "not slow" in `-m` would leave out: half of all tests, and making them takes ten seconds."""
    if "not slow" in metafunc.config.getoption("markexpr"):
        marks = metafunc.definition.own_markers
        marks[:] = [without_slow_cases(mark) if mark.name == "parametrize" else mark for mark in marks]


@pytest.fixture
def no_pixels(monkeypatch):
    """Draw figures once, as SVG, and leave the files of the same pictures in pixels empty."""
    figure = pytest.importorskip("matplotlib.figure").Figure
    draw = figure.savefig

    def savefig(canvas, file, **options):
        if isinstance(file, Path) and file.suffix == ".png":
            file.touch()
        else:
            draw(canvas, file, **options)

    monkeypatch.setattr(figure, "savefig", savefig)


@pytest.fixture
def no_drawing(monkeypatch):
    """Make figures without drawing them: their files are there, with nothing in them."""

    def savefig(canvas, file, **options):
        if isinstance(file, Path):
            file.touch()
        else:
            file.write("<svg></svg>")

    monkeypatch.setattr(pytest.importorskip("matplotlib.figure").Figure, "savefig", savefig)


@pytest.fixture
def quick_collections():
    """Let `gc.collect` look at what the test makes alone: all that the compiler has kept takes a second each time."""
    gc.freeze()
    yield
    gc.unfreeze()
