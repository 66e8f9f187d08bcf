"""Keys sorted on all cores: first into buckets by their upper bits, then each bucket by itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.jit import kernel
from tumble.parallel import run_pieces

BUCKET_BITS = 8
FEW = 1 << 16
"""keys that one core sorts sooner"""


def sorted_keys(keys: NDArray[np.int64], largest: int, threads: int) -> NDArray[np.int64]:
    """Return keys in order, which are not negative; their upper halves are at most `largest`. The array is used up."""
    if threads == 1 or len(keys) < FEW:
        keys.sort()
        return keys
    shift = 32 + max(largest.bit_length() - BUCKET_BITS, 0)
    bounds = np.linspace(0, len(keys), threads + 1).astype(np.int64)
    counts = np.zeros((threads, 1 << BUCKET_BITS), np.int64)
    ordered = np.empty_like(keys)
    run_pieces(lambda k: count_buckets(keys, bounds[k], bounds[k + 1], shift, counts[k]), threads, threads)
    # the places of each piece in each bucket: bucket after bucket, and piece after piece in it
    ends = np.cumsum(counts.T.reshape(-1)).reshape(counts.T.shape).T
    places = np.ascontiguousarray(ends - counts)
    run_pieces(lambda k: fill_buckets(keys, bounds[k], bounds[k + 1], shift, places[k], ordered), threads, threads)
    starts = [0, *ends[-1].tolist()]
    run_pieces(lambda k: ordered[starts[k] : starts[k + 1]].sort(), 1 << BUCKET_BITS, threads)
    return ordered


@kernel
def count_buckets(keys, start, stop, shift, counts):
    """Count the keys of each bucket."""
    for k in range(start, stop):
        counts[keys[k] >> shift] += 1


@kernel
def fill_buckets(keys, start, stop, shift, places, ordered):
    """Write keys into their buckets, from the places given, which move on."""
    for k in range(start, stop):
        bucket = keys[k] >> shift
        ordered[places[bucket]] = keys[k]
        places[bucket] += 1
