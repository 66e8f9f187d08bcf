"""`tumble.penetration`: volume, centroid, box and curves of what two solids share, in closed form and by judges."""

import numpy as np
import pytest

import overlap_cases
import tumble
from covering import sized, thinned
from solid_forms import BOX, FORMS, HOLLOW, OVERLAPPING, SMALL, box, inverted, joined, moved, soup, tetrahedron
from tumble import Mesh, MeshError, shapes, translation
from tumble.mesh import random_pose

MEET = ("crossing", "a_inside_b", "b_inside_a", "equal")
# forms in which a part without volume is inside, so that solids meet and share no volume
FLAT = {name for name in FORMS if "sheet" in name}


def asked(a, b, pose_a=None, pose_b=None, **options):
    return tumble.penetration(a, b, pose_a, pose_b, **{"depth": False, **options})


def check_shared(found, shared, relative=1e-12):
    """Compare with a judge's fractions; None: nothing is shared."""
    if shared is None:
        assert found.volume == 0.0
        return
    size = max(abs(float(x)) for x in (*shared.low, *shared.high))
    assert found.volume == pytest.approx(float(shared.volume), rel=relative, abs=0.0)
    np.testing.assert_allclose(found.centroid, [float(x) for x in shared.centroid], rtol=0.0, atol=relative * size)
    np.testing.assert_allclose(found.box, np.array([shared.low, shared.high], float), rtol=0.0, atol=relative * size)


@pytest.mark.parametrize("name", thinned(FORMS, 2))
def test_volume_and_relation_do_not_contradict_each_other(name):
    a, b, relation = FORMS[name]
    one, other = asked(a, b), asked(b, a)
    assert one.relation == relation
    assert (one.volume > 0.0) == (relation in MEET and name not in FLAT)
    assert one.volume == pytest.approx(other.volume, rel=1e-14, abs=0.0)
    np.testing.assert_allclose(one.box, other.box, rtol=0.0, atol=1e-14)
    assert all(curve.closed for curve in one.curves)
    assert bool(one) == (relation in MEET)


@pytest.mark.parametrize(
    "shift", [(2, 0, 0), (1, 0, 0), (0, 0, 0), (1, 1, 0), (1, 1, 1), (0.5, 0.25, 0.125), (-1, 1, 2)]
)
@pytest.mark.parametrize("turn", range(2))
def test_blocks_that_share_planes(shift, turn):
    """Flush, equal and sharing faces: in all directions, as the small step that parts planes goes in one of them."""
    for sign in (1, -1):
        by = np.roll(np.array(shift) * sign, turn)
        found = asked(BOX, BOX, None, translation(*by))
        low, high = np.maximum(-1.0, by - 1.0), np.minimum(1.0, by + 1.0)
        assert found.volume == np.prod(high - low)
        if found.volume:
            np.testing.assert_array_equal(found.centroid, (low + high) / 2)
            np.testing.assert_array_equal(found.box, [low, high])


def test_parts_that_only_lie_on_each_other_are_not_in_the_box():
    """A step on a block: it overlaps the other at one end, and lies flush on it along the rest."""
    step = joined(box((0, 0, 0), (4, 1, 1)), box((0, 0, -0.5), (1, 1, 0)))
    found = asked(step, box((-1, 0, -2), (9, 1, 0)))
    assert found.volume == 0.5
    np.testing.assert_array_equal(found.box, [[0, 0, -0.5], [1, 1, 0]])
    np.testing.assert_allclose(found.centroid, [0.5, 0.5, -0.25], rtol=0, atol=1e-15)


