"""`closest_points`: within its bound of the rational distance, the same bits whatever the order, threads and scale."""

import copy
import pickle
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
import trimesh

import tumble
from covering import sized
from needles import needles_from
from oracle import pose_points
from points_oracle import is_between, size_of_pair, squared_distance
from tumble import shapes
from tumble.mesh import random_pose
from tumble.narrow.points.four_nearest import TOLERANCE
from tumble.traversal.points import order

TRIANGLE = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
BOUND, SMALLEST = Fraction(TOLERANCE), Fraction(5e-324)


def soup(rng, count, size=1.0):
    """Random triangles, every third of which is a segment or a point."""
    corners = rng.normal(size=(count, 1, 3)) + rng.normal(size=(count, 3, 3)) * size
    corners[::6, 2] = corners[::6, 0]
    corners[3::6, 1:] = corners[3::6, :1]
    corners[1::6, 2] = 0.5 * (corners[1::6, 0] + corners[1::6, 1])
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def around(rng, triangles, count):
    """Points on corners, edges, faces, in planes, and at all distances from them."""
    corners = triangles[rng.integers(0, len(triangles), count)]
    weights = rng.choice([0.0, 1.0, 1.0, 0.3, -0.7], (count, 3, 1))
    weights[:, 0] += (weights.sum(axis=1) == 0).astype(float)
    points = (weights * corners).sum(axis=1) / weights.sum(axis=1)
    size = np.abs(corners - corners[:, :1]).max(axis=(1, 2))[:, None]
    return points + rng.normal(size=(count, 3)) * size * rng.choice([0, 1e-16, 1e-8, 1e-3, 1, 1e6], (count, 1))


def assert_within_bound(mesh, points, pose=None):
    """Judge distances, points and triangles of an answer by rationals."""
    triangles = pose_points(mesh.vertices, pose)[mesh.faces]
    found = tumble.closest_points(mesh, points, pose)
    worst = Fraction(0)
    for k, point in enumerate(points):
        squares = [squared_distance(point, triangle) for triangle in triangles]
        size, distance = size_of_pair(point, triangles), float(found.distances[k])
        bound = BOUND * size + SMALLEST
        assert distance >= 0.0
        assert is_between(distance, min(squares), bound), k
        assert is_between(distance, squares[found.triangles[k]], bound), k
        # the point that is returned is rounded once more
        slack = bound + Fraction(float(np.spacing(np.abs([point, found.points[k]]).max()))) * 2
        assert squared_distance(found.points[k], triangles[found.triangles[k]]) <= slack**2, k
        way = sum((Fraction(float(x)) - Fraction(float(y))) ** 2 for x, y in zip(found.points[k], point, strict=True))
        assert is_between(distance, way, slack), k
        if size > 2.0**-1000:
            exact = Fraction(float(np.sqrt(float(min(squares) / size**2))))
            worst = max(worst, abs(Fraction(distance) / size - exact))
    return float(worst)


@sized(8, 1000)
@pytest.mark.parametrize("posed", [False, True])
@pytest.mark.parametrize("size", [0.05, 1.0, 100.0])
def test_random_and_degenerate_triangles(size, posed, count):
    rng = np.random.default_rng([1, posed])
    mesh, pose = soup(rng, 24, size), random_pose(rng) if posed else None
    points = around(rng, pose_points(mesh.vertices, pose)[mesh.faces], count)
    assert assert_within_bound(mesh, points, pose) < 4 * 2.0**-53


@sized(30, 1000)
@pytest.mark.parametrize("sharpness", [1e-4, 1e-8, 1e-12, 1e-15, 1e-17, 0.0])
def test_needles(sharpness, count):
    rng = np.random.default_rng(2)
    mesh = needles_from(rng, rng.normal(size=(12, 3)), sharpness)
    assert assert_within_bound(mesh, around(rng, mesh.triangles, count)) < 4 * 2.0**-53


