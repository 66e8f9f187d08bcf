"""The state of a node: the ends of its intervals along the axes of an overlap test.

A box is cut by a plane; along any axis s, that moves one end of the box's interval by c |n · s|, where n is the normal
of the plane and c how much it cuts off, and the other end stays. Which end, and the factor |n · s|, depend on the
plane's axis and side alone: a row of factors for each of the six kinds of planes is all that a test is made of.

    a node of tree a:   low,  and -high:    a cut adds to them
    a node of tree b:   high, and -low:     a cut takes from them
    apart               when any number of a's state is larger than the one at the same place of b's

So each axis has two places: its lower one compares a's low with b's high, its upper one -high with -low. Both are
written so that what is infinite or not a number parts nothing. The margin is in the ends of b's root and stays there.

    setup of a query:    rows of tree a, by kind of plane; rows of tree b; state of a's root; state of b's root;
                        the places that change, for `plain`
"""

from numba import int64

from tumble.core.jit import external, kernel
from tumble.core.simd.memory import float64_at, int64_at, set_float64, set_int64
from tumble.hierarchy.boxtree.header import BOX

MOST_PLACES = 32
STATE_BYTES = 8 * MOST_PLACES
KINDS = 8  # of planes: axis and four times the side, as in a node
UPPER_SIDE = 4

ROWS = (0, KINDS * STATE_BYTES)
ROOTS = (2 * KINDS * STATE_BYTES, (2 * KINDS + 1) * STATE_BYTES)
CHANGES = ((2 * KINDS + 2) * STATE_BYTES, (3 * KINDS + 2) * STATE_BYTES)
SETUP_WORDS = (4 * KINDS + 2) * MOST_PLACES
# Changes by a kind of plane: the place of the tree's own axis or -1, how many others there are, and their places.
OWN, OTHERS, FIRST_OTHER = 0, 1, 2


# An axis, as an argument: components along it of a's and of b's axes, how far b is shifted along it, the margin.
ALONG, AXIS_SHIFT, AXIS_MARGIN = (0, 3), 6, 7
AXIS_WORDS = 8
# Of which tree it is an axis, if any: there, only planes of this axis change anything, and by just what they cut off.
OF_NONE, OF_A, OF_B = 0, 1, 2


@external(int64(int64, int64))
def clear_setup(setup, places):
    """Begin: no axes yet, and all places equal, so that those that no axis uses part nothing."""
    for row in range(2 * KINDS + 2):
        for k in range(places):
            set_float64(setup + row * STATE_BYTES, k, 0.0)
    for row in range(2 * KINDS):
        changes = setup + CHANGES[0] + row * STATE_BYTES
        set_int64(changes, OWN, -1)
        set_int64(changes, OTHERS, 0)
    return 0


@kernel
def note_change(setup, side, kind, place, factor, own):
    """Note that planes of a kind move the end at a place by a factor of what they cut off."""
    row = (KINDS * side + kind) * STATE_BYTES
    set_float64(setup + row, place, factor)
    changes = setup + CHANGES[0] + row
    if own:
        set_int64(changes, OWN, place)
    else:
        count = int64_at(changes, OTHERS)
        set_int64(changes, FIRST_OTHER + count, place)
        set_int64(changes, OTHERS, count + 1)


@kernel
def describe_planes(setup, side, normal, along, lower, upper, own):
    """Describe the two kinds of planes with a normal; `along` is its component along the axis."""
    # a plane parallel to the axis moves neither end
    if along == 0.0:
        return
    # lower children lose their high end where the normal points along the axis
    if (along < 0.0) == (side == 0):
        lower, upper = upper, lower
    factor = abs(along) if side == 0 else -abs(along)
    note_change(setup, side, normal, upper, factor, own)
    note_change(setup, side, normal + UPPER_SIDE, lower, factor, own)


@kernel
def span(tree, along):
    """Return low and high of the root's box along an axis."""
    low = high = 0.0
    for k in range(3):
        one = float64_at(along, k) * float64_at(tree, BOX + k)
        other = float64_at(along, k) * float64_at(tree, BOX + 3 + k)
        low += min(one, other)
        high += max(one, other)
    return low, high


@external(int64(*7 * (int64,)))
def add_axis(setup, tree_a, tree_b, lower, upper, axis, owner):
    """Add an axis, given by its address, at two places."""
    # the margin is added once, to b's root: cuts only subtract, so it stays in all ends below
    shift, margin = float64_at(axis, AXIS_SHIFT), float64_at(axis, AXIS_MARGIN)
    low, high = span(tree_a, axis + 8 * ALONG[0])
    set_float64(setup + ROOTS[0], lower, low)
    set_float64(setup + ROOTS[0], upper, -high)
    low, high = span(tree_b, axis + 8 * ALONG[1])
    set_float64(setup + ROOTS[1], lower, high + shift + margin)
    set_float64(setup + ROOTS[1], upper, margin - shift - low)
    for k in range(3):
        describe_planes(setup, 0, k, float64_at(axis, ALONG[0] + k), lower, upper, owner == OF_A)
        describe_planes(setup, 1, k, float64_at(axis, ALONG[1] + k), lower, upper, owner == OF_B)
    return 0
