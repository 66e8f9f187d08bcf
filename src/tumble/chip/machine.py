"""The whole chip: units, the channels between them, and the clock.

                 ┌────────────── entries, groups ── stack engine ── verdicts ──┐
memory      master controller                          │ nodes                 │
  ║              │ requests                            │                       │
  ╚═══════ SDRAM interface ─── words ──────────────────│────────── e registers, comparators
                 │ numbers                                                     │
       address generator 1 → DOP registers → 2 → DOTADD → 3 → results register bank
                                  │                  │
                                  └── triangle unit ─┘
"""

from tumble.chip.address_generators import AddressGenerator1, AddressGenerator2, AddressGenerator3
from tumble.chip.channel import Clock, Ports, Unit
from tumble.chip.comparators import Comparators
from tumble.chip.cost import ANSWER_BYTES, host_cycles
from tumble.chip.design import NODE_BYTES, Design
from tumble.chip.dotadd import DotAdd
from tumble.chip.master import DRAIN, MasterController
from tumble.chip.memory import Memories
from tumble.chip.registers import DopRegisterFile, MatrixRegisterFile, ResultsRegisterBank
from tumble.chip.result import Journal
from tumble.chip.sdram import SdramInterface
from tumble.chip.setup import Line, Setup
from tumble.chip.stack_engine import StackEngine
from tumble.chip.triangle_unit import TriangleUnit
from tumble.errors import ChipError
from tumble.narrow.triangles.unit_triangle import Bounds


class Chip:
    """A chip with two images in its memory and the set-up of a pose in its registers, ready to run."""

    def __init__(
        self, design: Design, memories: Memories, setup: Setup, ways: list[Line], bounds: tuple[Bounds, Bounds]
    ) -> None:
        self.now = 0
        self.quiet = 0
        self.most_quiet = _most_quiet(design)
        self.clock = clock = Clock()
        self.journal = journal = Journal()
        self.ports = ports = Ports(clock, design.triangle_queue)
        self.dop = DopRegisterFile(clock, max(design.k, 18))
        self.matrix = MatrixRegisterFile(clock, [*setup.lines, *ways])
        self.results = ResultsRegisterBank(clock, design.tumbled, design.k)
        most = len(memories[0]) // NODE_BYTES, len(memories[1]) // NODE_BYTES
        self.master = MasterController(design, memories, self.results, ports, journal)
        self.stack = StackEngine(design, most, ports, journal)
        self.sdram = SdramInterface(design, ports, journal)
        self.generator1 = AddressGenerator1(self.dop, self.results, ports)
        self.generator2 = AddressGenerator2(self.dop, self.matrix, setup, ports, journal)
        self.dotadd = DotAdd(design.dotadd_stages, ports, journal)
        self.generator3 = AddressGenerator3(self.dop, self.results, ports)
        self.comparators = Comparators(design, self.results, ports, journal)
        self.triangles = TriangleUnit(design, memories, (self.dop, self.matrix), bounds, ports, journal)
        self.units = [part for part in vars(self).values() if isinstance(part, Unit)]
        self.answers: list[tuple[int | None, int, int]] = []
        """what the host received: a verdict, None for an untested pair, and the addresses of two triangles"""

    def tick(self) -> None:
        """Let a cycle pass."""
        now = self.now
        for unit in self.units:
            unit.tick(now)
        if self.ports.to_host.valid:
            self.answers.append(self.ports.to_host.take())
        self.quiet = 0 if self.clock.changed else self.quiet + 1
        if self.quiet > self.most_quiet:
            raise ChipError(f"the chip stands still since cycle {now - self.quiet}: {self.line_trace()}")
        self.clock.tick()
        self.now = now + 1

    @property
    def done(self) -> bool:
        """Whether the query is answered."""
        master, ports = self.master, self.ports
        return (
            master.state == DRAIN
            and not master.triangle_busy
            and not self.stack.waiting_pairs
            and not ports.leaf_pairs.valid
            and not ports.to_host.valid
        )

    def line_trace(self) -> str:
        """Return what the units did in the last cycle, in columns of fixed width."""
        return f"{self.now - 1:9} | " + " | ".join(unit.line_trace() for unit in self.units)

    def line_trace_header(self) -> str:
        """Return the names of the columns."""
        return f"{'cycle':>9} | " + " | ".join(unit.column for unit in self.units)


def _most_quiet(design: Design) -> int:
    """Return after how many cycles in which nothing moves between units the model must have a fault."""
    memory = design.precharge_cycles + design.activate_cycles + design.cas_cycles + design.pair_transfers
    host = host_cycles(design, ANSWER_BYTES)  # without a triangle unit, leaf pairs wait for the bus one by one
    return 1000 + 4 * memory + 20 * design.operand_cycles + design.dotadd_stages + host
