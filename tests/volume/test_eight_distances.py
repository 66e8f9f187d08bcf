"""Lower bounds of one node to eight: never above the distance of anything below them, and most of the time near it."""

from __future__ import annotations

import numpy as np

import tumble
from covering import crossed, sized
from triangle_rows import triangle_distances
from tumble.core.jit import kernel
from tumble.core.simd.memory import float32_at, float64_at, int64_at
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import packed
from tumble.hierarchy.packed.header import BLOCKS, HULLS, SCALE, SLABS
from tumble.hierarchy.packed.hulls import HULL_BYTES, RADIUS
from tumble.hierarchy.packed.layout import BLOCK_BYTES, CHILD, LANES, ROWS, SECOND
from tumble.hierarchy.packed.slabs import SLAB_BYTES
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.query.bodies import checked_deviations
from tumble.traversal.packed.nearest import BOUNDS_WORDS, MARGINS, ROUNDED_DOWN, SINGLE_WORDS
from tumble.traversal.packed.nearest_single import describe_single
from tumble.traversal.packed.relation import relate_apart
from tumble.volume.eight_boxes import FLOATS, MARGIN
from tumble.volume.eight_distances import boxes_within
from tumble.volume.eight_hulls import hulls_along

RELATION_WORDS = FLOATS // 2


@kernel
def write_bounds(tree_a, pose_a, tree_b, pose_b, deviation, nodes, blocks, bounds):
    """Write the bounds of all nodes of a to all lanes of b's blocks, in the world's unit."""
    relation, single, eight = scratch(RELATION_WORDS), scratch(SINGLE_WORDS), scratch(BOUNDS_WORDS)
    relate_apart(tree_a, pose_a, tree_b, pose_b, deviation, relation)
    unit = ROUNDED_DOWN / (1.0 + 4.0 * deviation) / float64_at(tree_b, SCALE)
    for i in range(nodes.size):
        block, lane = int64_at(tree_a, BLOCKS) + (nodes[i] >> 3) * BLOCK_BYTES, nodes[i] & 7
        describe_single(block, int64_at(tree_a, SLABS) + (nodes[i] >> 3) * SLAB_BYTES, lane, relation, single)
        for j in range(blocks):
            others = int64_at(tree_b, BLOCKS) + j * BLOCK_BYTES
            slabs, margin = int64_at(tree_b, SLABS) + j * SLAB_BYTES, MARGINS * float32_at(relation, MARGIN)
            boxes_within(others, slabs, relation, single, margin, np.float32(np.inf), eight)
            for k in range(LANES):
                bounds[i, LANES * j + k] = float32_at(eight, k) * unit


@kernel
def write_gaps(tree_a, pose_a, tree_b, pose_b, deviation, nodes, blocks, way, bounds):
    """Write the gaps of the hulls of all nodes of a and b along a unit vector in b's frame."""
    relation, eight = scratch(RELATION_WORDS), scratch(BOUNDS_WORDS)
    relate_apart(tree_a, pose_a, tree_b, pose_b, deviation, relation)
    unit = ROUNDED_DOWN / (1.0 + 4.0 * deviation) / float64_at(tree_b, SCALE)
    for i in range(nodes.size):
        ours, lane = int64_at(tree_a, HULLS) + (nodes[i] >> 3) * HULL_BYTES, nodes[i] & 7
        points, radius = ours + 12 * LANES * lane, ours + 4 * (LANES * RADIUS + lane)
        for j in range(blocks):
            hulls, margin = int64_at(tree_b, HULLS) + j * HULL_BYTES, MARGINS * float32_at(relation, MARGIN)
            hulls_along(hulls, points, radius, relation, margin, way, np.float32(np.inf), eight)
            for k in range(LANES):
                bounds[i, LANES * j + k] = float32_at(eight, k) * unit


def nodes_of(tree):
    """The numbers of all nodes, and a row for each with the triangles below it."""
    links = tree.blocks.view(np.int32).reshape(-1, ROWS, LANES)
    below: dict[int, list[int]] = {}
    for block in range(len(links) - 1, -1, -1):
        for lane in range(LANES):
            child, second = int(links[block, CHILD, lane]), int(links[block, SECOND, lane])
            if child < 0:
                below[LANES * block + lane] = [-1 - child, *([second] if second >= 0 else [])]
            elif child > 0:
                found = [below.get(LANES * child + k, []) for k in range(LANES)]
                below[LANES * block + lane] = [triangle for some in found for triangle in some]
    return below


