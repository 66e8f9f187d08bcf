"""The measures of a chip that a designer chooses; the defaults are the paper's.

A cycle is a cycle of the chip, which runs at the memory's burst frequency: two cycles are one cycle of the memory.
"""

from dataclasses import dataclass, fields

from tumble.errors import OptionError

NODE_BYTES = 128  # a node, a leaf and a triangle record each fill one line of the memory
PAIR_BYTES = 2 * NODE_BYTES  # two siblings lie side by side, on an address that is a multiple of this
KDOPS = (6, 14, 18, 24, 26)
HOST_BITS = (32, 64)  # widths of a PCI bus


@dataclass(frozen=True)
class Design:
    """The measures of one chip."""

    clock_ns: float = 3.76
    """nanoseconds per cycle of the chip: 266 MHz for PC133 memory"""
    bus_bits: int = 256
    """bits that the memory moves per cycle"""
    precharge: int = 2
    """memory cycles to close a row"""
    ras_cas: int = 2
    """memory cycles from opening a row to the first read command"""
    cas: int = 2
    """memory cycles from the read command to the first data"""
    banks: int = 4
    """memory banks that can be opened and closed independently"""
    k: int = 24
    """half-spaces of a DOP"""
    dotadd_stages: int = 6
    """stages of the DOTADD pipeline"""
    tumbled: int = 2
    """tumbled nodes that are compared at once, a power of two: more comparators, fewer reads"""
    triangle_unit: bool = True
    """whether the chip tests triangles; without, every pair of leaves goes to the host"""
    leaf_dops: bool = True
    """whether leaves have DOPs; False, as in the paper: a leaf is its triangle, and overlaps all that it meets"""
    buffer_pairs: int = 2
    """node pairs that the SDRAM interface can hold: one to work on, one to come; the paper has one"""
    sram_words: int = 1 << 17
    """list entries that the SRAM of the stack engine holds"""
    levels: int = 64
    """levels of the trees that the stack engine can count"""
    triangle_queue: int = 32
    """triangle pairs that may wait for the triangle unit"""
    operand_cycles: int = 4
    """cycles of the IT-unit for one pair of operands: its arithmetic is slow and cheap"""
    host_bits: int = 64
    """bits that the PCI bus to the host moves at once, 32 or 64"""
    host_cycles: int = 4
    """cycles of the chip for one such transfer: 4 for a bus of 66 MHz, 8 for one of 33 MHz"""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(field.default, bool):
                _check(isinstance(value, bool), field.name, value, "True or False")
            elif field.name == "clock_ns":
                good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e9
                _check(good, field.name, value, "a positive number of nanoseconds")
            else:
                least, most = LIMITS[field.name]
                good = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
                _check(good, field.name, value, f"a whole number from {least} to {most}")
        _check(self.k in KDOPS, "k", self.k, f"one of {', '.join(map(str, KDOPS))}")
        _check(_power_of_two(self.bus_bits), "bus_bits", self.bus_bits, "a power of two from 8 to 1024")
        _check(self.host_bits in HOST_BITS, "host_bits", self.host_bits, "32 or 64")
        _check(_power_of_two(self.banks), "banks", self.banks, "a power of two")
        _check(_power_of_two(self.tumbled), "tumbled", self.tumbled, "a power of two")
        least = 2 * self.tumbled
        _check(self.triangle_queue >= least, "triangle_queue", self.triangle_queue, f"at least {least}, 2 × tumbled")

    @property
    def precharge_cycles(self) -> int:
        """Cycles to close a row."""
        return 2 * self.precharge

    @property
    def activate_cycles(self) -> int:
        """Cycles to open a row."""
        return 2 * self.ras_cas

    @property
    def cas_cycles(self) -> int:
        """Cycles from the read command to the first data."""
        return 2 * self.cas

    @property
    def node_transfers(self) -> int:
        """Cycles that the bus needs for one node."""
        return NODE_BYTES * 8 // self.bus_bits

    @property
    def pair_transfers(self) -> int:
        """Cycles that the bus needs for a pair of siblings: the burst length."""
        return 2 * self.node_transfers


LIMITS = {
    "bus_bits": (8, 1024),
    "precharge": (1, 1000),
    "ras_cas": (1, 1000),
    "cas": (1, 1000),
    "banks": (1, 1024),
    "k": (6, 26),
    "dotadd_stages": (2, 1000),
    "tumbled": (1, 8),
    "buffer_pairs": (1, 1024),
    "sram_words": (1, 1 << 28),
    "levels": (1, 1 << 16),
    "triangle_queue": (2, 1 << 16),
    "operand_cycles": (1, 1 << 16),
    "host_bits": (32, 64),
    "host_cycles": (1, 1 << 16),
}
"""the least and the most of each measure"""


def check_dop(k: object) -> None:
    """Raise OptionError for k-DOPs that the chip does not know."""
    if k not in KDOPS:
        raise OptionError(f"the chip knows k-DOPs with k = {', '.join(map(str, KDOPS))}, not k={k!r}")


def _check(good: bool, name: str, value: object, allowed: str) -> None:
    if not good:
        raise OptionError(f"Design({name}={value!r}) cannot be built: {name} must be {allowed}")


def _power_of_two(value: int) -> bool:
    return value & (value - 1) == 0
