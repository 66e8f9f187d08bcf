"""When bodies that move touch first: through a thin plate, along a screw, many motions at once, in a scene."""

import os
import time

import numpy as np

import tumble
from tumble import Motion, Motions

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"

# a box flies through another: at 0.4 they touch, and later they do not
box = tumble.shapes.box()
flight = Motion.screw(tumble.translation(3, 0, 0), translation=(-5, 0, 0))
impact = tumble.time_of_impact(box, box, motion_b=flight)
print(f"boxes touch at {impact.time:.6f}, triangles {impact.pair}, at {impact.point.round(3)}, across {impact.normal}")

# a plate of no thickness, passed within a millionth of the time
plate = tumble.Mesh([[0, -9, -9], [0, 9, -9], [0, 9, 9], [0, -9, 9]], [[0, 1, 2], [0, 2, 3]])
print(
    "passed at 1 000 000:", tumble.swept(plate, box, motion_b=Motion.screw(tumble.translation(3, 0, 0), (-1e6, 0, 0)))
)

# a rod of length 2 turns about its end against a wall at 1: after a twelfth of a turn
rod = tumble.Mesh([[0, 0, 0], [2, 0, 0], [0, 0, 0.1]], [[0, 1, 2]])
turn = Motion.screw(axis="z", angle=2 * np.pi)
wall = tumble.rotation("z", np.pi / 2, point=(0, 0, 0))
wall[:3, 3] = 0, 1, 0
met = tumble.time_of_impact(rod, plate, turn, wall)
print(f"the rod meets the wall at {met.time:.6f} of a turn (1/12 = {1 / 12:.6f})")

# a planner's edges: which of many straight motions are free?
sides = 12 if SMALL else 50
torus = tumble.shapes.torus(segments=2 * sides, sides=sides)
count = 20 if SMALL else 1000
starts, ends = (np.stack([tumble.mesh.random_pose(seed, 4.0) for seed in range(k, k + count)]) for k in (0, count))
edges = Motions.between(starts, ends)
print(f"{int((~tumble.swept_many(torus, torus, edges)).sum())} of {count} motions of tori are free")

# what one answer costs, apart from other programs: tori of 10 000 triangles that fly at each other
for name, angle in (("linear", 0.0), ("screw", 4.0)):
    rng, seconds = np.random.default_rng(1), []
    for _ in range(3 if SMALL else 50):
        start, way = tumble.mesh.random_pose(rng, 0.0), rng.normal(size=3)
        start[:3, 3] = 4.0 * way / np.linalg.norm(way)
        motion = Motion.screw(start, -2.0 * start[:3, 3] + 0.5 * rng.normal(size=3), rng.normal(size=3), angle)
        tumble.time_of_impact(torus, torus, None, motion)
        began = time.perf_counter()
        tumble.time_of_impact(torus, torus, None, motion)
        seconds.append(time.perf_counter() - began)
    print(f"{name}: median {1e3 * np.median(seconds):.2f} ms, longest {1e3 * max(seconds):.2f} ms")

# in a scene: who meets whom first
scene = tumble.Scene()
for k in range(5):
    scene.add(f"box {k}", box, tumble.translation(3 * k, 0, 0))
found = scene.time_of_impact(
    {"box 0": Motion.screw(translation=(4, 0, 0)), "box 4": Motion.screw(scene.pose("box 4"), (-8, 0, 0))}
)
print(f"{found.a} and {found.b} touch at {found.time:.6f}")
