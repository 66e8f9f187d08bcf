"""A motor turns a crank, which drives a piston against a brake. Run: python examples/mechanism.py"""

import os
from math import asin, cos, sin, sqrt

import tumble
from tumble import shapes
from tumble.dynamics import Hinge, Motor, Slider, World

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
CRANK, ROD, SPEED = 0.3, 1.0, 4.0
world = World(gravity=(0, 0, -9.81), step=0.005)
crank = world.add_body(shapes.box((0.4, 0.05, 0.1)), tumble.translation(CRANK / 2, 0, 0), name="crank")
rod = world.add_body(shapes.box((1.1, 0.05, 0.08)), tumble.translation(CRANK + ROD / 2, 0.1, 0), name="rod")
piston = world.add_body(shapes.box((0.3, 0.2, 0.2)), tumble.translation(CRANK + ROD, 0, 0), mass=5, name="piston")

across = (0, -1, 0)  # positive angles turn x to z
drive = world.add_joint(Hinge(crank, None, (0, 0, 0), across, motor=Motor(SPEED, limit=500)))
world.add_joint(Hinge(rod, crank, (CRANK, 0, 0), across))
world.add_joint(Hinge(piston, rod, (CRANK + ROD, 0, 0), across))
rail = world.add_joint(Slider(piston, None, (1, 0, 0), motor=Motor(0, limit=20)))  # 20 N against the motion


def piston_at(angle):
    """Where the piston is by geometry."""
    return CRANK * cos(angle) + sqrt(ROD**2 - (CRANK * sin(angle)) ** 2)


print(" time    crank   piston   by geometry   rod")
for _ in range(3 if SMALL else 16):
    world.step(20)
    turned, way = world.joint_positions()[[drive, rail]]
    place, due = CRANK + ROD + way, piston_at(turned)
    tilt = asin(CRANK * sin(turned) / ROD)
    print(f"{world.time:.2f} s {turned:6.3f} rad {place:.4f} m {due:9.4f} m {tilt:7.3f} rad")
    assert abs(place - due) < 1e-9

distance, angle = world.joint_errors().max(axis=0)
print(f"the joints are open by at most {distance:.1e} m and {angle:.1e} rad after {world.steps} steps")
