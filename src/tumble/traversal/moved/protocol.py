"""Volumes of tree b as seen from a, computed once for many tests: the part of an overlap test that is one node's.

Paper `boxtree`, Section 3.2.5: work for a node is done one level up and handed down, instead of anew for each pair that
the node is in. `move` writes a node's volume into a row, `overlap_moved` compares a node of a with such a row, and both
together do what `overlap` does, with the same margin. How wide a row is, the volume says: `VolumeKind.moved`.
"""

from tumble.core.jit import generic


@generic
def move(volumes, j, relative, moved, k):
    """Write the volume of node j of tree b, as a's frame sees it, into row k."""


@generic
def overlap_moved(volumes, i, moved, k, relative):
    """Tell whether node i of tree a may overlap the volume in row k."""
