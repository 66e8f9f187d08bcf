"""Memory by address: where a known number makes a part of an address 0, nothing is left out."""

import numpy as np

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.simd.memory import byte_at, unaligned_int32

RECORD_BYTES, LEAF_BYTE, LEAF_BIT = 13, 12, 64


@inlined_kernel
def value_of(records, k):
    """Return the number in a record that has a bit set, and twice its place of any other."""
    place = records + RECORD_BYTES * k
    if byte_at(place + LEAF_BYTE) & LEAF_BIT:
        return unaligned_int32(place) << 32 | unaligned_int32(place + 8)
    return 2 * k


@kernel
def sum_of_first(records):
    total = 0
    for k in range(1):  # unrolled: k is known to be 0 where the code of `value_of` stands
        total += value_of(records, k)
    return total


@kernel
def value_at(records, k):
    return value_of(records, k)


def test_the_first_record_is_read_where_its_number_is_known():
    records = np.zeros(2 * RECORD_BYTES, np.uint8)
    records[[0, LEAF_BYTE]] = 5, LEAF_BIT
    address = records.ctypes.data
    assert sum_of_first(address) == value_at(address, 0) == 5 << 32
    assert value_at(address, 1) == 2
