"""Boxtrees as objects: options, caching, pickling, files, and faults that validate finds."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tree_cases import random_soup

import tumble
from tumble import FileError, Mesh, OptionError, TreeError
from tumble.hierarchy import BoxTree
from tumble.hierarchy.boxtree import header
from tumble.hierarchy.boxtree.layout import MAX_DEPTH
from tumble.hierarchy.packed import header as packed_header

PARTS = ("nodes", "order", "box", "origin", "scale")


def boxtree(count: int = 40, seed: int = 0, **options: Any) -> BoxTree:
    return tumble.build(random_soup(count, seed), volume="boxtree", **options)


def same(one: BoxTree, other: BoxTree) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in PARTS) and np.array_equal(
        one.mesh.vertices, other.mesh.vertices
    )


def test_the_second_build_is_the_first() -> None:
    mesh = random_soup(50)
    tree = tumble.build(mesh, "boxtree")
    assert tree is tumble.build(mesh, volume="boxtree", arity=2, planes="chained")
    assert tree is not tumble.build(mesh, "boxtree", leaf_size=5)
    assert tree.volume == "boxtree"


def test_the_defaults_of_other_volumes_stay() -> None:
    mesh = random_soup(50)
    assert tumble.build(mesh) is tumble.build(mesh, "aabb", "median", 1, 2)
    assert tumble.build(mesh) is tumble.build(mesh, "aabb", None, None)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"leaf_size": 32}, "leaf_size must be a whole number from 1 to 31, not 32"),
        ({"leaf_size": 0}, "leaf_size must be a whole number from 1 to 31, not 0"),
        ({"leaf_size": True}, "leaf_size"),
        ({"arity": 3}, "arity must be 2, not 3"),
        ({"arity": 1}, "arity"),
        ({"split": "lbvh"}, "unknown split rule 'lbvh'; choose one of: .*sah"),
        ({"planes": "oblique"}, "unknown planes 'oblique'; choose one of: .*free"),
        ({"planes": 3}, "unknown planes 3"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        boxtree(**options)


def test_planes_are_for_boxtrees() -> None:
    with pytest.raises(OptionError, match="planes='free' is an option of boxtrees"):
        tumble.build(random_soup(3), "aabb", planes="free")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol: int) -> None:
    tree = boxtree()
    again = pickle.loads(pickle.dumps(tree, protocol))
    again.validate()
    assert same(tree, again)
    assert again.address != tree.address
    assert not again.nodes.flags.writeable


def test_copies_and_lifetime(quick_collections: None) -> None:
    tree = boxtree()
    assert same(tree, copy.deepcopy(tree))
    gone = weakref.ref(tree)
    del tree
    gc.collect()
    assert gone() is None


def test_immutable() -> None:
    tree = boxtree()
    with pytest.raises(AttributeError, match="immutable"):
        tree.nodes = tree.nodes
    with pytest.raises(ValueError, match="read-only"):
        tree.nodes[0, 0] = 1


def test_repr() -> None:
    assert re.match(r"<BoxTree of \d+ nodes, depth \d", repr(boxtree(4, leaf_size=1)))


def test_the_header_leads_to_everything() -> None:
    tree = boxtree()
    words, integers = tree._header, tree._header.view(np.int64)
    assert integers[header.NODES] == tree.nodes.ctypes.data
    assert integers[header.ORDER] == tree.order.ctypes.data
    assert integers[packed_header.VERTICES] == tree.mesh.vertices.ctypes.data
    assert integers[packed_header.FACES] == tree.mesh.faces.ctypes.data
    assert list(words[packed_header.ORIGIN : packed_header.ORIGIN + 3]) == list(tree.origin)
    assert words[packed_header.SCALE] == tree.scale
    assert words[packed_header.EXTENT] == tree.mesh.extent
    assert words[packed_header.RADIUS] >= np.linalg.norm(tree.mesh.vertices - tree.origin, axis=1).max()
    assert list(words[header.BOX : header.BOX + 6]) == list(tree.box)
    assert (integers[header.NODE_COUNT], integers[header.DEPTH]) == (len(tree), tree.depth)
    assert tree.address == words.ctypes.data


def test_files(tmp_path: Path) -> None:
    for tree in (boxtree(), tumble.build(Mesh([], []), "boxtree")):
        tree.save(tmp_path / "tree.npz")
        again = tumble.load_tree(tmp_path / "tree.npz")
        assert isinstance(again, BoxTree)
        assert same(tree, again)


def remade(tree: BoxTree, **changes: Any) -> BoxTree:
    parts = {name: np.array(getattr(tree, name)) for name in PARTS} | changes
    return BoxTree._of_sound(tree.mesh, *(parts[name] for name in PARTS[:-1]), float(parts["scale"]))


def with_node(tree: BoxTree, node: int, **fields: Any) -> dict[str, Any]:
    nodes = tree.nodes.copy()
    record = nodes.view([("offset", "<f4"), ("link", "<i4"), ("kind", "u1")])[node, 0]
    for name, value in fields.items():
        record[name] = value(record[name]) if callable(value) else value
    return {"nodes": nodes}


def first_leaf(tree: BoxTree) -> int:
    return int(np.argmax(tree.leaf_counts > 0))


FAULTS: dict[str, Any] = {
    "link beyond the end": (lambda t: with_node(t, 0, link=len(t) - 1), "node 0"),
    "link backwards": (lambda t: with_node(t, 1, link=0), "node 1"),
    "negative link": (lambda t: with_node(t, 0, link=-(10**6)), "node 0"),
    "a chain that leaves out nodes": (lambda t: with_node(t, 0, link=-2), "every node but the root once"),
    "a ring": (lambda t: with_node(t, 1, link=-1), "node 1"),
    "two parents": (lambda t: with_node(t, 0, link=3), "every node but the root once"),
    "a leaf's place": (lambda t: with_node(t, first_leaf(t), link=lambda x: x + 1), "places of the order"),
    "a leaf far away": (lambda t: with_node(t, first_leaf(t), link=10**6), "places of the order"),
    "a count too large": (lambda t: with_node(t, first_leaf(t), kind=lambda x: x + 8), "places of the order"),
    "an offset not a number": (lambda t: with_node(t, 1, offset=np.nan), "node 1 has an offset"),
    "an infinite offset": (lambda t: with_node(t, 1, offset=np.inf), "node 1 has an offset"),
    "a negative offset": (lambda t: with_node(t, 1, offset=-0.1), "node 1 has an offset"),
    "an offset too large": (lambda t: with_node(t, 1, offset=9.0), "node 1 has a plane that cuts off its whole box"),
    "a little too large": (
        lambda t: with_node(t, first_leaf(t), offset=lambda x: x * 1.001 + 1e-3),
        "does not contain",
    ),
    "a fourth axis": (lambda t: with_node(t, 1, kind=lambda x: x | 3), "node 1 has a plane on an axis"),
    "a plane of the root": (lambda t: with_node(t, 0, offset=0.01), "the root"),
    "an axis of the root": (lambda t: with_node(t, 0, kind=lambda x: x | 1), "the root"),
    "a triangle twice": (lambda t: {"order": np.where(t.order == 1, 0, t.order).astype(np.int32)}, "once"),
    "triangles swapped": (lambda t: {"order": np.ascontiguousarray(t.order[::-1])}, "does not contain"),
    "a box inside out": (lambda t: {"box": t.box[::-1].copy()}, "root's box"),
    "a box not a number": (lambda t: {"box": t.box * np.nan}, "root's box"),
    "an infinite box": (lambda t: {"box": t.box * np.inf}, "root's box"),
    "a box too small": (lambda t: {"box": t.box * 0.99}, "does not contain"),
    "an origin not finite": (lambda t: {"origin": t.origin * np.inf}, "origin"),
    "an origin outside": (lambda t: {"origin": t.origin + 10.0}, "origin"),
    "a scale not a power of two": (lambda t: {"scale": t.scale * 1.5}, "scale"),
    "a scale of zero": (lambda t: {"scale": 0.0}, "scale"),
    "nodes of eight bytes": (lambda t: {"nodes": np.zeros((3, 8), np.uint8)}, "nodes must have shape"),
    "wide order": (lambda t: {"order": t.order.astype(np.int64)}, "order must have shape"),
    "no nodes": (lambda t: {"nodes": t.nodes[:0]}, "there are 0 nodes"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault: str, tmp_path: Path) -> None:
    tree = boxtree(60, leaf_size=2)
    changes, message = FAULTS[fault]
    with pytest.raises(TreeError, match=message):
        remade(tree, **changes(tree)).validate()
    content = {name: getattr(tree, name) for name in PARTS} | changes(tree)
    content |= {"vertices": tree.mesh.vertices, "faces": tree.mesh.faces, "volume": "boxtree"}
    np.savez(tmp_path / "tree.npz", format="tumble-tree", version=1, **content)
    with pytest.raises(FileError, match="damaged"):
        tumble.load_tree(tmp_path / "tree.npz")


def test_too_many_levels_are_refused() -> None:
    mesh = random_soup(MAX_DEPTH + 2)
    count = 2 * len(mesh) - 1
    nodes = np.zeros((count, 9), np.uint8)
    fields = nodes.view([("offset", "<f4"), ("link", "<i4"), ("kind", "u1")])[:, 0]
    for k in range(len(mesh) - 1):  # a chain: leaf, inner, leaf, inner, ...
        fields["link"][0 if k == 0 else 2 * k] = 2 * k + 1
        fields["link"][2 * k + 1], fields["kind"][2 * k + 1] = k, 1 << 3
    fields["link"][count - 1], fields["kind"][count - 1] = len(mesh) - 1, 1 << 3
    whole = tumble.build(mesh, "boxtree")
    with pytest.raises(TreeError, match=f"more than {MAX_DEPTH} levels"):
        BoxTree(mesh, nodes, np.arange(len(mesh), dtype=np.int32), whole.box, whole.origin, whole.scale)
