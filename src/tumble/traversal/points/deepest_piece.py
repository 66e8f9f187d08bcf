"""How deep triangles reach into a solid at most: the branch and bound of `solid.overlap.reach` in one kernel."""

from typing import NamedTuple

from tumble.core.jit import inlined_kernel, kernel
from tumble.narrow.overlap.near_faces import corner, cut_pieces, farthest_corner, write_piece
from tumble.traversal.points.near_pieces import (
    CUT,
    DONE,
    FEW,
    NO_MEMORY,
    ORIENTED,
    TOO_MANY,
    locate,
    radius_of,
    take_over,
    write_jobs,
)

DEPTH, MOST, POINT, NEAREST = 0, 1, 2, 5
"""places in what is found: how deep the deepest middle is, what no point exceeds, that middle, and what is nearest"""
FOUND = 8


class Search(NamedTuple):
    """When a piece is done, and when all is."""

    close: float
    """the factor by which bounds may exceed the depth at the end"""
    enough: float
    """depths below this need not be told from each other"""
    most: int
    """triangles that are looked at; then the bounds are what they are"""


@inlined_kernel
def keep_deepest(memory, count, found):
    """Keep the deepest of the middles so far."""
    deepest = 0
    for i in range(1, count):
        if memory.heights[i] < memory.heights[deepest]:
            deepest = i
    if -memory.heights[deepest] > found[DEPTH]:
        found[DEPTH] = -memory.heights[deepest]
        for k in range(3):
            found[POINT + k] = memory.middles[deepest, k]
            found[NEAREST + k] = memory.nearest_points[deepest, k]


@inlined_kernel
def keep_deeper(memory, count, surface, limit, found):
    """Move the pieces to the front that may be deeper than a limit; return how many, and how deep these may be.

    What others may reach is written to `found`.
    """
    left, deepest = 0, 0.0
    for i in range(count):
        if not memory.heights[i] < radius_of(memory, i):
            continue
        bound = farthest_corner(memory.pieces, i, memory.faces[i], surface)
        if not bound > limit:
            found[MOST] = max(found[MOST], bound)
            continue
        deepest = max(deepest, bound)
        a, b, c = corner(memory.pieces, i, 0), corner(memory.pieces, i, 1), corner(memory.pieces, i, 2)
        write_piece(memory.pieces, left, a, b, c)
        memory.owners[left], memory.faces[left] = memory.owners[i], memory.faces[i]
        left += 1
    return left, deepest


@kernel
def find_deepest(first, solid, surface, search, memory, found):
    """Find how deep triangles reach into a solid; return how that ended.

    first     (n, 3, 3) triangles, for which there is memory
    solid     addresses: see `near_pieces`
    surface   the faces of the solid
    found     (FOUND,) what is found: see DEPTH and so on
    """
    count, left = len(first), search.most
    if count > len(memory.pieces):
        return NO_MEMORY
    for i in range(count):
        write_piece(memory.pieces, i, corner(first, i, 0), corner(first, i, 1), corner(first, i, 2))
        memory.owners[i] = 0
    write_jobs(solid, memory)
    found[DEPTH] = found[MOST] = 0.0
    while count > 0:
        ending = locate(memory, count, solid[ORIENTED])
        if ending != DONE:
            return ending
        keep_deepest(memory, count, found)
        left -= count
        count, deepest = keep_deeper(memory, count, surface, max(search.close * found[DEPTH], search.enough), found)
        if left <= 0:
            found[MOST] = max(found[MOST], deepest)
            return TOO_MANY
        for _ in range(2):
            if count > 0:
                if 3 * count > len(memory.pieces):
                    return NO_MEMORY
                count = cut_pieces(memory.pieces, count, memory.faces, surface, CUT, memory.more, memory.rows)
                take_over(memory, count)
            if count >= FEW:
                break
    return DONE
