"""Solids that face each other: no fan is looked at along such edges, and the relation is what fans say."""

import numpy as np
import pytest

import solid_cases
import tumble
from covering import sized
from solid_forms import BOX, OVERLAPPING, box, inverted, joined, moved
from tumble.api.relation import self_pairs
from tumble.mesh import as_mesh, random_pose
from tumble.mesh.edges import edges_of
from tumble.solid import facing
from tumble.solid.body import Body
from tumble.solid.evidence import Evidence
from tumble.solid.facing import outward_faces
from tumble.solid.looks import look_at_fans
from tumble.solid.strata import Contacts

PLATE, BLOCK = box((-3, -3, -1), (3, 3, 0)), box((-1, -1, 0), (1, 1, 2))


@pytest.fixture(autouse=True)
def always(monkeypatch):
    monkeypatch.setattr(facing, "FEWEST_PAIRS", 0)


def prism(radius, low, high, sides=12, turn=0.0):
    """Return the triangles of a round prism: bottom, top, walls."""
    angles = turn + np.arange(sides) * (2 * np.pi / sides)
    ring = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    rings = [np.column_stack([ring, np.full(sides, z)]) for z in (low, high)]
    middles = np.array([[0.0, 0.0, low], [0.0, 0.0, high]])
    here = np.arange(sides)
    after = (here + 1) % sides
    walls = [np.stack([here, after, after + sides], 1), np.stack([here, after + sides, here + sides], 1)]
    caps = [
        np.stack([np.full(sides, 2 * sides), after, here], 1),
        np.stack([np.full(sides, 2 * sides + 1), here + sides, after + sides], 1),
    ]
    return tumble.Mesh(np.concatenate([*rings, middles]), np.concatenate([*walls, *caps]).astype(np.int32))


def bored(radius, hole, low, high, sides=12):
    """Return a ring whose bore has the facets of `prism(hole, ...)`."""
    outer, inner = prism(radius, low, high, sides), prism(hole, low, high, sides)
    n = sides
    here = np.arange(n)
    after = (here + 1) % n
    points = np.concatenate([outer.vertices[: 2 * n], inner.vertices[: 2 * n]])
    faces = [
        np.stack([here, after, after + n], 1), np.stack([here, after + n, here + n], 1),
        np.stack([here, after + n, after], 1) + 2 * n, np.stack([here, here + n, after + n], 1) + 2 * n,
        np.stack([here, here + 2 * n, after + 2 * n], 1), np.stack([here, after + 2 * n, after], 1),
        np.stack([here + n, after + n, after + 3 * n], 1), np.stack([here + n, after + 3 * n, here + 3 * n], 1),
    ]  # fmt: skip
    return tumble.Mesh(points, np.concatenate(faces).astype(np.int32))


def bodies_of(a, b, pose=None):
    rows = None if pose is None else pose[:3].copy()
    return tuple(Body(mesh, edges_of(mesh), rows, 1) for mesh in (a, b))


def fans_and_faced(a, b, pose=None):
    """Return how many fans are looked at, and how many triangles are left out, as the solids face each other."""
    bodies = bodies_of(a, b, pose)
    contacts = Contacts(bodies, tumble.collide(a, b, pose, pose).pairs)
    contacts.outward = outward_faces(bodies, contacts.pairs, self_pairs)
    fans = [fan for candidates in contacts.candidates() for one in candidates for fan in contacts.fans(one)]
    return len(fans), len(contacts.faced[0]) + len(contacts.faced[1])


FITS = {
    "block on a plate": (PLATE, BLOCK),
    "plates face to face": (BOX, moved(BOX, 2, 0, 0)),
    "block beyond the rim": (PLATE, moved(BLOCK, 2.5, 0, 0)),
    "pin in its bore": (bored(3.0, 1.0, 0.0, 2.0), prism(1.0, -1.0, 3.0)),
    "pin that ends in its bore": (bored(3.0, 1.0, 0.0, 2.0), prism(1.0, 0.5, 1.5)),
    "pin that is flush with its bore": (bored(3.0, 1.0, 0.0, 2.0), prism(1.0, 0.0, 2.0)),
    "block in a corner of two": (joined(PLATE, box((-3, -3, 0.5), (-1, 3, 4))), moved(BLOCK, 0, 0, 0)),
}


@pytest.mark.parametrize("name", FITS)
def test_flush_solids_take_no_fans(name):
    a, b = FITS[name]
    for one, other in ((a, b), (b, a)):
        fans, faced = fans_and_faced(one, other)
        assert (fans, faced > 0) == (0, True)
        assert tumble.relation(one, other).relation == "touching"


CROSSING = {
    "a fin of the plate in the block": (joined(PLATE, box((-0.1, -2, 0), (0.1, 2, 1))), BLOCK),
    "a pin with a collar in its bore": (
        bored(3.0, 1.0, 0.0, 2.0), joined(prism(1.0, 0.0, 1.0), moved(prism(2.0, 0.0, 0.5), 0, 0, 1)),
    ),
    "a block that is flush and overlaps": (PLATE, joined(BLOCK, box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))),
}  # fmt: skip


