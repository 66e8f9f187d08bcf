"""The entry point of signed distances: as in `nearest_query`, and negative where one solid is inside the other.

It is apart because most who ask for distances need no rays, which take some seconds to compile.
"""

from numba import int64

from tumble.core.interrupts import REFUSED
from tumble.core.jit import direct_call, external, inlined_kernel
from tumble.core.simd.memory import float64_at, int64_at, set_float64
from tumble.core.simd.objects import OBJECT, object_at, release_gil, take_gil
from tumble.core.simd.stack_memory import scratch
from tumble.hierarchy.packed.header import COMPONENTS
from tumble.mesh.rigid_kernel import POSE_WORDS
from tumble.traversal.packed.nearest_query import DISTANCE, NUMBERS, checked_sides, run_query
from tumble.traversal.packed.query import data, length
from tumble.traversal.points.buried import INSIDE, UNSURE, part_is_buried


@inlined_kernel
def turn_sign(tree_a, pose_a, tree_b, pose_b, found, numbers):
    """Make the distance of two solids negative where one is buried; return what was found, and UNSURE if this is."""
    if found < 0 or float64_at(numbers, DISTANCE) == 0.0:
        return found
    buried = part_is_buried(tree_a, pose_a, tree_b, pose_b)
    if buried == INSIDE:
        set_float64(numbers, DISTANCE, -float64_at(numbers, DISTANCE))
    return buried if buried < 0 else found | buried & UNSURE


@external(int64(*7 * (int64,)))
def ask_nearest_solids(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Check the objects that Python passed, and run one query; other threads run while it searches."""
    a, b = scratch(POSE_WORDS), scratch(POSE_WORDS)
    tree_a, tree_b, deviation = checked_sides(header_a, header_b, pose_a, pose_b, identity, none, a, b)
    if deviation < 0.0 or int64_at(tree_a, COMPONENTS) == 0 or int64_at(tree_b, COMPONENTS) == 0:
        return REFUSED
    state = release_gil()
    found = turn_sign(tree_a, a, tree_b, b, run_query(tree_a, a, tree_b, b, deviation, numbers), numbers)
    take_gil(state)
    return found


@direct_call(int64(*7 * (OBJECT,)))
def nearest_solids(header_a, header_b, pose_a, pose_b, identity, none, numbers):
    """Return the same as `nearest_pair`, the distance signed; UNSURE is added where the sign is not known."""
    if length(object_at(numbers), 0) != NUMBERS:
        return REFUSED
    return ask_nearest_solids(
        object_at(header_a), object_at(header_b), object_at(pose_a), object_at(pose_b), object_at(identity),
        object_at(none), data(object_at(numbers)),
    )  # fmt: skip
