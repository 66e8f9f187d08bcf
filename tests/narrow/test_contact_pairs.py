"""Contact geometry of single triangle pairs: points on both triangles, pushes that set them free."""

import numpy as np
import pytest

from pairs import touching_float_pairs
from triangle_distance import brought_near, distances
from tumble.core.records import frozen
from tumble.narrow import triangles_touch_many
from tumble.narrow.contact.contact import write_contacts
from tumble.narrow.contact.segment import POLYGON_SHAPE


def contacts(a, b):
    """The contact geometry of triangles a[i] and b[i]: segments, normals, depths."""
    n = len(a)
    faces = np.arange(3 * n, dtype=np.int32).reshape(n, 3)
    pairs = np.repeat(np.arange(n)[:, None], 2, axis=1)
    segments, normals, depths = np.full((n, 2, 3), np.nan), np.full((n, 3), np.nan), np.full(n, np.nan)
    # frozen as they are in Tumble, which has the kernel for that
    sides = [(frozen(np.ascontiguousarray(side).reshape(-1, 3)), frozen(faces), np.eye(4)) for side in (a, b)]
    write_contacts(*sides[0], *sides[1], frozen(pairs), segments, normals, depths, np.empty(POLYGON_SHAPE))
    return segments, normals, depths


def touching(n, seed):
    """Pairs of every kind that touch, and the names of their kinds."""
    pairs = touching_float_pairs(n, seed)
    kept = triangles_touch_many(pairs.a, pairs.b)
    return pairs.a[kept], pairs.b[kept], pairs.names[kept]


def random_touching(n, seed, size=1.0):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, n, 3, 3)) * size
    kept = triangles_touch_many(a, b)
    return a[kept], b[kept]


def one(a, b):
    segments, normals, depths = contacts(np.array([a], float), np.array([b], float))
    return segments[0], normals[0], depths[0]


def same_segment(found, first, second):
    ends = np.array([first, second], float)
    return np.allclose(found, ends, atol=1e-14) or np.allclose(found, ends[::-1], atol=1e-14)


FLOOR = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]


def test_a_triangle_that_stands_in_another():
    """Its tip is 0.5 deep, the floor's normal points up, and it cuts the floor along a line."""
    segment, normal, depth = one([[1, 1, -0.5], [0.5, 1, 1], [1.5, 1, 1]], FLOOR)
    assert same_segment(segment, [1 - 1 / 6, 1, 0], [1 + 1 / 6, 1, 0])
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-15)
    assert depth == pytest.approx(0.5, abs=1e-15)


def test_the_same_from_below_is_led_back_to_the_front():
    segment, normal, depth = one([[1, 1, 0.5], [0.5, 1, -1], [1.5, 1, -1]], FLOOR)
    assert same_segment(segment, [1 - 1 / 6, 1, 0], [1 + 1 / 6, 1, 0])
    assert normal @ [0, 0, 1] > -1e-12
    assert depth <= 1.0 + 1e-12


def test_two_edges_that_cross():
    """A roof's ridge over another one across, each with its third corner far away: out along the cross product."""
    a = [[-1, 0, -0.1], [0, 0.5, 5], [1, 0, -0.1]]
    b = [[0, -1, 0.1], [0.5, 0, -5], [0, 1, 0.1]]
    segment, normal, depth = one(a, b)
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-12)
    assert depth == pytest.approx(0.2, abs=1e-12)
    assert np.linalg.norm(segment.mean(axis=0)) < 0.2


