"""`self_collide`: the triangles of one mesh that meet each other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tumble.core.parallel import thread_count
from tumble.hierarchy.packed import PackedTree, packed
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.query.answer import Collision, pairs_of_keys

IDENTITY = np.eye(4)
IDENTITY.flags.writeable = False


def self_collide(
    mesh: MeshLike, *, first: bool = False, candidates: bool = False, threads: int | None = None
) -> Collision:
    """Return the pairs i < j of triangles of a mesh that meet each other, exactly.

    Triangles that share vertices, by index, always touch there, and that is no hit. They are one when they share a
    point beyond: more than the one vertex, or more than the edge (then they are folded onto each other). Two triangles
    with the same three vertices are a hit. Vertices with equal coordinates and different numbers are not shared: merge
    them first if they should be. docs/self-collision.md says more.

    mesh        a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`
    first       stop at the first pair
    candidates  all pairs whose axis-aligned boxes share a point instead, neighbours included; `tumble.candidates` has
                more of them
    threads     at most so many at a time; None: all cores. The result does not depend on it.
    """
    from tumble.traversal.bulk.sort import sort_keys
    from tumble.traversal.packed.collect import all_keys, first_key

    workers = thread_count(threads)
    given = as_mesh(mesh)
    tree = packed(given, threads)
    walk, blocks = _candidates_of(given, tree, workers) if candidates else _hits_of(tree)
    if first:
        return Collision(pairs_of_keys(first_key(walk, blocks, workers)))
    keys = all_keys(walk, blocks, workers)
    if tree.repeats:
        keys = np.unique(keys)
    else:
        sort_keys(keys, workers)
    return Collision(pairs_of_keys(keys))


def _hits_of(tree: PackedTree) -> tuple[Callable[..., int], int]:
    """Return the walk that finds hits, and how many blocks it has to go through."""
    from tumble.traversal.packed.self_touch import meeting_in_blocks

    pose = IDENTITY.ctypes.data
    return lambda *places: int(meeting_in_blocks(tree.address, pose, *places)), len(tree.blocks)


def _candidates_of(mesh: Mesh, tree: PackedTree, workers: int) -> tuple[Callable[..., int], int]:
    """Return the walk that finds pairs of boxes, and how many blocks it has to go through."""
    from tumble.hierarchy.packed.over_boxes import boxes_about, build_over_boxes, frame_about
    from tumble.traversal.packed.box_pairs import box_pairs_in_blocks

    boxes = boxes_about(np.tile(mesh.vertices, 2), mesh.faces)
    # the leaves of triangles in pieces do not cover their boxes
    blocks = build_over_boxes(boxes, frame_about(boxes), workers) if tree.repeats else tree.blocks
    return lambda *places: int(box_pairs_in_blocks(blocks.ctypes.data, boxes.ctypes.data, *places)), len(blocks)
