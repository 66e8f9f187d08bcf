"""A box as one row of eight float32 numbers: low x, y, z, tag, -high x, -y, -z, 0.

With the upper corner negated, one minimum enlarges a box in all six directions, and one sum of the row with its halves
swapped gives (minus) all three sizes. The tag is a triangle's number, as the bits of a normal float: arithmetic on that
lane has no meaning, but is not slow either.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

from tumble.core.simd.eight import eight
from tumble.core.simd.vectors import EIGHT_FLOATS, Lanes, Vector


def _row(builder: Any, value: Any) -> tuple[Vector, Vector]:
    """Return a row, and the same with its halves swapped."""
    row = Vector(Lanes(builder, EIGHT_FLOATS), value)
    return row, row.shuffled((4, 5, 6, 7, 0, 1, 2, 3))


@intrinsic
def doubled_centre(typing_context: Any, box: Any) -> Any:
    """Return low + high in lanes 0 to 2 and its negative in lanes 4 to 6, so that `least` bounds centres both ways."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, swapped = _row(builder, arguments[0])
        return (row - swapped).value

    return eight(eight), generate


@intrinsic
def half_area(typing_context: Any, box: Any) -> Any:
    """Return half the surface of a box."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, swapped = _row(builder, arguments[0])
        # minus the sizes: the signs cancel in the products
        sizes = row + swapped
        x, y, z = (sizes.lane(k) for k in range(3))
        return builder.fadd(builder.fmul(x, builder.fadd(y, z)), builder.fmul(y, z))

    return types.float32(eight), generate


@intrinsic
def per_span(typing_context: Any, amount: Any, box: Any, least_span: Any) -> Any:
    """Return an amount divided by the size of a box on each axis, in lanes 0 to 2; zero for sizes below the least."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        amount, box, least_span = arguments
        row, swapped = _row(builder, box)
        lanes, spans = row.lanes, -(row + swapped)
        quotients = lanes.spread(amount) / spans
        return lanes.choose(spans > lanes.spread(least_span), quotients, lanes.constant(0.0)).value

    return eight(types.float32, eight, types.float32), generate