def bounds_and_distances(a, b, pose_a, pose_b, way=None):
    """The bound of every two nodes, or the gap of their hulls along a way, and the distance of what is in them."""
    trees, poses = [packed(mesh) for mesh in (a, b)], np.ascontiguousarray([pose_a, pose_b])
    for tree in trees:
        _ = tree.slabs, tree.hulls
    deviation = float(checked_deviations(poses).sum())
    below_a, below_b = map(nodes_of, trees)
    nodes, count = np.array(sorted(below_a)), len(trees[1].blocks)
    bounds = np.empty((len(nodes), LANES * count))
    at = [poses[k].ctypes.data for k in range(2)]
    given = trees[0].address, at[0], trees[1].address, at[1], deviation, nodes, count
    if way is None:
        write_bounds(*given, bounds)
    else:
        local = (poses[1][:3, :3].T @ way).astype(np.float32)
        write_gaps(*given, local.ctypes.data, bounds)
    world = [
        apply_pose(as_pose(pose), mesh.triangles.reshape(-1, 3)).reshape(-1, 3, 3)
        for mesh, pose in ((a, poses[0]), (b, poses[1]))
    ]
    i, j = np.indices((len(a), len(b))).reshape(2, -1)
    apart = triangle_distances(world[0][i], world[1][j])[0].reshape(len(a), len(b))
    others = sorted(below_b)
    least = np.array([[apart[np.ix_(below_a[n], below_b[m])].min() for m in others] for n in nodes.tolist()])
    return bounds[:, others], least


def pose_of(kind, rng):
    pose = random_pose(rng, 2.0)
    if kind == "far away":
        pose[:3, 3] *= 1e6
    if kind == "off rigidity":
        pose[:3, :3] += rng.uniform(-2e-5, 2e-5, (3, 3))
    if kind == "aligned":
        pose[:3, :3] = np.eye(3)
    return pose


def two_meshes(shape, size, rng):
    if shape == "soup":
        corners = (rng.normal(size=(2, 40, 1, 3)) + 0.2 * rng.normal(size=(2, 40, 3, 3))).reshape(2, -1, 3)
        faces = np.arange(120).reshape(-1, 3)
        return tumble.Mesh(corners[0] * size, faces), tumble.Mesh(corners[1], faces)
    ball = tumble.shapes.icosphere(1)
    return tumble.Mesh(ball.vertices * size, ball.faces), ball


@sized(2, 30)
@crossed(1, kind=["as usual", "far away", "off rigidity", "aligned"], size=[1.0, 1e-3, 1e80], shape=["soup", "ball"])
def test_bounds_are_below_distances(kind, size, shape, count):
    rng, near, all_of_them = np.random.default_rng(5), 0, 0
    for _ in range(count):
        a, b = two_meshes(shape, size, rng)
        bounds, least = bounds_and_distances(a, b, pose_of(kind, rng), pose_of(kind, rng))
        assert not np.isnan(bounds).any() or size > 1e20
        assert not (bounds > least * (1.0 + 1e-12)).any()
        near += int((bounds > 0.8 * least).sum())
        all_of_them += bounds.size
    if size == 1.0 and kind in ("as usual", "aligned"):
        assert near > 0.3 * all_of_them


@sized(3, 30)
@crossed(1, kind=["as usual", "far away", "off rigidity", "aligned"], size=[1.0, 1e-3, 1e80], shape=["soup", "ball"])
def test_gaps_of_hulls_are_below_distances(kind, size, shape, count):
    rng, near, all_of_them = np.random.default_rng(6), 0, 0
    for _ in range(count):
        a, b = two_meshes(shape, size, rng)
        poses = pose_of(kind, rng), pose_of(kind, rng)
        way = poses[1][:3, 3] - poses[0][:3, 3] + 0.1 * rng.normal(size=3)
        gaps, least = bounds_and_distances(a, b, *poses, way / np.linalg.norm(way))
        assert not (gaps > least * (1.0 + 1e-12)).any()
        near += int((gaps > 0.8 * least).sum())
        all_of_them += gaps.size
    if size == 1.0 and kind == "far away":
        assert near > 0.9 * all_of_them


def test_a_direction_that_is_not_a_number_excludes_nothing():
    rng = np.random.default_rng(7)
    gaps, _ = bounds_and_distances(*two_meshes("ball", 1.0, rng), np.eye(4), random_pose(rng, 9.0), np.full(3, np.nan))
    assert np.isnan(gaps).all()
