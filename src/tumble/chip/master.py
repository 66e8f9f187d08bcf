"""The master controller: what is read next, and which unit may use the DOP registers and DOTADD.

For each group of tumbled nodes that the stack engine names, it asks the memory for them and then for the aligned nodes
of the list, entry by entry. Pairs of leaves go to the triangle unit, one at a time and not while tumbled nodes are
being moved: both need the DOP registers. Without a triangle unit they go to the host.
"""

from collections import deque

from tumble.chip.channel import Ports, Unit
from tumble.chip.comparators import BOTH, ListEntry
from tumble.chip.cost import ANSWER_BYTES, host_cycles
from tumble.chip.design import NODE_BYTES, Design
from tumble.chip.memory import Memories
from tumble.chip.registers import ResultsRegisterBank
from tumble.chip.result import Journal
from tumble.chip.sdram import ALIGNED, TUMBLED, Request
from tumble.chip.stack_engine import Group

BETWEEN, FETCH, COMPARE, DRAIN = "between", "fetch", "compare", "drain"


class MasterController(Unit):
    """Sequences the query."""

    column = "master  "

    def __init__(
        self, design: Design, memories: Memories, results: ResultsRegisterBank, ports: Ports, journal: Journal
    ) -> None:
        self.design = design
        self.aligned, self.tumbled = memories
        self.tumbled_base = -(-len(self.aligned) // 256) * 256
        self.results, self.ports, self.journal = results, ports, journal
        self.state = BETWEEN
        self.to_fetch: deque[Request] = deque()
        self.triangle_busy = False
        self.host_free = 0
        self.aligned_nodes = 0
        self.tumbled_nodes = 0
        self.tumbled_lines: set[int] = set()  # addresses of the tumbled nodes that were read

    def tick(self, now: int) -> None:
        """Do a cycle."""
        if self.ports.finished.valid:
            self.ports.finished.take()
            self.triangle_busy = False
        taken = self._take_group() if self.ports.groups.valid else False
        if self.ports.leaf_pairs.valid and not taken:
            self._pass_leaf_pair(now)
        if self.ports.requests.ready:
            self._ask_for_lines()
        self._note()

    def _take_group(self) -> bool:
        """Begin with a group when the DOP registers are free; return whether that is so."""
        group: Group = self.ports.groups.payload
        if group and self.triangle_busy:
            return False
        self.ports.groups.take()
        if not group:
            self.state = DRAIN
            return False
        expected: list[int] = []
        for q, pair in enumerate(group):
            if pair is not None:
                address, siblings = pair
                nodes = (2 * q, 2 * q + 1) if siblings == BOTH else (2 * q,)
                first = address + (NODE_BYTES if siblings == 2 else 0)
                self.to_fetch.append(Request(TUMBLED, self.tumbled, self.tumbled_base, first, len(nodes), nodes))
                expected += nodes
        self.results.expect(expected)
        self.state = FETCH
        return True

    def _ask_for_lines(self) -> None:
        """Ask the memory for one burst: tumbled nodes first, then lines of triangles, then aligned nodes."""
        if self.to_fetch:
            request = self.to_fetch.popleft()
            self.ports.requests.put(request)
            self.tumbled_nodes += request.lines
            self.tumbled_lines.update(request.address + NODE_BYTES * line for line in range(request.lines))
            if not self.to_fetch:
                self.state = COMPARE
        elif self.ports.lines.valid:
            self.ports.requests.put(self.ports.lines.take())
        elif self.ports.entries.valid and self.state == COMPARE and not self.ports.groups.valid:
            # entries behind a group that has not begun are for that group
            entry: ListEntry = self.ports.entries.take()
            self.ports.requests.put(Request(ALIGNED, self.aligned, 0, entry.first, entry.lines, entry))
            self.aligned_nodes += entry.lines

    def _pass_leaf_pair(self, now: int) -> None:
        if not self.design.triangle_unit:
            if now >= self.host_free and self.ports.to_host.ready:
                self.ports.to_host.put((None, *self.ports.leaf_pairs.take()))
                self.host_free = now + host_cycles(self.design, ANSWER_BYTES)
        elif not self.triangle_busy and self.results.complete and not self.to_fetch:
            self.ports.jobs.put(self.ports.leaf_pairs.take())
            self.triangle_busy = True

    def _note(self) -> None:
        """Say what the query waits for in this cycle, if it does."""
        if self.state == DRAIN:
            if self.ports.leaf_pairs.valid or self.triangle_busy:
                self.journal.wait("triangle unit" if self.design.triangle_unit else "host")
        elif self.ports.groups.valid and self.triangle_busy:
            self.journal.wait("triangle unit")
        elif self.state == COMPARE:
            if not self.results.complete:
                self.journal.wait("tumbled nodes")
            elif not self.ports.words.valid:
                # with a full queue of leaf pairs the stack engine hands out no more entries
                full = 2 * len(self.ports.leaf_pairs) > self.design.triangle_queue
                self.journal.wait("triangle unit" if full else "aligned nodes")

    def line_trace(self) -> str:
        """Return the state."""
        return f"{self.state:7}{'T' if self.triangle_busy else ' '}"
