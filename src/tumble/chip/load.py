"""From a mesh or its tree to the image in the chip's memory."""

import numpy as np
from numpy.typing import NDArray

from tumble.chip import image
from tumble.chip.design import NODE_BYTES, check_dop
from tumble.chip.memory import Memory
from tumble.errors import MeshError, TreeError
from tumble.hierarchy import Tree, build
from tumble.hierarchy.layout import FIRST, PARENT, RIGHT, START
from tumble.mesh import MeshLike, as_mesh


def load(mesh: MeshLike | Tree, k: int = 24) -> Memory:
    """Return the memory image of a mesh, with a tree of k-DOPs over it, or with just the tree that is given.

    A given tree must be one of k-DOPs, `tumble.build(mesh, "kdop24")` or hand-made, with at most two children per
    node and one triangle per leaf.
    """
    check_dop(k)
    if isinstance(mesh, Tree):
        _check_tree(mesh, f"kdop{k}")
    source = mesh.mesh if isinstance(mesh, Tree) else as_mesh(mesh)
    image.check_range(source.extent)
    tree = mesh if isinstance(mesh, Tree) else build(source, f"kdop{k}")
    if len(tree) == 0:
        return Memory(b"", tree.mesh, k, 0, np.zeros(k))
    return _image(tree, k)


def _check_tree(tree: Tree, volume: str) -> None:
    if tree.volume != volume:
        raise TreeError(
            f"the chip wants a tree of volume {volume!r}, not {tree.volume!r}: tumble.build(mesh, {volume!r})"
        )
    if tree.arity > 2:
        raise TreeError(
            f"the chip reads sibling pairs, but the tree has a node with {tree.arity} children; use arity=2"
        )
    if tree.leaf_size > 1:
        raise TreeError(
            f"a leaf of the chip holds one triangle, but the tree has one with {tree.leaf_size}; use leaf_size=1"
        )


def _image(tree: Tree, k: int) -> Memory:
    links = tree.nodes
    inner = links[:, FIRST] >= 0
    # pair 0 is the root and an empty node; the inner node of rank r has its children in pair r + 1
    pair = np.cumsum(inner)
    pairs = int(pair[-1]) + 1
    second = links[:, RIGHT] != 0
    second[links[inner, FIRST]] = False  # an only child counts as a right one in the tree, here it comes first
    line = np.where(links[:, PARENT] < 0, 0, 2 * pair[links[:, PARENT]] + second)
    triangles = tree.order[links[~inner, START]]
    first_record = 2 * pairs
    lines = image.empty_lines(first_record + len(triangles))
    if len(lines) * NODE_BYTES > image.MAX_ADDRESS:
        raise MeshError(f"the image would take {len(lines) * NODE_BYTES} bytes; the chip addresses {image.MAX_ADDRESS}")
    _write_empty(lines[:first_record], k)
    _write_dops(lines, line, tree.rows, k)
    words = image.whole(lines)
    words[line, image.FLAGS_WORD] = np.where(inner, image.INNER, image.LEAF)
    words[line[inner], image.POINTER_WORD] = 2 * NODE_BYTES * pair[inner]
    leaves = line[~inner]
    words[leaves, image.POINTER_WORD] = NODE_BYTES * (first_record + np.arange(len(leaves)))
    words[leaves, image.TRIANGLE_WORD] = triangles
    image.write_records(lines[first_record:], tree.mesh, triangles)
    reach = np.abs(lines[line, :k]).max(axis=0).astype(np.float64)
    return Memory(lines.tobytes(), tree.mesh, k, tree.depth, reach)


def _write_empty(lines: NDArray[np.float32], k: int) -> None:
    lines[:, : k // 2] = image.LARGEST
    lines[:, k // 2 : k] = -image.LARGEST
    image.whole(lines)[:, image.FLAGS_WORD] = image.EMPTY


def _write_dops(lines: NDArray[np.float32], line: NDArray[np.int64], rows: NDArray[np.float64], k: int) -> None:
    """Write the DOPs of the tree, rounded outward."""
    lines[line, : k // 2] = image.rounded_down(rows[:, : k // 2])
    lines[line, k // 2 : k] = image.rounded_up(rows[:, k // 2 :])
