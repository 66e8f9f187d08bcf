"""A forked child finds every lock free, whoever held it in the parent."""

import multiprocessing
import os
import threading

import pytest

import tumble
from tumble.locks import new_lock
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
