"""A model of a cluster: at how many workers is it saturated, and by what?

    python examples/cluster_model.py              # with the figures below
    python examples/cluster_model.py --measure    # measure the figures of a task on this machine first

The scheduler and whoever asks handle one message at a time. Each chunk costs them a fixed time and that of its bytes,
when it is sent and when its result comes back; a worker takes the time of its rows, which scatters by 30 %. Chunks are
cut by Tumble's own code. Meshes travel first, from worker to worker: in log2(workers) rounds. Printed is which part of
the workers' time is work, for rows that take half a minute.
"""

import argparse
import heapq
import math
import os
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import tumble
from tumble import cluster
from tumble.cluster.chunks import Chunks
from tumble.cluster.job import Job

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
WORKERS = (1, 4, 16) if SMALL else (1, 10, 30, 100, 300, 1000)
LENGTH = 1.0 if SMALL else 30.0
"""seconds that all workers together need for the rows"""
BLOCK = 0.005
"""seconds: rows are counted in blocks that take so long"""
MESHES = 50e6
"""bytes that travel to each worker"""


class Costs(NamedTuple):
    """What a cluster takes, in seconds."""

    task: float = 0.0015
    """of the scheduler and of whoever asks, together, for one chunk"""
    byte: float = 1.0 / 400e6
    """of a byte of rows or results: through the scheduler, packed and unpacked"""
    item_byte: float = 1.0 / 250e6
    """of a byte of meshes, from one worker to another"""


class Rows(NamedTuple):
    """What a row takes."""

    name: str
    seconds: float
    sent: float
    """bytes to a worker"""
    returned: float
    """bytes back"""


KINDS = (
    Rows("poses of two meshes, first hit: 2 µs", 2e-6, 144.0, 24.0),
    Rows("poses of two large meshes: 50 µs", 50e-6, 144.0, 24.0),
    Rows("configurations of a robot: 20 µs", 20e-6, 56.0, 1.0),
    Rows("the same, made on the worker from a number", 20e-6, 8.0, 1.0),
    Rows("pairs of parts, related and measured: 5 ms", 5e-3, 4000.0, 1000.0),
)


def simulate(rows: Rows, workers: int, costs: Costs) -> tuple[float, float]:
    """Return which part of the workers' time is work, and which part of the time whoever asks is busy."""
    block = max(1, round(BLOCK / rows.seconds))
    seconds, sent, returned = block * rows.seconds, block * rows.sent, block * rows.returned
    count, rng = math.ceil(LENGTH * workers / seconds), np.random.default_rng(1)
    chunks = Chunks(Job("blocks", _nothing, count, _part, row_bytes=int(sent), first=1), workers)
    started = asking = costs.item_byte * MESHES * (1.0 + math.log2(workers))
    free, busy, at = [asking] * workers, 0.0, 0
    flight: list[tuple[float, int, int, float]] = []
    while at < count or flight:
        if at == count or len(flight) >= chunks.ahead:
            done, start, stop, taken = heapq.heappop(flight)
            cost = 0.5 * costs.task + costs.byte * returned * (stop - start)
            chunks.note(start, stop, taken, int(returned * (stop - start)))
            asking = max(asking, done) + cost
        else:
            stop = chunks.stop(at, count)
            cost = 0.5 * costs.task + costs.byte * sent * (stop - at)
            asking += cost
            taken = seconds * (stop - at) * max(rng.normal(1.0, 0.3), 0.1)
            end = max(asking, heapq.heappop(free)) + taken
            heapq.heappush(free, end)
            heapq.heappush(flight, (end, at, stop, taken))
            at = stop
        busy += cost
    return seconds * count / (workers * asking), busy / (asking - started)


def measured() -> Costs:
    """Return the costs of a chunk on this machine: tiny chunks, large rows, and meshes, with a local cluster."""
    with cluster.local(2, threads=1, chunk_rows=1) as given:
        numbers, wide = np.arange(500), np.zeros((40, 250_000))
        cluster.map_rows(first_column, [numbers[:10, None]], None, given)
        task = _seconds(lambda: cluster.map_rows(first_column, [numbers[:, None]], None, given)) / len(numbers)
        byte = (_seconds(lambda: cluster.map_rows(first_column, [wide], None, given)) / len(wide) - task) / wide[
            0
        ].nbytes
        item = np.zeros(int(MESHES / 8))
        item_byte = _seconds(lambda: given.connection.share(item)) / (2 * item.nbytes)
    return Costs(task, max(byte, 1e-11), item_byte)


def first_column(shared: None, rows: np.ndarray) -> tuple[np.ndarray]:
    """Return next to nothing."""
    return (rows[:, 0],)


def _seconds(ask: Callable[[], object]) -> float:
    start = time.perf_counter()
    ask()
    return time.perf_counter() - start


def _nothing(items: object, rows: object) -> None:
    raise NotImplementedError


def _part(start: int, stop: int) -> None:
    raise NotImplementedError


def main() -> None:
    """Print a table: work in percent of the workers' time; in brackets, how busy whoever asks is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--measure", action="store_true", help="measure the costs on this machine")
    costs = measured() if parser.parse_args().measure else Costs()
    print(
        f"a chunk takes {1e3 * costs.task:.2f} ms of the scheduler and whoever asks; rows and results go at "
        f"{1e-6 / costs.byte:.0f} MB/s, meshes at {1e-6 / costs.item_byte:.0f} MB/s\n"
    )
    print(f"{'rows':46s}" + "".join(f"{workers:>12d}" for workers in WORKERS))
    for rows in KINDS:
        found = [simulate(rows, workers, costs) for workers in WORKERS]
        print(f"{rows.name:46s}" + "".join(f"{100 * work:5.0f}% ({100 * busy:3.0f}%)" for work, busy in found))


if __name__ == "__main__":
    try:
        main()
    except tumble.MissingDependencyError as error:
        raise SystemExit(str(error)) from None
