"""Ctrl-C, or any signal whose handler raises, at any moment: the call ends soon, and nothing is broken by it."""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tumble
from tumble.core import interrupts
from tumble.core.interrupts import RAISED, STOPPING, words
from tumble.core.parallel import run_pieces

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
HERE = Path(__file__).parents[1]
SOON = 10.0
"""seconds, generously: the machine may be busy; what does not look for signals takes minutes"""


class Ended(Exception):
    """What the handlers of these tests raise."""


class Burst:
    """Signals after each other, each of which raises in the main thread."""

    def __init__(self, *times: float) -> None:
        self.times = list(times)

    def __enter__(self) -> Burst:
        self.before = signal.signal(signal.SIGALRM, self.raises)
        signal.setitimer(signal.ITIMER_REAL, self.times.pop(0))
        return self

    def raises(self, number: int, frame: object) -> None:
        if self.times:
            signal.setitimer(signal.ITIMER_REAL, self.times.pop(0))
        raise Ended(number, "with arguments")

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self.before)


def same_triangles(count: int) -> tumble.Mesh:
    """Triangles that all lie upon each other: count² touching pairs."""
    return tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (count, 1)))


LONG = {
    "collide": lambda pile: tumble.collide(pile, pile),
    "collide boxtree": lambda pile: tumble.collide(pile, pile, tree="boxtree"),
    "collide brute": lambda pile: tumble.collide(pile, pile, method="brute"),
    "collide stack": lambda pile: tumble.collide(pile, pile, method="stack"),
    "collide stackless": lambda pile: tumble.collide(pile, pile, method="stackless"),
}


@pytest.fixture
def no_limit():
    before = tumble.limits.max_pairs
    tumble.limits.max_pairs = 1 << 60
    yield
    tumble.limits.max_pairs = before


@pytest.mark.parametrize("name", LONG)
def test_a_query_of_minutes_ends_soon_with_just_what_the_handler_raised(name, no_limit):
    assert len(LONG[name](same_triangles(3))) == 9  # loads the kernels
    pile, start = same_triangles(100_000), time.perf_counter()
    with pytest.raises(Ended) as raised, Burst(0.2):
        LONG[name](pile)
    assert raised.value.args == (signal.SIGALRM, "with arguments")
    assert time.perf_counter() - start < SOON
    assert words[RAISED] == words[STOPPING] == 0
    assert len(LONG[name](same_triangles(3))) == 9


@pytest.mark.parametrize(
    "gaps", [(0.05, 0.001, 0.001), *(pytest.param(each, marks=pytest.mark.slow) for each in ((0.05,), (0.05, 0.001)))]
)
def test_pieces_have_ended_when_the_call_has_however_many_signals_come(gaps):
    """A thread that still ran would write after `ended` is set."""
    wrong, ended = [], threading.Event()

    def piece(number: int) -> None:
        for _ in range(40):
            time.sleep(0.005)
            if ended.is_set():
                wrong.append(number)

    def call() -> None:
        try:
            run_pieces(piece, 6, 4)
        finally:
            ended.set()

    run_pieces(str, 2, 2)  # starts the pool
    with pytest.raises(Ended), Burst(*gaps):
        call()
    time.sleep(0.3)
    assert not wrong
    assert run_pieces(lambda number: number, 6, 4) == list(range(6))


def test_a_handler_that_does_not_raise_changes_nothing():
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(threading.current_thread()))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        pile = same_triangles(250)
        assert len(tumble.collide(pile, pile)) == 250**2
        assert len(tumble.collide(pile, pile, method="stack")) == 250**2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert heard
    assert set(heard) == {threading.main_thread()}


def test_an_error_in_one_piece_ends_the_others_and_is_raised():
    def piece(number: int) -> int:
        if number == 3:
            raise tumble.OptionError("this one")
        return number

    for _ in range(50):
        with pytest.raises(tumble.OptionError, match="this one"):
            run_pieces(piece, 8, 4)


def test_pieces_within_pieces():
    def outer(number: int) -> list[int]:
        return run_pieces(lambda inner: 10 * number + inner, 5, 3)

    expected = [[10 * number + inner for inner in range(5)] for number in range(6)]
    for _ in range(50):
        assert run_pieces(outer, 6, 4) == expected
    with pytest.raises(Ended), Burst(0.1, 0.002):
        run_pieces(lambda _: run_pieces(lambda _: time.sleep(0.2), 6, 3), 6, 4)
    assert run_pieces(outer, 6, 4) == expected


def run_alone(*arguments: str, timeout: float) -> None:
    """Run the module of random interrupts in a process of its own, which must end well and say nothing."""
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.run(
        [sys.executable, str(HERE / "interrupting.py"), *arguments],
        env={**os.environ, "PYTHONPATH": paths, "TUMBLE_QUIET": "1"}, capture_output=True, text=True, timeout=timeout,
        check=False,
    )  # fmt: skip
    assert process.returncode == 0, (process.returncode, process.stderr)
    assert process.stderr == ""


@pytest.mark.process
def test_signals_at_random_moments():
    run_alone("0", "0", "many,solid,device,robot", "1", "0.1", timeout=900)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("group", ["collide", "many", "solid", "build", "stateful", "device", "robot"])
def test_hundreds_of_signals_at_random_moments(group, seed):
    run_alone(str(1 + seed), "60", group, "20", timeout=1800)


@pytest.mark.slow  # by default a command is ended, in `test_process.py`
def test_ctrl_c_ends_a_process_as_it_should():
    """The default handler, a signal from outside: KeyboardInterrupt, and the exit code of it."""
    code = (
        "import numpy as np, tumble\n"
        "tumble.limits.max_pairs = 1 << 60\n"
        "pile = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.tile([0, 1, 2], (100_000, 1)))\n"
        "tumble.collides(pile, pile)\n"
        "print('begin', flush=True)\n"
        "tumble.collide_many(pile, pile, np.tile(np.eye(4), (40, 1, 1)), first=False)\n"
    )
    paths = os.pathsep.join([str(Path(tumble.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert process.stdout.readline() == "begin\n"
    time.sleep(0.4)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.002)
    _, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT, err
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert "Exception ignored" not in err


class Second(Exception):
    """Raised by a handler that runs after the kernel has returned, before what it put aside is raised."""


@pytest.mark.parametrize(("entry", "ask"), [("_first_hit", tumble.collides), ("_all_pairs", tumble.collide)])
def test_of_two_signals_none_stays_for_a_later_call(entry, ask, monkeypatch):
    module = importlib.import_module("tumble.api.collide")
    box = tumble.shapes.box()
    ask(box, box)  # loads the kernels

    def put_aside(*arguments):
        """Do what a kernel does in which a handler has raised."""
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(KeyboardInterrupt))  # the table owns a reference
        interrupts.words[interrupts.RAISED] = id(KeyboardInterrupt)
        interrupts.words[interrupts.RAISED + 1] = interrupts.words[interrupts.RAISED + 2] = 0
        return interrupts.INTERRUPTED

    def interrupted_again():
        raise Second

    with monkeypatch.context() as patch:
        patch.setattr(module, entry, put_aside)
        patch.setattr(module, "check", interrupted_again)
        with pytest.raises(Second):
            ask(box, box)
    assert interrupts.words[interrupts.RAISED] == 0
    assert ask(box, box)
