"""What the list traversals of paper `chip` gain over the stack. Run: python examples/list_traversal.py [volume ...]

Tori and knots of 40 000 triangles: linked or entwined without a touch, and deep in each other. Prints what each method
does (nodes of a read, volumes compared, volumes of b moved, triangle pairs tested) and its time for all pairs and for
the first hit, relative to `stack`. The methods take turns in one process; times are the least of many rounds, in
processor time, so that it matters little what else the machine does.
"""

import os
import sys
from time import thread_time

import numpy as np

import tumble
from tumble.traversal.every import prepare
from tumble.volume.kinds import KINDS

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
METHODS = ("stack", "lists") if SMALL else ("stack", "stack-ahead", "lists", "lists-pairs")
ROUNDS = 1 if SMALL else 40
PARTS = 20 if SMALL else 200

torus = tumble.shapes.torus(segments=PARTS, sides=PARTS // 2)
knot = tumble.shapes.knot(segments=5 * PARTS, sides=4 if SMALL else 20)
turned = tumble.rotation((1.0, 2.0, 3.0), 0.7)
SCENES = {
    "torus near": (torus, tumble.translation(1.198, 0.0, 0.0) @ tumble.rotation("x", 1.6)),
    "torus deep": (torus, tumble.translation(0.6, 0.1, 0.2) @ turned),
    "knot near": (knot, tumble.rotation("z", 2.68)),
    "knot deep": (knot, tumble.translation(0.3, 0.1, 0.2) @ turned),
}


def seconds(ask):
    """Return how long a question takes."""
    start = thread_time()
    ask()
    return thread_time() - start


def least_times(queries):
    """Return the least time of each method for all pairs and for the first hit, in seconds."""
    times = np.empty((2, ROUNDS, len(METHODS)))
    for turn in range(ROUNDS):
        for column, query in enumerate(queries):
            times[0, turn, column] = seconds(lambda query=query: query.repeat(1))
            times[1, turn, column] = seconds(query.first)
    return times.min(axis=1)


for volume in sys.argv[1:] or list(KINDS)[: 1 if SMALL else None]:
    print(f"\n{volume:24} read of a    compared       moved   triangles   all pairs         first hit")
    for name, (mesh, pose) in SCENES.items():
        tree = tumble.build(mesh, volume)
        queries = [prepare(tree, tree, None, pose, method=method) for method in METHODS]
        stats = [query.stats() for query in queries]
        for query in queries:
            query.repeat(1), query.first()
        (every, first) = least_times(queries)
        for column, (method, did) in enumerate(zip(METHODS, stats, strict=True)):
            ratios = [f"{time[column] / time[0]:5.2f} {1e6 * time[column]:8.0f} µs" for time in (every, first)]
            work = "".join(f"{value:12}" for value in (did.iterations, did.tests, did.moves, did.triangle_tests))
            print(f"{name:11}{method:12}{work}   {'   '.join(ratios)}   {did.hits} hits")
