"""Which boxtree is the best? Every builder on the same meshes and poses, relative to the default.

    python examples/boxtree_builders.py [--quick]

Prints a table: box pairs that a walk compares (sat-lite), leaf pairs that are left for the triangle test, time of all
pairs, nodes and bytes a triangle; geometric means over the meshes. Counts are the same on every machine.
"""

import os
import sys
import time

import numpy as np

import tumble
from tumble import shapes
from tumble.mesh import random_pose

QUICK = "--quick" in sys.argv or os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
MESHES = [shapes.torus(segments=80, sides=40), shapes.knot(segments=200, sides=12), shapes.gear(), shapes.bowl()]
if not QUICK:
    MESHES += [shapes.spring(), shapes.torus(segments=200, sides=100)]
POSES = 4 if QUICK else 24
ROUNDS = 1 if QUICK else 5
BUILDERS = [
    (split, planes, leaf_size)
    for split, planes in [
        ("sah", "chained"),
        ("sah", "free"),
        ("sah", "coplanar"),
        ("least-volume", "chained"),
        ("least-volume", "free"),
        ("least-volume", "coplanar"),
        ("longest-axis", "coplanar"),
        ("median", "chained"),
        ("middle", "chained"),
    ]
    for leaf_size in ((1, 2, 4, 8) if (split, planes) == ("sah", "chained") else (4,))
]


def main() -> None:
    """Measure and print."""
    rows: dict[tuple[str, str, int], list[list[float]]] = {builder: [] for builder in BUILDERS}
    for mesh in MESHES:
        size = float(np.linalg.norm(np.ptp(mesh.vertices, axis=0)))
        poses = [random_pose(seed, 0.2 * size) for seed in range(POSES)]
        trees = {builder: tree_of(mesh, *builder) for builder in BUILDERS}
        seconds = dict.fromkeys(BUILDERS, np.inf)
        for _ in range(ROUNDS):  # in turn, so that a slow moment of the machine hits all alike
            for builder, tree in trees.items():
                start = time.perf_counter()
                for pose in poses:
                    tumble.collide(tree, tree, None, pose)
                seconds[builder] = min(seconds[builder], time.perf_counter() - start)
        for builder, tree in trees.items():
            found = [tumble.collide(tree, tree, None, pose, stats=True).stats for pose in poses]
            tests, leaves = (sum(getattr(one, name) for one in found) for name in ("tests", "leaf_overlaps"))
            rows[builder].append([tests, leaves, seconds[builder], len(tree) / len(mesh), tree.nbytes / len(mesh)])
    default = np.array(rows["sah", "chained", 4])
    print("| split | planes | leaf size | box pairs | leaf pairs | time | nodes a triangle | bytes a triangle |")
    print("|---|---|---|---|---|---|---|---|")
    for builder, values in rows.items():
        table = np.array(values)
        relative = np.exp(np.log(table[:, :3] / default[:, :3]).mean(axis=0))
        sizes = np.exp(np.log(table[:, 3:]).mean(axis=0))
        cells = [*builder, *(f"{value:.2f}" for value in (*relative, *sizes))]
        print(f"| {' | '.join(map(str, cells))} |")


def tree_of(mesh: tumble.Mesh, split: str, planes: str, leaf_size: int) -> tumble.BoxTree:
    """Build one of the trees."""
    return tumble.build(mesh, "boxtree", split, leaf_size, planes=planes)


if __name__ == "__main__":
    main()
