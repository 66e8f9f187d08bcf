"""Random scenes, and what they should answer, found the slow way."""

from itertools import combinations

import numpy as np

import tumble
from tumble.mesh import Mesh, random_pose
from tumble.scene import Scene

BROAD_PHASES = ("sweep", "tree", "auto")
MESHES = (
    tumble.shapes.icosphere(0),
    tumble.shapes.box(),
    tumble.shapes.torus(1.0, 0.3, 6, 5),
    Mesh([[0, 0, 0], [3, 0, 0], [0, 0, 0.5]], [[0, 1, 2]]),
    Mesh(np.empty((0, 3)), np.empty((0, 3), np.int32)),
)


def random_scene(seed, count, spread=3.0, broad_phase="auto"):
    """Every fifth body has no triangles, every third no pose."""
    scene = Scene(broad_phase=broad_phase)
    rng = np.random.default_rng(seed)
    for k in range(count):
        pose = None if k % 3 == 2 else random_pose(rng, spread)
        scene.add(f"body {k}", MESHES[k % len(MESHES)], pose)
    return scene


def boxes_that_meet(scene):
    """The pairs of names whose boxes share a point, by comparing all with all."""
    boxes = [(name, scene.bounds(name)) for name in scene]
    return [
        (a, b)
        for (a, box), (b, other) in combinations(boxes, 2)
        if box is not None and other is not None and (box[0] <= other[1]).all() and (other[0] <= box[1]).all()
    ]


def touching_bodies(scene):
    """{(a, b): triangle pairs} of all touching bodies, by asking about all with all."""
    found = {}
    for a, b in combinations(scene, 2):
        collision = tumble.collide(scene.mesh(a), scene.mesh(b), scene.pose(a), scene.pose(b), method="stack")
        if collision:
            found[a, b] = collision.pairs
    return found


def meeting_keys(boxes, filters):
    """The keys of pairs of boxes that meet and see each other, by comparing all with all."""
    low, high = boxes[:, None, :3], boxes[:, None, 3:]
    meet = (low <= boxes[None, :, 3:]).all(axis=2) & (boxes[None, :, :3] <= high).all(axis=2)
    seen = (filters[:, None, 0] & filters[None, :, 1]) != 0
    i, j = np.nonzero(np.triu(meet & seen & seen.T, 1))
    return i << 32 | j


def assert_same(collisions, expected):
    """What a scene found is what was expected, in the same order."""
    assert collisions.names == list(expected)
    for collision, (names, pairs) in zip(collisions, expected.items(), strict=True):
        assert (collision.a, collision.b) == names
        np.testing.assert_array_equal(collision.pairs, pairs)
