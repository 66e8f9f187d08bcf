"""Many pairs at once, in float32: what is certain is right, and where nothing is special, nearly all is certain."""

import numpy as np
import pytest

import pairs
import tumble
from covering import sized
from tumble.core.jit import kernel
from tumble.core.simd.processor import float32_lanes
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed import packed
from tumble.mesh import apply_pose, as_pose, random_pose
from tumble.narrow.triangles.certain_pairs import (
    KEPT_WORDS,
    PAIR_WORDS,
    TRIANGLE_PAIRS,
    certain_pairs,
    keep_in_frame,
    list_pair,
)
from tumble.narrow.triangles.exact import triangles_touch_many
from tumble.narrow.triangles.kept_frame import FRAME_WORDS
from tumble.traversal.packed.relation import describe_kept_frame

SECONDS, LANES = 4, 16  # leaves that each leaf is compared with, and pairs of triangles
SLOT_BYTES, PAIR_BYTES = 8 * KEPT_WORDS, 8 * PAIR_WORDS
SLOTS_WORDS, LIST_WORDS = 2 * KEPT_WORDS, SECONDS * PAIR_WORDS
IDENTITY = np.eye(4)


@kernel
def judge_leaves(tree, pose, other, other_pose, deviation, touching, unsure):
    """Judge triangles 2i and 2i + 1 of a tree against those of the same numbers, and of the next three, of the other.

    Each second pair of leaves is the next leaf of the tree and that leaf, so that vectors hold two kept leaves in turn.
    """
    frame, kept, pairs = scratch(FRAME_WORDS), scratch(SLOTS_WORDS), scratch(LIST_WORDS)
    describe_kept_frame(tree, pose, other, other_pose, deviation, frame)
    count, at_once = touching.shape[0], float32_lanes()
    for i in range(count):
        for k in range(2):
            leaf = (i + k) % count
            keep_in_frame(tree, 2 * leaf, 2 * leaf + 1, other, frame, kept + k * SLOT_BYTES)
        for k in range(SECONDS):
            leaf = (i + k) % count
            list_pair(pairs + k * PAIR_BYTES, kept + (k & 1) * SLOT_BYTES, 2 * leaf, 2 * leaf + 1)
        for start in range(0, LANES, at_once):
            sure, not_sure, _ = certain_pairs(pairs + start // TRIANGLE_PAIRS * PAIR_BYTES)
            for lane in range(at_once):
                touching[i, start + lane] = sure >> lane & 1 != 0
                unsure[i, start + lane] = not_sure >> lane & 1 != 0


def deviation_of(pose):
    return float(np.abs(pose[:3, :3].T @ pose[:3, :3] - np.eye(3)).max())


def assert_never_wrong(a, b, pose_a=IDENTITY, pose_b=IDENTITY):
    """Judge (n, 3, 3) triangles, sixteen pairs for each two; return which share is certain, and which touches."""
    count = len(a) // 2
    sides = [side[: 2 * count] for side in (a, b)]
    meshes = [tumble.Mesh(side.reshape(-1, 3), np.arange(6 * count).reshape(-1, 3)) for side in sides]
    trees = [packed(mesh) for mesh in meshes]
    touching, unsure = np.empty((2, count, LANES), np.bool_)
    pose_a, pose_b = (np.ascontiguousarray(pose) for pose in (pose_a, pose_b))
    deviation = deviation_of(pose_a) + deviation_of(pose_b)
    places = trees[0].address, pose_a.ctypes.data, trees[1].address, pose_b.ctypes.data
    judge_leaves(*places, deviation, touching, unsure)
    posed = [
        side if pose is IDENTITY else apply_pose(as_pose(pose), side.reshape(-1, 3)).reshape(-1, 3, 3)
        for side, pose in zip(sides, (pose_a, pose_b), strict=True)
    ]
    leaves = [side.reshape(count, 2, 3, 3) for side in posed]
    for lane in range(LANES):
        pair = lane // TRIANGLE_PAIRS
        ours = np.roll(leaves[0], -(pair & 1), axis=0)[:, lane & 1]
        others = np.roll(leaves[1], -pair, axis=0)[:, lane >> 1 & 1]
        expected = triangles_touch_many(np.ascontiguousarray(ours), np.ascontiguousarray(others))
        wrong = np.flatnonzero((touching[:, lane] != expected) & ~unsure[:, lane])
        assert len(wrong) == 0, f"lane {lane}: {len(wrong)} wrong, the first is number {wrong[0]}"
    return 1.0 - unsure.mean(), touching.mean()


@pytest.mark.parametrize("size", [1.0, 1e-60, 1e90])
def test_random_triangles_are_certain(size):
    rng = np.random.default_rng(1)
    certain, touching = assert_never_wrong(*(rng.standard_normal((2, 20_000, 3, 3)) * size))
    assert certain > 0.999
    assert 0.1 < touching < 0.5


def row_of_leaves(rng, count, length):
    """Pairs of triangles of about size one, each next to the one before, along a line as long as that."""
    along = np.repeat(np.linspace(-0.5, 0.5, count // 2) * length, 2)
    return rng.standard_normal((count, 3, 3)) + along[:, None, None] * [0.6, 0.0, 0.8]


@pytest.mark.parametrize("length", [1e1, 1e4])
def test_small_triangles_of_a_large_mesh_are_as_certain(length):
    """They are read about one of them, not about the middle of the mesh."""
    rng = np.random.default_rng(2)
    certain, touching = assert_never_wrong(*(row_of_leaves(rng, 20_000, length) for _ in range(2)))
    assert certain > 0.999
    assert touching > 0.1


@sized(4000, 20_000)
def test_triangles_of_very_different_size(count):
    rng = np.random.default_rng(8)
    for size in (1e-3, 1e-9, 1e-30):
        a, b = rng.standard_normal((2, count, 3, 3))
        weights = rng.dirichlet((1, 1, 1), len(a))
        small = b * size + np.einsum("ni,nik->nk", weights, a)[:, None] * (1 + size * rng.normal(size=(len(a), 1, 1)))
        assert_never_wrong(a, small)
        assert_never_wrong(small, a)


@sized(6000, 30_000)
@pytest.mark.parametrize("size", pairs.GRID_SIZES)
def test_integer_grid(size, count):
    a, b = pairs.grid_pairs(count, size, seed=5)
    assert_never_wrong(a.astype(np.float64), b.astype(np.float64))


@sized(1000, 20_000)
def test_contacts_built_to_the_last_bit(count):
    cases = pairs.touching_float_pairs(count, seed=6)
    certain, _ = assert_never_wrong(np.repeat(cases.a, 2, axis=0), np.repeat(cases.b, 2, axis=0))
    assert certain < 0.95


@sized(500, 20_000)
@pytest.mark.parametrize("scale", [1e-80, 1e-105, 1e-160, 1e-320])
def test_numbers_that_underflow(scale, count):
    rng = np.random.default_rng(2)
    near = rng.integers(-4, 5, (2, count, 3, 3)).astype(np.float64)
    assert_never_wrong(near[0] * scale, near[1] * scale)
    assert_never_wrong(near[0] * scale, near[1])
    assert_never_wrong(near[0], near[1] * scale)
    assert_never_wrong(near[0] * scale, near[1] * 1e90)
    assert_never_wrong(near[0] * 1e90, near[1] * scale)


@pytest.mark.parametrize("bits", [16, 20, 22, 24, 26, 30])
def test_contacts_as_close_as_float32_can_tell(bits):
    """Corners just above or below a plane, edges that just pass each other, by some part of the size."""
    rng = np.random.default_rng(3)
    a = rng.uniform(-1.0, 1.0, (20_000, 3, 3))
    inside = rng.dirichlet((1, 1, 1), len(a))
    corner = np.einsum("ni,nik->nk", inside, a)
    on_edge = rng.random(len(a)) < 0.5
    share = rng.random((len(a), 1))
    corner[on_edge] = (a[:, 0] * share + a[:, 1] * (1 - share))[on_edge]
    corner += rng.standard_normal(corner.shape) * 2.0**-bits
    b = rng.uniform(-1.0, 1.0, (len(a), 3, 3))
    b[:, 0] = corner
    # an edge through the point, as well as a corner there
    b[::2, 1] = 2 * corner[::2] - b[::2, 0] + rng.standard_normal(corner[::2].shape)
    b[::4, 0] = 2 * corner[::4] - b[::4, 1]
    assert_never_wrong(a, b)
    assert_never_wrong(b, a)


@pytest.mark.parametrize("bits", [8, 12, 16, 20])
def test_small_triangles_far_from_what_they_are_read_about(bits):
    """Coordinates are rounded by their distance from there, which is many times the triangles' size."""
    rng = np.random.default_rng(4)
    size = 2.0**-bits
    a = rng.uniform(-1.0, 1.0, (20_000, 3, 3)) * size
    # each first triangle of a leaf is what the leaf is read about, each second is where its neighbours are
    a[::2] += rng.uniform(-1.0, 1.0, (len(a) // 2, 1, 3))
    share = rng.dirichlet((1, 1, 1), len(a) // 2)
    share[::2, 0] = 0.0
    share /= share.sum(axis=1, keepdims=True)
    b = rng.uniform(-1.0, 1.0, a.shape) * size
    at = np.einsum("ni,nik->nk", share, a[1::2])
    for k in range(2):
        off = rng.standard_normal(at.shape) * 2.0 ** -rng.uniform(20, 30, (len(at), 1))
        b[k::2, 0] = at + off
        b[k::4, 1] = 2 * b[k::4, 0] - b[k::4, 1]
        b[k::4, 0], b[k::4, 2] = b[k::4, 2].copy(), b[k::4, 1] * 0.75 + b[k::4, 0] * 0.25
    assert_never_wrong(a, b)


def poses_of(kind, rng):
    pose = random_pose(rng, 3.0)
    if kind.startswith("far away"):
        pose[:3, 3] *= float(kind.split()[-1])
    if kind == "off rigidity":
        pose[:3, :3] += rng.uniform(-2e-5, 2e-5, (3, 3))
    return pose


@pytest.mark.parametrize("kind", ["as usual", "far away 1e6", "far away 1e9", "far away 1e12", "off rigidity"])
@pytest.mark.parametrize("size", [1.0, 1e-3])
def test_a_posed_corner_touches_its_own_triangle(kind, size):
    """The other triangle has a corner, or an edge, that goes through a posed corner of the first, to the last bit."""
    rng = np.random.default_rng(7)
    for _ in range(8):
        pose = poses_of(kind, rng)
        a = (rng.standard_normal((2000, 3, 3)) + 3.0 * rng.standard_normal((2000, 1, 3))) * size
        posed = apply_pose(as_pose(pose), a.reshape(-1, 3)).reshape(-1, 3, 3)
        b = posed[:, :1] + rng.standard_normal(a.shape) * size
        b[:, 0] = posed[np.arange(len(a)), rng.integers(0, 3, len(a))]
        assert_never_wrong(a, b, pose_a=pose)
        assert_never_wrong(b, a, pose_b=pose)


def test_two_poses():
    rng = np.random.default_rng(9)
    for _ in range(8):
        poses = [poses_of("as usual", rng) for _ in range(2)]
        a, there = (row_of_leaves(rng, 4000, 100.0) for _ in range(2))
        between = np.linalg.inv(poses[1]) @ poses[0]
        b = there @ between[:3, :3].T + between[:3, 3]
        certain, touching = assert_never_wrong(a, b, *poses)
        assert certain > 0.999
        assert touching > 0.05
