"""How deep solids are in each other, what they have in common, and the shift that parts them.

python examples/penetration.py
"""

import os
import time

import numpy as np

import tumble
from tumble import shapes, translation

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"


def report(name: str, a: tumble.Mesh, b: tumble.Mesh, pose: np.ndarray) -> None:
    """Print how deep b is in a, and whether the shift parts them."""
    start = time.perf_counter()
    found = tumble.penetration(a, b, None, pose)
    took = 1e3 * (time.perf_counter() - start)
    apart = tumble.relation(a, b, None, translation(*found.translation) @ pose).relation
    kind = "smallest" if found.least_depth > 0.0 else "at most"
    print(f"{name:34}{found.relation:12}{kind:10}{found.depth:<12.6g}{found.volume:<12.6g}", end="")
    print(f"{len(found.curves):<8}{apart:10}{took:8.1f} ms")


def main() -> None:
    """Print some pairs, then all pairs of a scene."""
    block, pin = shapes.box(2.0), shapes.box(0.5)
    ball, ring = shapes.icosphere(2 if SMALL else 4), shapes.torus()
    print(f"{'':34}{'relation':12}{'depth':22}{'volume':12}{'curves':8}parted by")
    report("two blocks", block, block, translation(1.5, 0.25, 0.0))
    report("two blocks with a plane in common", block, block, translation(1.0, 0.0, 0.0))
    report("two flush blocks", block, block, translation(2.0, 0.0, 0.0))
    report("a pin in a block", block, pin, translation(0.6, 0.0, 0.0))
    report("two balls", ball, ball, translation(1.2, 0.5, 0.3))
    report("a block through a ring", ring, block, translation(1.0, 0.5, 0.0))
    scene = tumble.Scene()
    for k in range(4 if SMALL else 10):
        scene.add(f"ring {k}", ring, translation(1.2 * k, 0.0, 0.0) @ tumble.rotation("x", 0.4 * k))
    for found in scene.penetrations():
        print(f"{found.a} and {found.b}: {found.relation}, depth {found.depth:.4f}, volume {found.volume:.5f}")


if __name__ == "__main__":
    main()
