"""Objects that Python passes to a direct call, given by addresses, and recognised by comparing them with an example.

An object of the same class and with the same dtype object as an example is an array of the same kind; nothing else is
read from it before that is known. The places are those of `PyObject` and of NumPy's `PyArrayObject`, which belong to
the binary interface that extensions are compiled against.
"""

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import int32_at, int64_at

# In 64-bit words from the beginning of an object; its class is the last of the words that all objects have.
CLASS = object.__basicsize__ // 8 - 1
DATA = CLASS + 1
DIMENSION = 2 * (DATA + 1)
"""counted in 32-bit words"""
SHAPE = DATA + 2
DTYPE = DATA + 5
FLAGS = 2 * (DATA + 6)
"""counted in 32-bit words"""
CONTIGUOUS_AND_ALIGNED = 0x0101


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
