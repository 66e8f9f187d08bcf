"""Is this a boxtree over this mesh? Links, planes, triangle order and containment, checked without any kernel.

Containment is tested in float64: a vertex may be outside its box by the rounding of (vertex - origin) * scale, no more.
The builder's boxes contain every vertex in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.errors import TreeError
from tumble.hierarchy.boxtree.layout import AXIS_BITS, COUNT_SHIFT, MOST_IN_CHAIN, NODE, SIDE_BIT

if TYPE_CHECKING:
    from tumble.hierarchy.boxtree.tree import BoxTree

REACH = 2.0
"""boxes lie within these local coordinates: the builder's stay below 1 and a little"""


def validate(tree: BoxTree) -> None:
    """Check a boxtree; raise TreeError at the first fault."""
    _check_frame(tree)
    tree._check_triangles()
    if len(tree) == 0:
        return
    fields = tree.nodes.view(NODE)[:, 0]
    _check_planes(fields)
    _check_places(fields, len(tree.mesh))
    reached = 0
    for nodes, boxes in _generations(fields, tree.box):
        reached += len(nodes)
        sound = (boxes[:, :3] <= boxes[:, 3:]).all(axis=1)
        if not sound.all():
            raise TreeError(f"node {nodes[np.argmin(sound)]} has a plane that cuts off its whole box")
        _check_leaves(tree, fields, nodes, boxes)
    if reached < len(tree):
        raise TreeError(f"{len(tree) - reached} nodes cannot be reached from the root")


def _check_frame(tree: BoxTree) -> None:
    numbers = np.concatenate([tree.origin, tree.box])
    if not np.isfinite(numbers).all() or (tree.box[:3] > tree.box[3:]).any() or (np.abs(tree.box) > REACH).any():
        raise TreeError(
            f"the root's box {tree.box} is not a box within ±{REACH}, or its origin {tree.origin} is not finite"
        )
    if not (0.0 < tree.scale < np.inf) or np.frexp(tree.scale)[0] != 0.5:
        raise TreeError(f"the scale must be a power of two, not {tree.scale}")
    if (np.abs(tree.origin) > tree.mesh.extent).any():
        raise TreeError(f"the origin {tree.origin} is outside the mesh, which ends at ±{tree.mesh.extent}")


def _check_planes(fields: NDArray[np.void]) -> None:
    _refuse(~np.isfinite(fields["offset"]) | ~(fields["offset"] >= 0.0), "has an offset that is negative or not finite")
    _refuse(fields["kind"] & AXIS_BITS == 3, "has a plane on an axis that there is not")
    if fields["offset"][0] != 0.0 or fields["kind"][0] & (AXIS_BITS | SIDE_BIT):
        raise TreeError("node 0, the root, has a plane that is not zero")


def _check_places(fields: NDArray[np.void], triangles: int) -> None:
    """Check that every node but the root is the child of one, after it, and that leaves share out all places."""
    counts, links = (fields["kind"] >> COUNT_SHIFT).astype(np.int64), fields["link"].astype(np.int64)
    leaf = counts > 0
    pair = ~leaf & (links >= 0)
    firsts, lasts = np.where(pair, links, ~links), np.where(pair, links + 1, ~links)
    wrong = (firsts <= np.arange(len(links))) | (lasts >= len(links))
    _refuse(~leaf & wrong, "has no nodes after it where its link points")
    if not np.array_equal(np.sort(np.concatenate([firsts[~leaf], lasts[pair]])), np.arange(1, len(links))):
        raise TreeError("the links do not lead to every node but the root once")
    chained = np.flatnonzero(~leaf & ~pair)
    ends = chained
    for _ in range(MOST_IN_CHAIN):
        ends = ends[~leaf[~links[ends]] & ~pair[~links[ends]]]
        ends = ~links[ends]
    if len(ends):
        raise TreeError(f"node {ends[0]} ends a chain of more than {MOST_IN_CHAIN} planes")
    by_place = np.argsort(links[leaf], kind="stable")
    starts, sizes = links[leaf][by_place], counts[leaf][by_place]
    if not np.array_equal(starts, np.cumsum(sizes) - sizes) or sizes.sum() != triangles:
        raise TreeError(f"the leaves do not share out the {triangles} places of the order")


def _generations(
    fields: NDArray[np.void], root: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Yield the root, its children, their children and so on, with their boxes."""
    nodes, boxes = np.zeros(1, np.int64), root[None]
    while len(nodes):
        yield nodes, boxes
        inner = fields["kind"][nodes] >> COUNT_SHIFT == 0
        links, boxes = fields["link"][nodes[inner]].astype(np.int64), boxes[inner]
        pair = links >= 0
        nodes = np.concatenate([np.where(pair, links, ~links), links[pair] + 1])
        boxes = np.concatenate([boxes, boxes[pair]])
        kind, offset = fields["kind"][nodes], fields["offset"][nodes].astype(np.float64)
        axis, upper, rows = kind & AXIS_BITS, kind & SIDE_BIT != 0, np.arange(len(nodes))
        boxes[rows[upper], axis[upper]] += offset[upper]
        boxes[rows[~upper], 3 + axis[~upper]] -= offset[~upper]


def _check_leaves(
    tree: BoxTree, fields: NDArray[np.void], nodes: NDArray[np.int64], boxes: NDArray[np.float64]
) -> None:
    """Check that the leaves among some nodes contain their triangles; then so do all nodes above them."""
    counts = (fields["kind"][nodes] >> COUNT_SHIFT).astype(np.int64)
    owner = np.repeat(np.arange(len(nodes)), counts)
    places = fields["link"][nodes[owner]] + np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    triangles = tree.order[places]
    corners = (tree.mesh.vertices[tree.mesh.faces[triangles]] - tree.origin) * tree.scale
    # the rounding of both operations, to the outside of which the builder keeps
    slack = 2.0**-50 * np.abs(corners) + 2.0**-1000
    inside = (corners >= boxes[owner, None, :3] - slack) & (corners <= boxes[owner, None, 3:] + slack)
    good = inside.all(axis=(1, 2))
    if not good.all():
        worst = int(np.argmin(good))
        raise TreeError(f"leaf {nodes[owner[worst]]} does not contain its triangle {triangles[worst]}")


def _refuse(wrong: NDArray[np.bool_], fault: str) -> None:
    if wrong.any():
        raise TreeError(f"node {int(np.argmax(wrong))} {fault}")
