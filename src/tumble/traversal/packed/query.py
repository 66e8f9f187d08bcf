"""The entry points of the fast path: checked poses, one query, and the kernels that Python calls.

A query is a number: how many pairs were found, or a negative code, which `count_of` turns into an error.

Objects that Python passes to a direct call are given by addresses, and recognised by comparing them with an example. An
object of the same class and with the same dtype object as an example is an array of the same kind; nothing else is read
from it before that is known. The places are those of `PyObject` and of NumPy's `PyArrayObject`, which belong to the
binary interface that extensions are compiled against.
"""

from numba import float64, int64

from tumble.core.interrupts import COUNTED, REFUSED
from tumble.core.jit import direct_call, external, inlined_kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.simd.memory import int32_at, int64_at, set_int64
from tumble.core.simd.objects import OBJECT, object_at, release_gil, take_gil
from tumble.core.simd.stack_memory import scratch
from tumble.mesh.rigid_kernel import POSE_WORDS, own_pose
from tumble.narrow.triangles.filter import open_pair_touch
from tumble.narrow.triangles.four_pairs import KEPT_WORDS, POSED_WORDS, keep_leaf, meeting_pairs
from tumble.traversal.packed.nodes import RELATION_BYTES
from tumble.traversal.packed.relation import describe_kept_frame, relate
from tumble.traversal.packed.search import FRAME_BYTES, FRAMES, RELATIONS_WORDS, TIGHT, TIGHT_A, TIGHT_B
from tumble.traversal.packed.sort import are_sorted, sort_keys, unique_keys
from tumble.traversal.packed.walk import roots_meet, walk

# In 64-bit words from the beginning of an object; its class is the last of the words that all objects have.
CLASS = object.__basicsize__ // 8 - 1
DATA = CLASS + 1
DIMENSION = 2 * (DATA + 1)  # counted in 32-bit words
SHAPE = DATA + 2
DTYPE = DATA + 5
FLAGS = 2 * (DATA + 6)  # counted in 32-bit words
CONTIGUOUS_AND_ALIGNED = 0x0101


@inlined_kernel
def boxes_may_meet(tree_a, pose_a, tree_b, pose_b, deviation, relations):
    """Tell whether the boxes around two meshes overlap; only then write how the boxes in them lie to each other."""
    if not relate(tree_a, pose_a, tree_b, pose_b, deviation, relations) or not roots_meet(tree_a, tree_b, relations):
        return False
    return relate(tree_b, pose_b, tree_a, pose_a, deviation, relations + RELATION_BYTES)


@inlined_kernel
def describe_frames(tree_a, pose_a, tree_b, pose_b, deviation, relations, tight):
    """Write how triangles of two meshes lie in each other's frames, and whose may be compared with boxes."""
    describe_kept_frame(tree_a, pose_a, tree_b, pose_b, deviation, relations + FRAMES)
    describe_kept_frame(tree_b, pose_b, tree_a, pose_a, deviation, relations + FRAMES + FRAME_BYTES)
    set_int64(relations + TIGHT, 0, tight)


@external(int64(int64, int64, int64, int64, float64, int64))
def may_meet(tree_a, pose_a, tree_b, pose_b, deviation, relations):
    """Tell whether the boxes around two meshes overlap; only then write what `walk` needs to know."""
    if not boxes_may_meet(tree_a, pose_a, tree_b, pose_b, deviation, relations):
        return 0
    describe_frames(tree_a, pose_a, tree_b, pose_b, deviation, relations, TIGHT_A | TIGHT_B)
    return 1


@external(int64(int64, int64, float64, int64, int64, float64, int64, int64, int64, int64))
def query(tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, counts):
    """Find the touching triangles of two trees under two checked poses, all given by their addresses; see `walk`."""
    relations = scratch(RELATIONS_WORDS)
    if may_meet(tree_a, pose_a, tree_b, pose_b, deviation_a + deviation_b, relations) == 0:
        return 0
    return walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts)


@external(int64(int64, int64, int64, int64, int64))
def still_touch(tree_a, pose_a, tree_b, pose_b, key):
    """Tell whether a pair of triangles, given by its key, touches under these poses."""
    kept, place = scratch(KEPT_WORDS), scratch(POSED_WORDS)
    one, other = key >> 32, key & LOWER_HALF
    keep_leaf(tree_a, pose_a, one, one, kept)
    word = meeting_pairs(tree_b, pose_b, other, other, kept, place)
    return 1 if word & 1 != 0 and open_pair_touch(word, 0, kept, place) else 0


@inlined_kernel
def array_like(thing, example, dimension):
    """Return an object if it is an array like the example, contiguous and of this dimension, or 0."""
    if int64_at(thing, CLASS) != int64_at(example, CLASS) or int64_at(thing, DTYPE) != int64_at(example, DTYPE):
        return 0
    usable = int32_at(thing, FLAGS) & CONTIGUOUS_AND_ALIGNED == CONTIGUOUS_AND_ALIGNED
    return thing if usable and int32_at(thing, DIMENSION) == dimension else 0


