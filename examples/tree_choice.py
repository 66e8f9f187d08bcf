"""Compare split rules and leaf sizes on the benchmark's scenes. Run: python examples/tree_choice.py

Prints, for each kind of tree, the geometric mean over the scenes of volume tests and of time with the stack method,
relative to the paper's tree (median, one triangle a leaf), and the bytes a triangle. The trees take turns.
"""

import os
from time import perf_counter

import numpy as np

import tumble
from tumble import scenario
from tumble.traversal.every import prepare

KINDS = [(split, leaf_size) for split in ("median", "middle", "sah") for leaf_size in (1, 2, 4)]
NAMES = [name for name in scenario.pair_scene_names() if not name.startswith(("separation", "different-counts"))]
NAMES = [name for name in NAMES if name not in ("scalability-3", "scalability-4")]
SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
NAMES = NAMES[:2] if SMALL else NAMES
ROUNDS = 1 if SMALL else 15

tests, seconds, nbytes = (np.empty((len(NAMES), len(KINDS))) for _ in range(3))
for row, name in enumerate(NAMES):
    scene = scenario.pair_scene(name)
    queries = []
    for column, (split, leaf_size) in enumerate(KINDS):
        trees = [tumble.build(mesh, split=split, leaf_size=leaf_size) for mesh in (scene.mesh_a, scene.mesh_b)]
        query = prepare(*trees, scene.pose_a, scene.pose_b, method="stack")
        tests[row, column] = query.stats().tests
        nbytes[row, column] = trees[0].nbytes / len(scene.mesh_a)
        query.repeat(1)
        queries.append(query)
    rounds = np.empty((ROUNDS, len(KINDS)))
    for line in rounds:
        for column, query in enumerate(queries):
            start = perf_counter()
            query.repeat(5)
            line[column] = perf_counter() - start
    seconds[row] = np.median(rounds, axis=0)

print(f"{len(NAMES)} scenes")
print("split   leaf  tests  time  bytes a triangle")
for column, (split, leaf_size) in enumerate(KINDS):
    fewer, faster = (np.exp(np.log(values[:, column] / values[:, 0]).mean()) for values in (tests, seconds))
    print(f"{split:7} {leaf_size:4}  {fewer:5.2f}  {faster:4.2f}  {nbytes[:, column].mean():.0f}")
