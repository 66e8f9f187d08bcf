"""What the host writes into the register files before a query: matrix C, vector c, correspondence j, line schedule.

The numbers are float32, and DOTADD rounds each operation; c pays for it. With r the rest that the rounded coefficients
leave of a direction (turned into b's frame), e the largest coordinate of b, u = 2^-24, and m the margin of the
relative pose (`tumble.volume.relative`), the bound for direction n is off by no more than

    |r|₁ e  +  |n|₁ m  +  4.1 u (sum of |C| |d| + |c|)  +  some of the smallest float32 numbers

so that lows are lowered and highs raised by a little more than that. No overlapping pair is lost.

The schedule counts on when numbers reach the DOP registers. The SDRAM interface sends one when the bytes that it needs
are there, and one number per cycle at most. The first of two siblings is sent while its line still arrives. Its last
number waits for the flags and the pointer at the end of the line, which go to the stack engine in the same cycle. The
second may be an empty node, which its flags say, so all of its line is there before its first number is sent; so is
that of the first where leaves have no DOPs, as it may be one. What the
interface waits for (`bytes_needed`) and what the schedule counts on (`sending_cycles`) come from the same rule, so the
delay of address generator 2 is right for every bus width and every k.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.chip.design import NODE_BYTES, Design
from tumble.chip.image import rounded_down, rounded_up
from tumble.volume.kdop.directions import DIRECTIONS
from tumble.volume.kdop.realign import Realignment, realignment
from tumble.volume.relative import MARGIN, TRANSLATION

ROUNDOFF = 2.0**-24
SMALLEST = 2.0**-149

Array = NDArray[np.float64]
Line = tuple[float, float, float, float]
Places = tuple[int, int, int]


class Setup(NamedTuple):
    """What the register files hold for a pose."""

    lines: list[Line]  # a row of C and its c, for each number of a moved DOP
    places: list[Places]  # which three numbers of the DOP go into a line
    schedule: list[int]  # the order in which the lines are computed: first those whose numbers come first
    delay: int  # cycles from writing the first number of a DOP to the first line: no line comes before its numbers


def set_up(design: Design, relative: Array, extent: float, reach: Array) -> Setup:
    """Return the set-up for a relative pose, b's largest coordinate and the largest numbers of b's DOPs."""
    exact = realignment(design.k, relative[:9].reshape(3, 3))
    rounded = exact.coefficients.astype(np.float32).astype(np.float64)
    turned, places = exact._replace(coefficients=rounded), exact.places
    slack = _slack(design.k, turned, relative, extent, reach)
    half = design.k // 2
    offset = np.tile(DIRECTIONS[design.k] @ relative[TRANSLATION : TRANSLATION + 3], 2)
    shift = np.concatenate([rounded_down((offset - slack)[:half]), rounded_up((offset + slack)[half:])])
    lines = [tuple(row) for row in np.column_stack([turned.coefficients, shift]).tolist()]
    schedule = sorted(range(design.k), key=lambda line: (int(places[line].max()), line))
    return Setup(lines, [tuple(row) for row in places.tolist()], schedule, delay_of(design, places, schedule))


def _slack(k: int, turned: Realignment, relative: Array, extent: float, reach: Array) -> Array:
    """Return by how much each number of a moved DOP must be widened, for coefficients that are rounded."""
    directions, (coefficients, places, _) = np.tile(DIRECTIONS[k], (2, 1)), turned
    kept = (coefficients[:, :, None] * directions[places % (k // 2)]).sum(axis=1)
    rest = directions @ relative[:9].reshape(3, 3) - kept
    # what this difference itself may be off by is covered by the last term many times over
    bent = np.abs(rest).sum(axis=1) * extent
    margin = np.abs(directions).sum(axis=1) * relative[MARGIN]
    offset = np.abs(directions @ relative[TRANSLATION : TRANSLATION + 3])
    size = (np.abs(coefficients) * reach[places]).sum(axis=1) + offset + bent + margin
    result: Array = bent + margin + 8 * ROUNDOFF * size + 32 * SMALLEST
    return result


def delay_of(design: Design, places: NDArray[np.int64], schedule: list[int]) -> int:
    """Return the constant delay of Section 4.1, predetermined by software.

    Number i of a DOP is written in cycle `written[i]` and can be read in the next; turn r of the schedule comes in
    cycle delay + r.
    """
    written = sending_cycles(design)
    needed = [max(written[place] for place in places[line]) + 1 for line in schedule]
    return max(1, max(cycle - turn for turn, cycle in enumerate(needed)))


def bytes_needed(place: int, k: int, flags_first: bool) -> int:
    """Return how many bytes of a node's line must have arrived before a number of its DOP is sent."""
    return NODE_BYTES if flags_first or place == k - 1 else 4 * place + 4


def sending_cycles(design: Design) -> list[int]:
    """Return when the numbers of a DOP are sent at the latest, in cycles from the first one: the first of siblings."""
    bus_bytes = design.bus_bits // 8
    cycles: list[int] = []
    for place in range(design.k):
        arrived = -(-bytes_needed(place, design.k, not design.leaf_dops) // bus_bytes)
        cycles.append(max(arrived, cycles[-1] + 1) if cycles else arrived)
    return [cycle - cycles[0] for cycle in cycles]
