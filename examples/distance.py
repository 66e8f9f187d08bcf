"""How far two parts stay apart along a motion, and which bodies are nearest. Run: python examples/distance.py"""

import numpy as np

import tumble
from tumble import shapes

ring, knot = shapes.torus(radius=2.0, tube=0.3), shapes.knot()

found = tumble.distance(ring, knot, pose_b=tumble.translation(0.0, 0.0, 1.5))
print(f"{found.distance:.4f} apart, between triangles {found.pair}")
print(f"from {found.points[0].round(3)} to {found.points[1].round(3)}")

# a motion: one call, on all cores; each search begins where the one before it ended
poses = np.stack([tumble.translation(0.0, 0.0, 3.0 - 0.03 * step) for step in range(100)])
along = tumble.distance_many(ring, knot, poses)
first = int(np.argmax(along.distances == 0.0))
print(f"they touch from step {first} on; one step before, {along.distances[first - 1]:.4f} apart")

# only what is near matters: beyond the bound the search ends early
near = tumble.distance_many(ring, knot, poses, upper_bound=0.25)
print(f"{np.isfinite(near.distances).sum()} of {len(near)} poses are within 0.25")

scene = tumble.Scene()
for k in range(5):
    scene.add(f"ball {k}", shapes.icosphere(3), tumble.translation(3.0 * k - 0.1 * k * k, 0.0, 0.0))
pair = scene.distance()
print(f"the nearest bodies: {pair.a} and {pair.b}, {pair.distance:.4f} apart")
other = scene.nearest("ball 0")
print(f"nearest to ball 0: {other.b}, {other.distance:.4f}")
