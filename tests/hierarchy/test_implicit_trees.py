"""Implicit trees: the order of their leaves, their boxes, and what moving leaves of both."""

import implicit_cases
import numpy as np
import pytest

import forest
import tumble
from tumble.errors import MeshError, PoseError
from tumble.hierarchy.implicit import ImplicitTrees, implicit_trees, joined
from tumble.hierarchy.implicit import trees as trees_module
from tumble.hierarchy.implicit.posed import posed_meshes
from tumble.mesh import random_pose

EMPTY = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
FORMS = pytest.mark.parametrize("padded", [True, False])


def scene():
    """Meshes of many sizes, one of them empty, one with a vertex far away that nobody uses."""
    lonely = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1e90, 0, 0]], [[0, 1, 2]])
    return [forest.soup(1, 33), EMPTY, lonely, forest.soup(2, 64), forest.soup(3, 7)]


def poses_of(meshes):
    return [None if k == 2 else random_pose(k, 3.0) for k in range(len(meshes))]


@FORMS
def test_boxes_are_those_of_the_triangles_below(padded):
    meshes = scene()
    implicit_cases.check_boxes(implicit_trees(meshes, padded=padded), meshes)
    implicit_cases.check_boxes(implicit_trees(meshes, poses_of(meshes), padded=padded), meshes, poses_of(meshes))


def test_spans_are_cut_into_blocks():
    found = joined.span_blocks(np.array([0, 5000, 5000, 5001, 13193]))
    expected = [[0, 0, 4096], [0, 4096, 5000], [2, 5000, 5001], [3, 5001, 9097], [3, 9097, 13193]]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_tree_larger_than_a_block(threads):
    mesh = tumble.shapes.torus(segments=70, sides=70)
    assert len(mesh) > 2 * joined.BLOCK
    trees = implicit_trees([mesh, mesh], [None, tumble.translation(1, 2, 3)], padded=False, threads=threads)
    layout, boxes = trees.layout, trees.boxes
    for tree in (0, 1):
        for row in range(layout.first_row[tree], layout.first_row[tree] + layout.depth[tree]):
            start, below, size = layout.starts[row], layout.starts[row + 1], layout.active[row + 1]
            for place in range(layout.active[row]):
                children = boxes[:, below + 2 * place : below + min(2 * place + 2, size)]
                assert (boxes[:3, start + place] == children[:3].min(axis=1)).all()
                assert (boxes[3:, start + place] == children[3:].max(axis=1)).all()


def test_leaves_follow_the_curve():
    meshes = scene()
    trees = implicit_trees(meshes, poses_of(meshes))
    world, layout = trees.posed.world, trees.layout
    boxes = implicit_cases.rounded(implicit_cases.exact_boxes(meshes, poses_of(meshes)), world.frame)
    for tree, mesh in enumerate(meshes):
        if len(mesh) == 0:
            continue
        bounds = (world.bounds[tree] - np.tile(world.frame[:3], 2)) * world.frame[3]
        mine = trees.order[layout.first_leaf[tree] : layout.first_leaf[tree + 1]]
        keys = [(implicit_cases.curve_place(boxes[triangle], bounds), triangle) for triangle in mine.tolist()]
        assert keys == sorted(keys)
        assert len({place for place, _ in keys}) > len(keys) // 2


def test_threads_change_nothing():
    meshes = [forest.soup(seed, 5000 * seed) for seed in (1, 2)]
    one, three = (implicit_trees(meshes, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.order, three.order)
    np.testing.assert_array_equal(one.boxes, three.boxes)


@pytest.mark.parametrize("size", [1e-310, 1e-30, 1.0, 1e98])
def test_no_overlap_is_lost_at_any_size_and_place(size):
    """Boxes of rounded coordinates overlap where exact boxes do; where they do so by more than touching, vice versa."""
    rng = np.random.default_rng(3)
    corners = rng.integers(-6, 7, (300, 3, 3)) * size + np.array([0.0, 40.0 * size, 1e9 * size if size < 1e80 else 0.0])
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(900).reshape(-1, 3))
    trees = implicit_trees([mesh])
    exact = implicit_cases.exact_boxes([mesh])
    leaves = np.empty((300, 6))
    leaves[trees.order] = trees.boxes[:, trees.layout.starts[-1] :].T[:300]

    def overlaps(boxes, compare):
        below = compare(boxes[:, None, :3], boxes[None, :, 3:])
        return (below & below.swapaxes(0, 1)).all(axis=2)

    assert (overlaps(leaves, np.less_equal) >= overlaps(exact, np.less_equal)).all()
    assert (overlaps(leaves, np.less) <= overlaps(exact, np.less)).all()
    assert overlaps(exact, np.less_equal).sum() > overlaps(exact, np.less).sum() > 0