@inlined_kernel
def length(array, axis):
    """Return the length of an array along an axis."""
    return int64_at(int64_at(array, SHAPE), axis)


@inlined_kernel
def data(array):
    """Return where the numbers of an array are."""
    return int64_at(array, DATA)


@inlined_kernel
def tree_of(header, example):
    """Return the address of a packed tree, given as its header, or 0."""
    array = array_like(header, example, 1)
    return data(array) if array != 0 else 0


@inlined_kernel
def pose_of(pose, example):
    """Return where the sixteen numbers of a pose are, or 0 when this is not a plain 4×4 array."""
    array = array_like(pose, example, 2)
    return data(array) if array != 0 and length(array, 0) == 4 and length(array, 1) == 4 else 0


@external(int64(*10 * (int64,)))
def ask(header_a, header_b, pose_a, pose_b, identity, none, first, keys, capacity, counts):
    """Check the objects that Python passed, and run one query; other threads run while it searches."""
    tree_a, tree_b = tree_of(header_a, identity), tree_of(header_b, identity)
    at_a = data(identity) if pose_a == none else pose_of(pose_a, identity)
    at_b = data(identity) if pose_b == none else pose_of(pose_b, identity)
    if tree_a == 0 or tree_b == 0 or at_a == 0 or at_b == 0:
        return REFUSED
    # copies: what was checked must not change while the GIL is released
    a, b, relations = scratch(POSE_WORDS), scratch(POSE_WORDS), scratch(RELATIONS_WORDS)
    deviation_a, deviation_b = own_pose(at_a, a), own_pose(at_b, b)
    if deviation_a < 0.0 or deviation_b < 0.0:
        return REFUSED
    if may_meet(tree_a, a, tree_b, b, deviation_a + deviation_b, relations) == 0:
        return 0
    # only for a real search: pairs whose roots are apart do not pay for it
    state = release_gil()
    found = walk(tree_a, a, tree_b, b, relations, first, keys, capacity, counts)
    take_gil(state)
    return found


@inlined_kernel
def ask_for_pairs(header_a, header_b, pose_a, pose_b, identity, none, first, buffer):
    """Ask for pairs; the first `COUNTED` words of the buffer get what the traversal did, the others the pairs."""
    address, capacity = data(object_at(buffer)), length(object_at(buffer), 0) - COUNTED
    for k in range(COUNTED):
        set_int64(address, k, 0)
    return ask(
        object_at(header_a), object_at(header_b), object_at(pose_a), object_at(pose_b), object_at(identity),
        object_at(none), first, address + 8 * COUNTED, capacity, address,
    )  # fmt: skip


# The direct calls. Headers are those of packed trees, None where there is none yet; poses may be any object.
# `identity`, a float64 4×4 array, and `none`, None, are the examples by which the others are recognised; `buffer` is an
# int64 array for as many pairs as fit. The answer is the number of pairs, or REFUSED.


@direct_call(int64(*6 * (OBJECT,)))
def first_hit(header_a, header_b, pose_a, pose_b, identity, none):
    """Return whether two trees touch, 1 or 0, or REFUSED."""
    keys = scratch(1)
    return ask(
        object_at(header_a), object_at(header_b), object_at(pose_a), object_at(pose_b), object_at(identity),
        object_at(none), 1, keys, 1, 0,
    )  # fmt: skip


@direct_call(int64(*7 * (OBJECT,)))
def first_pair(header_a, header_b, pose_a, pose_b, identity, none, buffer):
    """Return the number of touching pairs, 1 or 0, or REFUSED."""
    return ask_for_pairs(header_a, header_b, pose_a, pose_b, identity, none, 1, buffer)


@direct_call(int64(*7 * (OBJECT,)))
def all_pairs(header_a, header_b, pose_a, pose_b, identity, none, buffer):
    """Return the number of touching pairs, or REFUSED."""
    return ask_for_pairs(header_a, header_b, pose_a, pose_b, identity, none, 0, buffer)


@direct_call(int64(OBJECT, OBJECT))
def write_pairs(buffer, pairs):
    """Sort the pairs in a buffer, as many as fit into an int64 array of two columns, and write each once.

    Return how many there are. NumPy would need some microseconds for this, more than many queries take.
    """
    keys, target, count = data(object_at(buffer)) + 8 * COUNTED, data(object_at(pairs)), length(object_at(pairs), 0)
    if not are_sorted(keys, count):
        sort_keys(keys, 0, count)
    kept = unique_keys(keys, count)
    for k in range(kept):
        key = int64_at(keys, k)
        set_int64(target, 2 * k, key >> 32)
        set_int64(target, 2 * k + 1, key & LOWER_HALF)
    return kept
