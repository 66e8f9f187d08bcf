"""Objects and managers for the tests of the stand-in for trimesh's CollisionManager."""

import numpy as np
import pytest
import trimesh
import trimesh.collision

import tumble
from tumble.compat.trimesh import CollisionManager

BALL = trimesh.creation.icosphere(2)
RING = trimesh.creation.annulus(1.0, 2.0, 1.0)
BAR = trimesh.creation.box((8.0, 0.3, 0.3))
CUBE = trimesh.creation.box((1.0, 1.0, 1.0))
SHAPES = {"ball": BALL, "ring": RING, "bar": BAR}


def at(x, y=0.0, z=0.0):
    return tumble.translation(x, y, z)


def managers():
    """Tumble's and trimesh's, empty."""
    pytest.importorskip("fcl")
    from trimesh.collision import CollisionManager as TrimeshManager

    return CollisionManager(), TrimeshManager()


def kinds():
    """Tumble's class of managers, and trimesh's where FCL is there."""
    try:
        import fcl  # noqa: F401
    except ImportError:
        return [CollisionManager]
    return [CollisionManager, trimesh.collision.CollisionManager]


def filled(manager, seed=1, count=12):
    rng = np.random.default_rng(seed)
    for k in range(count):
        pose = tumble.mesh.random_pose(rng, 4.0).astype(np.float32).astype(np.float64)
        name = f"{7 * k % 12:02}"  # neither in alphabetical order nor in its reverse
        manager.add_object(name, list(SHAPES.values())[k % 3], pose)
    return manager


def cubes(manager, *places):
    for k, place in enumerate(places):
        manager.add_object(f"cube{k}", CUBE, at(place))
    return manager
