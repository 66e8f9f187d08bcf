"""DOTADD: three products and their sum with a fourth number, one per cycle, ready after a few stages.

Numbers are float32, and each operation is rounded to nearest. Products and sums are computed in float64 and rounded;
with 53 bits for results of 24 that gives the very float32 result (a product is exact, and a sum is off only where that
cannot matter).
"""

from collections import deque
from collections.abc import Sequence
from math import copysign, inf
from struct import Struct

from tumble.chip.channel import Ports, Unit
from tumble.chip.result import Journal

UNIT = "DOTADD"
CHANNEL_STAGES = 2  # the registers of the channels before and behind are stages of the pipeline
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


class DotAdd(Unit):
    """A pipeline that never stops: a result comes out a fixed number of cycles after its operands."""

    column = "dotadd"

    def __init__(self, stages: int, ports: Ports, journal: Journal) -> None:
        self.ports, self.journal = ports, journal
        self.depth = stages - CHANNEL_STAGES
        self.inside: deque[tuple[int, float]] = deque()  # when each result is due, and the result
        self.fed = False

    def tick(self, now: int) -> None:
        """Take operands, put the result that is due."""
        self.fed = self.ports.operands.valid
        if self.fed:
            line, x, y, z = self.ports.operands.take()
            self.inside.append((now + self.depth, dotadd(line, x, y, z)))
        if self.inside and self.inside[0][0] == now:
            self.ports.sums.put(self.inside.popleft()[1])
        self.journal.works(UNIT, now, self.fed, "lines")

    def line_trace(self) -> str:
        """Return whether operands came in, and how many sums are under way."""
        return f"{'>' if self.fed else ' '}{len(self.inside):5}"
