"""`robot.collides`: many configurations on all cores."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tumble.core.growing import Growing
from tumble.core.limits import refuse
from tumble.core.records import frozen
from tumble.robot.collisions.answer import RobotCollisions
from tumble.robot.collisions.asked import Check, in_pieces, make_ready, on_threads
from tumble.robot.collisions.check_kernel import check_configurations
from tumble.robot.collisions.gap_tables import expect
from tumble.robot.collisions.touching_kernel import touching_links

FIRST_ROWS, FIRST_KEYS = 1 << 10, 1 << 14


def collisions(check: Check, links: bool) -> RobotCollisions:
    """Answer which configurations collide, and if asked for, which links and obstacles touch."""
    expect(check.prepared, len(check.Q), check.threads)
    if np.any(check.clearance):
        make_ready(check.prepared, check.world, 0)
    names = tuple(check.prepared.robot.links), check.world.names
    if not links:
        return RobotCollisions(hits(check), None, *names)
    rows = touching_rows(check)
    hit = np.zeros(len(check.Q), np.bool_)
    hit[rows[:, 0]] = True
    return RobotCollisions(hit, rows, *names)


def hits(check: Check) -> NDArray[np.bool_]:
    """Return (n,) which configurations collide."""
    questions, still = check.prepared.questions(check.world, check.self_collision)
    hit = np.zeros(len(check.Q), np.bool_)

    given, Q = check.given, frozen(check.Q)

    def run(asked: NDArray[np.int64], some: slice, drawn: NDArray[np.int64]) -> None:
        work = check.prepared.work(asked, check.clearance)
        code = check_configurations(*given, Q[some], drawn, work, hit[some])
        if code < 0:
            refuse(code)

    if len(still):  # links that no joint moves
        run(still, slice(1), np.zeros(1, np.int64))
    if hit.any():
        hit[:] = True
    else:
        on_threads(len(hit), check.threads, partial(run, questions, slice(None)))
    hit.flags.writeable = False
    return hit


def touching_rows(check: Check) -> NDArray[np.int64]:
    """Return (m, 3): configuration, link, and another link or -1 - the number of an obstacle; sorted."""
    questions, still = check.prepared.questions(check.world, check.self_collision)
    every = np.concatenate([questions, still])
    found = in_pieces(len(check.Q), check.threads, partial(_rows_of_piece, check, every))
    rows = np.concatenate([np.empty((0, 3), np.int64), *found])
    rows.flags.writeable = False
    return rows


def _rows_of_piece(check: Check, questions: NDArray[np.int64], start: int, stop: int) -> NDArray[np.int64]:
    rows = _found_in_piece(check, questions, start, stop)
    links = check.prepared.bodies.links
    rows[:, 1] = links[rows[:, 1]]
    rows[:, 2] = np.where(rows[:, 2] >= 0, links[np.maximum(rows[:, 2], 0)], rows[:, 2])
    # links before obstacles, both in their order
    order = np.lexsort((np.abs(rows[:, 2]), rows[:, 2] < 0, rows[:, 1], rows[:, 0]))
    return rows[order]


def _found_in_piece(check: Check, questions: NDArray[np.int64], start: int, stop: int) -> NDArray[np.int64]:
    work = check.prepared.work(questions, check.clearance)
    rows, keys = Growing(FIRST_ROWS, (3,)), np.empty(FIRST_KEYS, np.int64)
    seen = np.full(len(check.world.names), -1, np.int64)
    given, Q = check.given, frozen(check.Q)
    while start < stop:
        used = np.zeros(2, np.int64)
        start = touching_links(*given, Q, start, stop, work, keys, seen, rows.free, used)
        if start < 0:
            refuse(start)
        rows.advance(int(used[0]))
        seen[:] = -1
        if used[1]:
            keys = np.empty(int(used[1]), np.int64)
        elif start < stop:
            rows.grow(rows.used + len(rows.free))
    return rows.filled
