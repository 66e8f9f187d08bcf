"""`self_collide`: the triangles of one mesh that meet each other."""

from __future__ import annotations

import numpy as np

from tumble.mesh import MeshLike, as_mesh
from tumble.parallel import thread_count
from tumble.result import Collision, pairs_of_keys

IDENTITY = np.eye(4)
IDENTITY.flags.writeable = False


def self_collide(mesh: MeshLike, *, first: bool = False, threads: int | None = None) -> Collision:
    """Return the pairs i < j of triangles of a mesh that meet each other, exactly.

    Triangles that share vertices, by index, always touch there, and that is no hit. They are one when they share a
    point beyond: more than the one vertex, or more than the edge (then they are folded onto each other). Two triangles
    with the same three vertices are a hit. Vertices with equal coordinates and different numbers are not shared: merge
    them first if they should be. docs/self-collision.md says more.

    mesh     a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`
    first    stop at the first pair
    threads  at most so many at a time; None: all cores. The result does not depend on it.
    """
    from tumble.hierarchy.packed import packed
    from tumble.traversal.wide.collect import all_keys, first_key
    from tumble.traversal.wide.self_touch import meeting_in_blocks

    workers = thread_count(threads)
    tree = packed(as_mesh(mesh), threads)
    pose = IDENTITY.ctypes.data

    def walk(start: int, stop: int, *buffers: int) -> int:
        return int(meeting_in_blocks(tree.address, pose, start, stop, *buffers))

    if first:
        return Collision(pairs_of_keys(first_key(walk, len(tree.blocks), workers)))
    keys = all_keys(walk, len(tree.blocks), workers)
    return Collision(pairs_of_keys(np.unique(keys) if tree.repeats else np.sort(keys)))
