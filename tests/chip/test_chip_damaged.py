"""A damaged image is an error, at once when it is checked and at last when it is not; never an endless loop."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from covering import crossed
from tumble import chip
from tumble.chip.design import NODE_BYTES
from tumble.chip.image import EMPTY, FLAGS_WORD, INNER, LEAF, POINTER_WORD, TRIANGLE_WORD

MESH = forest.soup(1, 12)
IMAGE = chip.load(MESH)
LINES = len(IMAGE) // NODE_BYTES
NODES = 2 * len(MESH)
"""lines of nodes: the root's pair, and a pair for each of the other inner nodes"""


def changed(line, word, value, kind="<I", image=IMAGE):
    data = bytearray(image.data)
    struct.pack_into(kind, data, NODE_BYTES * line + 4 * word, value)
    return bytes(data)


def nodes_that_are(flags):
    return [line for line in range(NODES) if IMAGE.node(NODE_BYTES * line).flags == flags]


VALUES = st.sampled_from([0, 1, 2, 3, 128, 256, 384, 512, 1024, len(IMAGE) - 256, len(IMAGE), 2**32 - 1])
INNERS, LEAVES = nodes_that_are(INNER), nodes_that_are(LEAF)
SECOND = next(line for line in LEAVES if line % 2)


def address(line):
    return rf"address {NODE_BYTES * line}\b"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed(INNERS[1], POINTER_WORD, 0), f"{address(INNERS[1])} points to 0, but another node has it"),
        (
            changed(INNERS[2], POINTER_WORD, NODE_BYTES * (INNERS[2] & ~1)),
            "there is a circle, or a node with two parents",
        ),
        (changed(INNERS[1], POINTER_WORD, IMAGE.node(0).pointer), "two parents"),
        (
            changed(INNERS[1], POINTER_WORD, len(IMAGE)),
            f"{address(INNERS[1])} points to {len(IMAGE)}, outside the image",
        ),
        (changed(INNERS[1], POINTER_WORD, 2**32 - 256), "outside the image"),
        (changed(INNERS[1], POINTER_WORD, 300), f"{address(INNERS[1])} points to 300, which is not a multiple of 256"),
        (changed(LEAVES[0], POINTER_WORD, 130), f"{address(LEAVES[0])} points to 130, which is not a multiple of 128"),
        (changed(LEAVES[0], POINTER_WORD, IMAGE.node(NODE_BYTES * LEAVES[1]).pointer), "two parents"),
        (changed(LEAVES[0], 3, np.nan, "<f"), f"{address(LEAVES[0])} has nan in its DOP, at place 3"),
        (changed(0, 3, np.inf, "<f"), f"{address(0)} has inf in its DOP"),
        (changed(INNERS[1], 0, -1e9, "<f"), f"{address(INNERS[1])} reaches out of its parent's DOP at place 0"),
        (changed(INNERS[1], 12, 1e9, "<f"), f"{address(INNERS[1])} reaches out of its parent's DOP at place 12"),
        (changed(LEAVES[0], 0, IMAGE.node(NODE_BYTES * LEAVES[0]).dop[12] + 1e-3, "<f"), "low is above its high"),
        (changed(LEAVES[0], 0, IMAGE.node(NODE_BYTES * LEAVES[0]).dop[12], "<f"), "does not contain its triangle"),
        (changed(INNERS[1], FLAGS_WORD, 9), f"{address(INNERS[1])} has flags 9"),
        (changed(1, FLAGS_WORD, LEAF), f"{address(1)} must be empty: the root has no sibling"),
        (changed(0, FLAGS_WORD, EMPTY), f"{address(0)} is empty, but only the second"),
        (changed(SECOND, FLAGS_WORD, EMPTY), "lies in 0 leaves of the image"),
        (changed(LEAVES[0], TRIANGLE_WORD, len(MESH)), f"holds triangle {len(MESH)}, but the mesh has {len(MESH)}"),
        (changed(LEAVES[0], TRIANGLE_WORD, 2**32 - 1), "holds triangle 4294967295"),
        (changed(NODES + 3, 13, 7.0, "<f"), "does not lead to the record"),
        (IMAGE.data[:-1], "lines of 128 bytes"),
        (IMAGE.data[:128], "begins with the pair of the root"),
        (b"", "begins with the pair of the root"),
    ],
)
def test_every_kind_of_damage_is_found_and_named(data, message):
    with pytest.raises(tumble.TreeError, match=message):
        chip.Memory.from_bytes(data, MESH)


def test_the_image_itself_is_good():
    assert chip.Memory.from_bytes(IMAGE.data, MESH).depth == IMAGE.depth
    nothing = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert chip.Memory.from_bytes(b"", nothing).depth == 0


def unchecked(data):
    return chip.Memory(data, MESH, IMAGE.k, IMAGE.depth, IMAGE.reach)


@crossed(1, tumbled=[1, 2, 4], line=[INNERS[0], INNERS[3], INNERS[-1]])
def test_a_circle_made_behind_its_back_ends(tumbled, line):
    damaged = unchecked(changed(line, POINTER_WORD, 0))
    for a, b in ((damaged, IMAGE), (IMAGE, damaged), (damaged, damaged)):
        with pytest.raises(tumble.TumbleError):
            chip.run(a, b, design=chip.Design(tumbled=tumbled), most_cycles=300_000)


def test_a_circle_is_named():
    circle = unchecked(changed(INNERS[-1], POINTER_WORD, 0))
    triangle = chip.load(tumble.Mesh(MESH.bounds[[0, 1, 1]], [[0, 1, 2]]))
    with pytest.raises(tumble.TreeError, match=f"more than {LINES} entries: the image of a runs in a circle"):
        chip.run(circle, triangle)
    with pytest.raises(tumble.TreeError, match=f"more than {LINES} lists: the image of b runs in a circle"):
        chip.run(triangle, circle)


@given(
    st.lists(st.tuples(st.integers(0, LINES - 1), st.sampled_from([28, 28, 28, 29, 30, 0, 12]), VALUES), max_size=3),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=settings().max_examples // 3)
def test_any_damage_ends(changes, in_a, triangle_unit):
    data = IMAGE.data
    for line, word, value in changes:
        data = changed(line, word, value, image=unchecked(data))
    damaged = unchecked(data)
    a, b = (damaged, IMAGE) if in_a else (IMAGE, damaged)
    try:
        result = chip.run(a, b, design=chip.Design(triangle_unit=triangle_unit), most_cycles=200_000)
    except tumble.TumbleError:
        return
    assert result.cycles < 200_000


@given(st.integers(0, len(IMAGE) - 1), st.integers(1, 255))
@settings(max_examples=25)
def test_a_checked_image_gives_the_right_pairs_or_an_error(place, flip):
    data = bytearray(IMAGE.data)
    data[place] ^= flip
    try:
        memory = chip.Memory.from_bytes(bytes(data), MESH)
    except tumble.TreeError:
        return
    np.testing.assert_array_equal(chip.run(memory, IMAGE).pairs, tumble.collide(MESH, MESH).pairs)


def test_resources_that_do_not_suffice_are_named():
    mesh = tumble.shapes.icosphere(2)
    with pytest.raises(tumble.OptionError, match=r"4 words of the SRAM; use Design\(sram_words=8\)"):
        chip.run(mesh, mesh, design=chip.Design(sram_words=4))
    with pytest.raises(tumble.TreeError, match=r"depth 9 is too deep for the 5 levels"):
        chip.run(mesh, mesh, design=chip.Design(levels=5))
    with pytest.raises(tumble.OptionError, match="most_cycles=1000"):
        chip.run(mesh, mesh, most_cycles=1000)
