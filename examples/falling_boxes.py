"""Boxes and a knot fall on a plane and come to rest. Run: python examples/falling_boxes.py"""

import os

import tumble
from tumble import shapes
from tumble.dynamics import World

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
world = World(gravity=(0, 0, -9.81), step=0.01)
world.add_plane(normal=(0, 0, 1), offset=0, friction=0.6)
for k in range(5):
    pose = tumble.translation(0.1 * k, 0, 0.5 + 1.1 * k) @ tumble.rotation((1, 2, 3), 0.3 * k)
    world.add_body(shapes.box(), pose, density=500, restitution=0.2, name=f"box {k}")
world.add_body(shapes.knot(), tumble.translation(0, 0, 9), mass=200, spin=(0, 1, 0), name="knot")

print("  time   energy  awake  contacts  highest")
for _ in range(2 if SMALL else 16):
    world.step(25)
    energy, highest = world.energy() / 1000, world.positions()[:, 2].max()
    awake, points = world.counts["awake"], world.counts["contact points"]
    print(f"{world.time:5.2f} s {energy:6.2f} kJ {awake:5} {points:9} {highest:7.3f} m")

for name, pose in zip(world.names, world.poses(), strict=True):
    print(f"{name} rests at", pose[:3, 3].round(3))
print("the last step took, in ms:", {phase: round(1000 * time, 2) for phase, time in world.timings.items()})
