"""Compare bounding volumes under tumbling: which k is best? Run: python examples/kdop_choice.py

Two equal meshes in eight random poses in which they touch: tori and knots of 40 000 triangles, gears of 20 000. Prints,
for each volume, the geometric means over all poses of volume tests, leaf pairs and time with the methods stack and
stack-ahead, all relative to boxes with the stack method, and the bytes a triangle. The volumes take turns.
"""

import os
from itertools import islice
from time import perf_counter

import numpy as np

import tumble
from tumble.mesh import random_pose
from tumble.traversal.every import prepare

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
VOLUMES = ("aabb", "sphere", "kdop6") if SMALL else ("aabb", "sphere", "kdop6", "kdop14", "kdop18", "kdop24", "kdop26")
METHODS = ("stack", "stack-ahead")
PARTS = 10 if SMALL else 100
MESHES = {
    "torus": tumble.shapes.torus(1.0, 0.4, 2 * PARTS, PARTS),
    "knot": tumble.shapes.knot(segments=8 * PARTS, sides=5 if SMALL else 25),
    "gear": tumble.subdivide(tumble.shapes.gear(), 0 if SMALL else 2),
}
POSES, ROUNDS = (1, 1) if SMALL else (8, 9)


def touching_poses(mesh: tumble.Mesh) -> list[np.ndarray]:
    """The first random poses of a second mesh that touch the first."""
    poses = (random_pose(seed, 1.2 * mesh.extent) for seed in range(1000))
    return list(islice((pose for pose in poses if tumble.collides(mesh, mesh, None, pose)), POSES))


def compare(split: str) -> None:
    """Print the table for trees of one split rule."""
    columns = [(volume, method) for volume in VOLUMES for method in METHODS]
    tests, leaves, seconds = (np.ones((len(MESHES) * POSES, len(columns))) for _ in range(3))
    nbytes = dict.fromkeys(VOLUMES, 0.0)
    row = 0
    for mesh in MESHES.values():
        trees = {volume: tumble.build(mesh, volume, split) for volume in VOLUMES}
        nbytes = {volume: tree.nbytes / len(mesh) for volume, tree in trees.items()}
        for pose in touching_poses(mesh):
            queries = [prepare(trees[v], trees[v], None, pose, method=m) for v, m in columns]
            stats = [query.stats() for query in queries]
            tests[row], leaves[row] = [s.tests for s in stats], [s.leaf_overlaps + 1 for s in stats]
            rounds = np.empty((ROUNDS, len(columns)))
            for line in rounds:
                for column, query in enumerate(queries):
                    start = perf_counter()
                    query.repeat(1)
                    line[column] = perf_counter() - start
            seconds[row] = rounds.min(axis=0)
            row += 1
    relative = [np.exp(np.log(values[:row] / values[:row, :1]).mean(axis=0)) for values in (tests, leaves, seconds)]
    print(f"\nsplit={split}, {row} poses\nvolume  tests  leaf pairs  {'  '.join(METHODS)}  bytes a triangle")
    for column, (volume, _) in list(enumerate(columns))[:: len(METHODS)]:
        times = "  ".join(f"{relative[2][column + k]:>{len(m)}.2f}" for k, m in enumerate(METHODS))
        print(f"{volume:7} {relative[0][column]:5.2f}  {relative[1][column]:10.2f}  {times}  {nbytes[volume]:.0f}")


for rule in ("median", "sah"):
    compare(rule)