@sized(12, 40)
@pytest.mark.parametrize("exponent", [-1060, -1000, -540, -332, -100, 100, 326])
def test_scales_of_numbers(exponent, count):
    rng = np.random.default_rng(3)
    mesh = soup(rng, 12)
    points = np.clip(around(rng, mesh.triangles, count), -60, 60)
    scale = 2.0**exponent if exponent > -1023 else 2.0**-1000 * 2.0 ** (exponent + 1000)
    small = tumble.Mesh(mesh.vertices * scale, mesh.faces)
    assert assert_within_bound(small, points * scale) < 4 * 2.0**-53


@pytest.mark.parametrize("exponent", [-900, -330, -77, 200, 320])
def test_a_power_of_two_changes_no_bit(exponent):
    rng = np.random.default_rng(4)
    mesh = shapes.torus(segments=20, sides=11)
    points = rng.normal(size=(500, 3))
    scaled = tumble.Mesh(mesh.vertices * 2.0**exponent, mesh.faces)
    found, other = tumble.closest_points(mesh, points), tumble.closest_points(scaled, points * 2.0**exponent)
    np.testing.assert_array_equal(other.triangles, found.triangles)
    np.testing.assert_array_equal(other.distances, found.distances * 2.0**exponent)
    np.testing.assert_array_equal(other.points, found.points * 2.0**exponent)


def test_mixed_scales():
    """Triangles from denormal to 1e100 in one mesh, points near each of them and far from all."""
    rng = np.random.default_rng(5)
    sizes = 10.0 ** np.array([-320, -300, -200, -150, -100, -10, 0, 10, 60, 99])
    corners = rng.uniform(-1, 1, (len(sizes), 3, 3)) * sizes[:, None, None]
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * len(sizes)).reshape(-1, 3))
    points = np.concatenate([rng.uniform(-1, 1, (10, 3)) * size for size in (*sizes, 1e100)])
    assert_within_bound(mesh, points)
    # of the small ones alone
    few = tumble.Mesh(mesh.vertices, mesh.faces[:5])
    assert_within_bound(few, points)


def test_differences_far_smaller_than_coordinates():
    """Found by the fuzzer: all of a tiny mesh and the points have y = -2, which says nothing about their distances."""
    rng = np.random.default_rng(13)
    mesh = tumble.Mesh(rng.uniform(-1, 1, (12, 3)) * 1e-300, np.arange(12).reshape(-1, 3))
    points = rng.uniform(-3, 3, (20, 3)) * 1e-300
    points[:, 1] = -2.0
    assert assert_within_bound(mesh, points, tumble.translation(0, -2, 0)) < 4 * 2.0**-53


@pytest.mark.parametrize(
    "far", [1.0, 1e15, *(pytest.param(far, marks=pytest.mark.slow) for far in (1e3, 1e6, 1e9, 1e40))]
)
@sized(6, 20)
def test_points_far_away(far, count):
    """Boxes are told apart by float32: what that cannot tell is visited."""
    rng = np.random.default_rng(6)
    mesh = shapes.icosphere(1)
    points = rng.normal(size=(count, 3)) * far
    assert_within_bound(mesh, points)
    assert_within_bound(tumble.Mesh(mesh.vertices + np.array([far, 0.0, 0.0]), mesh.faces), points)


def nearest_by_brute_force(triangles, points):
    """The least distance from all triangles, float64, by other formulas than the kernel's."""
    found = np.empty(len(points))
    for k, point in enumerate(points):
        a, b, c = (triangles[:, i] - point for i in range(3))
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        inner = [(np.cross(x, y) * normal).sum(axis=1) >= 0 for x, y in ((a, b), (b, c), (c, a))]
        height = np.where(np.logical_and.reduce(inner), np.abs((a * normal).sum(axis=1)), np.inf)
        for x, y in ((a, b), (b, c), (c, a)):
            t = np.clip(-(x * (y - x)).sum(axis=1) / ((y - x) ** 2).sum(axis=1), 0, 1)
            height = np.minimum(height, np.linalg.norm(x + t[:, None] * (y - x), axis=1))
        found[k] = height.min()
    return found


