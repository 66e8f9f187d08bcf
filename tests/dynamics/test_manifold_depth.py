"""The depth is the way along the normal that parts two bodies, wherever in the patch they are deepest."""

import numpy as np
import pytest
from test_manifold import LARGE, SMALL, ask

import tumble
from covering import sized
from tumble.mesh import compose, random_pose, rotation, shapes, translation

BALL = shapes.icosphere(1, 0.25)
LONG_BOX = shapes.box((0.2, 0.3, 0.6))
CONVEX = (shapes.box(0.4), BALL, LONG_BOX, shapes.box((0.02, 0.3, 0.6)))
ROUNDING = 2e-8  # m
# Two pairs of bodies of `test_piles.py`, where they were reported at 1 mm and at 0.9 mm in the steps before.
FROM_PILES = {
    "box in a torus": (
        shapes.box(0.4),
        shapes.torus(0.25, 0.09, 12, 8),
        compose(translation(0.060843, -0.005468, -0.349945), rotation((-0.135219, 0.971905, 0.192658), 1.145125)),
        0.0093999,
    ),
    "edge of a box over the end of another": (
        LONG_BOX,
        LONG_BOX,
        compose(translation(0.238884, 0.250374, -0.230839), rotation((-0.140844, -0.714924, -0.68487), 2.876724)),
        0.0030575,
    ),
}
# Both reach round an edge of the other: along the vector area alone they were 0.17 and 0.13 deep, the way lengthwise.
GEAR = shapes.gear(6, 0.125, 0.1, 0.3)
ROUND_AN_EDGE = {
    "bowl": (
        shapes.bowl(0.5, 0.1, 8, 6),
        compose(translation(0.466, 0.415, 0.155), rotation((0.646, -0.004, 0.764), 2.714)),
    ),
    "torus": (
        shapes.torus(0.4, 0.1, 8, 6),
        compose(translation(0.725, -0.24, -0.063), rotation((0.116, -0.972, 0.203), 2.513)),
    ),
}


def way_out(a, b, pose, normal):
    """How far a must go along a direction until it does not touch b any more; up to 0.1."""
    inside, outside = 0.0, 0.1
    while outside - inside > 0.5 * ROUNDING:
        middle = 0.5 * (inside + outside)
        touches = len(tumble.collide(a, b, compose(translation(*(middle * normal)), pose), np.eye(4)).pairs) > 0
        inside, outside = (middle, outside) if touches else (inside, middle)
    return outside


def shallow_overlap(rng, a, b, depth):
    """A random pose of a in which it is in b by a depth along the line of their centres."""
    turn, heading = random_pose(rng, 0.0), rng.normal(size=3)
    heading /= np.linalg.norm(heading)
    apart = 1.0
    while apart > 0.0:
        pose = compose(translation(*(apart * heading)), turn)
        if len(tumble.collide(a, b, pose, np.eye(4)).pairs) > 0:
            break
        apart -= depth
    return pose


def check_deepest(a, b, pose, loss=0.0):
    """The deepest point is as deep as it is far to the outside, less at most a part."""
    found = ask(a, b, pose)
    deepest = found.depths.argmax()
    way = way_out(a, b, pose, found.normals[deepest])
    assert (1.0 - loss) * way - ROUNDING <= found.depths[deepest] <= way + ROUNDING
    return found.depths[deepest]


@pytest.mark.parametrize("tilt", [0.0, 0.001, 0.005, 0.01])
def test_an_edge_is_deepest_where_it_leaves_a_face(tilt):
    """A box on its edge, tilted along it, that stands out over the end of a larger one."""
    on_edge = compose(rotation("y", tilt), rotation("x", np.pi / 4))
    pose = compose(translation(2.0, 0.3, 2.0 + np.sqrt(0.5) - 0.002), on_edge)
    height = np.sqrt(0.5) * (1.0 / np.cos(tilt) - 1.0)  # the edge is there where the larger box ends
    assert check_deepest(SMALL, LARGE, pose) == pytest.approx(0.002 + height, rel=1e-3)


@pytest.mark.parametrize("name", FROM_PILES)
def test_pairs_of_piles(name):
    a, b, pose, depth = FROM_PILES[name]
    assert check_deepest(a, b, pose) == pytest.approx(depth, rel=1e-4)


@pytest.mark.parametrize("name", ROUND_AN_EDGE)
def test_patches_round_an_edge_are_no_deeper_than_a_shift_that_parts_the_bodies(name):
    other, pose = ROUND_AN_EDGE[name]
    shift = tumble.penetration(GEAR, other, pose, np.eye(4)).depth
    assert 0.5 * shift < ask(GEAR, other, pose).depths.max() <= shift


@sized(20, 600)
def test_convex_bodies_part_along_the_normal_after_the_depth(count):
    """Vertices, edges and faces in all combinations: never too deep, and one per cent too shallow at most."""
    rng = np.random.default_rng(11)
    for _ in range(count):
        a, b = (CONVEX[k] for k in rng.integers(len(CONVEX), size=2))
        pose = shallow_overlap(rng, a, b, 0.002)
        check_deepest(a, b, pose, 0.01)
