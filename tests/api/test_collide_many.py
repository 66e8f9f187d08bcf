"""`collide_many`: one call for many poses says what one call for each says, for any number of threads."""

import multiprocessing
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import trimesh

import forest
import tumble
from tumble.mesh import random_pose
from tumble.mesh.rigid import as_poses
from tumble.query import run as batch

KNOT = tumble.shapes.knot()
RING = tumble.shapes.torus(segments=32, sides=16)
POSES = np.array([random_pose(k, 1.6) for k in range(150)])


def pairs_one_by_one(a, b, poses_b, poses_a=None):
    poses_a = [None] * len(poses_b) if poses_a is None else poses_a
    return [tumble.collide(a, b, p, q, method="stack").pairs for p, q in zip(poses_a, poses_b, strict=True)]


def assert_same(collisions, expected):
    assert len(collisions) == len(expected)
    np.testing.assert_array_equal(collisions.counts, [len(pairs) for pairs in expected])
    np.testing.assert_array_equal(collisions.hit, [len(pairs) > 0 for pairs in expected])
    for k, pairs in enumerate(expected):
        np.testing.assert_array_equal(collisions.pairs(k), pairs)
        np.testing.assert_array_equal(collisions.triangles[collisions.offsets[k] : collisions.offsets[k + 1]], pairs)
    assert collisions.offsets[-1] == len(collisions.triangles)


@pytest.mark.parametrize(
    "threads", [1, 7, pytest.param(2, marks=pytest.mark.slow), pytest.param(None, marks=pytest.mark.slow)]
)
def test_all_pairs_of_each_pose(threads):
    expected = pairs_one_by_one(KNOT, RING, POSES)
    assert 0 < sum(len(pairs) > 0 for pairs in expected) < len(POSES)
    assert_same(tumble.collide_many(KNOT, RING, POSES, first=False, threads=threads), expected)


def test_first_hits_are_true_pairs_and_do_not_depend_on_threads():
    expected = pairs_one_by_one(KNOT, RING, POSES)
    results = [tumble.collide_many(KNOT, RING, POSES, threads=threads) for threads in (1, 2, 5)]
    for result in results:
        np.testing.assert_array_equal(result.hit, [len(pairs) > 0 for pairs in expected])
        np.testing.assert_array_equal(result.triangles, results[0].triangles)
        for k, pairs in enumerate(expected):
            assert set(map(tuple, result.pairs(k).tolist())) <= set(map(tuple, pairs.tolist()))


def test_a_smooth_motion():
    """Neighbouring poses hit with the same triangles: the witness of the last pose must be asked under the new one."""
    poses = np.array([tumble.translation(3 - 0.01 * k, 0, 0) @ tumble.rotation("z", 0.02 * k) for k in range(600)])
    hit = tumble.collide_many(KNOT, RING, poses).hit
    np.testing.assert_array_equal(hit, [tumble.collides(KNOT, RING, None, pose) for pose in poses])
    assert 0 < hit.sum() < len(poses)


def test_poses_of_a():
    one = random_pose(7, 0.3)
    many = np.array([random_pose(k, 0.3) for k in range(1000, 1020)])
    assert_same(
        tumble.collide_many(KNOT, RING, POSES[:20], one, first=False),
        pairs_one_by_one(KNOT, RING, POSES[:20], [one] * 20),
    )
    assert_same(
        tumble.collide_many(KNOT, RING, POSES[:20], many, first=False),
        pairs_one_by_one(KNOT, RING, POSES[:20], many),
    )
    assert_same(
        tumble.collide_many(KNOT, RING, POSES[:1], many[:1], first=False),
        pairs_one_by_one(KNOT, RING, POSES[:1], many[:1]),
    )


def test_meshes_in_any_form():
    loose = trimesh.Trimesh(RING.vertices, RING.faces, process=False)
    expected = tumble.collide_many(KNOT, RING, POSES[:9]).hit
    for b in (loose, (RING.vertices, RING.faces)):
        np.testing.assert_array_equal(tumble.collide_many(KNOT, b, POSES[:9].tolist()).hit, expected)


def test_nothing_to_ask_and_nothing_to_touch():
    for poses in (np.empty((0, 4, 4)), []):
        none = tumble.collide_many(KNOT, RING, poses)
        assert len(none) == 0
        assert none.triangles.shape == (0, 2)
        assert none.offsets.tolist() == [0]
        assert not none
    empty = tumble.collide_many(tumble.Mesh([], []), RING, POSES[:5], first=False)
    assert empty.counts.tolist() == [0] * 5
    assert not empty


@pytest.mark.parametrize("capacity", [1, 2, 50])
def test_buffers_grow_and_nothing_is_lost(capacity, monkeypatch):
    monkeypatch.setattr(batch, "FIRST_CAPACITY", capacity)
    assert_same(tumble.collide_many(KNOT, RING, POSES[:40], first=False), pairs_one_by_one(KNOT, RING, POSES[:40]))


def test_large_results_are_sorted():
    a, b = forest.soup(1, 400, 0.5), forest.soup(2, 400, 0.5)
    result = tumble.collide_many(a, b, [np.eye(4), tumble.translation(0.1, 0, 0)], first=False)
    assert result.counts.min() > 3000
    assert_same(result, pairs_one_by_one(a, b, [np.eye(4), tumble.translation(0.1, 0, 0)]))


