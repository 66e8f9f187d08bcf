"""What the paper's chip has and ours has as an option: leaves without DOPs, a buffer of one pair; and its set-up."""

from dataclasses import replace
from functools import cache
from struct import pack_into

import numpy as np
import pytest
from chip_cases import POSE, assert_answers, started

import forest
import tumble
from tumble import chip, scenario
from tumble.chip import cost
from tumble.chip.design import NODE_BYTES, Design
from tumble.chip.image import FLAGS_WORD, INNER, LEAF, POINTER_WORD, TRIANGLE_WORD, WORDS

PAPERS_LEAVES = Design(leaf_dops=False)
MESH = forest.soup(5, 12, 0.3)


@cache
def bare_image():
    return chip.load(MESH, leaf_dops=False)


@pytest.mark.parametrize("tumbled", [1, 8, pytest.param(2, marks=pytest.mark.slow)])
def test_leaves_without_dops_give_the_same_pairs(tumbled):
    """Triangles that no DOP keeps apart are all tested: more checks, the same answer."""
    design = replace(PAPERS_LEAVES, tumbled=tumbled)
    bare = assert_answers(MESH, MESH, None, POSE, design)
    usual = assert_answers(MESH, MESH, None, POSE, Design(tumbled=tumbled))
    np.testing.assert_array_equal(bare.pairs, usual.pairs)
    assert len(bare.pairs) > 0
    assert bare.polygon_checks > usual.polygon_checks


def test_leaves_of_different_levels_meet_all_that_is_below():
    """A single triangle has no DOP to test: it meets every triangle of a mesh, near or far."""
    one = tumble.Mesh([[9.0, 9.0, 9.0], [9.1, 9.0, 9.0], [9.0, 9.1, 9.0]], [[0, 1, 2]])
    mesh = tumble.shapes.icosphere(1)
    for a, b in ((one, mesh), (mesh, one)):
        bare = assert_answers(a, b, None, None, PAPERS_LEAVES)
        assert bare.polygon_checks == len(mesh)
        assert not assert_answers(a, b).polygon_checks
    assert assert_answers(one, one, None, None, PAPERS_LEAVES).polygon_checks == 1


def test_a_leaf_without_a_dop_is_the_line_of_its_triangle():
    bare, usual = chip.load(MESH, leaf_dops=False), chip.load(MESH)
    assert len(usual) - len(bare) == NODE_BYTES * len(MESH)
    assert np.array_equal(bare.reach, usual.reach)
    found = {}
    for address in range(0, len(bare), NODE_BYTES):
        node = bare.node(address)
        if node.flags == LEAF:
            assert node.pointer == address
            found[node.triangle] = bare.record(address)
        elif node.flags == INNER:
            assert node.dop == usual.node(address).dop
    first = NODE_BYTES * (len(usual) // NODE_BYTES - len(MESH))
    theirs = [usual.record(address) for address in range(first, len(usual), NODE_BYTES)]
    assert found == {record.triangle: record for record in theirs}


def lines(image, wanted):
    """The lines of nodes with these flags."""
    return [i for i in range(len(image) // NODE_BYTES) if image.node(NODE_BYTES * i).flags == wanted]


def parent_of_leaves(image):
    """A line whose two children are leaves."""
    leaves = set(lines(image, LEAF))
    pairs = [(i, image.node(NODE_BYTES * i).pointer // NODE_BYTES) for i in lines(image, INNER)]
    return next(i for i, first in pairs if {first, first + 1} <= leaves)


@pytest.mark.parametrize(
    ("word", "kind", "value", "message"),
    [
        (POINTER_WORD, "<I", 0, "is a leaf without a DOP, but points to 0, not to itself"),
        (3, "<f", 7.0, "does not lead to the record"),
        (WORDS - 1, "<I", 1, "does not lead to the record"),
        (TRIANGLE_WORD, "<I", len(MESH), f"holds triangle {len(MESH)}"),
        (FLAGS_WORD, "<I", INNER, "DOP"),
    ],
)
def test_damage_of_such_an_image_is_found(word, kind, value, message):
    data = bytearray(bare_image().data)
    line = lines(bare_image(), LEAF)[0]
    pack_into(kind, data, NODE_BYTES * line + 4 * word, value)
    with pytest.raises(tumble.TreeError, match=message):
        chip.Memory.from_bytes(bytes(data), MESH, leaf_dops=False)


def test_a_triangle_that_its_parents_dop_does_not_contain_is_found():
    image = bare_image()
    address = NODE_BYTES * parent_of_leaves(image)
    data = bytearray(image.data)
    pack_into("<f", data, address + 4 * 12, image.node(address).dop[0])
    with pytest.raises(tumble.TreeError, match="does not contain its triangle"):
        chip.Memory.from_bytes(bytes(data), MESH, leaf_dops=False)


def test_such_an_image_itself_is_good_and_fits_its_design_only():
    image = bare_image()
    assert chip.Memory.from_bytes(image.data, MESH, leaf_dops=False).depth == image.depth
    with pytest.raises(tumble.TreeError):
        chip.Memory.from_bytes(image.data, MESH)
    with pytest.raises(tumble.OptionError, match=r"load it with leaf_dops=True"):
        chip.run(image, image)
    with pytest.raises(tumble.OptionError, match=r"load it with leaf_dops=False"):
        chip.run(chip.load(MESH), image, design=PAPERS_LEAVES)


def test_with_one_pair_in_the_buffer_a_read_waits_for_the_pair_before():
    """Long lists: a pair every 12 cycles, CAS and burst one after the other, where two pairs in the buffer take ten."""
    scene = scenario.pair_scene("different-sizes")
    shared = (scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b)
    gaps = {}
    for pairs in (1, 2):
        machine = started(*shared, Design(buffer_pairs=pairs, triangle_unit=False))
        machine.journal.until = 10**9
        while not machine.done and machine.now < 8_000:
            machine.tick()
        reads = [start for unit, start, _, what in machine.journal.intervals if what.startswith("aligned")]
        gaps[pairs] = np.diff(reads)
        assert len(reads) > 300
    assert np.median(gaps[1]) == 12
    assert np.median(gaps[2]) in (8, 16)


def test_the_setup_over_the_bus_of_the_host():
    """24 lines of C, c and correspondence, six lines for triangles, two roots and a delay."""
    assert cost.setup_bytes() == 24 * (16 + 4) + 6 * 16 + 2 * 4 + 4 == 588
    assert cost.setup_cycles() == 74 * 4  # 64 bits at 66 MHz
    assert cost.setup_cycles(Design(host_bits=32, host_cycles=8)) == 147 * 8
    assert cost.setup_bytes(Design(k=6)) == 588 - 18 * 20
    run = chip.run(MESH, MESH, None, POSE)
    assert run.setup_cycles == cost.setup_cycles()


def test_leaf_pairs_for_the_host_take_its_bus():
    slow = chip.run(MESH, MESH, None, POSE, design=Design(triangle_unit=False, host_bits=32, host_cycles=50))
    quick = chip.run(MESH, MESH, None, POSE, design=Design(triangle_unit=False))
    assert slow.polygon_checks == quick.polygon_checks > 0
    assert slow.cycles >= 100 * (slow.polygon_checks - 1) > quick.cycles
