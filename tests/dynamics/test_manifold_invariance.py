"""Contact manifolds do not change by more than rounding in the mirror, with other numbers, or on finer meshes."""

import numpy as np
import pytest

import tumble
from covering import sized
from tumble import shapes, translation
from tumble.dynamics.manifold import gather, manifold
from tumble.mesh import random_pose

MIRROR = np.diag([-1.0, 1.0, 1.0, 1.0])


def points_of(a, b, pose_a, pose_b):
    """Points, normals and depths of one pair of bodies, the deepest first."""
    pairs = tumble.collide(a, b, pose_a, pose_b).pairs
    poses, bodies = np.stack([pose_a, pose_b]), np.array([[0, 1]])
    found = manifold(gather([a, b]), np.array([0, 1]), poses, bodies, np.array([0, len(pairs)]), pairs)
    order = np.lexsort((*found.points.T.round(9), -found.depths.round(9)))
    return found.points[order], found.normals[order], found.depths[order]


def reordered(mesh, rng):
    vertices, faces = rng.permutation(len(mesh.vertices)), rng.permutation(len(mesh))
    numbers = np.argsort(vertices)
    turns = (np.arange(3) + rng.integers(3, size=(len(mesh), 1))) % 3
    turned = np.take_along_axis(numbers[mesh.faces], turns, axis=1)
    return tumble.Mesh(mesh.vertices[vertices], turned[faces])


def shallow(seed):
    """Two boxes, the one dipping into the other by a corner, an edge or a face, tilted at random."""
    rng = np.random.default_rng(seed)
    pose = random_pose(seed, 0.0)
    b = shapes.box((1.0, 0.75, 0.5))
    lowest = (pose[:3, :3] @ b.vertices.T)[2].min()
    pose[:3, 3] = [*rng.uniform(-0.4, 0.4, 2), 1.0 - lowest - rng.uniform(0.01, 0.05)]
    return shapes.box(2.0), b, np.eye(4), pose


def deepest_alike(one, other, tolerance=1e-9):
    """Compare the deepest points: how many others are kept may change where several are equally far."""
    assert one[2][0] == pytest.approx(other[2][0], abs=tolerance)
    np.testing.assert_allclose(one[1][0], other[1][0], rtol=0, atol=tolerance)
    np.testing.assert_allclose(one[0][0], other[0][0], rtol=0, atol=tolerance)


@sized(6, 200)
def test_in_the_mirror(count):
    for seed in range(count):
        a, b, pose_a, pose_b = shallow(seed)
        plain = points_of(a, b, pose_a, pose_b)
        mirrored = [
            tumble.transformed(tumble.transformed(mesh, pose), MIRROR) for mesh, pose in ((a, pose_a), (b, pose_b))
        ]
        points, normals, depths = points_of(*mirrored, np.eye(4), np.eye(4))
        flip = np.array([-1.0, 1.0, 1.0])
        deepest_alike(plain, (points * flip, normals * flip, depths))


@sized(6, 200)
def test_with_other_numbers(count):
    for seed in range(count):
        a, b, pose_a, pose_b = shallow(seed)
        rng = np.random.default_rng(seed)
        plain = points_of(a, b, pose_a, pose_b)
        other = points_of(reordered(a, rng), reordered(b, rng), pose_a, pose_b)
        assert len(plain[2]) == len(other[2])
        for one, two in zip(plain, other, strict=True):
            np.testing.assert_allclose(one, two, rtol=0, atol=1e-9)


@sized(6, 200)
def test_on_finer_meshes(count):
    for seed in range(count):
        a, b, pose_a, pose_b = shallow(seed)
        deepest_alike(
            points_of(a, b, pose_a, pose_b), points_of(tumble.subdivide(a), tumble.subdivide(b), pose_a, pose_b)
        )


@pytest.mark.parametrize("change", ["mirrored", "reordered", "subdivided"])
def test_a_box_flat_on_a_box_rests_on_the_same_corners(change):
    a, b = shapes.box(4.0), shapes.box(1.0)
    pose = translation(0.125, -0.25, 2.49)
    plain = points_of(a, b, np.eye(4), pose)
    flip = np.ones(3)
    if change == "mirrored":
        a, b = (tumble.transformed(mesh, MIRROR) for mesh in (a, b))
        pose, flip = MIRROR @ pose @ MIRROR, np.array([-1.0, 1.0, 1.0])
    elif change == "reordered":
        rng = np.random.default_rng(4)
        a, b = reordered(a, rng), reordered(b, rng)
    else:
        a, b = tumble.subdivide(a), tumble.subdivide(b)
    points, normals, depths = points_of(a, b, np.eye(4), pose)
    assert len(depths) == len(plain[2]) == 4
    order = np.lexsort((points * flip).round(9).T)
    np.testing.assert_allclose((points * flip)[order], plain[0][np.lexsort(plain[0].round(9).T)], rtol=0, atol=1e-12)
    np.testing.assert_allclose(normals, plain[1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(depths, plain[2], rtol=0, atol=1e-12)
