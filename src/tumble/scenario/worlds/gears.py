"""Gears on axles that mesh: a motor turns the first, which drives the others through its teeth."""

from math import pi, radians

from tumble.core.elementary import cosines, sines
from tumble.dynamics import Hinge, Motor, Settings, World
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.worlds.kind import WorldKind

TEETH = (24, 12, 18, 10, 30)
MODULE = 0.1
"""m; a gear's pitch radius is module · teeth / 2"""
PLAY = 0.012
"""m, that axles stand farther apart than the teeth ask for: without any, both flanks of a tooth would be pressed"""
THICKNESS = (0.30, 0.24)
"""m, in turn: with equal ones the faces of two gears would lie in one plane and rub"""
SPIN = 1.5
"""rad/s, of the first"""
AXIS = (0.0, -1.0, 0.0)
"""about which positive angles turn x to z"""
ZIGZAG = radians(28)
"""the axles go up and down by this angle"""


def fill(world: World, count: int, mesh: Mesh | None) -> None:
    """Add the gears upright, side by side along x, with their axles along y."""
    places = train(count)
    lowest = min(z - MODULE * (teeth / 2 + 1) for teeth, _, z, _ in places)
    world.add_plane(offset=lowest - 0.4)
    for k, (teeth, x, z, phase) in enumerate(places):
        gear = shapes.gear(teeth, MODULE, 0.25 * MODULE * teeth / 2, THICKNESS[k % 2])
        # The gear's own axis is z; turned about x by a right angle it looks along −y, and x stays x, y becomes z.
        pose = compose(translation(x, 0.0, z), rotation("x", pi / 2), rotation("z", phase))
        name = f"gear {k} of {teeth} teeth"
        body = world.add_body(gear, pose, density=2000.0, friction=0.05, name=name)
        world.add_joint(Hinge(body, None, (x, 0.0, z), AXIS, motor=Motor(SPIN) if k == 0 else None))


def train(count: int) -> list[tuple[int, float, float, float]]:
    """Return teeth, x, z and the angle of the first tooth for each gear, such that teeth stand in gaps."""
    places = [(TEETH[0], 0.0, 0.0, 0.0)]
    for k in range(1, count):
        before, x, z, phase = places[-1]
        teeth = TEETH[k % len(TEETH)]
        towards = ZIGZAG if k % 2 else -ZIGZAG
        distance = MODULE * (before + teeth) / 2 + PLAY
        # How far the line of centres is from a tooth of the gear before, in teeth; the next gear has a gap there.
        offset = (towards - phase) * before / (2 * pi)
        turned = towards + pi + 2 * pi / teeth * (offset + 0.5)
        places.append((teeth, x + distance * cosines(towards), z + distance * sines(towards), turned % (2 * pi)))
    return places


SUMMARY, NO_MESH = "three gears on axles mesh, a motor turns the first", "gears mesh only with gears"
KIND = WorldKind("gears", SUMMARY, 1000, fill, 3, 2, NO_MESH, time_step=0.005, settings=Settings(sleep_time=10.0))
