"""What parts cost that lie flush against each other, or in the same place: microseconds per touching pair.

    python examples/flush_parts.py

Faces in one plane are everyday in CAD, and the hardest case for exact tests: once a part is turned, the corners of a
face are in its plane but for their rounding, and every sign has to be found out beyond float64's digits.
"""

import os
import time

import numpy as np

import tumble

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
ROUNDS = 2 if SMALL else 20
TURN = tumble.rotation("x", 0.3) @ tumble.rotation("y", 1.1)


def seconds_of(a: tumble.Mesh, b: tumble.Mesh) -> tuple[float, int]:
    """Return the least time of all pairs of two meshes, and how many touch."""
    times, count = [], 0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        count = len(tumble.collide(a, b))
        times.append(time.perf_counter() - start)
    return min(times), count


def main() -> None:
    """Measure and print."""
    box = tumble.subdivide(tumble.shapes.box(1.0), 2 if SMALL else 4)
    torus = tumble.shapes.torus(segments=20 if SMALL else 100, sides=10 if SMALL else 50)
    cases = {
        "boxes, face on face": (box, (1.0, 0.13, 0.07)),
        "boxes, corner on corner": (box, (1.0, 0.0, 0.0)),
        "boxes, slid along a face": (box, (0.03, 0.0, 0.0)),
        "the same box twice": (box, (0.0, 0.0, 0.0)),
        "the same torus twice": (torus, (0.0, 0.0, 0.0)),
        "tori that cross": (torus, (0.4, 0.3, 0.1)),
    }
    for name, (mesh, shift) in cases.items():
        a, b = (tumble.transformed(mesh, TURN @ tumble.translation(*way)) for way in (np.zeros(3), shift))
        seconds, count = seconds_of(a, b)
        print(f"{name:26} {count:7} pairs {1e6 * seconds / count:8.2f} µs per pair")


if __name__ == "__main__":
    main()
