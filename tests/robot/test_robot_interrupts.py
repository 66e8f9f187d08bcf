"""Signals amid long calls about a robot: between two of its steps Python runs the handlers."""

import signal

import numpy as np
import pytest
from small_robots import arm

from tumble.robot import kinematics, sampling


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
