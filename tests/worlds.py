"""Small worlds that several tests use."""

import numpy as np

import tumble
from tumble import shapes
from tumble.dynamics import Settings, World
from tumble.dynamics.manifold import manifold
from tumble.scene import Scene

G = 9.81
AWAKE = Settings(sleep_time=np.inf)


def slope(angle, heading, friction, box=(1.0, 1.0, 0.3), turn=0.7, settings=AWAKE):
    """A box at rest on a plane that falls off at an angle towards a heading; and the direction straight down it."""
    c, s = np.cos(angle), np.sin(angle)
    normal = np.array([s * np.cos(heading), s * np.sin(heading), c])
    down = np.array([c * np.cos(heading), c * np.sin(heading), -s])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = down, np.cross(normal, down), normal, 0.5 * box[2] * normal
    world = World(settings=settings)
    world.add_plane(normal, friction=friction)
    world.add_body(shapes.box(box), pose @ tumble.rotation("z", turn), friction=friction)
    return world, down


def tower(count, size=(1.0, 1.0, 1.0), offset=0.0, **options):
    """Boxes on a plane, one above the other; every other one shifted by an offset."""
    world = World(**options)
    world.add_plane()
    for k in range(count):
        world.add_body(shapes.box(size), tumble.translation(offset * (k % 2), 0.0, (k + 0.5) * size[2]))
    return world


def closed_box(side, **plane):
    """No way out: six planes around a cube that stands on z = 0."""
    world = World(settings=AWAKE)
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = -sign
            world.add_plane(normal, -side / 2 - sign * (side / 2 if axis == 2 else 0.0), **plane)
    return world


def same_bits(a, b):
    """Whether two snapshots are equal to the last bit."""
    arrays = [
        *zip(a.bodies, b.bodies, strict=True),
        *zip(a.contacts, b.contacts, strict=True),
        *zip(a.quiet, b.quiet, strict=True),
    ]
    return all(x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in arrays) and a.time == b.time


def kinetic_energies(world):
    """The energy of motion of each body, J; (n,)."""
    bodies, rotation = world.bodies, world.bodies.rotation[:-1]
    within = np.einsum("nji,nj->ni", rotation, bodies.spin[:-1])
    around = np.einsum("ni,nij,nj->n", within, bodies.inertia[:-1], within)
    return 0.5 * (world.roster.column("mass") * (bodies.velocity[:-1] ** 2).sum(axis=1) + around)


def deeper_than(world, limit):
    """The names of the pairs of meshes that are deeper in each other than a limit, m, where they are now."""
    scene = Scene()
    for name, entry, pose in zip(world.names, world.roster.entries, world.poses(), strict=True):
        scene.add(name, entry.mesh, pose)
    touching = scene.collisions()
    offsets = np.append(0, np.cumsum(touching.counts)).astype(np.int64)
    mesh_of, surfaces = world.roster.surfaces
    pairs = world.roster.numbers_of(touching.names)
    found = manifold(surfaces, mesh_of, world.poses(), pairs, offsets, touching.triangles)
    return {touching.names[k] for k in found.pairs[found.depths > limit].tolist()}
