"""What turned boxes gain, and what the search for a turn gains over covariance. Run: python examples/obb_choice.py

Tori, knots and gears in poses of a turn, walked by `stack`, with Coal's OBB tree beside where Coal is installed. Prints
tests, leaf pairs, build time and the time for all pairs and for the first hit, relative to straight boxes; the
contestants take turns in one process, and the least of several rounds counts.
"""

import importlib.util
import math
import os
import time

import numpy as np

import tumble
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.every import prepare

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
VOLUMES = ("aabb", "obb") if SMALL else ("aabb", "obb-covariance", "obb", "kdop24")
SHAPES = ("torus", "knot", "gear")
FACES, STEPS, ROUNDS = (500, 12, 1) if SMALL else (20_000, 12, 7)
DISTANCE = 0.8


def coal_queries(mesh, poses, first):
    """One collision request for each pose, as Coal's Python bindings take it."""
    import coal

    model = coal.BVHModelOBB()
    model.beginModel(len(mesh), len(mesh.vertices))
    vertices, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in mesh.vertices:
        vertices.append(vertex)
    for face in mesh.faces:
        triangles.append(coal.Triangle(*map(int, face)))
    model.addSubModel(vertices, triangles)
    model.endModel()
    here, there = coal.Transform3s(), [coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in poses]
    most = 1 if first else 10**6

    def ask():
        for pose in there:
            request = coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, most)
            coal.collide(model, here, model, pose, request, coal.CollisionResult())

    return ask


def least_seconds(asks):
    """The least time of each, asked in turns."""
    least = dict.fromkeys(asks, math.inf)
    for _ in range(ROUNDS):
        for name, ask in asks.items():
            start = time.perf_counter()
            ask()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def all_pairs(queries):
    """Ask every query for all pairs."""
    return lambda: [query.collect() for query in queries]


def first_hits(queries):
    """Ask every query for its first hit."""
    return lambda: [query.first() for query in queries]


def geometric_mean(values):
    """Return the mean of ratios."""
    return float(np.exp(np.mean(np.log(values))))


names = [*VOLUMES, *(["Coal"] if importlib.util.find_spec("coal") else [])]
found: dict[tuple[str, str], list[float]] = {}
for shape in SHAPES:
    mesh, poses = shape_duo(shape, FACES).a, tumbling_poses(DISTANCE, STEPS)
    trees, build = {}, {}
    for volume in VOLUMES:
        tumble.build(tumble.shapes.box(), volume, split="sah", leaf_size=2)  # compiled
        start = time.perf_counter()
        trees[volume] = tumble.build(mesh, volume, split="sah", leaf_size=2)
        build[volume] = time.perf_counter() - start
    queries = {v: [prepare(trees[v], trees[v], None, pose, method="stack") for pose in poses] for v in VOLUMES}
    stats = {v: [query.stats() for query in queries[v]] for v in VOLUMES}
    asks = {v: all_pairs(queries[v]) for v in VOLUMES}
    firsts = {v: first_hits(queries[v]) for v in VOLUMES}
    if "Coal" in names:
        asks["Coal"], firsts["Coal"] = coal_queries(mesh, poses, False), coal_queries(mesh, poses, True)
    columns = {
        "tests": {v: sum(each.tests for each in stats[v]) for v in VOLUMES},
        "leaf pairs": {v: sum(each.leaf_overlaps for each in stats[v]) for v in VOLUMES},
        "build": build,
        "all pairs": least_seconds(asks),
        "first hit": least_seconds(firsts),
    }
    for column, values in columns.items():
        for name, value in values.items():
            found.setdefault((name, column), []).append(value / values["aabb"])

columns = ("tests", "leaf pairs", "build", "all pairs", "first hit")
print(f"{'':16}" + "".join(f"{column:>12}" for column in columns))
for name in names:
    cells = (f"{geometric_mean(found[name, c]):12.2f}" if (name, c) in found else f"{'':12}" for c in columns)
    print(f"{name:16}" + "".join(cells))
