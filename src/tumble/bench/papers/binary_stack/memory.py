"""Section 2: the bytes that a query walks with, by the paper's bounds (1) and (2), and here; Section 3: those of nodes.

With k bytes for a pair of nodes, c children at most and heights h of the two trees:

    (1)  k (c - 1) max(h_a, h_b)          an ordinary stack
    (2)  k + (h_a + h_b) / 8              a bit for each step down, and the current pair

A node of the paper has links of four bytes each: a left-most child and a counter of children for an ordinary stack; a
left-most child, an escape index and an ancestor counter for the binary one.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import tumble
from tumble.bench.framework.answers import counted
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study
from tumble.bench.papers.binary_stack.ascent import by_parents, noted
from tumble.bench.papers.binary_stack.links import (
    Visited,
    binary_walk,
    boxes_overlap,
    for_binary_stack,
    for_ordinary_stack,
    ordinary_walk,
)
from tumble.bench.papers.binary_stack.races import BINARY, STACK
from tumble.device.host.local_units import BOX_WIDTH, LINK_WIDTH
from tumble.hierarchy import Tree
from tumble.hierarchy.layout import ESCAPE, PARENT, RIGHT, RIGHTS
from tumble.mesh import Mesh, shapes
from tumble.scenario.objects import in_unit_cube
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.every import prepare

MEMORY = "memory"
BOUND, GIVEN = "bound", "given"
PAIR_BYTES = 8
# Where the two stand: they touch, so that walks go down to leaves.
DISTANCE, STEPS, STEP = 0.6, 7, 2
UNUSED = -1
# What is walked by the links of nodes alone: a torus beside itself, some way off, with two children per node and four.
WALKED, WALKED_CHILDREN, SHIFT = partial(shapes.torus, segments=16, sides=8), (2, 4), 0.4
NODE_SIZES = "node sizes"
PAPERS_STACK, PAPERS_BINARY = "paper, ordinary stack", "paper, binary stack"
DEVICES_NODE, CPU_NODE = "here, devices", "here, CPU"
WORD_BYTES = 4
OBB_NUMBERS = 15  # a centre, three directions, three half sizes; devices keep a fourth number with each of four vectors


def bound_1(children: int, height_a: int, height_b: int) -> float:
    """Bytes of an ordinary stack, as the paper has it."""
    return PAIR_BYTES * (children - 1) * max(height_a, height_b)


def bound_2(height_a: int, height_b: int) -> float:
    """Bytes of a binary stack, as the paper has it."""
    return PAIR_BYTES + (height_a + height_b) / 8


def measure_memory(study: Study, name: str, make: Callable[[], Mesh], children: int, split: str, say: Say) -> None:
    """Write the bytes of a query of two equal trees that touch; the mesh is made here."""
    mesh = make()
    tree = tumble.build(in_unit_cube(mesh), "aabb", split=split, leaf_size=1, arity=children)
    pose = tumbling_poses(DISTANCE, STEPS)[STEP]
    stack, binary = (prepare(tree, tree, None, pose, method=method) for method in ("stack", "binary-stack"))
    assert stack is not None
    assert binary is not None
    depth, case = tree.depth, f"{name}, {children} children"
    study.add_values(case, "", {"trees": name, "triangles": len(mesh), "children": children, "height": depth})
    counted(up := by_parents(binary))
    study.add(case, BINARY, "bits in use", noted(up).most_bits)
    study.add_values(case, "", {"nodes": len(tree), "numbered": numbered_nodes(tree)})
    ordinary = {BOUND: bound_1(children, depth, depth), "in use": _seen(stack), GIVEN: stack.nbytes}
    study.add_values(case, STACK, ordinary, "bytes")
    study.add_values(case, BINARY, {BOUND: bound_2(depth, depth), GIVEN: binary.nbytes}, "bytes")


def numbered_nodes(tree: Tree) -> int:
    """Nodes of which the numbering of Section 3 is true.

    A last child stands right behind its parent, has its escape index (Equations 5 to 7), and counts one more last child
    than the parent does; any other node but the root counts none.
    """
    nodes = tree.postorder.layout.nodes
    places, parents = np.arange(len(nodes)), nodes[:, PARENT]
    last = nodes[:, RIGHT] != 0
    above = nodes[np.maximum(parents, 0)]
    behind = (parents == places - 1) & (nodes[:, ESCAPE] == above[:, ESCAPE])
    behind &= nodes[:, RIGHTS] == above[:, RIGHTS] + 1
    return int(np.where(last, behind, nodes[:, RIGHTS] == 0).sum())


def _seen(query: Any) -> int:
    """The bytes of the stack that a run writes to."""
    pairs = query._arguments[0].stack
    pairs[:] = UNUSED
    query.collect()
    return int(pairs[(pairs != UNUSED).any(axis=1)].nbytes)


def add_node_sizes(study: Study, mesh: Mesh, what: str, say: Say) -> None:
    """Write the bytes of a node: its links, and its oriented box; then those of the whole tree of what falls.

    The paper's two kinds of nodes are made of a real tree, and walked with nothing else: see `links`.
    """
    study.add(what, "", "nodes", 2 * len(mesh) - 1)
    trees = [tumble.build(WALKED(), "aabb", leaf_size=1, arity=children) for children in WALKED_CHILDREN]
    walks = [_walks_by_links(tree) for tree in trees]
    study.add_values(what, "", {"walks": len(walks), "walks alike": sum(one == other for one, other in walks)})
    study.add(what, "", "visited", sum(len(one) for one, _ in walks))
    ordinary, binary = for_ordinary_stack(trees[0]).bytes_per_node, for_binary_stack(trees[0]).bytes_per_node
    links = {
        PAPERS_STACK: ("left-most child, number of children", ordinary, OBB_NUMBERS * WORD_BYTES),
        PAPERS_BINARY: ("left-most child, escape index, ancestor counter", binary, OBB_NUMBERS * WORD_BYTES),
        DEVICES_NODE: ("the same three, number of triangles", LINK_WIDTH * WORD_BYTES, BOX_WIDTH * WORD_BYTES),
        CPU_NODE: ("all that the ten traversals follow", trees[0].nodes[0].nbytes, OBB_NUMBERS * 8),
    }
    for name, (words, size, box) in links.items():
        study.add_values(what, name, {"links": words, "link bytes": size, "box bytes": box})


def _walks_by_links(tree: Tree) -> tuple[Visited, Visited]:
    """What an ordinary and a binary stack visit that have the links of their own nodes and no others."""
    overlap, (ordinary, binary) = boxes_overlap(tree, SHIFT), (for_ordinary_stack(tree), for_binary_stack(tree))
    return ordinary_walk(ordinary, ordinary, overlap), binary_walk(binary, binary, overlap)