def test_a_wedge_a_pyramid_and_a_cone_in_closed_form():
    corner = tetrahedron((0, 0, 0), (3, 0, 0), (0, 3, 0), (0, 0, 3))
    assert asked(corner, box((0, 0, 0), (2, 2, 2))).volume == pytest.approx((27 - 3) / 6, rel=1e-14)
    wedge = Mesh(
        [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 1, 0], [1, 1, 0], [1, 1, 1]],
        [[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2], [0, 2, 5], [0, 5, 3]],
    )
    found = asked(wedge, moved(SMALL, 0.5, 0.5, 1.0))  # what is above half of its height
    assert found.volume == pytest.approx(1 / 8, rel=1e-14)
    np.testing.assert_allclose(found.centroid, [5 / 6, 0.5, 2 / 3], rtol=1e-14)
    angles = np.arange(64) * (2 * np.pi / 64)
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(64)], axis=1)
    around = np.roll(np.arange(64), -1)
    sides = [np.stack([np.arange(64), around, np.full(64, 64)], axis=1)]
    base = np.stack([around, np.arange(64), np.full(64, 65)], axis=1)
    cone = Mesh(np.concatenate([ring, [[0, 0, 2], [0, 0, 0]]]), np.concatenate([*sides, base]))
    area = 32 * np.sin(2 * np.pi / 64)
    found = asked(cone, box((-2, -2, 1), (2, 2, 3)))  # a cone of half the size
    assert found.volume == pytest.approx(area * 2 / 3 / 8, rel=1e-13)
    np.testing.assert_allclose(found.centroid, [0, 0, 1.25], rtol=0, atol=1e-14)
    assert len(found.curves) == 1
    assert found.curves[0].length == pytest.approx(64 * np.sin(np.pi / 64), rel=1e-13)


@sized(12, 3000)
@pytest.mark.parametrize("kind", overlap_cases.KINDS)
def test_unions_of_cells_against_the_judge(kind, count):
    for seed in range(count):
        a, b, shared = overlap_cases.random_case(kind, np.random.default_rng([seed, 19]))
        found = asked(a, b)
        assert found.crosses_itself == (False, False)
        if np.isnan(found.volume):  # components cancel each other, and what is left is a sheet
            assert shared is None
            continue
        assert (found.volume > 0.0) == (shared is not None), seed
        check_shared(found, shared)
        assert all(curve.closed for curve in found.curves), seed


@pytest.mark.parametrize("seed", [802, 962, 1418, 2926])
def test_blocks_that_share_vertices_and_sheets(seed):
    """Sheets of one body that share vertices alone are cut by each other; slivers of rounding are not in the box."""
    a, b, shared = overlap_cases.random_case("blocks", np.random.default_rng([seed, 19]))
    check_shared(asked(a, b), shared)


@sized(8, 2000)
def test_hulls_against_the_judge(count):
    for seed in range(count):
        a, b, shared, square = overlap_cases.random_hulls(np.random.default_rng([seed, 20]))
        found = asked(a, b, depth=True)
        check_shared(found, shared)
        depth = 0.0 if square is None else float(square) ** 0.5
        assert found.depth == pytest.approx(depth, rel=0.0, abs=1e-13)
        assert found.least_depth == pytest.approx(depth, rel=0.0, abs=1e-13)


@pytest.mark.parametrize("change", [inverted, soup, tumble.subdivide], ids=["inverted", "soup", "subdivided"])
def test_how_a_solid_is_triangulated_does_not_matter(change):
    pose = random_pose(5, 0.3)
    a, b = shapes.torus(1.0, 0.4, 24, 12), tumble.shapes.box((0.5, 0.75, 1.5))
    plain, changed = asked(a, b, pose), asked(change(a), change(b), pose)
    assert changed.relation == plain.relation == "crossing"
    assert changed.volume == pytest.approx(plain.volume, rel=1e-13)
    np.testing.assert_allclose(changed.centroid, plain.centroid, rtol=0, atol=1e-13)
    np.testing.assert_allclose(changed.box, plain.box, rtol=0, atol=1e-13)


def test_faces_turned_at_random_bound_the_same_solid():
    """Not oriented: the parity of the winding number counts."""
    rng = np.random.default_rng(3)
    faces = np.where(rng.random(len(BOX)) < 0.5, BOX.faces.T[::-1], BOX.faces.T).T
    found = asked(Mesh(BOX.vertices, faces), moved(BOX, 1, 0.5, 0.25))
    assert found.volume == pytest.approx(2.625, rel=1e-15)


@pytest.mark.parametrize("exponent", [-300, -60, 60, 300])
def test_every_size_of_coordinates(exponent):
    scale = np.ldexp(1.0, exponent)
    a, b = (Mesh(mesh.vertices * scale, mesh.faces) for mesh in (BOX, moved(BOX, 1, 0.5, 0.25)))
    found = tumble.penetration(a, b)
    assert found.volume == 2.625 * scale**3
    np.testing.assert_array_equal(found.box, np.array([[0, -0.5, -0.75], [1, 1, 1]]) * scale)
    np.testing.assert_allclose(found.centroid, np.array([0.5, 0.25, 0.125]) * scale, rtol=1e-15)
    assert found.depth == pytest.approx(scale, rel=1e-14)


