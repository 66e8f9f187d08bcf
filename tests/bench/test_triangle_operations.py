"""Triangle tests are counted over the pairs of real queries; the plain ones are right where nothing is special."""

import numpy as np
import pytest

import forest
import oracle
import tumble
from covering import sized
from tumble.bench.operations import Counting, NotCounted, Tally, counted
from tumble.bench.triangle_operations import (
    asked_pairs,
    barycentric,
    determinants,
    intervals,
    triangle_operations,
    unit_triangle,
)
from tumble.mesh import Mesh, as_pose, random_pose
from tumble.narrow.triangles.exact import points_touch
from tumble.narrow.triangles.unit_frames import unit_frames
from tumble.narrow.triangles.unit_matrix import unit_matrices
from tumble.narrow.triangles.unit_touch import unit_triangle_test
from tumble.traversal.every import prepare
from tumble.traversal.query import new_counters

MESH = tumble.shapes.torus(segments=12, sides=8)
POSE = random_pose(3, 0.3)
MOVING_A_TRIANGLE = 3 * 18
CARRYING_A_TRIANGLE = 3 * 18
PUBLISHED, BOUNDED, EXACT, INTERVALS, BARYCENTRIC, DETERMINANTS = range(6)


def test_divisions_are_counted():
    tally = Tally()
    number = Counting(6.0, tally)
    assert float(number / 2) == 3.0
    assert float(3 / number) == 0.5
    assert tally == Tally(divisions=2)
    assert tally.total == 2
    assert tally.taken().divisions == 2
    assert tally.total == 0


def test_what_has_no_source_is_not_counted():
    flat = [tuple(Counting(x, Tally()) for x in p) for p in ((0, 0, 1e-300), (1e-300, 0, 1), (0, 1e-300, 2e-300))]
    with pytest.raises(NotCounted):
        counted(points_touch, Tally())(*flat, *flat)


@sized(100, 400)
@pytest.mark.parametrize("posed", [False, True])
def test_plain_tests_are_right_on_random_triangles(posed, count):
    rng = np.random.default_rng(1)
    touching = 0
    for k in range(count):
        meshes = [Mesh(rng.standard_normal((3, 3)), [[0, 1, 2]]) for _ in range(2)]
        poses = [as_pose(random_pose(2 * k + side, 0.5)) if posed else None for side in range(2)]
        a, b = (mesh.vertices for mesh in meshes)
        world = [oracle.pose_points(side, pose) for side, pose in zip((a, b), poses, strict=True)]
        due = oracle.triangles_touch(*world)
        frames = unit_frames(*poses, meshes[0].extent, meshes[1].extent)
        rows = [unit_matrices(mesh)[0] for mesh in meshes]
        assert unit_triangle(a, rows[0], b, rows[1], frames.a_in_b, frames.b_in_a) == due
        for test in (intervals, barycentric, determinants):
            assert test(*world) == test(*world[::-1]) == due, test.__name__
        touching += due
    assert count / 8 < touching < 7 * count / 8


def test_the_pairs_are_those_that_a_query_compares():
    pairs = asked_pairs(MESH, MESH, None, POSE)
    query = prepare(MESH, MESH, None, POSE, method="stack", tree="aabb", narrow="unit-triangle")
    hits = query.collect(new_counters())  # as that kernel is there already
    assert sum(query.verdicts) == len(pairs) > len(hits) > 0
    assert {tuple(pair) for pair in hits.tolist()} <= {tuple(pair) for pair in pairs.tolist()}
    assert len(asked_pairs(MESH, tumble.Mesh([], []))) == 0
    assert len(asked_pairs(MESH, MESH, None, tumble.translation(100, 0, 0))) == 0


@pytest.fixture(scope="module")
def rows():
    return triangle_operations(MESH, MESH, None, POSE, most=150)


def test_each_test_is_counted(rows):
    assert len({row.name for row in rows}) == 6
    assert [row.pairs for row in rows] == [150] * 6
    for row in rows:
        assert row.moving + row.additions + row.multiplications + row.comparisons + row.divisions == row.mean
        assert MOVING_A_TRIANGLE < row.mean < row.worst


def test_only_intervals_and_barycentric_coordinates_divide(rows):
    assert [row.divisions > 0 for row in rows] == [False, False, False, True, True, False]


def test_what_is_moved(rows):
    """The exact test poses both triangles, those of others need one, and the unit triangle's halves one each."""
    assert rows[EXACT].moving == 2 * MOVING_A_TRIANGLE
    for k in (INTERVALS, BARYCENTRIC, DETERMINANTS):
        assert rows[k].moving == MOVING_A_TRIANGLE
    for k in (PUBLISHED, BOUNDED):
        assert MOVING_A_TRIANGLE < rows[k].moving < 2 * MOVING_A_TRIANGLE


def test_the_paper_s_claim_holds_for_pairs_that_touch():
    """Fewer additions and multiplications than the intervals need; not so where both halves must be looked at."""
    rows = triangle_operations(MESH, MESH, None, POSE, most=60, touching=True)
    published, intervals = rows[PUBLISHED], rows[INTERVALS]
    assert published.moving + published.additions + published.multiplications < intervals.mean - intervals.comparisons
    assert intervals.divisions == 4
    assert published.divisions == rows[BOUNDED].divisions == 0


PLATE = tumble.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
PIN = tumble.Mesh([[1, 1, -1], [1.5, 1, 1], [9, 9, 8]], [[0, 1, 2]])


def test_by_hand():
    """A pair that Equation 4 finds at the first edge, and one whose planes are apart."""
    published, bounded, *_ = triangle_operations(PIN, PLATE)
    assert (published.moving, published.pairs) == (MOVING_A_TRIANGLE, 1)
    # carried, and one edge: four products; two differences, the rise, the sum
    assert published.multiplications == CARRYING_A_TRIANGLE / 2 + 4
    assert published.additions == CARRYING_A_TRIANGLE / 2 + 4
    assert bounded.undecided == 0
    assert bounded.moving == 2 * MOVING_A_TRIANGLE  # both planes come first

    above = tumble.Mesh([[1, 1, 0.5], [3, 3, 1.5], [1, 1, 1]], [[0, 1, 2]])
    apart = triangle_operations(above, tumble.Mesh([[0, 0, 0], [4, 0, 0], [0, 4, 1]], [[0, 1, 2]]))[BOUNDED]
    assert apart.moving == MOVING_A_TRIANGLE
    assert apart.multiplications == 9 + 1
    assert apart.additions == 9 + 2


def test_tests_of_others_by_hand():
    """The same pair, whose first edge passes through the plate."""
    rows = triangle_operations(PIN, PLATE)
    # four differences, two cross products, four dot products; three products with the inverse, the sum of u and v
    barycentric = rows[BARYCENTRIC]
    assert barycentric.multiplications == 2 * 6 + 4 * 3 + 3
    assert barycentric.additions == 4 * 3 + 2 * 3 + 4 * 2 + 1
    assert barycentric.divisions == 1
    # five volumes: three differences, a cross product and a dot product each
    determinants = rows[DETERMINANTS]
    assert determinants.multiplications == 5 * (6 + 3)
    assert determinants.additions == 5 * (9 + 3 + 2)


def test_undecided_pairs_are_named():
    mesh = forest.soup(1, 30)
    rows = triangle_operations(mesh, mesh, most=60)
    verdicts = unit_triangle_test(mesh, mesh, None, None)
    assert verdicts.matrices_a is verdicts.matrices_b
    assert rows[BOUNDED].undecided > 0
    assert rows[PUBLISHED].undecided == rows[INTERVALS].undecided == 0
