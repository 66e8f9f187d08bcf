"""The overlap tests by name, as `collide(..., tree="boxtree", overlap=...)` takes them."""

from tumble.core.options import checked_name

AXIS, LOOKUP, SAT, SAT_LITE = range(4)
OVERLAPS = {"axis": AXIS, "lookup": LOOKUP, "sat": SAT, "sat-lite": SAT_LITE}  # their numbers in kernels
DEFAULT_OVERLAP = "sat-lite"
VECTORS = (2, 2, 8, 3)  # vectors of four float64 in a state, by test: two ends for each of 3, 3, 15 and 6 axes
PLAIN = 4  # added to a number: end by end instead of by vectors, to compare the two
WHOLE = 8  # added to LOOKUP: tree b has whole numbers for offsets, see `whole_offsets`
TWO_PLANES = 16  # added to PLAIN: nodes of both trees hold the planes of their children, see `two_planes`
TEST_BITS = PLAIN - 1


def overlap_number(name: str) -> int:
    """Return the number of an overlap test in kernels, or raise OptionError with the names that exist."""
    if type(name) is str and name in OVERLAPS:  # of every query: a look at all names takes a microsecond
        return OVERLAPS[name]
    return OVERLAPS[checked_name("overlap test", name, tuple(OVERLAPS))]
