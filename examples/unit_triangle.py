"""The unit-triangle test of paper `chip` beside the exact one: time, certainty and operations.

    python examples/unit_triangle.py

Times all pairs by the stack method and by brute force with either test, in turns, as processor time of this thread, the
least of many rounds; then counts what each test does to a triangle pair of a query.
"""

import os
from time import thread_time

import numpy as np

import tumble
from tumble import scenario
from tumble.bench.triangle_operations import triangle_operations
from tumble.mesh import random_pose
from tumble.traversal.every import prepare

SCENES = ("intersection-1", "intersection-2", "close-proximity-1", "scalability-1", "scalability-3")
SCENES += ("different-counts-smallest-first",)
SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SCENES = SCENES[:3] if SMALL else SCENES
TESTS = ("exact", "unit-triangle")
ROUNDS, SECONDS, PAIRS = (1, 0.0, 20) if SMALL else (30, 0.01, 500)


def compare(name, a, b, pose_a, pose_b, method="stack"):
    """Time both tests in turns, print a line and return the ratio."""
    queries = [prepare(a, b, pose_a, pose_b, method=method, narrow=narrow) for narrow in TESTS]
    found = [query.count() for query in queries]
    assert found[0] == found[1]
    verdicts = queries[1].verdicts
    start = thread_time()
    queries[0].repeat(1)
    times = max(1, int(SECONDS / max(thread_time() - start, 1e-6)))
    seconds = np.empty((ROUNDS, 2))
    for line in seconds:
        for k, query in enumerate(queries):
            start = thread_time()
            query.repeat(times)
            line[k] = (thread_time() - start) / times
    exact, unit = seconds.min(axis=0)
    pairs = sum(verdicts)
    saved = (exact - unit) / pairs * 1e9
    print(f"{name:32} {pairs:7} {found[0]:6} {verdicts.unsure_share:7.2%} {exact * 1e6:9.1f} {unit * 1e6:9.1f}", end="")
    print(f"  {unit / exact:5.2f}  {saved:+5.0f}")
    return unit / exact


print("scene, pairs compared, touching, unsure, exact µs, unit µs, ratio, ns saved a pair")
ratios = []
for scene_name in SCENES:
    scene = scenario.pair_scene(scene_name)
    ratios.append(compare(scene_name, scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b))
torus = tumble.shapes.torus(segments=20, sides=10)
if not SMALL:
    ratios.append(compare("brute force, tori", torus, torus, None, random_pose(3, 0.3), "brute"))
gear = tumble.shapes.gear()
side = tumble.translation(0.0, 0.0, float(np.ptp(gear.bounds[:, 2])))
ratios.append(compare("two gears face on face", gear, gear, None, side))
print(f"geometric mean of the ratios: {np.exp(np.log(ratios).mean()):.2f}")

print("\noperations a triangle pair: all, of which moving vertices, +, ×, comparisons, ÷, worst")
for scene_name, touching in (("intersection-1", False), ("intersection-1", True), ("close-proximity-1", False)):
    scene = scenario.pair_scene(scene_name)
    print(f"{scene_name}, {'touching pairs' if touching else 'all pairs that are compared'}")
    for row in triangle_operations(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b, PAIRS, touching):
        print(
            f"  {row.name:28} {row.mean:4.0f} {row.moving:4.0f} {row.additions:5.1f} {row.multiplications:5.1f}"
            f" {row.comparisons:5.1f} {row.divisions:5.2f} {row.worst:4.0f}"
        )
