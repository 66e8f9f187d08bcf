"""A forked child finds every lock free, whoever held it in the parent."""

import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

import tumble
from tumble.core.locks import new_lock
from tumble.mesh import shapes


def take(lock, scene, answers):
    answers.put((lock.acquire(timeout=5), len(scene.copy())))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_lock_that_a_thread_holds_is_free_in_a_forked_child():
    lock, scene = new_lock(), tumble.Scene()
    scene.add("ball", shapes.icosphere(1))
    held, done = threading.Event(), threading.Event()

    def hold():
        with lock, scene._lock:
            held.set()
            done.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=take, args=(lock, scene, answers))
    child.start()
    try:
        assert answers.get(timeout=20) == (True, 1)
        assert not lock.acquire(blocking=False), "in the parent it is still held"
    finally:
        done.set()
        holder.join()
        child.kill()
        child.join()


FORKS_WHILE_LOADING = """
import faulthandler, os, sys, threading, time, warnings
import numpy as np
import tumble

warnings.simplefilter("ignore", DeprecationWarning)
box, ball, poses = tumble.shapes.box(1.3), tumble.shapes.icosphere(1), np.eye(4)[None]
first = threading.Thread(target=tumble.collide_many, args=(ball, ball, poses))
first.start()
children = []
for _ in range(2):
    time.sleep(float(sys.argv[1]))
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(60, exit=True)
        answers = tumble.collide_many(box, ball, poses).hit[0], bool(tumble.collide(box, ball))
        os._exit(0 if answers == (True, True) else 3)
    children.append(child)
first.join()
print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.slow
@pytest.mark.parametrize("delay", ["0.3", "0.02", "0.8"])
def test_a_fork_while_a_thread_loads_kernels_waits_for_it(delay):
    """A child would wait forever for the modules and the compiler that the thread had in hand."""
    command = [sys.executable, "-c", FORKS_WHILE_LOADING, delay]
    found = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert found.stdout.strip() == "[0, 0]", found.stderr