@pytest.mark.parametrize("name", CROSSING)
def test_what_crosses_elsewhere_is_found(name):
    a, b = CROSSING[name]
    assert tumble.relation(a, b).relation == "crossing"
    assert tumble.relation(b, a).relation == "crossing"


def test_only_faces_with_the_solid_behind_them_and_nothing_before():
    pairs = np.zeros((9, 2), np.int64)
    assert all(mask.all() for mask in outward_faces(bodies_of(PLATE, BLOCK), pairs, self_pairs))
    assert not outward_faces(bodies_of(inverted(BOX), BLOCK), pairs, self_pairs)[0].any()
    assert outward_faces(bodies_of(OVERLAPPING, BLOCK), pairs, self_pairs) is None
    hollow = joined(box((-2, -2, -2), (2, 2, 2)), inverted(BOX))
    assert outward_faces(bodies_of(hollow, BLOCK), pairs, self_pairs)[0].all()
    within = joined(box((-2, -2, -2), (2, 2, 2)), BOX)  # walls inside, which bound nothing
    assert outward_faces(bodies_of(within, BLOCK), pairs, self_pairs)[0].sum() == len(BOX)


def test_inside_out_and_walls_inside_take_fans_and_are_right():
    assert fans_and_faced(inverted(PLATE), BLOCK)[1] == 0
    assert tumble.relation(inverted(PLATE), BLOCK).relation == "touching"
    filled = joined(box((-2, -2, -2), (2, 2, 2)), BOX)
    assert tumble.relation(filled, box((1, -1, -1), (2, 1, 1))).relation == "b_inside_a"


@pytest.mark.parametrize("name", FITS)
@sized(2, 40)
def test_posed_fits_are_what_fans_say(name, count, monkeypatch):
    a, b = FITS[name]
    for seed in range(count):
        pose = random_pose(seed, 3.0)
        monkeypatch.setattr(facing, "FEWEST_PAIRS", 0)
        quick = tumble.relation(a, b, pose, pose).relation
        monkeypatch.setattr(facing, "FEWEST_PAIRS", 10**9)
        assert tumble.relation(a, b, pose, pose).relation == quick, seed


def extruded(*corners):
    """Return a polygon, given against the clock and seen in full from its first corner, from z = 0 to z = 1."""
    n = len(corners)
    points = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in corners])
    caps = [(0, k, k + 1) for k in range(1, n - 1)]
    walls = [face for k in range(n) for j in [(k + 1) % n] for face in ((k, j, j + n), (k, j + n, k + n))]
    faces = [(i, k, j) for i, j, k in caps] + [(i + n, j + n, k + n) for i, j, k in caps] + walls
    return tumble.Mesh(points, np.array(faces, np.int32))


WEDGES = {
    f"{name}, {way}": (wedge, extruded((-3, -3), (2, -3), (2, 0), (0, 0), corner, (-3, 2)))
    for name, wedge in (
        ("a wedge", extruded((0, 0), (2, 0), (-1, 2))),
        ("a blunt wedge", extruded((0, 0), (2, 0), (2, 1), (-4, 1), (-2, -1))),
    )
    for way, corner in (("narrow", (-0.25, 2)), ("that fits", (-1, 2)), ("wide", (-2, 2)))
}
PARTLY = {
    "an edge that is flush for a part and inside for another": (
        box((0, 0, 0), (4, 2, 2)), joined(box((0, -1, -1), (2, 1, 0)), box((2.5, 0, 0), (4, 1, 1))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*FITS, *CROSSING, *WEDGES, *PARTLY])
def test_nothing_in_common_along_faced_edges(name):
    a, b = {**FITS, **CROSSING, **WEDGES, **PARTLY}[name]
    for one, other in ((a, b), (b, a)):
        check_what_is_left_out(one, other)


@pytest.mark.parametrize("kind", solid_cases.KINDS)
@sized(6, 400)
def test_nothing_in_common_along_faced_edges_of_random_solids(kind, count):
    for seed in range(count):
        a, b, _ = solid_cases.random_case(kind, np.random.default_rng([seed, len(kind), 2]))
        check_what_is_left_out(as_mesh(a), as_mesh(b))


def check_what_is_left_out(a, b):
    """See that fans around what is left out have no sector that both solids contain."""
    bodies, pairs = bodies_of(a, b), tumble.collide(a, b).pairs
    quick, slow = Contacts(bodies, pairs), Contacts(bodies, pairs)
    quick.outward = outward_faces(bodies, pairs, self_pairs)
    left = {(one.faces, one.column, one.edge) for candidates in quick.candidates() for one in candidates}
    for candidates in slow.candidates():
        for one in candidates:
            if (one.faces, one.column, one.edge) not in left:
                fans, evidence = slow.fans(one), Evidence()
                look_at_fans(slow, evidence, fans)
                assert not evidence.meet, one
                assert not fans or {(True, False), (False, True)} <= evidence.sectors, one
