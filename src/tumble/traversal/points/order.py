"""An order of points in which neighbours are near each other: along a Morton curve.

Then the search for one point begins with the triangle that was nearest to the last, and finds what it reads in the
cache. G. Morton, "A computer oriented geodetic data base", 1966.
"""

from numba import int64

from tumble.core.jit import fixed_kernel, inlined_kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import float32_at, set_int64
from tumble.core.simd.stack_memory import scratch
from tumble.traversal.points.prepare import POINT_WORDS, SINGLES, prepare_point, read_point

NONE = -1
NUMBER_BITS = 20
MOST_POINTS = 1 << NUMBER_BITS
"""that are put in order together: a key is a place on the curve above the number of the point"""
NUMBERS = MOST_POINTS - 1
AXIS_BITS = 14
CELLS = (1 << AXIS_BITS) - 1
REACH = 2.0
"""local coordinates beyond ± this count as this; the mesh is within ±1"""
MANY_POINTS = 4095  # bits of a point's number that are zero where the loop calls `poll`

# Places in the array of addresses and numbers that describes a job.
FRAME, POINTS, KEYS = range(3)


@inlined_kernel
def spread_bits(cell):
    """Return a number of up to 21 bits with two zeros between each two of them."""
    cell = (cell | cell << 32) & 0x1F00000000FFFF
    cell = (cell | cell << 16) & 0x1F0000FF0000FF
    cell = (cell | cell << 8) & 0x100F00F00F00F00F
    cell = (cell | cell << 4) & 0x10C30C30C30C30C3
    return (cell | cell << 2) & 0x1249249249249249


@fixed_kernel(int64(int64[::1], int64, int64))
def write_keys(job, start, stop):
    """Write the keys of points start to stop; return the number of the first that is not sound, or NONE."""
    point = scratch(POINT_WORDS)
    for i in range(start, stop):
        if i & MANY_POINTS == 0 and poll(0) != 0:
            break
        if not read_point(job[POINTS], i, point):
            return i
        prepare_point(job[FRAME], point)
        place = 0
        for axis in range(3):
            x = min(max(float32_at(point + SINGLES, axis), -REACH), REACH)
            place |= spread_bits(int((x + REACH) * (CELLS / (2.0 * REACH)))) << axis
        set_int64(job[KEYS], i, place << NUMBER_BITS | i)
    return NONE
