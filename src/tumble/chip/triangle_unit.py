"""The triangle unit: two triangles by the test of Section 3.3, with the DOP registers, DOTADD and the IT-unit.

    half 1    a's vertices into d0 … d8; by the way from a to b into d9 … d17; by the matrix of b's leaf into d0 … d8;
              the IT-unit compares the edges with the unit triangle, Equation 4
    half 2    the same with b's vertices and a's matrix, unless half 1 has settled it

The numbers are float32 and the IT-unit knows how far they may be off: its answer is certain, or UNSURE. Then the host
decides with the exact test.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tumble.chip.address_generators import TO_DOP_REGISTERS, Step
from tumble.chip.channel import Channel, Ports, Unit
from tumble.chip.design import Design
from tumble.chip.memory import Memories
from tumble.chip.registers import DopRegisterFile, MatrixRegisterFile
from tumble.chip.result import Journal
from tumble.chip.sdram import MATRIX, MATRIX_NUMBERS, VERTEX_NUMBERS, VERTICES, Request
from tumble.core.jit import kernel
from tumble.narrow.triangles.unit_triangle import HIT, MISS, MISSED, UNSURE, Bounds, against

UNIT = "triangle unit"
NAMES = {HIT: "hit", MISS: "miss", UNSURE: "unsure"}
HEIGHTS = (2, 5, 8)  # the registers with the corners' heights above the other triangle's plane
EDGE_OPERANDS = 5
"""pairs of operands that an edge needs, if it passes the plane of the other triangle; one to see that it does not"""
DONE = object()


class TriangleUnit(Unit):
    """Tests one pair of leaves at a time."""

    column = "triang"

    def __init__(
        self,
        design: Design,
        memories: Memories,
        registers: tuple[DopRegisterFile, MatrixRegisterFile],
        bounds: tuple[Bounds, Bounds],
        ports: Ports,
        journal: Journal,
    ) -> None:
        self.design = design
        self.memories = memories
        self.bases = (0, -(-len(memories[0]) // 256) * 256)
        self.dop, self.matrix = registers
        self.bounds = bounds  # for a's vertices and b's matrices, and the other way round
        self.ports, self.journal = ports, journal
        self.work: Iterator[None] | None = None
        self.received: list[float] = []
        self.since = 0
        self.answer = ""

    def tick(self, now: int) -> None:
        """Go on with the pair at hand, or take the next."""
        if self.ports.matrix.valid:
            self.received.append(self.ports.matrix.take())
        if self.work is None and self.ports.jobs.valid:
            self.work = self._test(*self.ports.jobs.take())
            self.since = now
        if self.work is not None and next(self.work, DONE) is DONE:
            self.work = None
            self.shown = ""
            self.journal.work(UNIT, self.since, now + 1, self.answer)

    def _test(self, record_a: int, record_b: int) -> Iterator[None]:
        """Test a pair; every `yield` lets a cycle pass."""
        records = record_a, record_b
        verdicts = []
        for half in (0, 1):
            yield from self._move(half, records)
            points = self.dop.read_all(UNIT, range(VERTEX_NUMBERS, 2 * VERTEX_NUMBERS))
            verdict = half_verdict(points, self.received, self.bounds[half])
            self.shown = f"IT{half + 1}"
            for _ in range(self.design.operand_cycles * operands(self.dop.read_all(UNIT, HEIGHTS), verdict)):
                yield
            verdicts.append(verdict)
            if verdict in (HIT, MISS):
                break
        answer = _whole(verdicts)
        while not self.ports.to_host.ready:
            yield
        if answer != MISS:
            self.ports.to_host.put((answer, record_a, record_b))
        self.ports.finished.put(True)
        self.answer = NAMES[answer]

    def _move(self, half: int, records: tuple[int, int]) -> Iterator[None]:
        """Bring the vertices of one triangle to where the other is the unit triangle."""
        self.received = []
        self.matrix.clear(range(self.design.k + 6, self.design.k + 9))
        self.shown = f"load{half + 1}"
        for kind, side in ((VERTICES, half), (MATRIX, 1 - half)):
            while not self.ports.lines.ready:
                yield
            self.ports.lines.put(Request(kind, self.memories[side], self.bases[side], records[side], 1, None))
            yield
        yield from _token(self.ports.loaded)
        self.shown = f"pose{half + 1}"
        self.ports.programs.put(_program(self.design.k + 3 * half, 0, VERTEX_NUMBERS))
        yield from _token(self.ports.moved)
        while len(self.received) < MATRIX_NUMBERS:
            yield
        for row in range(3):
            x, y, z, w = self.received[4 * row : 4 * row + 4]
            self.matrix.write(self.design.k + 6 + row, (x, y, z, w))
        self.shown = f"unit{half + 1}"
        yield
        self.ports.programs.put(_program(self.design.k + 6, VERTEX_NUMBERS, 0))
        yield from _token(self.ports.moved)


def _program(line: int, source: int, target: int) -> list[Step]:
    """Return the nine steps that carry three vertices by three lines of the matrix register file."""
    return [
        Step(line + row, (source + v, source + v + 1, source + v + 2), TO_DOP_REGISTERS, target + v + row)
        for v in (0, 3, 6)
        for row in range(3)
    ]


def _token(channel: Channel) -> Iterator[None]:
    """Wait for a token, and take it."""
    while not channel.valid:
        yield
    channel.take()


def _whole(verdicts: list[int]) -> int:
    """Return the answer that the halves give together."""
    if verdicts[-1] in (HIT, MISS):
        return verdicts[-1]
    return MISS if verdicts == [MISSED, MISSED] else UNSURE


@kernel
def compare_half(points: Any, matrix: Any, bounds: Any) -> Any:
    """Compare a triangle in the frame of the other with the other's matrix."""
    p = points[0], points[1], points[2]
    q = points[3], points[4], points[5]
    r = points[6], points[7], points[8]
    return against(p, q, r, matrix, bounds)


def half_verdict(points: Sequence[float], matrix: Sequence[float], bounds: Bounds) -> int:
    """Return HIT, MISS, MISSED or UNSURE for nine coordinates and twelve coefficients of float32."""
    return int(compare_half(np.array(points, np.float32), np.array(matrix, np.float32), bounds))


def operands(heights: Sequence[float], verdict: int) -> int:
    """Return how many pairs of operands the IT-unit reads for a triangle whose corners are at these heights."""
    pairs = 0
    for i in range(3):
        p, q = heights[i], heights[(i + 1) % 3]
        passes = not ((p > 0 and q > 0) or (p < 0 and q < 0))
        pairs += EDGE_OPERANDS if passes else 1
        if passes and verdict == HIT:
            break  # an edge that pierces the other triangle decides
    return pairs
