"""A sheet that falls at speed: when it meets a ball, when it meets itself, and what float64 alone cannot tell."""

import numpy as np

import tumble

sheet = tumble.shapes.cloth(16, 16, wave=0.05, seed=3)
ball = tumble.transformed(tumble.shapes.icosphere(2, 0.2), tumble.translation(0.5, 0.5, -1.0))
cloth = tumble.Deformable(sheet)
below = sheet.vertices - [0.0, 0.0, 3.0]

# nothing touches at the start, nor at the end: the sheet has passed through the ball
cloth.update(below)
print("touching at the end:", bool(cloth.collide(ball)))
cloth.update(sheet.vertices)
first = cloth.time_of_impact(below, ball)
print(f"first contact at {first.time:.9f}: {first.kind} {first.elements}")

# as far as is safe, with a distance kept
kept = cloth.time_of_impact(below, ball, separation=0.01)
cloth.update((1.0 - kept.time) * sheet.vertices + kept.time * below)
print(f"{kept.time:.3f} of the step leave {tumble.distance(cloth.mesh, ball).distance:.6f} between them")

# the sheet with itself, all pairs of elements that meet in a step
crumpled = cloth.vertices + np.random.default_rng(1).normal(size=cloth.vertices.shape) * 0.04
found = cloth.time_of_impact(crumpled, every=True, exact=True)
print(f"{len(found.contacts)} contacts, the first between {found.time!r} and {found.latest!r}")

# a vertex that passes a face at its border, and one 2**-50 beside it: without `exact` both "may meet"
face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
start = np.array([[[0.25, y, 1.0], *face] for y in (0.0, -(2.0**-50))])
end = start.copy()
end[:, 0, 2] = -1.0
end[:, 0, 1] += 0.25
start[:, 0, 1] -= 0.25
for exact in (False, True):
    print(f"exact={exact}: {tumble.vertex_face_impacts(start, end, exact=exact).hits}")
