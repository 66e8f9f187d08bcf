"""Trees from parent lists: triangles land in their leaves, and what is no tree is refused by name."""

import numpy as np
import pytest
from link_definitions import HANDMADE, tree_over
from tree_cases import VOLUMES, random_soup

from tumble import Mesh, OptionError, Tree, TreeError
from tumble.hierarchy.layout import COUNT, FIRST, START


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize("name", HANDMADE)
def test_every_shape_is_valid_under_every_volume(name: str, volume: str) -> None:
    tree_over(HANDMADE[name], volume, per_leaf=3).validate()


def test_triangles_land_in_their_leaves() -> None:
    """Root 5; 3 and 1 below it, numbers decide which is left; 0 and 2 below 3."""
    leaf_of = [2, 1, 0, 2, 4, 1, 0]
    tree = Tree.from_parents(random_soup(7), [3, 5, 3, 5, 3, -1], leaf_of)
    leaves = tree.nodes[tree.nodes[:, FIRST] < 0]
    content = [sorted(tree.order[s : s + c].tolist()) for s, c in leaves[:, [START, COUNT]]]
    assert content == [[1, 5], [2, 6], [0, 3], [4]]
    tree.validate()


def test_a_tree_of_only_children_over_one_triangle() -> None:
    tree = Tree.from_parents(random_soup(1), [-1, 0, 1, 2], [3])
    tree.validate()
    assert (len(tree), tree.depth, tree.arity, tree.leaf_count) == (4, 3, 1, 1)


def test_arrays_of_any_integer_type_are_taken() -> None:
    for dtype in (np.int8, np.int16, np.int64):
        Tree.from_parents(random_soup(2), np.array([-1, 0, 0], dtype), np.array([1, 2], np.uint8)).validate()


REFUSED = [
    ("two roots", [-1, -1, 0], [1, 2], r"one root .*not 2.*\[0, 1\]"),
    ("no root", [1, 0], [0, 1], "one root .*not 0"),
    ("no node", [], [], "leaf_of names|one root"),
    ("a circle", [-1, 0, 3, 2], [1, 1], "node 2 is not connected to the root"),
    ("its own parent", [-1, 0, 2], [1, 1], "node 2 is not connected to the root"),
    ("a triangle in an inner node", [-1, 0, 0], [1, 0], "triangle 1 into node 0, which has children"),
    ("an empty leaf", [-1, 0, 0], [1, 1], "node 2 has neither"),
    ("a parent beyond the end", [-1, 3, 0], [1, 2], r"parents\[1\] is 3"),
    ("a parent below -1", [-1, -2, 0], [1, 2], r"parents\[1\] is -2"),
    ("a leaf beyond the end", [-1, 0, 0], [1, 3], r"leaf_of\[1\] is 3"),
    ("a negative leaf", [-1, 0, 0], [1, -1], r"leaf_of\[1\] is -1"),
    ("too few triangles", [-1, 0, 0], [1], "1 triangles, but the mesh has 2"),
    ("too many triangles", [-1, 0, 0], [1, 2, 2], "3 triangles, but the mesh has 2"),
    ("floats", [-1.0, 0.0, 0.0], [1, 2], "parents must be a flat list of whole numbers, not float64"),
    ("float leaves", [-1, 0, 0], [1.0, 2.0], "leaf_of must be a flat list"),
    ("truth values", [-1, 0, 0], [True, True], "leaf_of must be a flat list"),
    ("strings", ["-1", "0", "0"], [1, 2], "parents must be a flat list"),
    ("a table", [[-1, 0, 0]], [1, 2], "parents must be a flat list"),
    ("huge integers", [-1, 0, 2**70], [1, 2], "parents"),
    ("unsigned -1", np.array([2**64 - 1, 0, 0], np.uint64), [1, 2], "parents"),
    ("rows of different lengths", [[-1], [0, 0]], [1, 2], "parents"),
    ("a number", 5, [1, 2], "parents"),
    ("nothing", None, [1, 2], "parents"),
    ("leaves that are nothing", [-1, 0, 0], None, "leaf_of"),
    ("leaves that are a number", [-1, 0, 0], 1, "leaf_of"),
]


@pytest.mark.parametrize("parents, leaf_of, message", [pytest.param(*c[1:], id=c[0]) for c in REFUSED])
def test_what_is_no_tree_is_refused(parents: object, leaf_of: object, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        Tree.from_parents(random_soup(2), parents, leaf_of)


def test_unknown_volumes_are_refused() -> None:
    with pytest.raises(OptionError, match="unknown volume 'cone'"):
        Tree.from_parents(random_soup(1), [-1], [0], volume="cone")


def test_an_empty_mesh_has_no_leaf_to_fill() -> None:
    with pytest.raises(TreeError, match="node 0 has neither"):
        Tree.from_parents(Mesh([], []), [-1], [])
