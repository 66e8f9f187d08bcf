"""States end by end, as paper `boxtree` counts: only what a cut changes is computed, and only that is compared.

Ends that no cut of the two nodes moves need no comparison: the parents were compared, and did overlap. Which ends those
are is looked up (`intervals`), so that there is nothing to decide by signs on the way. `tumble.bench.operations` counts
what is done here.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, int64_at, set_float64
from tumble.traversal.boxtree.intervals import FIRST_OTHER, OTHERS, OWN


@inlined_kernel
def copy_state(parent, place, places):
    """Copy all ends."""
    for k in range(places):
        set_float64(place, k, float64_at(parent, k))


@inlined_kernel
def cut_changes(changes, row, offset, side, place):
    """Change the ends that a plane moves."""
    # along the tree's own axis the factor is one, and the paper counts no multiplication
    own = int64_at(changes, OWN)
    if own >= 0:
        end = float64_at(place, own)
        set_float64(place, own, end + offset if side == 0 else end - offset)
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        set_float64(place, at, float64_at(place, at) + offset * float64_at(row, at))


@inlined_kernel
def cut_changes_by_products(changes, products, place):
    """Change the ends that a plane of tree b moves, by the products of a lookup table."""
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        set_float64(place, at, float64_at(place, at) - float64_at(products, at & 3))


@inlined_kernel
def changes_apart(changes, state_a, state_b):
    """Tell whether one of the ends that a cut moved parts two nodes."""
    own = int64_at(changes, OWN)
    if own >= 0 and float64_at(state_a, own) > float64_at(state_b, own):
        return True
    for k in range(FIRST_OTHER, FIRST_OTHER + int64_at(changes, OTHERS)):
        at = int64_at(changes, k)
        if float64_at(state_a, at) > float64_at(state_b, at):
            return True
    return False
