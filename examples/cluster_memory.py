"""What a worker's memory holds of the meshes that it is asked about: its own copy, or pages that all workers share.

    python examples/cluster_memory.py [--workers 2] [--folder FOLDER]

Two large meshes are asked about in some poses, once as they travel by default and once from a shared folder. Printed is
what each worker has more than before: its memory, and its share of it, where pages that n processes map count for one
n-th each (Pss, as Linux tells it). Needs the extra `cluster`, and Linux.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

import tumble
from tumble import cluster

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
DETAIL, POSES = (3, 100) if SMALL else (9, 1000)


def memory() -> tuple[int, int]:
    """Return the memory of a process and its share of it, in bytes."""
    numbers = dict(line.split(":") for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:])
    return 1024 * int(numbers["Rss"].split()[0]), 1024 * int(numbers["Pss"].split()[0])


def measured(balls: list[tumble.Mesh], workers: int, folder: str | None) -> tuple[float, float, float]:
    """Return what a worker has more of than before, on average, in MB, and the seconds of the first answer."""
    poses = [tumble.translation(1.9 + 0.1 * k / POSES, 0.0, 0.0) for k in range(POSES)]
    with cluster.local(workers, threads=1, chunk_rows=POSES // 20, shared_folder=folder) as given:
        tumble.collide_many(tumble.shapes.box(), tumble.shapes.box(), poses, client=given)
        run = given.connection.client.run
        before, start = run(memory), time.perf_counter()
        tumble.collide_many(*balls, poses, client=given)
        seconds, after = time.perf_counter() - start, run(memory)
    grown = [sum(after[worker][k] - before[worker][k] for worker in before) / workers for k in range(2)]
    return 1e-6 * grown[0], 1e-6 * grown[1], seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", help="a shared folder; by default a temporary one")
    given = parser.parse_args()
    if not os.path.exists("/proc/self/smaps_rollup"):
        raise SystemExit("this example needs Linux, which tells what pages processes share")
    balls = [tumble.shapes.icosphere(DETAIL), tumble.shapes.icosphere(DETAIL, 1.001)]
    tumble.collides(*balls)  # trees are there
    print(f"two meshes of {len(balls[0]):,} triangles, {given.workers} workers; per worker:")
    with tempfile.TemporaryDirectory() as temporary:
        for name, folder in (("travels", None), ("shared folder", given.folder or temporary)):
            grown, share, seconds = measured(balls, given.workers, folder)
            print(f"{name:14s} {grown:7.0f} MB, its share {share:7.0f} MB; the first answer took {seconds:.2f} s")


if __name__ == "__main__":
    try:
        main()
    except tumble.MissingDependencyError as error:
        raise SystemExit(str(error)) from None
