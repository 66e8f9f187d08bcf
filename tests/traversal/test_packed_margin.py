"""Boxes that touch in one point only: float32, poses far away and poses a little off rigidity must not part them.

One side is a triangle under a random pose, the other a point: one of the triangle's posed vertices, to the last bit.
It lies on the border of the triangle's box, so that every rounding on the way to the overlap test counts.
"""

import numpy as np

import tumble
from covering import crossed, sized
from tumble.api.ask import ask
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options


def poses_of(kind, rng, count):
    for _ in range(count):
        pose = random_pose(rng, 3.0)
        if kind == "far away":
            pose[:3, 3] *= 1e9
        if kind == "off rigidity":
            pose[:3, :3] += rng.uniform(-2e-5, 2e-5, (3, 3))
        yield pose


def bodies_of(meshes, poses):
    return Bodies(meshes, np.arange(len(meshes)), np.ascontiguousarray(poses))


@sized(100, 600)
@crossed(1, alone=[True, False], kind=["as usual", "far away", "off rigidity"], size=[1.0, 1e-3])
def test_a_vertex_touches_its_own_triangle(kind, size, alone, count):
    rng = np.random.default_rng(7)
    poses = np.stack(list(poses_of(kind, rng, count)))
    # away from their own origin, so that the frames' origins are apart as well
    corners = (rng.normal(size=(count, 3, 3)) + 10 * rng.normal(size=(count, 1, 3))) * size
    triangles = [tumble.Mesh(three, [[0, 1, 2]]) for three in corners]
    posed = [apply_pose(as_pose(pose), three) for pose, three in zip(poses, corners, strict=True)]
    vertices = [three[k % 3] for k, three in enumerate(posed)]
    # with a second point some way off, the other side's box is as large as the triangle's
    faces = [[0, 0, 0]] if alone else [[0, 0, 0], [1, 1, 1]]
    points = [tumble.Mesh([at, at + size * rng.normal(size=3)], faces) for at in vertices]
    a, b = bodies_of(triangles, poses), bodies_of(points, np.tile(np.eye(4), (count, 1, 1)))
    each = np.repeat(np.arange(count)[:, None], 2, axis=1)
    for found in (ask(TOUCHING, a, b, each, Options()), ask(TOUCHING, b, a, each, Options())):
        missed = np.flatnonzero(~found.hit)
        assert len(missed) == 0, f"{len(missed)} of {count}, the first is number {missed[0]}"
