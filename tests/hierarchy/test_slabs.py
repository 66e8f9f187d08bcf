"""Slabs of packed trees: they contain their triangles in exact arithmetic, and those of smooth surfaces are thin."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from fractions import Fraction
from threading import Thread

import numpy as np
import pytest
from tree_cases import AWKWARD, SHAPES

from covering import sized
from tumble import Mesh, shapes
from tumble.hierarchy.packed import header, packed
from tumble.hierarchy.packed.layout import CHILD, HALF, LANES, MIDDLE, ROWS, SECOND
from tumble.hierarchy.packed.slabs import DIRECTION, OFFSET, SLAB_ROWS, THICKNESS
from tumble.hierarchy.packed.tree import PackedTree


def nodes(tree: PackedTree) -> Iterator[tuple[int, int, list[int]]]:
    """Block, lane and all triangles below, for every node."""
    links = tree.blocks.view(np.int32).reshape(-1, ROWS, LANES)

    def below(block: int, lane: int) -> list[int]:
        child = int(links[block, CHILD, lane])
        if child < 0:
            second = int(links[block, SECOND, lane])
            return [-1 - child, *([second] if second >= 0 else [])]
        return [each for k in range(LANES) if links[child, CHILD, k] for each in below(child, k)]

    for block in range(len(links)):
        for lane in range(LANES):
            if links[block, CHILD, lane]:
                yield block, lane, below(block, lane)


def exact(numbers: object) -> list[Fraction]:
    return [Fraction(float(x)) for x in numbers]  # type: ignore[attr-defined]


def corners_outside(mesh: Mesh) -> int:
    """How many corners are outside of the slab of a node that they belong to."""
    tree = packed(mesh)
    slabs, boxes = tree.slabs.reshape(-1, SLAB_ROWS, LANES), tree.blocks.reshape(-1, ROWS, LANES)
    origin, scale = exact(tree.origin), Fraction(tree.scale)
    outside = 0
    for block, lane, triangles in nodes(tree):
        middle, direction = exact(boxes[block, MIDDLE:HALF, lane]), exact(slabs[block, DIRECTION:OFFSET, lane])
        offset, thickness = exact(slabs[block, [OFFSET, THICKNESS], lane])
        for corner in mesh.triangles[triangles].reshape(-1, 3):
            local = [(x - o) * scale for x, o in zip(exact(corner), origin, strict=True)]
            along = sum(d * (x - m) for d, x, m in zip(direction, local, middle, strict=True))
            outside += abs(along - offset) > thickness
    return outside


@sized(40, 300)
@pytest.mark.parametrize("name", [*SHAPES, *AWKWARD])
def test_slabs_contain_their_triangles(name, count):
    mesh = {**SHAPES, **AWKWARD}[name]()
    mesh = Mesh(mesh.vertices, mesh.faces[:count])
    assert corners_outside(mesh) == 0


def test_slabs_of_a_smooth_surface_are_thin():
    tree = packed(shapes.icosphere(4))
    slabs, boxes = tree.slabs.reshape(-1, SLAB_ROWS, LANES), tree.blocks.reshape(-1, ROWS, LANES)
    shares = [
        slabs[block, THICKNESS, lane] / boxes[block, HALF : HALF + 3, lane].max()
        for block, lane, triangles in nodes(tree)
        if 2 < len(triangles) < 100
    ]
    assert len(shares) > 100
    assert np.median(shares) < 0.15


def test_opposite_normals_do_not_cancel():
    """Triangles in one plane, turned to either side at random: their slab is flat."""
    sheet = shapes.icosphere(3)
    faces = np.array(sheet.faces)
    turned = np.random.default_rng(1).random(len(faces)) < 0.5
    faces[turned] = faces[turned][:, ::-1]
    flat = Mesh(np.array(sheet.vertices) * [1.0, 1.0, 0.0] @ np.array([[1, 0, 1], [0, 1, 1], [0, 0, 1.0]]), faces)
    slabs = packed(flat).slabs.reshape(-1, SLAB_ROWS, LANES)
    assert slabs[0, THICKNESS, 0] < 1e-5


def test_slabs_are_made_once_and_on_demand():
    tree = packed(shapes.torus())
    before = tree.nbytes
    assert tree.header.view(np.int64)[header.SLABS] == 0
    made: list[object] = []
    threads = [Thread(target=lambda: made.append(tree.slabs)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each is tree.slabs for each in made)
    assert tree.header.view(np.int64)[header.SLABS] == tree.slabs.ctypes.data
    assert not tree.header.flags.writeable
    assert tree.nbytes == before + tree.slabs.nbytes
    mesh = pickle.loads(pickle.dumps(shapes.torus()))
    np.testing.assert_array_equal(packed(mesh).slabs, tree.slabs)


def test_components_are_written_once():
    tree, (one, other) = packed(shapes.torus()), np.arange(8).reshape(2, 4)
    assert tree.header.view(np.int64)[header.COMPONENTS] == 0
    tree.know_components(one)
    tree.know_components(other)
    assert tree.header.view(np.int64)[header.COMPONENTS] == one.ctypes.data
    assert not tree.header.flags.writeable
