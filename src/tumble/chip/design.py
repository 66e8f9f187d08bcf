"""What a designer may choose about the chip; the defaults are the paper's.

A cycle is a cycle of the chip, which runs at the memory's burst frequency: two cycles are one cycle of the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from tumble.errors import OptionError

NODE_BYTES = 128
"""a node, a leaf and a triangle record each fill one line of the memory"""
PAIR_BYTES = 2 * NODE_BYTES
"""two siblings lie side by side, on an address that is a multiple of this"""
KDOPS = (6, 14, 18, 24, 26)


@dataclass(frozen=True)
class Design:
    """The measures of one chip."""

    clock_ns: float = 3.76
    """nanoseconds a cycle of the chip: 266 MHz for PC133 memory"""
    bus_bits: int = 256
    """bits that the memory moves in a cycle"""
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
    """whether the chip judges triangles; without, every pair of leaves goes to the host"""
    buffer_pairs: int = 2
    """node pairs that the SDRAM interface can hold: one to work on, one to come"""
    sram_words: int = 1 << 17
    """list entries that the SRAM of the stack engine holds"""
    levels: int = 64
    """levels of the trees that the stack engine can count"""
    triangle_queue: int = 16
    """triangle pairs that may wait for the triangle unit"""
    operand_cycles: int = 4
    """cycles of the IT-unit for one pair of operands: its arithmetic is slow and cheap"""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "triangle_unit":
                _check(isinstance(value, bool), field.name, value, "True or False")
            elif field.name == "clock_ns":
                good = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e9
                _check(good, field.name, value, "a positive number of nanoseconds")
            else:
                good = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST[field.name]
                _check(good, field.name, value, f"a whole number from 1 to {MOST[field.name]}")
        _check(self.k in KDOPS, "k", self.k, f"one of {', '.join(map(str, KDOPS))}")
        _check(_power_of_two(self.bus_bits) and self.bus_bits >= 8, "bus_bits", self.bus_bits, "8, 16, 32 … 1024")
        _check(_power_of_two(self.banks), "banks", self.banks, "a power of two")
        _check(_power_of_two(self.tumbled), "tumbled", self.tumbled, "a power of two")
        # a group of tumbled pairs waits in the buffer until the last of its nodes is in the DOP registers
        _check(self.buffer_pairs >= 2, "buffer_pairs", self.buffer_pairs, "at least 2: one to work on, one to come")

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

    @property
    def tumbled_pairs(self) -> int:
        """Sibling pairs of the tumbled tree that are compared at once."""
        return max(1, self.tumbled // 2)


MOST = {
    "bus_bits": 1024,
    "precharge": 1000,
    "ras_cas": 1000,
    "cas": 1000,
    "banks": 1024,
    "k": 26,
    "dotadd_stages": 1000,
    "tumbled": 8,
    "buffer_pairs": 1024,
    "sram_words": 1 << 28,
    "levels": 1 << 16,
    "triangle_queue": 1 << 16,
    "operand_cycles": 1 << 16,
}


def _check(good: bool, name: str, value: object, allowed: str) -> None:
    if not good:
        raise OptionError(f"Design({name}={value!r}) cannot be built: {name} must be {allowed}")


def _power_of_two(value: int) -> bool:
    return value & (value - 1) == 0
