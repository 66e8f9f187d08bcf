"""The triangle test of bulk and front on a device: what it is certain of is right, and little comes back."""

import null_kernels
import numpy as np
import pytest
from device_cases import needs_device
from null_device import NullDevice

import bulk_cases
import forest
import tumble
from adjacent_oracle import meeting_pairs
from tumble.core.keys import pairs_of_keys
from tumble.device import measured
from tumble.device.engines import device_trees
from tumble.device.host import bulk, bulk_rounds
from tumble.device.host.bulk import device_touching
from tumble.device.host.front import device_front_touching
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.leaf_triangles import leaves_after_test
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import random_pose
from tumble.query.settings import BULK_ON_DEVICES, BulkSettings, FrontSettings
from tumble.traversal.bulk.rounds import RoundCounts

WITHIN, BETWEEN = np.array([[0, 0]]), np.array([[0, 1]])


def crumpled(seed, vertices, faces, spread):
    """Triangles that share many vertices: on a coarse grid, where little is certain, or anywhere, where most is."""
    mesh = bulk_cases.crumpled(seed, vertices, faces)
    rng = np.random.default_rng(seed)
    return tumble.Mesh(mesh.vertices + spread * rng.standard_normal(mesh.vertices.shape), mesh.faces)


def fan(*tips, centre=(0.0, 0.0, 0.0)):
    """Triangles from one vertex to two tips each."""
    vertices = np.array([centre, *(point for pair in tips for point in pair)], float)
    faces = [[0, 1 + 2 * k, 2 + 2 * k] for k in range(len(tips))]
    return tumble.Mesh(vertices, faces)


FLAT, ABOVE, BACK = ((2, -1, 0), (2, 1, 0)), ((3, 0.1, -1), (3, 0.1, 1)), ((-3, 0.1, -1), (-3, 0.1, 1))
KINDS = {
    "a cut through": (fan(FLAT, ABOVE), 1, True),
    "turned round": (fan(FLAT, ABOVE[::-1]), 1, True),
    "behind": (fan(FLAT, BACK), 0, True),
    "beside, in one plane": (fan(FLAT, ((-1, 1, 0), (-1, 2, 0))), 0, True),
    "over each other, in one plane": (fan(FLAT, ((3, 0.5, 0), (3, -0.5, 0))), 1, False),
    "a fold": (tumble.Mesh([[0, 0, 0], [1, 0, 0], [0.3, 1, 0], [0.4, 0.9, 0.2]], [[0, 1, 2], [1, 0, 3]]), 0, True),
    "flat": (tumble.Mesh([[0, 0, 0], [1, 0, 0], [0.3, 1, 0], [0.4, -0.9, 0]], [[0, 1, 2], [1, 0, 3]]), 0, True),
    "folded onto": (tumble.Mesh([[0, 0, 0], [1, 0, 0], [0.3, 1, 0], [0.4, 0.9, 0]], [[0, 1, 2], [1, 0, 3]]), 1, False),
    "twice the same": (tumble.Mesh([[0, 0, 0], [1, 0, 0], [0.3, 1, 0]], [[0, 1, 2], [1, 2, 0]]), 1, False),
    "no neighbours": (tumble.Mesh([[-1, -1, 0], [2, -1, 0], [0, 2, 0], [0, 0, -1], [0.1, 0, 1], [0, 0.1, 1]],
                                  [[0, 1, 2], [3, 4, 5]]), 1, True),
}  # fmt: skip


@needs_device
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_neighbours(kind):
    mesh, hits, certain = KINDS[kind]
    assert len(meeting_pairs(mesh.vertices, mesh.faces)) == hits
    for seed in range(4):
        pose = np.eye(4) if seed == 0 else random_pose(seed, 2.0)
        if seed and not certain:
            continue  # turned, they are no longer in one plane
        trees = device_trees([mesh], [pose])
        found, _ = device_touching(trees, WITHIN, BULK_ON_DEVICES, counting=False)
        assert found.total == 1
        assert (len(found.hits), len(found.unsure)) == ((hits, 0) if certain else (0, 1))


@needs_device
@pytest.mark.parametrize("spread", [0.0, 1e-6, 0.3])
def test_what_is_certain_is_right(spread):
    """However much is shared: hits are hits, and none is among those that are dropped."""
    for seed in range(3):
        mesh = crumpled(seed, 30, 90, spread)
        expected = tumble.self_collide(mesh)
        assert len(expected) > 50
        trees = device_trees([mesh])
        found, _ = device_touching(trees, WITHIN, BULK_ON_DEVICES, counting=False)
        true = set(map(tuple, expected.pairs.tolist()))
        hits, unsure = (set(map(tuple, pairs_of_keys(keys).tolist())) for keys in (found.hits, found.unsure))
        assert hits <= true <= hits | unsure
        assert len(hits) + len(unsure) <= found.total
        assert len(hits) > 100 or spread < 0.3
        ours = tumble.self_collide(mesh, method="bulk", device="opencl")
        np.testing.assert_array_equal(ours.pairs, expected.pairs)