def test_errors_name_the_pose():
    poses = POSES[:10].copy()
    poses[6, 0, 0] = np.nan
    with pytest.raises(tumble.PoseError, match=r"poses_b\[6\].*nan"):
        tumble.collide_many(KNOT, RING, poses)
    with pytest.raises(tumble.PoseError, match=r"\(n, 4, 4\).*poses\[None\]"):
        tumble.collide_many(KNOT, RING, np.eye(4))
    with pytest.raises(tumble.PoseError, match="3 poses and poses_b 10"):
        tumble.collide_many(KNOT, RING, POSES[:10], POSES[:3])
    with pytest.raises(tumble.PoseError, match="poses_b must have shape"):
        tumble.collide_many(KNOT, RING, POSES[:, :3])
    for threads in (0, -1, 1.5, "two", True):
        with pytest.raises(tumble.OptionError, match="threads"):
            tumble.collide_many(KNOT, RING, POSES, threads=threads)


def test_results_are_frozen():
    result = tumble.collide_many(KNOT, RING, POSES, first=False)
    for array in (result.counts, result.triangles, result.offsets, result.pairs(0)):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(IndexError, match="no number 150"):
        result.pairs(150)
    np.testing.assert_array_equal(result.pairs(-1), result.pairs(149))


def test_many_python_threads_at_once():
    expected = tumble.collide_many(KNOT, RING, POSES, first=False, threads=1)
    mesh = tumble.Mesh(KNOT.vertices, KNOT.faces)  # its tree is not built yet: all threads will want to
    start = threading.Barrier(6)

    def ask(k):
        start.wait()
        result = tumble.collide_many(mesh, RING, POSES, first=False, threads=1 + k % 3)
        single = [tumble.collides(mesh, RING, None, pose) for pose in POSES]
        return result, single, mesh._packed_header.ctypes.data

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))
    for result, single, _ in answers:
        np.testing.assert_array_equal(result.triangles, expected.triangles)
        np.testing.assert_array_equal(single, expected.hit)
    assert len({address for *_, address in answers}) == 1


def hits_elsewhere(meshes):
    knot, ring = meshes
    built = knot._packed_header is not None and ring._packed_header is not None
    return built, tumble.collide_many(knot, ring, POSES, threads=2).hit


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("spawn", marks=pytest.mark.slow),
        pytest.param("fork", marks=pytest.mark.filterwarnings("ignore::DeprecationWarning")),
    ],
)
def test_other_processes_get_the_trees_and_not_just_the_meshes(how):
    if how not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {how} here")
    expected = tumble.collide_many(KNOT, RING, POSES, threads=2).hit  # in the fork's parent, the pool has threads
    with multiprocessing.get_context(how).Pool(1) as pool:
        for built, hit in pool.map(hits_elsewhere, [(KNOT, RING)] * 2):
            assert built
            np.testing.assert_array_equal(hit, expected)


def test_a_pickle_holds_one_mesh_once_and_its_tree():
    mesh = tumble.shapes.torus()
    bare = len(pickle.dumps(mesh))
    tumble.collides(mesh, mesh)
    tree = mesh._packed
    assert bare + tree.nbytes < len(pickle.dumps(mesh)) < bare + tree.nbytes + 2000
    assert len(pickle.dumps([mesh] * 5)) < len(pickle.dumps(mesh)) + 200
    back = pickle.loads(pickle.dumps([mesh, mesh]))
    assert back[0] is back[1]
    assert back[0]._packed.blocks.ctypes.data % 64 == 0
    np.testing.assert_array_equal(back[0]._packed.blocks, tree.blocks)
    np.testing.assert_array_equal(tumble.collide(back[0], RING).pairs, tumble.collide(mesh, RING).pairs)


def test_poses_are_copied_before_they_are_checked():
    """Another thread may write into the caller's array after the check: kernels must not read it then."""
    poses = np.ascontiguousarray(POSES)
    assert not np.shares_memory(as_poses(poses, "poses"), poses)


def test_errors_say_whose_pose_it_is():
    bad = np.diag([2.0, 2, 2, 1])
    with pytest.raises(tumble.PoseError, match=r"^poses_a\[1\]"):
        tumble.collide_many(KNOT, RING, POSES[:2], [np.eye(4), bad])
    with pytest.raises(tumble.PoseError, match=r"^poses_b\[0\]"):
        tumble.collide_many(KNOT, RING, [bad])


def test_first_is_taken_as_a_truth():
    everything = tumble.collide_many(KNOT, RING, POSES, first=False)
    one_each = tumble.collide_many(KNOT, RING, POSES)
    assert len(one_each.triangles) < len(everything.triangles)
    for first in (0.5, "0", [1]):
        np.testing.assert_array_equal(tumble.collide_many(KNOT, RING, POSES, first=first).counts, one_each.counts)
    for first in (None, 0, ""):
        np.testing.assert_array_equal(tumble.collide_many(KNOT, RING, POSES, first=first).counts, everything.counts)
