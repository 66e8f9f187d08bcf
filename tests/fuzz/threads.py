"""The same questions from several threads at once, after a fork and, rarely, in a pool of new processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import tumble

from .questions import Question, question
from .ways import some

Random = np.random.Generator
OPTIONS = ({}, {"tree": "boxtree"}, {"method": "stack"}, {"method": "bulk"}, {"method": "front"}, {"contacts": True})
CHILD_SECONDS = 60


def case(rng: Random) -> None:
    """Ask from threads, a child or a pool."""
    asked = [question(rng, 10) for _ in range(3)]
    for each in asked:
        assert each.expected is not None  # judged here, in one thread
    kind = rng.random()
    if kind < 0.6:
        in_threads(rng, asked)
    elif kind < 0.99 and sys.platform != "win32":
        after_fork(rng, asked)
    else:
        in_processes(asked)


def in_threads(rng: Random, asked: list[Question]) -> None:
    """Ask fresh meshes, whose trees are not there yet, from many threads at once."""
    jobs = []
    for each in asked:
        fresh = Question(*(tumble.Mesh(m.vertices, m.faces) for m in (each.a, each.b)), each.pose_a, each.pose_b)
        fresh.__dict__["expected"] = each.expected
        jobs += [(fresh, some(rng, OPTIONS)) for _ in range(6)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(answer, [jobs[k] for k in rng.permutation(len(jobs))]))
    assert len(found) == len(jobs)


def answer(job: tuple[Question, dict[str, object]]) -> None:
    """Ask once and judge."""
    asked, options = job
    found = tumble.collide(asked.a, asked.b, asked.pose_a, asked.pose_b, **options)
    asked.check(found.pairs, f"in a thread, {options}")


def after_fork(rng: Random, asked: list[Question]) -> None:
    """Ask in a child that was forked while threads were at work."""
    options = some(rng, OPTIONS)
    poses = np.tile(np.eye(4), (500, 1, 1))
    # kernels are compiled and loaded here, so that a child that takes a minute hangs
    answer((asked[0], options))
    tumble.collide_many(asked[0].a, asked[0].b, poses[:1])
    with ThreadPoolExecutor(2) as pool:
        work = pool.submit(tumble.collide_many, tumble.shapes.torus(), tumble.shapes.torus(), poses)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            signal.alarm(CHILD_SECONDS)
            code = 1
            try:
                for each in asked:
                    answer((each, options))
                    tumble.collide_many(each.a, each.b, np.eye(4)[None], each.pose_a)
                code = 0
            finally:
                os._exit(code)
        work.result()
    _, status = os.waitpid(child, 0)
    if status:
        raise AssertionError(f"a forked child asking {options} ended with {os.waitstatus_to_exitcode(status)}")


def in_processes(asked: list[Question]) -> None:
    """Ask in a pool of processes that start from nothing."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.starmap(tumble.collide, [(each.a, each.b, each.pose_a, each.pose_b) for each in asked])
    for each, collision in zip(asked, found, strict=True):
        each.check(collision.pairs, "in a spawned process")
