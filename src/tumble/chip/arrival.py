"""When the numbers of a tumbled DOP reach the DOP registers.

The SDRAM interface sends a number when the bytes that it needs are there, and one number per cycle at most. The first
of two siblings is sent while its line still arrives. Its last number waits for the flags and the pointer at the end of
the line, which go to the stack engine in the same cycle. The second of two siblings may be an empty node, which its
flags say, so all of its line is there before its first number is sent.

What the interface waits for (`bytes_needed`) and what the schedule of the lines counts on (`sending_cycles`) come from
the same rule: the delay of address generator 2 is right for every bus width and every k.
"""

from tumble.chip.design import NODE_BYTES, Design


def bytes_needed(place: int, k: int, second: bool) -> int:
    """Return how many bytes of a node's line must have arrived before a number of its DOP is sent."""
    return NODE_BYTES if second or place == k - 1 else 4 * place + 4


def sending_cycles(design: Design) -> list[int]:
    """Return when the numbers of a DOP are sent at the latest, in cycles from the first one: the first of siblings."""
    bus_bytes = design.bus_bits // 8
    cycles: list[int] = []
    for place in range(design.k):
        arrived = -(-bytes_needed(place, design.k, second=False) // bus_bytes)
        cycles.append(max(arrived, cycles[-1] + 1) if cycles else arrived)
    return [cycle - cycles[0] for cycle in cycles]