@FORMS
def test_moved_trees_have_the_boxes_of_the_moved_meshes(padded):
    meshes = scene()
    trees = implicit_trees(meshes, padded=padded)
    rng = np.random.default_rng(5)
    moved = [tumble.Mesh(mesh.vertices + rng.normal(size=mesh.vertices.shape), mesh.faces) for mesh in meshes]
    order = trees.order
    trees.move([None if k == 3 else mesh.vertices for k, mesh in enumerate(moved)])
    moved[3] = meshes[3]
    assert trees.order is order
    implicit_cases.check_boxes(trees, moved)
    trees.move(poses=poses_of(meshes))
    implicit_cases.check_boxes(trees, moved, poses_of(meshes))
    trees.move(poses=[None] * 4 + [np.eye(4)])  # None: where it was
    implicit_cases.check_boxes(trees, moved, [*poses_of(meshes)[:4], None])
    trees.move(poses=[np.eye(4)] * 5, rebuild=True)
    fresh = implicit_trees(moved, padded=padded)
    np.testing.assert_array_equal(trees.order, fresh.order)
    np.testing.assert_array_equal(trees.boxes, fresh.boxes)


@pytest.mark.parametrize(
    ("vertices", "poses", "error", "message"),
    [
        ([[[0, 0, 0], [1, 0, 0], [np.nan, 1, 0]], None], None, MeshError, "mesh 0: .*nan"),
        ([None, np.zeros((5, 3))], None, MeshError, "mesh 1 has 3 vertices, not 5"),
        ([None], None, MeshError, "2 meshes, but vertices of 1"),
        (5, None, MeshError, "vertices must be a list, .* not 5"),
        (None, [None], PoseError, "2 meshes, but 1 poses"),
        (None, 5, PoseError, "poses must be a list, .* not 5"),
        (np.ones((2, 3, 3)), [None, 2 * np.eye(4)], PoseError, r"poses\[1\]: .*last row"),
    ],
)
def test_what_cannot_be_used_changes_nothing(vertices, poses, error, message):
    mesh = tumble.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    trees = implicit_trees([mesh, mesh])
    before = trees.boxes.copy(), trees.posed
    with pytest.raises(error, match=message):
        trees.move(vertices, poses)
    np.testing.assert_array_equal(trees.boxes, before[0])
    assert trees.posed is before[1]
    trees.move([mesh.vertices, None])
    np.testing.assert_array_equal(trees.boxes, before[0])


@pytest.mark.parametrize("step", ["morton_order", "fit_boxes"])
def test_what_fails_half_way_changes_nothing(step, monkeypatch):
    meshes = [forest.soup(1, 33), forest.soup(2, 20)]
    trees = implicit_trees(meshes)
    before = trees.boxes.copy(), trees.posed, trees.order
    done, calls = getattr(trees_module, step), []

    def fail_once(*arguments):
        calls.append(step)
        if len(calls) > 1 or step == "fit_boxes":
            found = done(*arguments)
        if len(calls) == 1:
            raise MemoryError
        return found

    monkeypatch.setattr(trees_module, step, fail_once)
    with pytest.raises(MemoryError):
        trees.move(poses=[None, tumble.translation(1, 0, 0)], rebuild=True)
    np.testing.assert_array_equal(trees.boxes, before[0])
    assert trees.posed is before[1]
    assert trees.order is before[2]


def test_the_mesh_at_fault_is_named():
    with pytest.raises(MeshError, match=r"a list of meshes is wanted, not <Mesh .*pass \[mesh\]"):
        implicit_trees(forest.soup(1, 3))
    with pytest.raises(MeshError, match=r"meshes\[1\]: expected"):
        implicit_trees([forest.soup(1, 3), 7])


def test_no_meshes_and_empty_ones():
    assert implicit_trees([]).layout.nodes == 0
    trees = implicit_trees([EMPTY, EMPTY], poses=[None, tumble.translation(1, 0, 0)])
    assert trees.layout.nodes == 0
    assert len(trees) == 2
    assert "over 0 triangles of 2 meshes" in repr(trees)
    assert trees.nbytes > 0


def faulty(part, **changes):
    """Posed meshes with other arrays in their bodies or in their world."""
    posed = posed_meshes(scene(), None, 1)
    return posed._replace(**{part: getattr(posed, part)._replace(**changes)})


GOOD = posed_meshes(scene(), None, 1)
FAULTS = {
    "nothing": lambda: None,
    "faces too large": lambda: faulty("bodies", faces=GOOD.bodies.faces + 10**8),
    "faces negative": lambda: faulty("bodies", faces=GOOD.bodies.faces - 1),
    "faces of 64 bits": lambda: faulty("bodies", faces=GOOD.bodies.faces.astype(np.int64)),
    "first faces": lambda: faulty("bodies", first_face=GOOD.bodies.first_face * 1000),
    "first faces back": lambda: faulty("bodies", first_face=GOOD.bodies.first_face[::-1].copy()),
    "first vertices": lambda: faulty("bodies", first_vertex=GOOD.bodies.first_vertex + 1),
    "vertices missing": lambda: faulty("bodies", vertices=GOOD.bodies.vertices[:-1]),
    "local missing": lambda: faulty("world", local=GOOD.world.local[:-1]),
    "bounds missing": lambda: faulty("world", bounds=GOOD.world.bounds[:-1]),
    "a list": lambda: faulty("world", vertices=GOOD.world.vertices.tolist()),
    "poses missing": lambda: GOOD._replace(poses=np.zeros((1, 3, 4))),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_posed_meshes_that_contradict_themselves_are_refused(fault):
    ImplicitTrees(GOOD)
    with pytest.raises(MeshError, match="implicit_trees"):
        ImplicitTrees(FAULTS[fault]())
