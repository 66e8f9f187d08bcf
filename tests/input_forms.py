"""One array in many forms: other classes, layouts, byte orders and dtypes that hold the same numbers.

A dtype that came out of a pickle, or that has metadata, equals NumPy's own and is another object; compiled code that
compares addresses does not know it.
"""

import pickle
import tempfile

import numpy as np


class Labelled(np.ndarray):
    """An array of another class."""


class Exporter:
    """Not an array, but converted to one on request, as data frames and tensors are."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype)


def read_only(array):
    result = array.copy()
    result.flags.writeable = False
    return result


def memory_mapped(array):
    with tempfile.TemporaryFile() as file:
        result = np.memmap(file, array.dtype, "w+", shape=array.shape)
    result[...] = array
    return result


def unaligned(array):
    room = np.zeros(array.nbytes + 1, np.uint8)
    result = room[1:].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def reversed_strides(array):
    return array[::-1].copy()[::-1]


class CountingExporter(Exporter):
    """Counts how often it is converted: only the first time it has the right numbers."""

    def __init__(self, array):
        super().__init__(array)
        self.reads = 0

    def __array__(self, dtype=None, copy=None):
        self.reads += 1
        return np.array(self.array, dtype=dtype)


SAME_NUMBERS = {
    "unpickled": lambda array: pickle.loads(pickle.dumps(array)),
    "product of unpickled": lambda array: (pickle.loads(pickle.dumps(array)) * 1).astype(array.dtype, copy=False),
    "with metadata": lambda array: array.astype(np.dtype(array.dtype, metadata={"unit": "mm"})),
    "read-only": read_only,
    "Fortran-ordered": np.asfortranarray,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "a list": lambda array: array.tolist(),
    "a subclass": lambda array: array.copy().view(Labelled),
    "a masked array without a mask": np.ma.array,
    "memory-mapped": memory_mapped,
    "unaligned": unaligned,
    "a view with gaps": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "a view backwards": reversed_strides,
    "an exporter": Exporter,
}
"""the same numbers, of the same kind"""

OTHER_KINDS = {
    "float32": lambda array: array.astype(np.float32),
    "extended precision": lambda array: array.astype(np.longdouble),
    "integers": lambda array: array.astype(np.int64),
    "small integers": lambda array: array.astype(np.int16),
}
"""the same numbers, where they are whole, as another kind: an index may not be a float"""


def zero_strided(array):
    """The first row, repeated without memory of its own: other numbers than the array's."""
    return np.broadcast_to(array[:1], array.shape)
