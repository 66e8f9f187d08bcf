"""Signals amid long calls about a robot: between two of its steps Python runs the handlers.

`tests/core/test_interrupts.py` interrupts these calls at random moments.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from small_robots import arm

import tumble
from tumble.robot import kinematics, sampling

LONG = """
import sys
import numpy as np, tumble
from interrupting_robots import rods
from tumble.robot import TURNS, Kinematics, Robot
ball, robot = tumble.shapes.icosphere(6), rods()
around = tumble.Mesh(1.001 * ball.vertices, ball.faces)  # close to the ball everywhere, and never touches it
turning = Kinematics.of(
    parents=[-1], kinds=[TURNS], columns=[0], factors=[1], offsets=[0], origins=[np.eye(4)], axes=[[0, 0, 1]]
)
shell = Robot("s", [ball], turning, "w", np.array([[-3.0, 3.0]]))
count = 150  # links so far apart that balls tell, which never look for signals themselves
wheel = Kinematics.of(
    parents=[-1, *[0] * (count - 1)], kinds=[TURNS, *[0] * (count - 1)], columns=[0, *[-1] * (count - 1)],
    factors=[1] * count, offsets=[0] * count, origins=[tumble.translation(0, 0, 9 * k) for k in range(count)],
    axes=[[0, 0, 1]] * count,
)
apart = Robot(tuple(map(str, range(count))), [tumble.shapes.box()] * count, wheel, "w", np.array([[-3.0, 3.0]]))
ask = {
    "collides": lambda n: shell.collides(shell.random(n), around),
    "clearance": lambda n: shell.collides(shell.random(n), around, clearance=1e-5, threads=1),
    "links": lambda n: robot.collides(robot.random(n), ball, links=True),
    "distance": lambda n: shell.distance(shell.random(n), around, links=True),
    "motions": lambda n: robot.check_motions(robot.random(n), robot.random(n, 1), ball, times=True, threads=1),
    "apart": lambda n: apart.collides(apart.random(n), threads=1),
    "allowed": lambda n: robot.find_allowed_pairs(50 * n, threads=1),
}[sys.argv[1]]
ask(5)
print("begin", flush=True)
ask(2_000_000)
"""


class Places:
    """At which blocks of a loop signals arrive, by the loop's variable `start`."""

    def __init__(self, module):
        self.module, self.found = module, set()

    def handle(self, number, frame):
        while frame is not None:
            if frame.f_code.co_filename == self.module.__file__ and "start" in frame.f_locals:
                self.found.add(frame.f_locals["start"])
            frame = frame.f_back

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM, self.handle)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return self.found

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self.before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers that send signals")
def test_signals_are_heard_while_configurations_are_checked_and_made():
    robot = arm()
    with Places(kinematics) as found:
        robot.configurations(np.zeros((1_000_000, 4)))
    assert len(found) > 2
    with Places(sampling) as found:
        robot.random(1_000_000)
    assert len(found) > 2


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="no signals as these")
@pytest.mark.parametrize("call", ["collides", "clearance", "links", "distance", "motions", "apart", "allowed"])
def test_ctrl_c_ends_what_would_take_minutes(call):
    paths = [str(Path(tumble.__file__).parents[1]), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    process = subprocess.Popen(
        [sys.executable, "-c", LONG, call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TUMBLE_QUIET": "1"},
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "begin\n", process.stderr.read()
        time.sleep(3.0 if call in ("apart", "allowed") else 0.5)  # these begin by making other things
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT, err
    assert err.rstrip().endswith("KeyboardInterrupt")
