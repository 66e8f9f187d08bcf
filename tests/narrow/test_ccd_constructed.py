"""Queries whose answer is known by construction: none missed, none late, and with `exact` none wrong."""

import numpy as np
import pytest

import ccd_cases
import ccd_oracle
import tumble
from covering import crossed, sized, thinned

ASK = {False: tumble.vertex_face_impacts, True: tumble.edge_edge_impacts}
# the largest whole numbers of each family that stay below 2**53 when they are sheared
BITS = {
    "met": [3, 20, 40], "kept_apart": [3, 20, 47], "passed_beside": [3, 20, 42], "grazed": [2, 12, 39],
    "lined_up": [1, 20, 47],
}  # fmt: skip
PARTS = [(name, bits) for name in BITS for bits in BITS[name]]


def assert_right(rng, name, bits, edges, count):
    start, end, hits, until = ccd_cases.cases(rng, name, count, edges, bits)
    careful, exact = ASK[edges](start, end), ASK[edges](start, end, exact=True)
    assert careful.hits[hits].all(), "missed"
    np.testing.assert_array_equal(exact.hits, hits)
    for found in (careful, exact):
        assert (found.times <= until).all(), "late"
        assert (np.isinf(found.times) == ~found.hits).all()
        assert (found.times <= found.latest).all()
        assert hits[np.isfinite(found.latest)].all(), "proven, and not so"
    assert (exact.latest[hits] <= exact.times[hits] + 1e-9).all()
    return start, end, hits, exact


@crossed(1, part=PARTS, edges=[False, True])
@sized(25, 1000)
def test_all_families(part, edges, count):
    assert_right(np.random.default_rng([count, *map(ord, part[0]), part[1], edges]), *part, edges, count)


@pytest.mark.slow
@pytest.mark.parametrize("edges", ASK)
@pytest.mark.parametrize("part", PARTS)
def test_a_million(part, edges):
    rng = np.random.default_rng([7, *map(ord, part[0]), part[1], edges])
    for _ in range(34):
        assert_right(rng, *part, edges, 1000)


@pytest.mark.parametrize("edges", ASK)
@pytest.mark.parametrize("part", thinned(PARTS, by=5))
def test_the_judge_agrees(part, edges):
    """About the answers and, for `exact`, about the first contact: none before the time, one until the latest."""
    rng = np.random.default_rng(3)
    start, end, hits, exact = assert_right(rng, *part, edges, 5)
    for k in range(len(start)):
        assert ccd_oracle.meets(start[k], end[k], edges) == hits[k]
        if hits[k]:
            assert_first(start[k], end[k], edges, exact.times[k], exact.latest[k])


def assert_first(start, end, edges, time, latest):
    before, until = np.nextafter(time, -np.inf), np.nextafter(latest, np.inf)
    assert time == 0.0 or not ccd_oracle.meets(*ccd_oracle.part(start, end, 0, before), edges), "late"
    assert ccd_oracle.meets(*ccd_oracle.part(start, end, before, until), edges), "early"


@crossed(1, edges=[False, True], size=[1, 2, 5, 1 << 50])
@sized(10, 300)
def test_random_whole_numbers(edges, size, count):
    """Small ones are degenerate, in one plane and grazing more often than not; the judge alone knows the answer."""
    rng = np.random.default_rng([count, size, edges])
    start, end = rng.integers(-size, size + 1, (2, count, 4, 3)).astype(float)
    careful, exact = ASK[edges](start, end), ASK[edges](start, end, exact=True)
    expected = np.array([ccd_oracle.meets(*each, edges) for each in zip(start, end, strict=True)])
    np.testing.assert_array_equal(exact.hits, expected)
    assert careful.hits[expected].all()
    assert (careful.times[expected] <= exact.latest[expected]).all()
    for k in np.flatnonzero(expected)[: count // 3]:
        assert_first(start[k], end[k], edges, exact.times[k], exact.latest[k])
