"""The image holds the tree: every node, rounded outward, and every triangle."""

from fractions import Fraction

import numpy as np
import pytest
from chip_cases import random_binary_tree

import forest
import tumble
from tumble import chip
from tumble.chip.design import KDOPS, NODE_BYTES, PAIR_BYTES
from tumble.chip.image import EMPTY, INNER, LEAF, rounded_down, rounded_up
from tumble.hierarchy.layout import FIRST, RIGHT
from tumble.volume.kdop.directions import DIRECTIONS


def walk(memory):
    """Yield address, node and level of all nodes, in the order of the tree."""
    waiting = [(0, 0)]
    while waiting:
        address, level = waiting.pop()
        node = memory.node(address)
        yield address, node, level
        if node.flags == INNER:
            waiting += [(node.pointer + NODE_BYTES, level + 1), (node.pointer, level + 1)]


@pytest.mark.parametrize("k", KDOPS)
def test_nodes_are_those_of_the_tree_rounded_outward(k):
    mesh = forest.soup(1, 50)
    tree, memory = tumble.build(mesh, f"kdop{k}"), chip.load(mesh, k)
    nodes = [(address, node) for address, node, _ in walk(memory) if node.flags != EMPTY]
    assert len(nodes) == len(tree)
    for (address, node), row, links in zip(nodes, tree.rows, tree.nodes, strict=True):
        dop = np.array(node.dop)
        assert (dop[: k // 2] <= row[: k // 2]).all()
        assert (dop[k // 2 :] >= row[k // 2 :]).all()
        np.testing.assert_allclose(dop, row, rtol=2e-7, atol=1e-40)
        assert (node.flags == LEAF) == (links[FIRST] < 0)
        assert address % PAIR_BYTES == (NODE_BYTES if links[RIGHT] else 0)
        assert node.flags != INNER or node.pointer % PAIR_BYTES == 0


def test_leaves_lead_to_their_triangles():
    mesh = forest.soup(2, 40)
    memory = chip.load(mesh)
    found = []
    for _, node, _ in walk(memory):
        if node.flags == LEAF:
            record = memory.record(node.pointer)
            assert record.triangle == node.triangle
            corners = mesh.triangles[node.triangle]
            np.testing.assert_array_equal(record.vertices, corners.astype(np.float32).ravel())
            matrix = np.array(record.matrix).reshape(3, 4)
            unit = corners @ matrix[:, :3].T + matrix[:, 3]
            np.testing.assert_allclose(unit, [[0, 0, 0], [1, 0, 0], [0, 1, 0]], atol=1e-3)
            found.append(node.triangle)
    assert sorted(found) == list(range(len(mesh)))


def test_only_children_get_an_empty_sibling():
    tree = random_binary_tree(5, 12, only_children=0.6)
    memory = chip.load(tree)
    nodes = {address: node for address, node, _ in walk(memory)}
    empty = [address for address, node in nodes.items() if node.flags == EMPTY]
    assert all(address % PAIR_BYTES for address in empty)
    assert sum(node.flags != EMPTY for node in nodes.values()) == len(tree)
    assert all(nodes[address].dop[0] > nodes[address].dop[12] for address in empty)
    assert memory.depth == tree.depth == max(level for _, _, level in walk(memory))


def test_bytes_survive_the_way_out_and_in():
    for side in (forest.soup(3, 30), random_binary_tree(4, 20, "kdop18")):
        k = 18 if isinstance(side, tumble.Tree) else 24
        memory = chip.load(side, k)
        again = chip.Memory.from_bytes(memory.data, memory.mesh, k)
        assert (again.data, again.depth, again.k) == (memory.data, memory.depth, memory.k)
        np.testing.assert_array_equal(again.reach, memory.reach)


def test_reach_bounds_every_number():
    memory = chip.load(forest.soup(3, 30))
    dops = np.array([node.dop for _, node, _ in walk(memory) if node.flags != EMPTY])
    np.testing.assert_array_equal(memory.reach, np.abs(dops).max(axis=0))


def test_rounding_is_outward_and_tight():
    values = np.concatenate(
        [np.random.default_rng(1).normal(size=1000), [0.0, 1.0, -1.0, 1e-50, -1e-50, 0.1, 16777217.0]]
    )
    down, up = rounded_down(values), rounded_up(values)
    for low, value, high in zip(down.tolist(), values.tolist(), up.tolist(), strict=True):
        assert Fraction(low) <= Fraction(value) <= Fraction(high)
        assert low == high or np.nextafter(np.float32(low), np.float32(np.inf)) == np.float32(high)


def test_what_cannot_be_loaded():
    mesh = forest.soup(6, 20)
    with pytest.raises(tumble.TreeError, match="'kdop24', not 'aabb'"):
        chip.load(tumble.build(mesh, "aabb"))
    with pytest.raises(tumble.TreeError, match="arity=2"):
        chip.load(tumble.build(mesh, "kdop24", arity=4))
    with pytest.raises(tumble.TreeError, match="leaf_size=1"):
        chip.load(tumble.build(mesh, "kdop24", leaf_size=3))
    with pytest.raises(tumble.OptionError, match="k=7"):
        chip.load(mesh, 7)
    with pytest.raises(tumble.MeshError, match=r"1e\+32 is too large"):
        chip.load(tumble.Mesh([[0, 0, 0], [1e32, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    with pytest.raises(tumble.OptionError, match="24-DOPs does not fit"):
        chip.run(chip.load(mesh), mesh, design=chip.Design(k=18))
    with pytest.raises(tumble.PoseError, match="takes up to"):
        chip.run(mesh, mesh, None, tumble.translation(1e40, 0, 0))


def test_directions_fill_the_words_before_the_pointer():
    assert max(2 * len(rows) for rows in DIRECTIONS.values()) <= 28
    assert tuple(DIRECTIONS) == KDOPS


@pytest.mark.parametrize("address", [-128, 1, 64, 1 << 30])
def test_addresses_outside_the_image_are_refused(address):
    memory = chip.load(tumble.shapes.box())
    for read in (memory.node, memory.record, memory.triangle):
        with pytest.raises(tumble.TreeError, match="led to address"):
            read(address)
