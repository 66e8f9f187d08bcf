"""Separations, tolerances, scales and mirrored queries of moving elements, and what is refused."""

import numpy as np
import pytest

import ccd_cases
import tumble
from covering import sized
from tumble.errors import OptionError, PointError

FACE = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]


def falling(height, depth, face=FACE):
    start, end = np.array([[[1.0, 1.0, height], *face]]), np.array([[[1.0, 1.0, depth], *face]])
    return start, end


def test_a_vertex_that_falls_through_a_face():
    for separation, expected in ((0.0, 0.25), (0.5, 0.125), (1.0, 0.0)):
        found = tumble.vertex_face_impacts(*falling(1.0, -3.0), separation=separation)
        assert found.hits[0]
        assert expected - 1e-8 <= found.times[0] <= expected
    assert not tumble.vertex_face_impacts(*falling(1.0, 0.5)).hits[0]
    assert not tumble.vertex_face_impacts(*falling(1.0, 0.5), separation=0.49).hits[0]
    assert tumble.vertex_face_impacts(*falling(1.0, 0.5), separation=0.5).hits[0]


def test_edges_that_pass_at_a_distance():
    start = np.array([[[-1.0, 0, 0], [1, 0, 0], [0, -1, 2], [0, 1, 2]]])
    end = np.array([[[-1.0, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1]]])
    for separation, expected in ((0.99, np.inf), (1.0, 1.0), (1.5, 0.5)):
        found = tumble.edge_edge_impacts(start, end, separation=separation)
        assert found.times[0] == pytest.approx(expected, abs=1e-8)
        assert found.times[0] <= expected
        assert np.isinf(found.latest[0])  # contacts are proven, separations are not


@sized(20, 400)
def test_separations_against_dense_samples(count):
    """The first of many moments at which the distance is small enough is not before the time, nor long after it."""
    rng, separation = np.random.default_rng(5), 0.2
    start, end = rng.uniform(-1, 1, (2, count, 4, 3))
    found = tumble.vertex_face_impacts(start, end, separation=separation)
    moments = np.linspace(0.0, 1.0, 1001)
    points = start[:, None] + moments[:, None, None] * (end - start)[:, None]
    near = nearest(points) <= separation
    first = np.where(near.any(axis=1), moments[near.argmax(axis=1)], np.inf)
    assert 0.1 * count < near.any(axis=1).sum() < 0.9 * count
    assert (found.times <= first).all()
    assert (found.times >= first - 0.0011)[np.isfinite(first)].all()


def nearest(points):
    """The distance of a point from a triangle, (..., 4, 3): from its inside, or from one of its edges."""
    p, *corners = np.moveaxis(points, -2, 0)
    found = np.full(p.shape[:-1], np.inf)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    inside = np.ones(p.shape[:-1], bool)
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        along = np.clip(((p - a) * (b - a)).sum(-1) / ((b - a) ** 2).sum(-1), 0.0, 1.0)
        found = np.minimum(found, np.linalg.norm(p - a - along[..., None] * (b - a), axis=-1))
        inside &= (np.cross(b - a, p - a) * normal).sum(-1) >= 0.0
    height = np.abs(((p - corners[0]) * normal).sum(-1)) / np.linalg.norm(normal, axis=-1)
    return np.where(inside, height, found)


@pytest.mark.parametrize("edges", [False, True])
def test_order_and_place_of_points_do_not_matter(edges):
    ask = tumble.edge_edge_impacts if edges else tumble.vertex_face_impacts
    orders = [[1, 0, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0]] if edges else [[0, 2, 3, 1], [0, 3, 2, 1]]
    for name in ccd_cases.FAMILIES:
        start, end, *_ = ccd_cases.cases(np.random.default_rng(9), name, 16, edges, 12)
        exact = ask(start, end, exact=True)
        for order in orders:
            other = ask(start[:, order], end[:, order], exact=True)
            np.testing.assert_array_equal(other.hits, exact.hits)
            assert ((other.times <= exact.latest) & (exact.times <= other.latest))[exact.hits].all()


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("tumble.api.element_impacts.PIECE", 16)
    start, end, *_ = ccd_cases.cases(np.random.default_rng(2), "met", 100, False, 10)
    one, many = (tumble.vertex_face_impacts(start, end, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.times, many.times)
    np.testing.assert_array_equal(one.latest, many.latest)
    assert repr(many).startswith("<ElementImpacts: 100 of 100 meet, the first at ")


def test_nothing_is_asked():
    assert len(tumble.vertex_face_impacts([], [])) == 0
    assert repr(tumble.edge_edge_impacts(np.empty((0, 4, 3)), [])) == "<ElementImpacts: 0 of 0 meet>"


def test_what_is_refused():
    start, end = falling(1.0, -1.0)
    for ask in (tumble.vertex_face_impacts, tumble.edge_edge_impacts):
        with pytest.raises(PointError, match=r"start must have shape \(n, 4, 3\).*start\[None\]"):
            ask(start[0], end)
        with pytest.raises(PointError, match="end has 2 queries, start has 1"):
            ask(start, np.concatenate([end, end]))
        with pytest.raises(PointError, match=r"end\[0\] is .*nan.*finite"):
            ask(start, end * np.nan)
        with pytest.raises(PointError, match=r"start\[0\] is .*1e\+100"):
            ask(start * 1e200, end)
        with pytest.raises(PointError, match="not exact in float64"):
            ask((start * (2**60 + 1)).astype(np.int64) + 1, end)
        with pytest.raises(OptionError, match=r"separation of 0.5; leave one"):
            ask(start, end, separation=0.5, exact=True)
        for name, wrong in (("separation", -1.0), ("separation", "1"), ("tolerance", 0.0), ("tolerance", np.nan)):
            with pytest.raises(OptionError, match=f"{name} must be a number from"):
                ask(start, end, **{name: wrong})
        with pytest.raises(OptionError, match="exact must be True or False, not 1"):
            ask(start, end, exact=1)
