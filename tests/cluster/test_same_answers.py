"""A cluster's answers are those of one machine, bit for bit and in order; without Dask."""

import numpy as np
import pytest
from cluster_cases import COUNT, KNOT, RING, poses, same
from fake_connection import FakeConnection

import tumble
from tumble.api.ask import load_every_engine
from tumble.cluster import Cluster
from tumble.query.engine import TOUCHING, engines
from tumble.query.run import SMALLEST_PIECE, piece_size
from tumble.scenario.tumbling import motion_poses

load_every_engine()


@pytest.fixture
def cluster():
    with Cluster(FakeConnection(), chunk_rows=7) as found:
        yield found


OPTIONS = {
    "first": {},
    "all": {"first": False},
    "contacts": {"first": False, "contacts": True},
    "counters": {"first": False, "stats": True},
    "clearance": {"first": False, "clearance": 0.3},
    "clearances": {"first": False, "clearance": np.linspace(0.0, 0.5, COUNT)},
    "solid": {"solid": True},
    "solid and clearance": {"solid": True, "clearance": 0.1},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_many_poses(cluster, options):
    expected = tumble.collide_many(KNOT, RING, poses(1), **options)
    found = tumble.collide_many(KNOT, RING, poses(1), client=cluster, **options)
    same(found, expected)
    np.testing.assert_array_equal(found.hit, expected.hit)
    assert expected.hit.any()
    assert not expected.hit.all() or "clearance" in options
    # where one pair is named of many, chunks begin where pieces do
    rows = SMALLEST_PIECE if options.get("first", True) else 7
    assert len(cluster.connection.chunks) == -(-COUNT // rows)


@pytest.mark.parametrize("options", [{}, {"clearance": 0.1}, {"tree": "boxtree"}], ids=str)
def test_along_a_motion_the_same_pair_is_named(cluster, options):
    """A pose begins with the pair that was found for the one before."""
    motion = motion_poses(1_500)
    motion[:, :3, 3] *= 3.0
    expected = tumble.collide_many(KNOT, RING, motion, **options)
    found = tumble.collide_many(KNOT, RING, motion, client=cluster, **options)
    same(found, expected)
    assert 0.2 < expected.hit.mean() < 0.9
    assert len(cluster.connection.chunks) > 30


def test_the_same_pair_is_named_where_trying_the_last_one_seldom_helped(cluster):
    """It is tried at every 32nd row then, counted from where a piece begins."""
    knot, torus = tumble.shapes.knot(segments=60, sides=6), tumble.shapes.torus(sides=8)
    there = poses(1, 5000)
    size = piece_size(len(there))
    for start in range(0, len(there), size):  # a dozen poses that have nothing to do with each other, then neighbours
        rest = there[start + 12 : start + size]
        rest[:] = rest[0].copy()
        rest[:, :3, 3] += np.linspace(0.0, 1e-6, len(rest))[:, None]
    same(tumble.collide_many(knot, torus, there, client=cluster), tumble.collide_many(knot, torus, there))


@pytest.mark.parametrize("options", [{}, {"upper_bound": 0.2}, {"method": "stackless", "stats": True}], ids=str)
def test_distances(cluster, options):
    expected = tumble.distance_many(KNOT, RING, poses(1), **options)
    found = tumble.distance_many(KNOT, RING, poses(1), client=cluster, **options)
    for name in ("distances", "pairs", "points"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert found.stats == expected.stats
    assert (expected.distances > 0.0).any()
    assert len(cluster.connection.chunks) == -(-COUNT // 7)
    balls = tumble.shapes.icosphere(1), tumble.shapes.icosphere(1, 0.2)
    signed = [tumble.distance_many(*balls, poses(1), signed=True, client=client) for client in (None, cluster)]
    np.testing.assert_array_equal(signed[1].distances, signed[0].distances)
    assert (signed[0].distances < 0.0).any()


@pytest.mark.parametrize("engine", [each for each in engines() if each.device == "cpu"], ids=lambda each: each.method)
@pytest.mark.parametrize("first", [False, True])
def test_every_method(cluster, engine, first):
    if TOUCHING not in engine.questions:
        pytest.skip("answers other questions")
    counted = TOUCHING in engine.counts and engine.trees != ("implicit",)
    options = {"method": engine.method, "first": first, "stats": counted}
    places = poses(2, 12)
    same(
        tumble.collide_many(KNOT, RING, places, client=cluster, **options),
        tumble.collide_many(KNOT, RING, places, **options),
    )


@pytest.mark.parametrize("volume", ["aabb", "boxtree"])
def test_trees_of_the_user(cluster, volume):
    a, b = tumble.build(KNOT, volume), tumble.build(RING, volume)
    same(tumble.collide_many(a, b, poses(3, 20), client=cluster), tumble.collide_many(a, b, poses(3, 20)))


def test_both_meshes_move(cluster):
    expected = tumble.collide_many(KNOT, KNOT, poses(4), poses(5), first=False)
    same(tumble.collide_many(KNOT, KNOT, poses(4), poses(5), first=False, client=cluster), expected)


def test_no_poses(cluster):
    assert len(tumble.collide_many(KNOT, RING, np.empty((0, 4, 4)), client=cluster)) == 0
    assert cluster.connection.shared == []


def scene():
    found = tumble.Scene()
    for k, pose in enumerate(poses(6, 30)):
        pose[:3, 3] *= 3.0
        found.add(f"body {k}", (KNOT, RING, tumble.shapes.box())[k % 3], pose)
    return found


@pytest.mark.parametrize("options", [{}, {"contacts": True}, {"clearance": 0.4}, {"first": True}], ids=str)
def test_scenes(cluster, options):
    found, expected = scene().collisions(client=cluster, **options), scene().collisions(**options)
    same(found, expected)
    assert found.names == expected.names
    assert len(cluster.connection.chunks) > (1 if options.get("first") else 3)


def test_parts(cluster):
    parts = [tumble.Part(f"part {k}", tumble.transformed(KNOT, pose)) for k, pose in enumerate(poses(7, 12))]
    said = []
    found = tumble.touching_parts(parts, lambda *progress: said.append(progress), client=cluster)
    assert found == tumble.touching_parts(parts)
    assert len(found) > 7
    assert said[0][0] == 0
    assert said[-1][0] == said[-1][1] > len(found)
    assert sorted(said) == said


def test_parts_of_an_answer(cluster):
    expected = tumble.collide_many(KNOT, RING, poses(8), first=False)
    for options in ({"client": cluster}, {"rows": 11}):
        at = 0
        for start, part in tumble.collide_chunks(KNOT, RING, poses(8), **options):
            assert start == at
            np.testing.assert_array_equal(part.counts, expected.counts[at : at + len(part)])
            rows = slice(expected.offsets[at], expected.offsets[at + len(part)])
            np.testing.assert_array_equal(part.triangles, expected.triangles[rows])
            at += len(part)
        assert at == COUNT


def test_poses_are_refused_as_here_and_before_the_work(cluster):
    wrong = poses(9)
    wrong[17] *= 2.0
    said = []
    for client in (None, cluster):
        with pytest.raises(tumble.PoseError) as refused:
            tumble.collide_many(KNOT, RING, wrong, client=client)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert "poses_b[17]" in said[0]
    assert cluster.connection.shared == []


def test_options_that_a_cluster_does_not_take(cluster):
    with pytest.raises(tumble.OptionError, match=r"device=.*client="):
        tumble.collide_many(KNOT, RING, poses(1), device="opencl", client=cluster)
    for method in ("bulk", "front"):
        with pytest.raises(tumble.OptionError, match="counts all pairs together"):
            tumble.collide_many(KNOT, RING, poses(1), method=method, stats=True, client=cluster)
    for wrong in ("tcp://host:8786", 3, np.eye(4), object()):
        with pytest.raises(tumble.OptionError, match=r"distributed\.Client"):
            tumble.collide_many(KNOT, RING, poses(1), client=wrong)