@sized(25, 5000)
@pytest.mark.parametrize("posed", [False, True])
@pytest.mark.parametrize("name", ["knot", "gear", "blob"])
def test_the_tree_loses_nothing(name, posed, count):
    """Meshes of thousands of triangles; a pose that is as far from a rotation as may be, too."""
    rng = np.random.default_rng(7)
    mesh, pose = getattr(shapes, name)(), random_pose(rng) if posed else None
    if posed:
        pose[:3, :3] *= 1.00004
    triangles = pose_points(mesh.vertices, pose)[mesh.faces]
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    points = rng.uniform(low - 1, high + 1, (count, 3))
    points[::3] = triangles[rng.integers(0, len(mesh), len(points[::3]))].mean(axis=1)
    found = tumble.closest_points(mesh, points, pose)
    np.testing.assert_allclose(found.distances, nearest_by_brute_force(triangles, points), rtol=0, atol=1e-14)


def test_corners_and_ties():
    """Beyond a corner all its triangles are equally near, and the one with the lowest number is returned."""
    mesh = shapes.icosphere(2)
    points = mesh.vertices * 3.0
    found = tumble.closest_points(mesh, points)
    first = [np.flatnonzero((mesh.faces == k).any(axis=1))[0] for k in range(len(mesh.vertices))]
    np.testing.assert_array_equal(found.triangles, first)
    at_corners = tumble.closest_points(mesh, mesh.vertices)
    np.testing.assert_array_equal(at_corners.triangles, first)
    np.testing.assert_array_equal(at_corners.points, mesh.vertices)
    assert (at_corners.distances == 0).all()
    twice = tumble.Mesh(mesh.vertices, np.concatenate([mesh.faces, mesh.faces]))
    anywhere = np.random.default_rng(8).normal(size=(2000, 3))
    np.testing.assert_array_equal(
        tumble.closest_points(twice, anywhere).triangles, tumble.closest_points(mesh, anywhere).triangles
    )


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_neither_threads_nor_order_change_a_bit(threads):
    rng = np.random.default_rng(9)
    mesh = shapes.box(2.0)
    for _ in range(3):
        mesh = tumble.subdivide(mesh)
    points = np.round(rng.uniform(-8, 8, (5000, 3))) / 4  # many are equally near to several triangles
    pose = random_pose(rng)
    for posed in (None, pose):
        expected = tumble.closest_points(mesh, points, posed)
        turn = rng.permutation(len(points))
        found = tumble.closest_points(mesh, points[turn], posed, threads=threads)
        for one, other in ((found.triangles, expected.triangles), (found.distances, expected.distances)):
            np.testing.assert_array_equal(one, other[turn])
        np.testing.assert_array_equal(found.points, expected.points[turn])


def test_more_points_than_are_put_in_order_together(monkeypatch):
    rng = np.random.default_rng(11)
    mesh, points = shapes.knot(), rng.normal(size=(3000, 3))
    expected = tumble.closest_points(mesh, points)
    monkeypatch.setattr(order, "MOST_POINTS", 700)
    found = tumble.closest_points(mesh, points)
    np.testing.assert_array_equal(found.triangles, expected.triangles)
    np.testing.assert_array_equal(found.points, expected.points)
    points[[2200, 2900], 0] = np.inf
    with pytest.raises(tumble.PointError, match=r"points\[2200\]"):
        tumble.closest_points(mesh, points)


def memory_besides_the_answer(call, points):
    call(shapes.box(), points[:10])
    tracemalloc.start()
    try:
        found = call(shapes.box(), points)
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == len(points)
    return peak - held


@pytest.mark.parametrize("call", [tumble.closest_points, tumble.contains, tumble.signed_distance])
def test_memory_is_that_of_the_answer_and_one_batch(call, monkeypatch):
    """At most 80 bytes for each point of a batch: copy, key, winding number, truth values. There are 30 batches."""
    monkeypatch.setattr(order, "MOST_POINTS", 2000)
    points = np.random.default_rng(12).uniform(-1, 1, (60_000, 3))
    points[::2, 0] = 0.5  # half of them on the surface, or nearly
    for given in (points, points.astype(np.float32), np.asfortranarray(points)):
        assert memory_besides_the_answer(call, given) < 80 * 2000 + 100_000


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("call", [tumble.closest_points, tumble.contains, tumble.signed_distance])
def test_ten_million_points_in_bounded_memory(call, dtype):
    """Besides what is returned (400 MB at most), less than 84 MB: 80 bytes for each point of a batch."""
    points = np.random.default_rng(12).uniform(-1, 1, (10_000_000, 3)).astype(dtype)
    assert memory_besides_the_answer(call, points) < 80 * order.MOST_POINTS