@pytest.mark.parametrize("bits", [30, 45, 52])
def test_overlaps_thinner_than_rounding_have_a_volume(bits):
    """Their faces are nearly flush; `relation` says that they cross."""
    thin = 2.0**-bits
    found = tumble.penetration(BOX, BOX, None, translation(2 - thin, 0.25, 0))
    assert found.relation == "crossing"
    assert found.volume == pytest.approx(thin * 1.75 * 2, rel=1e-12)
    assert found.depth == pytest.approx(thin, rel=0, abs=1e-13)


def test_bodies_of_one_mesh_that_overlap_are_united():
    assert asked(OVERLAPPING, SMALL).volume == pytest.approx(1.0, rel=1e-15)
    assert asked(joined(BOX, BOX), BOX).volume == pytest.approx(8.0, rel=1e-15)
    assert asked(HOLLOW, shapes.box(3.0)).volume == pytest.approx(19.0, rel=1e-15)


def test_a_mesh_that_crosses_itself_is_named():
    """A surface in one piece that passes through itself: what it encloses twice counts twice, as it says."""
    torus = shapes.torus()
    tube = Mesh(np.where(torus.vertices[:, :1] > 0, torus.vertices - [1.8, 0, 0], torus.vertices), torus.faces)
    found = asked(tube, shapes.box(8.0))
    assert found.crosses_itself == (True, False)


def test_curves_are_where_both_surfaces_are():
    a, b, pose = shapes.torus(), shapes.icosphere(3), translation(0.7, 0.2, 0.1)
    found = asked(a, b, None, pose)
    assert len(found.curves) >= 1
    assert sum(curve.length for curve in found.curves) > 1.0
    for curve in found.curves:
        assert curve.closed
        ring = np.concatenate([curve.points, curve.points[:1]])
        for points in (ring, 0.5 * (ring[1:] + ring[:-1])):
            for mesh, place in ((a, None), (b, pose)):
                assert tumble.closest_points(mesh, points, place).distances.max() < 1e-14
    lengths = np.linalg.norm(found.contacts.segments[:, 1] - found.contacts.segments[:, 0], axis=1)
    assert sum(curve.length for curve in found.curves) == pytest.approx(lengths.sum(), rel=1e-12)


def test_contacts_are_those_of_collide():
    pose = translation(1, 0.5, 0.25)
    found, plain = asked(BOX, BOX, None, pose), tumble.collide(BOX, BOX, None, pose, contacts=True)
    np.testing.assert_array_equal(found.pairs, plain.pairs)
    np.testing.assert_array_equal(found.contacts.depths, plain.contacts.depths)
    np.testing.assert_array_equal(found.contacts.normals, plain.contacts.normals)


def test_open_meshes_are_refused_or_surfaces():
    sheet = Mesh([[0, 0, 0], [5, 0, 0], [5, 5, 0], [0, 5, 0]], [[0, 1, 2], [0, 2, 3]])
    with pytest.raises(MeshError, match=r"mesh b has 4 open edges .* between vertex"):
        tumble.penetration(BOX, sheet)
    found = tumble.penetration(BOX, sheet, solid=None)
    assert found.rule == "b_is_surface"
    assert found.relation == "crossing"
    assert [curve.closed for curve in found.curves] == [False]
    assert found.curves[0].length == pytest.approx(2.0, rel=1e-14)
    assert np.isnan(found.volume)
    assert np.isnan(found.centroid).all()
    assert tumble.penetration(BOX, moved(BOX, 1, 0, 0), solid=False).rule == "surfaces"


def test_records_are_read_only_and_pickle():
    import pickle

    found = tumble.penetration(BOX, BOX, None, translation(1, 0.5, 0.25))
    again = pickle.loads(pickle.dumps(found))
    for record in (found, again):
        for array in (record.direction, record.translation, record.centroid, record.box, record.curves[0].points):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    assert again.volume == found.volume
    assert "crossing, depth 1" in repr(found)
