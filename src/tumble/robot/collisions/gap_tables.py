"""How far two links are apart at least, by the two joints between them: looked up instead of searched.

How two links lie to each other depends on the joints between them alone. Where these are one or two columns of a
configuration, their range is cut into cells; the distance in the middle of a cell, less what the joints can change it
by until the edge of the cell, holds for the whole cell. Neighbours but one of a chain are nearly always so near that
balls cannot tell them apart, so this settles most of the questions that are left.

Tables are made when a robot has been asked often enough to pay for them; only speed depends on them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.robot.collisions.asked import Check
from tumble.robot.collisions.distances import distances_of
from tumble.robot.collisions.gap_record import CELLS, COLUMNS, NO_TABLE, GapTables, frozen_tables, some_gaps
from tumble.robot.collisions.world import World

if TYPE_CHECKING:
    from tumble.robot.collisions.prepared import Prepared

ROUNDED_DOWN = 1.0 - 2.0**-20
ROUNDING = 2.0**-36
"""of the size of the robot: many times as much as distances in two configurations of the same cell are off by"""
MANY = 100_000
"""configurations, after which tables pay"""
NOTHING = World([], [], np.empty((0, 4, 4)))


def expect(prepared: Prepared, configurations: int, threads: int) -> None:
    """Count what a robot is asked; once that is enough, make the tables for what is to come."""
    prepared.asked += configurations
    if prepared.asked >= MANY and not prepared.has_tables:
        tables = gap_tables(prepared, threads)
        prepared.bodies, prepared.has_tables = prepared.bodies._replace(tables=tables), True


def gap_tables(prepared: Prepared, threads: int) -> GapTables:
    """Return the tables of all pairs between which there are one or two columns that have limits."""
    robot, count = prepared.robot, len(prepared.bodies.links)
    number = np.full(len(prepared.bodies.pairs), NO_TABLE, np.int64)
    between = [_columns_between(prepared, count + pair) for pair in range(len(number))]
    chosen = [pair for pair, columns in enumerate(between) if columns is not None]
    number[chosen] = np.arange(len(chosen))
    columns = np.array([between[pair] for pair in chosen], np.int64).reshape(-1, COLUMNS)
    low, high = robot.limits[columns, 0], robot.limits[columns, 1]
    half = (high - low) / (2 * CELLS)
    gaps = some_gaps(len(chosen))
    for table, pair in enumerate(chosen):
        lengths = prepared.levers.lengths[count + pair]
        reach = float(sum(lengths[column] * half[table, k] for k, column in enumerate(dict.fromkeys(columns[table]))))
        distances = _distances(prepared, count + pair, columns[table], low[table], half[table], threads)
        gaps[table] = (distances - reach / ROUNDED_DOWN - ROUNDING * prepared.size) * ROUNDED_DOWN
    with np.errstate(divide="ignore"):
        return frozen_tables(number, columns, low, 0.5 / half, gaps)


def _columns_between(prepared: Prepared, question: int) -> tuple[int, int] | None:
    """Return the columns that a question about two links depends on, or None where a table would not do."""
    columns = np.flatnonzero(prepared.levers.lengths[question]).tolist()
    limits = prepared.robot.limits[columns]
    ranges = limits[:, 1] - limits[:, 0]
    if not 1 <= len(columns) <= COLUMNS or not (np.isfinite(limits).all() and (ranges > 0.0).all()):
        return None
    if len(prepared.levers.extensions) and prepared.levers.extensions[question].any():
        return None
    return columns[0], columns[-1]


def _distances(
    prepared: Prepared,
    question: int,
    columns: NDArray[np.int64],
    low: NDArray[np.float64],
    half: NDArray[np.float64],
    threads: int,
) -> NDArray[np.float64]:
    """Return (CELLS, CELLS) how far two bodies are apart in the middle of each cell."""
    middles = low + (2 * np.arange(CELLS)[:, None] + 1) * half
    Q = np.zeros((CELLS, CELLS, len(prepared.robot.joints)))
    Q[:, :, columns[1]] = middles[None, :, 1]
    Q[:, :, columns[0]] = middles[:, None, 0]
    check = Check(prepared, NOTHING, Q.reshape(-1, Q.shape[2]), 0.0, True, threads)
    found = distances_of(check, math.inf, np.array([question]))
    return found.distances.reshape(CELLS, CELLS)
