"""The contract of `collides` and `collide`."""

import threading

import numpy as np
import pytest
import trimesh

import forest
import oracle
import tumble
from covering import sized

TETRA = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
METHODS = (
    "auto",
    "packed",
    "brute",
    "leaf",
    "stack",
    "stack-ahead",
    "alternating",
    "stackless",
    "stackless-post",
    "stackless-merge",
    "lists",
    "lists-pairs",
    "binary-stack",
)


def test_accepts_meshes_trimeshes_pairs_and_trees():
    mesh = tumble.Mesh(*TETRA)
    forms = (mesh, trimesh.Trimesh(*TETRA, process=False), TETRA, tumble.build(mesh))
    expected = tumble.collide(mesh, mesh).pairs
    for a in forms:
        for b in forms:
            assert tumble.collides(a, b)
            np.testing.assert_array_equal(tumble.collide(a, b).pairs, expected)


def test_pairs_are_sorted_unique_and_frozen():
    pairs = tumble.collide(forest.soup(1, 200, 0.3), forest.soup(2, 200, 0.3)).pairs
    assert pairs.dtype == np.int64
    np.testing.assert_array_equal(pairs, np.unique(pairs, axis=0))
    with pytest.raises(ValueError, match="read-only"):
        pairs[0, 0] = 7


def test_truth_and_length():
    touching = tumble.collide(TETRA, TETRA)
    apart = tumble.collide(TETRA, TETRA, None, tumble.translation(5, 0, 0))
    assert touching
    assert len(touching) == len(touching.pairs) > 0
    assert not apart
    assert len(apart) == 0
    assert apart.pairs.shape == (0, 2)
    assert "pairs" in repr(touching)


@pytest.mark.parametrize("method", METHODS)
def test_empty_meshes_touch_nothing(method):
    empty = tumble.Mesh([], [])
    lonely = tumble.Mesh([[0, 0, 0]], [])
    for a, b in ((empty, TETRA), (TETRA, empty), (empty, empty), (lonely, TETRA)):
        collision = tumble.collide(a, b, method=method, stats=True)
        assert len(collision) == 0
        assert collision.pairs.shape == (0, 2)
        assert collision.stats.hits == 0
        assert not tumble.collides(a, b)


def test_bad_input_is_refused_even_beside_an_empty_mesh():
    empty = tumble.Mesh([], [])
    with pytest.raises(tumble.PoseError):
        tumble.collide(empty, TETRA, np.diag([2.0, 1, 1, 1]))
    with pytest.raises(tumble.MeshError):
        tumble.collide(empty, ([[0, 0, np.nan]], [[0, 0, 0]]))
    with pytest.raises(tumble.OptionError):
        tumble.collide(empty, empty, method="nonsense")
    with pytest.raises(tumble.OptionError):
        tumble.collide(empty, empty, tree="nonsense")


def test_options_that_cannot_work_say_what_can():
    with pytest.raises(tumble.OptionError, match="stackless-post"):
        tumble.collide(TETRA, TETRA, method="quick")
    with pytest.raises(tumble.OptionError, match=r"aabb, .*sphere"):
        tumble.collide(TETRA, TETRA, tree="cone")
    with pytest.raises(
        tumble.OptionError, match=r"tree='aabb' cannot be used with method='brute'; tree= can be: auto$"
    ):
        tumble.collide(TETRA, TETRA, method="brute", tree="aabb")
    boxes, spheres = tumble.build(TETRA, "aabb"), tumble.build(TETRA, "sphere")
    with pytest.raises(tumble.OptionError, match="different volumes"):
        tumble.collide(boxes, spheres)
    with pytest.raises(tumble.OptionError, match="leave tree='auto'"):
        tumble.collide(boxes, TETRA, tree="sphere")
    for wrong in (None, 3, ["stack"]):
        with pytest.raises(tumble.OptionError):
            tumble.collide(TETRA, TETRA, method=wrong)


def test_every_error_is_a_tumble_error_and_a_value_error():
    with pytest.raises(tumble.TumbleError):
        tumble.collides("part.stl", TETRA)
    with pytest.raises(ValueError, match="scale"):
        tumble.collides(TETRA, TETRA, np.diag([1.5, 1.5, 1.5, 1.0]))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1.0, 1e90])
def test_cubes_face_to_face_touch_and_one_ulp_apart_do_not(method, scale):
    # kernels with counters are there already for all methods, those without for these
    counted = method not in ("auto", "packed", "stack", "brute")
    cube = tumble.transformed(tumble.shapes.box(1.0), np.diag([scale, scale, scale, 1.0]))
    edge = cube.bounds[1, 0] - cube.bounds[0, 0]
    touching = tumble.translation(edge, 0, 0)
    assert tumble.collide(cube, cube, None, touching, method=method, stats=counted)
    # the smallest shift that the posed float64 coordinates can show
    apart = edge
    while apart + cube.bounds[0, 0] <= cube.bounds[1, 0]:
        apart = np.nextafter(apart, np.inf)
    assert not tumble.collide(cube, cube, None, tumble.translation(apart, 0, 0), method=method, stats=counted)


def test_both_poses_count():
    a, b = forest.soup(3, 60), forest.soup(4, 60)
    pose_a = tumble.translation(1e6, 2.0, 3.0) @ tumble.rotation((1, 1, 0), 0.4)
    pose_b = tumble.translation(1e6, 2.1, 3.0) @ tumble.rotation((0, 1, 1), 1.4)
    expected = oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose_a, pose_b)
    assert len(expected) > 0
    for tree in ("aabb", "sphere"):
        np.testing.assert_array_equal(tumble.collide(a, b, pose_a, pose_b, tree=tree, stats=True).pairs, expected)
    swapped = tumble.collide(b, a, pose_b, pose_a).pairs[:, ::-1]
    np.testing.assert_array_equal(swapped[np.lexsort(swapped.T[::-1])], expected)


@sized(2, 5)
def test_poses_that_are_barely_rigid_lose_no_pair(count):
    """A rotation from float32 is off by 1e-7, and the posed vertices with it: the margin must cover that."""
    a, b = forest.soup(5, 150), forest.soup(6, 150)
    for seed in range(count):
        rng = np.random.default_rng(seed)
        pose = tumble.rotation(rng.normal(size=3), rng.uniform(0, 3)).astype(np.float32).astype(np.float64)
        pose[:3, :3] += rng.uniform(-1e-6, 1e-6, (3, 3))
        expected = oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, pose, None)
        np.testing.assert_array_equal(tumble.collide(a, b, pose).pairs, expected)
        np.testing.assert_array_equal(tumble.collide(a, b, pose, tree="sphere", stats=True).pairs, expected)


def test_threads_share_meshes_and_trees():
    a, b = forest.soup(7, 300), forest.soup(8, 300)
    poses = [tumble.translation(0.01 * k, 0, 0) for k in range(40)]
    expected = [tumble.collide(a, b, None, pose).pairs for pose in poses]
    fresh_a, fresh_b = tumble.Mesh(a.vertices, a.faces), tumble.Mesh(b.vertices, b.faces)
    wrong = []

    def work():
        for pose, pairs in zip(poses, expected, strict=True):
            if not np.array_equal(tumble.collide(fresh_a, fresh_b, None, pose).pairs, pairs):
                wrong.append(pose)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