@needs_device
def test_rounding_to_the_common_frame_is_counted():
    """Triangles in one plane are no longer in it after a turn and float32: errors of small ones in a large frame."""
    for seed in range(3):
        mesh = crumpled(seed, 30, 90, 0.0)
        small = tumble.Mesh(np.concatenate([1e-3 * mesh.vertices, np.eye(3) + 1.0]), [*mesh.faces, [30, 31, 32]])
        turn = random_pose(seed, 0.0)[:3, :3]
        placed = tumble.Mesh(small.vertices @ turn.T, small.faces)
        expected, ours = tumble.self_collide(placed), tumble.self_collide(placed, method="bulk", device="opencl")
        assert len(expected) > 50
        np.testing.assert_array_equal(ours.pairs, expected.pairs)


@needs_device
@pytest.mark.parametrize("method", ["bulk", "front"])
def test_little_comes_back(method):
    a, b, pose = tumble.shapes.torus(segments=60, sides=30), tumble.shapes.knot(), random_pose(3, 0.3)
    with measured() as timings:
        found = tumble.collide(a, b, pose, method=method, device="opencl", stats=True)
    here = tumble.collide(a, b, pose, method=method, stats=True)
    np.testing.assert_array_equal(found.pairs, here.pairs)
    assert found.stats == here.stats  # triangle tests are counted wherever they are done
    assert here.stats.triangle_tests > 2 * len(found) > 200
    assert len(found) <= timings.candidates < 1.05 * len(found)
    assert timings.unsure < 0.05 * len(found)


@needs_device
def test_neighbours_of_a_sheet_stay_on_the_device():
    """Most of them lie in nearly one plane with each other, side by side."""
    sheet = tumble.shapes.cloth(40, 40, wave=0.05, seed=1)
    with measured() as timings:
        found = tumble.self_collide(sheet, method="bulk", device="opencl")
    np.testing.assert_array_equal(found.pairs, tumble.self_collide(sheet).pairs)
    assert timings.candidates < 0.01 * len(sheet)
    here, there = (tumble.self_collide(sheet, method="bulk", device=d, stats=True) for d in ("cpu", "opencl"))
    assert here.stats == there.stats
    assert here.stats.triangle_tests > 4 * len(sheet)


@needs_device
def test_a_front_has_them_too():
    mesh = crumpled(1, 30, 60, 0.3), crumpled(2, 40, 70, 0.3)
    trees = device_trees(mesh)
    for settings in (FrontSettings(), FrontSettings(stack=2, steps=3, group=4, segments=3, first_capacity=1)):
        found, front, work = device_front_touching(trees, None, BETWEEN, settings)
        front.release()
        true = tumble.collide(*mesh).pairs + np.array([0, len(mesh[0])])
        assert set(map(tuple, pairs_of_keys(found.hits).tolist())) <= set(map(tuple, true.tolist()))
        assert len(found.hits) + len(found.unsure) >= len(true)
        assert found.total == work.leaf_overlaps


# The host's part, without a driver


def test_marks_of_pairs_that_came_back():
    """Certain hits, pairs to be tested, and pairs whose boxes touch in float32, of which one is apart in float64."""
    x = 1.0 + 2.0**-30  # 1 in float32
    corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0]], [[x, 0, 0], [2, 0, 0], [2, 1, 0]], [[1, 0, 0], [2, 1, 1], [2, 0, 0]]
    posed = posed_meshes([tumble.Mesh(np.concatenate(corners), np.arange(9).reshape(3, 3))], None, 1)
    found = np.array([0 << 32 | 1 | 1 << 63, 0 << 32 | 2 | 1 << 63, 1 << 32 | 2 | 1 << 31, 1 << 32 | 0], np.uint64)
    work = RoundCounts(overlaps=10, leaf_overlaps=5)
    with measured() as timings:
        leaves = leaves_after_test(posed, found, 5, work, True)
    assert pairs_of_keys(leaves.unsure).tolist() == [[0, 2], [1, 0]]
    assert pairs_of_keys(leaves.hits).tolist() == [[1, 2]]
    assert leaves.total == 4
    assert (work.overlaps, work.leaf_overlaps) == (9, 4)
    assert (timings.candidates, timings.unsure) == (4, 3)


def test_leaf_pairs_that_are_read_in_parts_are_tested_in_parts(monkeypatch):
    monkeypatch.setattr(bulk_rounds, "MOST_COUNTED", 16)

    def keep_odd(launch):
        source, _, room, segments, count, _, items, kept, counter = launch.arguments[2:]
        assert (room, segments, items) == (count, 1, -(-count // 8))
        odd = [pair for pair in source.view(np.uint64)[:count].tolist() if pair % 2]
        kept.view(np.uint64)[: len(odd)] = odd
        counter.view(np.uint32)[0] = len(odd)

    device = NullDevice({"bulk_round": null_kernels.bulk_round, "leaf_triangles": keep_odd})
    triangles = 1 << null_kernels.LEVELS
    trees = DeviceTrees(device, posed_meshes([forest.soup(seed, triangles) for seed in range(2)], None, 1))
    rounds = bulk.TestedRounds(trees, BulkSettings(depth_step=1, queue=512), True, False)
    rounds.tester = bulk.LeafTriangles(trees, False)
    rounds.run(np.arange(3))
    assert len(rounds.parts) > 2
    everything = null_kernels.expected_leaves(range(3))
    np.testing.assert_array_equal(np.sort(rounds.read_leaves()), everything[1::2])
    assert rounds.read == len(everything)
    assert {launch.group for launch in device.launches if launch.kernel == "leaf_triangles"} == {16}
