"""Trees made by hand of their parts: numbers that would lead kernels to foreign memory are refused, all is copied."""

import numpy as np
import pytest

import tumble
from tumble.errors import MeshError, OptionError, TreeError
from tumble.hierarchy.layout import ESCAPE, FIRST, PARENT, START
from tumble.mesh import shapes

MESH = shapes.icosphere(1)
PARTS = {
    volume: {name: getattr(tumble.build(MESH, volume), name) for name in names}
    for volume, names in {
        "aabb": ("mesh", "volume", "nodes", "rows", "order"),
        "boxtree": ("mesh", "nodes", "order", "box", "origin", "scale"),
    }.items()
}
MAKE = {"aabb": tumble.Tree, "boxtree": tumble.BoxTree}
FAR = 1 << 30


def changed(array, place, value):
    copy = np.array(array)
    copy[place] = value
    return copy


def orders(order):
    return {
        "too large": changed(order, 3, FAR),
        "negative": changed(order, 3, -1),
        "twice": changed(order, 3, order[4]),
        "too short": order[:-1],
        "too long": np.append(order, order[:1]),
        "two-dimensional": order[None],
        "floats": order.astype(float),
        "wrapped": order + np.int64(1 << 32),
        "text": ["a"] * len(order),
        "ragged": [[1], [1, 2]],
        "nothing": None,
    }


@pytest.mark.parametrize("volume", MAKE)
@pytest.mark.parametrize("fault", orders(PARTS["aabb"]["order"]))
def test_a_wrong_order_of_triangles(volume, fault):
    with pytest.raises(TreeError):
        MAKE[volume](**{**PARTS[volume], "order": orders(PARTS[volume]["order"])[fault]})


@pytest.mark.parametrize("column", [ESCAPE, FIRST, PARENT, START])
@pytest.mark.parametrize("value", [FAR, -5])
def test_links_that_lead_nowhere(column, value):
    with pytest.raises(TreeError):
        tumble.Tree(**{**PARTS["aabb"], "nodes": changed(PARTS["aabb"]["nodes"], (2, column), value)})


@pytest.mark.parametrize("node", [0, 1, 5])
def test_a_boxtree_with_links_that_lead_nowhere(node):
    damaged = changed(PARTS["boxtree"]["nodes"], (node, slice(0, 8)), 255)
    with pytest.raises(TreeError):
        tumble.BoxTree(**{**PARTS["boxtree"], "nodes": damaged})


@pytest.mark.parametrize(("volume", "part"), [(volume, part) for volume in MAKE for part in PARTS[volume]])
@pytest.mark.parametrize("value", [None, 7, [], np.zeros((2, 2, 2)), np.float64(2.5), "text", [[1], [1, 2]]])
def test_parts_that_are_none(volume, part, value):
    with pytest.raises((TreeError, MeshError, OptionError)):
        MAKE[volume](**{**PARTS[volume], part: value})


@pytest.mark.parametrize("volume", MAKE)
def test_a_tree_has_arrays_of_its_own(volume):
    """What the caller writes into the parts afterwards would not be checked."""
    parts = {name: np.array(part) if isinstance(part, np.ndarray) else part for name, part in PARTS[volume].items()}
    tree = MAKE[volume](**parts)
    for name, part in parts.items():
        if isinstance(part, np.ndarray):
            own = getattr(tree, name)
            assert not np.shares_memory(own, part)
            with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                own.flags.writeable = True
    np.testing.assert_array_equal(tumble.collide(tree, tree).pairs, tumble.collide(MESH, MESH).pairs)


@pytest.mark.parametrize("volume", MAKE)
def test_a_mesh_may_come_as_arrays(volume):
    tree = MAKE[volume](**{**PARTS[volume], "mesh": (MESH.vertices, MESH.faces)})
    assert len(tree.mesh) == len(MESH)
