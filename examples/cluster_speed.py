"""What worker processes bring: the same questions by this process, by one worker and by two, warm, meshes shared.

    python examples/cluster_speed.py [--workers 2]

A question takes one to four seconds by one worker. Printed are seconds of the best of some rounds, asked in turns, and
how many times as fast several workers are as one; and the same ratio of processor times, as if nothing else ran and
workers had equal shares: that of a worker, or of all processes divided by the cores. `here` has all cores. Needs the
extra `cluster`.
"""

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

import tumble
from tumble import cluster
from tumble.core.parallel import usable_cores

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
ROUNDS = 1 if SMALL else 2
Ask = Callable[[cluster.Cluster | None], object]


def places(count: int, reach: float) -> np.ndarray:
    """Return poses around the origin."""
    rng = np.random.default_rng(1)
    found = np.tile(np.eye(4), (count, 1, 1))
    found[:] = [tumble.rotation("xyz"[k % 3], angle) for k, angle in enumerate(rng.uniform(0.0, 6.0, count))]
    found[:, :3, 3] = rng.uniform(-reach, reach, (count, 3))
    return found


def plant(bodies: int) -> tumble.Scene:
    """Return a scene of many bodies, most of which touch some others."""
    scene, knot = tumble.Scene(), tumble.shapes.knot(segments=200, sides=20)
    for k, pose in enumerate(places(bodies, 0.75 * bodies ** (1 / 3))):
        scene.add(f"body {k}", knot, pose)
    return scene


def questions(size: float) -> dict[str, Ask]:
    """Return questions by name."""
    knot, ring = tumble.shapes.knot(segments=400, sides=60), tumble.shapes.torus(sides=60)
    ball = tumble.shapes.icosphere(5)
    shell = tumble.Mesh(1.02 * ball.vertices, ball.faces)
    few, many, inside = (
        places(int(12_000 * size), 1.0),
        places(int(1_800_000 * size), 2.0),
        places(int(2_000 * size), 0.002),
    )
    scene = plant(int(800 * size))
    return {
        "ball close in a shell": lambda client: tumble.collide_many(ball, shell, inside, client=client),
        "poses, all triangles": lambda client: tumble.collide_many(knot, ring, few, first=False, client=client),
        "poses, first hit": lambda client: tumble.collide_many(knot, ring, many, client=client),
        "scene, contacts": lambda client: scene.collisions(contacts=True, client=client),
    }


def processor_times(client: cluster.Cluster | None) -> np.ndarray:
    """Return the processor time of this process, and of each worker."""
    workers = [] if client is None else client.connection.client.run(time.process_time).values()
    return np.array([time.process_time(), *workers])


def race(ask: Ask, clusters: list[cluster.Cluster | None]) -> tuple[list[float], list[float]]:
    """Return the best times, and the best processor times, asked in turns."""
    best, least = [float("inf")] * len(clusters), [float("inf")] * len(clusters)
    for number in range(1 + ROUNDS):
        for k, client in enumerate(clusters):
            before, start = processor_times(client), time.perf_counter()
            ask(client)
            if number:  # the first time warms up
                best[k] = min(best[k], time.perf_counter() - start)
                own, *workers = processor_times(client) - before
                shared = (own + sum(workers)) / usable_cores()
                least[k] = min(least[k], max(sum(workers) / max(len(workers), 1), shared))
    return best, least


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--workers", type=int, default=2)
    workers = parser.parse_args().workers
    columns = "here", "1 worker", f"{workers} workers", "times", "by processor time"
    print(f"{'question':24s}{columns[0]:>9s}{columns[1]:>10s}{columns[2]:>11s}{columns[3]:>7s}{columns[4]:>19s}")
    with cluster.local(1, threads=1) as one, cluster.local(workers, threads=1) as several:
        for name, ask in questions(0.02 if SMALL else 1.0).items():
            times, processor = race(ask, [None, one, several])
            ratios = times[1] / times[2], processor[1] / processor[2]
            print(f"{name:24s}{times[0]:8.2f}s{times[1]:9.2f}s{times[2]:10.2f}s{ratios[0]:7.2f}{ratios[1]:19.2f}")


if __name__ == "__main__":
    try:
        main()
    except tumble.MissingDependencyError as error:
        raise SystemExit(str(error)) from None
