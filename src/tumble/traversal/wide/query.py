"""The doors into the fast path: checked poses, one query, and the kernels that Python calls.

A query is a number: how many pairs were found, or one of the refusals below, which the caller turns into words.
"""

from numba import boolean, float64, int64

from tumble.jit import external, fixed_kernel, inlined_kernel
from tumble.narrow.filter import open_pair_touch
from tumble.narrow.four_pairs import KEPT_WORDS, POSED_WORDS
from tumble.result import COUNTED
from tumble.simd.memory import address_of, float64_at, scratch, set_float64, set_int64
from tumble.traversal.wide.leaves import keep_leaf, meeting_pairs
from tumble.traversal.wide.relation import describe_frame, deviation_of, relate
from tumble.traversal.wide.walk import FRAMES, RELATION_BYTES, roots_meet, walk

REFUSED = -1
"""a pose that is no rigid motion, or a tree that is not there"""

RELATIONS_WORDS = 4 * RELATION_BYTES // 8
LOW_HALF = 0xFFFFFFFF
POSE = float64[:, ::1]
POSE_WORDS = 16


@external(int64(int64, int64, float64, int64, int64, float64, int64, int64, int64, int64))
def query(tree_a, pose_a, deviation_a, tree_b, pose_b, deviation_b, first, keys, capacity, counts):
    """Find the touching triangles of two trees under two checked poses, all given by their addresses; see `walk`."""
    relations = scratch(RELATIONS_WORDS)
    deviation = deviation_a + deviation_b
    # b's frame in a's is needed only if the boxes around both meshes overlap
    if not relate(tree_a, pose_a, tree_b, pose_b, deviation, relations) or not roots_meet(tree_a, tree_b, relations):
        return 0
    relate(tree_b, pose_b, tree_a, pose_a, deviation, relations + RELATION_BYTES)
    describe_frame(tree_b, pose_b, relations, relations + FRAMES)
    describe_frame(tree_a, pose_a, relations + RELATION_BYTES, relations + FRAMES + RELATION_BYTES)
    return walk(tree_a, pose_a, tree_b, pose_b, relations, first, keys, capacity, counts)


@external(int64(int64, int64, int64, int64, int64))
def still_touch(tree_a, pose_a, tree_b, pose_b, key):
    """Tell whether a pair of triangles, given by its key, touches under these poses."""
    kept, place = scratch(KEPT_WORDS), scratch(POSED_WORDS)
    one, other = key >> 32, key & LOW_HALF
    keep_leaf(tree_a, pose_a, one, one, kept)
    word = meeting_pairs(tree_b, pose_b, other, other, kept, place)
    return 1 if word & 1 != 0 and open_pair_touch(word, 0, kept, place) else 0


@external(float64(int64))
def checked(pose):
    """Return how far the pose at an address is from a rotation, or a negative number when it is no rigid motion."""
    return deviation_of(pose)


@inlined_kernel
def own_pose(pose, place):
    """Copy an array, whatever its shape, and check the copy: other threads may write into the array meanwhile."""
    if pose.shape[0] != 4 or pose.shape[1] != 4:
        return float(REFUSED)
    for k in range(POSE_WORDS):
        set_float64(place, k, float64_at(address_of(pose), k))
    return checked(place)


@inlined_kernel
def query_once(tree_a, tree_b, pose_a, pose_b, first, keys, capacity, counts):
    """Check everything and ask one query."""
    a, b = scratch(POSE_WORDS), scratch(POSE_WORDS)
    deviation_a, deviation_b = own_pose(pose_a, a), own_pose(pose_b, b)
    if tree_a == 0 or tree_b == 0 or deviation_a < 0.0 or deviation_b < 0.0:
        return REFUSED
    return query(tree_a, a, deviation_a, tree_b, b, deviation_b, first, keys, capacity, counts)


@fixed_kernel(int64(int64, int64, POSE, POSE))
def first_hit(tree_a, tree_b, pose_a, pose_b):
    """Return whether two trees touch, 1 or 0, or REFUSED."""
    keys = scratch(1)
    return query_once(tree_a, tree_b, pose_a, pose_b, 1, keys, 1, 0)


@fixed_kernel(int64(int64, int64, POSE, POSE, boolean, int64[::1]))
def all_hits(tree_a, tree_b, pose_a, pose_b, first, keys):
    """Return the number of touching pairs, or REFUSED.

    The first `COUNTED` words of `keys` get what the traversal did, the others the pairs, as far as there is room.
    """
    address = address_of(keys)
    for k in range(COUNTED):
        set_int64(address, k, 0)
    room = keys.size - COUNTED
    return query_once(tree_a, tree_b, pose_a, pose_b, 1 if first else 0, address + 8 * COUNTED, room, address)
