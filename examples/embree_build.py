"""Building beside Embree, which many take for the fastest: the packed tree and the boxtree against Embree's BVH.

    pip install embreex && python examples/embree_build.py

Embree builds a tree for rays in C++, on all cores, over float32 triangles; Tumble's trees are conservative for float64
triangles. Copying the arrays into Embree is not counted. In turns, the best of some rounds counts.
"""

import os
import sys
import time
from collections.abc import Callable

import numpy as np

import tumble
from tumble import shapes
from tumble.hierarchy.boxtree.build import build_boxtree
from tumble.hierarchy.packed.build import build_blocks

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SIZES = (20, 30) if SMALL else (50, 160, 360)  # sides of a torus, which has four times the square of that in triangles
ROUNDS = 1 if SMALL else 7


def seconds_of(build: Callable[[tumble.Mesh], object], mesh: tumble.Mesh) -> float:
    """Time one of Tumble's builders."""
    start = time.perf_counter()
    build(mesh)
    return time.perf_counter() - start


def seconds_of_embree(mesh: tumble.Mesh) -> float:
    """Time the first ray, which makes Embree build its tree."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    scene = rtcore_scene.EmbreeScene()
    TriangleMesh(scene, mesh.vertices.astype(np.float32), mesh.faces.astype(np.int32))
    start = time.perf_counter()
    scene.run(np.full((1, 3), 100, np.float32), np.array([[0, 0, 1]], np.float32))
    return time.perf_counter() - start


BUILDERS = {
    "packed tree": lambda mesh: seconds_of(lambda mesh: build_blocks(mesh.vertices, mesh.faces), mesh),
    "boxtree": lambda mesh: seconds_of(lambda mesh: build_boxtree(mesh, "sah", 4, "chained"), mesh),
    "Embree": seconds_of_embree,
}


def main() -> None:
    """Measure and print."""
    try:
        import embreex  # noqa: F401
    except ImportError:
        sys.exit("Embree is not installed: pip install embreex")
    print("| triangles | " + " | ".join(f"{name}, million a second" for name in BUILDERS) + " |")
    print("|---" * (1 + len(BUILDERS)) + "|")
    for sides in SIZES:
        mesh = shapes.torus(segments=2 * sides, sides=sides)
        best = dict.fromkeys(BUILDERS, np.inf)
        for _ in range(ROUNDS):
            for name, build in BUILDERS.items():
                best[name] = min(best[name], build(mesh))
        print(f"| {len(mesh)} | " + " | ".join(f"{len(mesh) / best[name] / 1e6:.2f}" for name in BUILDERS) + " |")


if __name__ == "__main__":
    main()