def test_input_of_many_kinds():
    found = tumble.closest_points(TRIANGLE, [[0, 0, 2], [5, 0, 0]])
    assert found.distances.tolist() == [2.0, 4.0]
    assert found.points.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert found.triangles.tolist() == [0, 0]
    assert found.triangles.dtype == np.int64
    assert len(found) == 2
    assert "2 points" in repr(found)
    box = trimesh.creation.box()
    assert tumble.closest_points(box, np.array([[2, 0, 0]], np.float32)).distances.tolist() == [1.5]
    strided = np.random.default_rng(10).normal(size=(60, 6))
    np.testing.assert_array_equal(
        tumble.closest_points(box, strided[::2, :3]).points, tumble.closest_points(box, strided[::2, :3].copy()).points
    )
    for array in (found.points, found.distances, found.triangles):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for nothing in ([], np.empty((0, 3))):
        none = tumble.closest_points(TRIANGLE, nothing)
        assert [len(none), none.points.shape] == [0, (0, 3)]


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[0, 0, 0], [0, np.nan, 0]], r"points\[1\] is \[0.0, nan, 0.0\]; .*finite"),
        ([[-np.inf, 0, 0]], r"points\[0\].*inf.*finite"),
        ([[0, 0, 1.1e100]], r"points\[0\].*beyond.*1e\+100"),
        ([0, 0, 0], r"shape \(n, 3\).*points\[None\]"),
        ([[0, 0]], r"shape \(n, 3\).*\(1, 2\)"),
        ([["a", "b", "c"]], "points must be real numbers"),
        ([[0, 0], [0, 0, 1]], "points cannot be read"),
        (np.ma.masked_equal([[0, 0, 7]], 7), "masked"),
        (np.array([[0, 0, 0], [0, 2**53 + 1, 0]]), r"points\[1\] is \[0, 9007199254740993, 0\].*2\*\*53"),
    ],
)
@pytest.mark.parametrize("call", [tumble.closest_points, tumble.contains, tumble.signed_distance])
def test_points_that_make_no_sense(call, points, said):
    with pytest.raises(tumble.PointError, match=said):
        call(shapes.box(), points)


@pytest.mark.parametrize("call", [tumble.closest_points, tumble.contains, tumble.signed_distance])
def test_answers_from_a_pickle_are_the_same_and_read_only(call):
    found = call(shapes.box(), [[0, 0, 0.25], [0.5, 0, 0], [2, 0, 0]])
    for twin in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
        assert type(twin) is type(found)
        for name, column in vars(found).items():
            np.testing.assert_array_equal(getattr(twin, name), column)
            assert not (isinstance(column, np.ndarray) and getattr(twin, name).flags.writeable)


def test_the_first_point_at_fault_is_named():
    points = np.zeros((20_000, 3))
    points[[700, 19_999], 1] = np.nan
    with pytest.raises(tumble.PointError, match=r"points\[700\]"):
        tumble.closest_points(TRIANGLE, points)


@pytest.mark.parametrize("call", [tumble.closest_points, tumble.contains, tumble.signed_distance])
def test_meshes_and_options_that_make_no_sense(call):
    with pytest.raises(tumble.MeshError, match=rf"{call.__name__} needs a mesh with triangles"):
        call(tumble.Mesh([[0, 0, 0]], []), [[0, 0, 0]])
    with pytest.raises(tumble.OptionError, match=r"\.mesh"):
        call(tumble.build(shapes.box()), [[0, 0, 0]])
    with pytest.raises(tumble.OptionError, match="threads"):
        call(shapes.box(), [[0, 0, 0]], threads=0)
    with pytest.raises(tumble.PoseError, match="scales"):
        call(shapes.box(), [[0, 0, 0]], np.diag([2, 2, 2, 1]))
