"""Compare the broad phases of a Scene. Run: python examples/broad_phase.py

Boxes only, no triangles: for each layout of bodies and each kind of motion, the median time of one step (boxes moved,
then the pairs that meet found) in milliseconds. The broad phases take turns, and must find the same pairs.
"""

import os
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from tumble.broad.choice import make_broad_phase

NAMES = ("sweep", "tree", "auto")
SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
COUNTS = (100, 300) if SMALL else (100, 1000, 10_000)
ROUNDS = 3 if SMALL else 21
# How many of the bodies move in a step, and how far, in sides of a body.
MOTIONS = {"none": (0.0, 0.0), "few": (0.01, 1.0), "all, slowly": (1.0, 0.02), "all, fast": (1.0, 1.0)}


def cloud(rng: np.random.Generator, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return centres and sides: bodies of side 1 in a cube, one in eight units of its volume."""
    return rng.uniform(0.0, 2.0 * count ** (1 / 3), (count, 3)), np.ones((count, 3))


def conveyor(rng: np.random.Generator, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bodies along a belt."""
    return rng.uniform(0.0, (2.0 * count / 3, 3.0, 1.0), (count, 3)), np.ones((count, 3))


def pile(rng: np.random.Generator, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bodies on a floor, close together."""
    return rng.uniform(0.0, (count**0.5, count**0.5, 2.0), (count, 3)), np.ones((count, 3))


def mixed(rng: np.random.Generator, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A cloud in which one body of a hundred is twenty times as large, and a floor below all."""
    centres, sides = cloud(rng, count)
    sides[::100] = 20.0
    centres[0], sides[0] = centres.mean(axis=0) * (1, 1, 0), (4.0 * count ** (1 / 3),) * 2 + (1.0,)
    return centres, sides


def step(rng: np.random.Generator, centres: NDArray[np.float64], share: float, distance: float) -> None:
    """Move some of the bodies."""
    some = rng.permutation(len(centres))[: round(share * len(centres))]
    centres[some] += rng.uniform(-distance, distance, (len(some), 3))


def main() -> None:
    """Print a table."""
    print("layout    bodies  moved            pairs " + " ".join(f"{name:>8}" for name in NAMES))
    for layout in (cloud, conveyor, pile, mixed):
        for count in COUNTS:
            filters = np.full((count, 2), 1, np.int64)
            for motion, (share, distance) in MOTIONS.items():
                rng = np.random.default_rng(count)
                centres, sides = layout(rng, count)
                phases = [make_broad_phase(name) for name in NAMES]
                seconds = np.empty((ROUNDS + 1, len(NAMES)))
                for line in seconds:
                    step(rng, centres, share, distance)
                    boxes = np.hstack((centres - sides / 2, centres + sides / 2))
                    found = []
                    for column, phase in enumerate(phases):
                        start = perf_counter()
                        found.append(phase.keys(boxes, filters))
                        line[column] = perf_counter() - start
                    assert all(np.array_equal(keys, found[0]) for keys in found)
                times = 1e3 * np.median(seconds[1:], axis=0)
                row = f"{layout.__name__:9} {count:6}  {motion:12} {len(found[0]):9} "
                print(row + " ".join(f"{milliseconds:8.3f}" for milliseconds in times))


if __name__ == "__main__":
    main()
