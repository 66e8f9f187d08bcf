"""How near, inside or not: points and a mesh. Run: python examples/points.py"""

import os

import numpy as np

import tumble
from tumble import shapes

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
POINTS, SIDES = (300, 10) if SMALL else (100_000, 160)

ring = shapes.torus(radius=1.0, tube=0.4, segments=2 * SIDES, sides=SIDES)
points = np.random.default_rng(1).uniform(*ring.bounds, (POINTS, 3))

near = tumble.closest_points(ring, points)
signed = tumble.signed_distance(ring, points)
where = tumble.contains(ring, points)
print(f"{len(points)} points in the box of a ring of {len(ring)} triangles")
print(f"{where.inside.sum()} are inside; rule: {where.rule}")
print(f"the farthest is {near.distances.max():.3f} away, near triangle {near.triangles[near.distances.argmax()]}")
print(f"the deepest is {-signed.distances.min():.3f} below the surface")
assert (where.inside == (signed.distances < 0)).all()

places = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.4, 0.0, 0.0]])  # in the tube, in the hole, at the rim
print(tumble.contains(ring, places))
print("distances:", tumble.signed_distance(ring, places).distances)