def test_coplanar_triangles_meet_in_the_longest_extent_of_their_common_region():
    segment, normal, depth = one([[1, 1, 0], [1, 5, 0], [5, 1, 0]], FLOOR)
    assert same_segment(segment, [3, 1, 0], [1, 3, 0])
    assert depth == 0
    assert abs(normal[2]) == 1


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_segments_lie_on_both_triangles(seed):
    a, b, names = touching(4000, seed)
    segments, normals, depths = contacts(a, b)
    assert np.isfinite(segments).all()
    assert np.isfinite(normals).all()
    assert np.isfinite(depths).all()
    assert (depths >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-12)
    with np.errstate(under="ignore"):
        near_a, near_b, *ends = brought_near(a, b, segments[:, 0], segments[:, 1])
    # far from the origin a point cannot be closer than the grid of float64 allows
    size = np.abs(np.concatenate([a - b[:, :1], b - b[:, :1]], axis=1)).max(axis=(1, 2))
    with np.errstate(over="ignore"):  # of denormal triangles the grid is everything
        grid = np.ldexp(8 * np.spacing(np.abs(a).max(axis=(1, 2))), 1 - np.frexp(size)[1])
    for end in ends:
        for side in (near_a, near_b):
            far = distances(end, side) > 1e-9 + grid
            assert not far.any(), names[far][0]


@pytest.mark.parametrize("size", [1e-90, 1.0, 1e90])
def test_random_crossing_pairs(size):
    """Segments on both triangles, along both planes, and pushes that part the triangles."""
    a, b = random_touching(20_000, 3, size)
    assert len(a) > 1000
    segments, normals, depths = contacts(a, b)
    near_a, near_b, first, second = brought_near(a, b, segments[:, 0], segments[:, 1])
    for end in (first, second):
        assert distances(end, near_a).max() < 1e-12
        assert distances(end, near_b).max() < 1e-12
    assert np.linalg.norm(first - second, axis=1).min() > 0  # random triangles cross in proper segments
    # the whole segment is found: a little beyond its ends it leaves one of the triangles
    for end, other in ((first, second), (second, first)):
        beyond = end + 1e-6 * (end - other) / np.linalg.norm(end - other, axis=1, keepdims=True)
        outside = np.maximum(distances(beyond, near_a), distances(beyond, near_b))
        assert (outside > 1e-10).mean() > 0.999
    moved = a + (normals * (depths * (1 + 1e-9) + 1e-12 * size)[:, None])[:, None]
    assert not triangles_touch_many(moved, b).any()


def test_pushes_part_the_triangles_of_every_kind():
    a, b, names = touching(4000, 9)
    plain = np.array([name.split()[1] in ("unit", "rounded") for name in names])
    a, b, names = a[plain], b[plain], names[plain]
    _, normals, depths = contacts(a, b)
    size = np.abs(np.concatenate([a, b], axis=1)).max(axis=(1, 2))
    moved = a + (normals * (depths + 1e-7 * size)[:, None])[:, None]
    # what has no normal on one line (segments end to end, points) is pushed across it, which parts it too
    stuck = triangles_touch_many(moved, b)
    assert not stuck.any(), names[stuck][0]


def test_no_push_is_longer_than_along_a_normal():
    a, b = random_touching(20_000, 5)
    _, _, depths = contacts(a, b)
    for first, second, turned in ((a, b, 1), (b, a, -1)):
        normal = np.cross(second[:, 1] - second[:, 0], second[:, 2] - second[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        behind = -np.einsum("ij,ikj->ik", normal, first - second[:, :1]).min(axis=1)
        assert (depths <= behind + 1e-12).all(), turned


def test_pushes_go_to_the_front_of_both_faces():
    a, b = random_touching(20_000, 6)
    _, normals, _ = contacts(a, b)
    fronts = [np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]) for t in (a, b)]
    units = [f / np.linalg.norm(f, axis=1, keepdims=True) for f in fronts]
    assert (np.einsum("ij,ij->i", normals, units[1] - units[0]) > -1e-9).all()


def test_changing_places_turns_the_normal_and_nothing_else():
    a, b, _ = touching(4000, 4)
    different = (a != b).any(axis=(1, 2))  # of a triangle and itself nobody can say which is which
    a, b = a[different], b[different]
    segments, normals, depths = contacts(a, b)
    swapped = contacts(b, a)
    np.testing.assert_array_equal(segments, swapped[0])
    np.testing.assert_array_equal(normals, -swapped[1])
    np.testing.assert_array_equal(depths, swapped[2])
