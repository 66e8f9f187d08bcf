"""What the processor can do that code is made for: this machine's, or the baseline of a package of kernels."""

from numba import types
from numba.core.registry import cpu_target

from tumble.core.simd.memory import INT64, instruction


def has_long_vectors() -> bool:
    """Tell whether registers hold sixteen float32, and chosen lanes are brought together in one instruction."""
    features: str = cpu_target.target_context.codegen().magic_tuple()[2]
    return "+avx512f" in features.split(",")


@instruction(types.int64())
def float32_lanes(builder):
    """Return how many float32 are computed at once, where it is for the processor to say."""
    return INT64(16 if has_long_vectors() else 8)
