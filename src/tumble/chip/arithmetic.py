"""What the arithmetic units compute, without their time: float32, each operation rounded to nearest.

Products and sums of float32 numbers are computed in float64 and rounded; with 53 bits for results of 24 that gives the
very float32 result (a product is exact, and a sum is off only where that cannot matter).
"""

from collections.abc import Sequence
from math import copysign, inf
from struct import Struct

_SINGLE = Struct("<f")


def single(value: float) -> float:
    """Round to float32."""
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(value))[0])
    except OverflowError:
        return copysign(inf, value)


def dotadd(line: Sequence[float], x: float, y: float, z: float) -> float:
    """Return ((line[0] x + line[1] y) + line[2] z) + line[3]."""
    total = single(single(line[0] * x) + single(line[1] * y))
    return single(single(total + single(line[2] * z)) + line[3])


def overlap(moved: Sequence[float], dop: Sequence[float], half: int) -> bool:
    """Compare two DOPs, Equation 2: they overlap unless a direction tells them apart; NaN tells nothing apart."""
    for i in range(half):  # noqa: SIM110  (a generator takes twice as long)
        if moved[i] > dop[half + i] or dop[i] > moved[half + i]:
            return False
    return True
