"""SDRAM and its interface: banks with their timing, a bus, and a buffer of node pairs.

A read goes: activate the row of a bank, a read command, then the data, one bus word per cycle:

    cycle    0          4       8                16          (2-2-2 memory: 4-4-4 cycles of the chip; 256-bit bus)
             activate   read    w w w w w w w w              a pair of siblings is 8 words: 16 cycles after all

Every read opens a row anew ("we assume page faults for practically all memory reads"). The row is closed as soon as the
memory allows it, when the read command is as old as its burst is long; closing takes 4 cycles, opening 4 more. Reads of
another bank therefore follow without a gap (the row is opened while the last burst runs), reads of the same bank wait
for 8 cycles. With four banks and random addresses that is two cycles on average, ten for a pair, as in the paper.

The bank of a line is in the lowest bits of its pair's number: pairs side by side are in different banks.

A read command is given when the buffer has room for all of its burst, because the units that take from it may have to
wait. With the paper's buffer of one pair (`Design(buffer_pairs=1)`) a read therefore begins only when the pair
before it is compared; the default holds two.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from struct import unpack_from
from typing import Any, NamedTuple

from tumble.chip.channel import Channel, Ports, Unit
from tumble.chip.design import NODE_BYTES, PAIR_BYTES, Design
from tumble.chip.image import EMPTY, LEAF, POINTER_WORD
from tumble.chip.memory import Memory
from tumble.chip.result import Journal
from tumble.chip.setup import bytes_needed
from tumble.errors import TreeError

UNIT = "SDRAM"
WINDOW = 2  # requests that the interface looks at: the second one's row is opened early

ALIGNED = "aligned"
TUMBLED = "tumbled"
VERTICES = "vertices"
MATRIX = "matrix"
EMPTY_NODE = "empty"
BARE_LEAF = "leaf without a DOP"

FIRST_VERTEX = 12
VERTEX_NUMBERS = 9
MATRIX_NUMBERS = 12


class Request(NamedTuple):
    """Read lines from an address and send them where this kind of line goes, with a tag."""

    kind: str
    memory: Memory
    base: int  # where the image of this memory begins
    address: int
    lines: int
    tag: Any


@dataclass(slots=True)
class Burst:
    """A request under way, or in the buffer until it is sent."""

    request: Request
    bank: int
    opened: int = -1  # the first cycle in which the row is open
    first_data: int = -1
    received: int = 0  # bytes in the buffer
    sent: int = 0  # bytes, numbers or words sent, as suits where they go
    data: bytes = b""


class SdramInterface(Unit):
    """Takes requests in order and sends what it reads to the registers and the stack engine."""

    column = "sdram  b used"

    def __init__(self, design: Design, ports: Ports, journal: Journal) -> None:
        self.design, self.ports, self.journal = design, ports, journal
        self.bus_bytes = design.bus_bits // 8
        self.all_room = self.room = 2 * design.buffer_pairs
        self.waiting: deque[Burst] = deque()
        self.coming: deque[Burst] = deque()
        self.receivers: tuple[deque[Burst], ...] = (deque(), deque(), deque())
        words, numbers, matrix = self.receivers
        self.buffers = {ALIGNED: words, TUMBLED: numbers, VERTICES: numbers, MATRIX: matrix}
        self.senders: dict[str, Callable[[Burst], bool]] = {
            ALIGNED: self._send_word,
            TUMBLED: self._send_node,
            VERTICES: lambda burst: self._send_number(burst, ports.numbers, FIRST_VERTEX, VERTEX_NUMBERS),
            MATRIX: lambda burst: self._send_number(burst, ports.matrix, 0, MATRIX_NUMBERS),
        }
        self.bank_free = [0] * design.banks
        self.bus_free = 0
        self.bytes_read = 0
        self.command = ""
        self.moved = ""

    def tick(self, now: int) -> None:
        """Do a cycle: send what is there, receive a word, give a command."""
        self.command = self.moved = ""
        if self.room < self.all_room:
            self._send()
            self._receive(now)
        if self.ports.requests.valid and len(self.waiting) < WINDOW:
            self.waiting.append(self._burst(self.ports.requests.take()))
        if self.waiting:
            self._command(now)
        # the cycles of reads count as busy, but not those in which a read has to wait for room
        working = bool(self.coming) or (bool(self.waiting) and self.room >= self.waiting[0].request.lines)
        self.journal.works(UNIT, now, working, "reads")

    def _burst(self, request: Request) -> Burst:
        request.memory.check(request.address, request.lines * NODE_BYTES)
        pair = (request.base + request.address) // PAIR_BYTES
        return Burst(request, pair % self.design.banks)

    # commands -----------------------------------------------------------------------------------------------------

    def _command(self, now: int) -> None:
        """Give at most one command: read for the oldest request, else open the row of one that waits."""
        head = self.waiting[0]
        if 0 <= head.opened <= now and now >= self.bus_free and self.room >= head.request.lines:
            self._read(self.waiting.popleft(), now)
            return
        for burst in self.waiting:
            if burst.opened < 0:
                # a bank is not opened for a later request before an earlier one has read from it
                if now >= self.bank_free[burst.bank] and (burst is head or burst.bank != head.bank):
                    burst.opened = now + self.design.activate_cycles
                    self.command = f"act{burst.bank}"
                return

    def _read(self, burst: Burst, now: int) -> None:
        design, request = self.design, burst.request
        length = request.lines * design.node_transfers
        burst.first_data = now + design.cas_cycles
        self.bus_free = now + length
        self.bank_free[burst.bank] = now + length + design.precharge_cycles
        self.room -= request.lines
        self.bytes_read += request.lines * NODE_BYTES
        burst.data = request.memory.data[request.address : request.address + request.lines * NODE_BYTES]
        self.coming.append(burst)
        self.buffers[request.kind].append(burst)
        self.command = f"rd{burst.bank}"
        what = f"{request.kind} {request.address:#x}"
        self.journal.work("memory bus", burst.first_data, burst.first_data + length, what)

    def _receive(self, now: int) -> None:
        if self.coming and now >= self.coming[0].first_data:
            burst = self.coming[0]
            burst.received += self.bus_bytes
            self.moved = burst.request.kind[0]
            if burst.received >= len(burst.data):
                self.coming.popleft()

    # sending ------------------------------------------------------------------------------------------------------

    def _send(self) -> None:
        """Send from the oldest burst of each receiver; what is all sent leaves the buffer."""
        for bursts in self.receivers:
            if bursts and self.senders[bursts[0].request.kind](bursts[0]):
                self.room += bursts.popleft().request.lines

    def _send_word(self, burst: Burst) -> bool:
        """Send a bus word to the e registers; return whether the burst is done."""
        if not self.ports.words.ready or burst.sent >= burst.received:
            return False
        start = burst.sent
        burst.sent = stop = start + self.bus_bytes
        last = stop % NODE_BYTES == 0
        side = (burst.request.address + start) // NODE_BYTES % 2
        self.ports.words.put((burst.request.tag, side, burst.data[start:stop], last, stop == len(burst.data)))
        return stop == len(burst.data)

    def _send_node(self, burst: Burst) -> bool:
        """Send a number of a tumbled DOP to the DOP registers, and with the last the rest to the stack engine."""
        k = self.design.k
        line, place = divmod(burst.sent, k)
        start = line * NODE_BYTES
        node = burst.request.tag[line]
        second = (burst.request.address + start) % PAIR_BYTES != 0
        last, flags_first = place == k - 1, second or not self.design.leaf_dops
        arrived = burst.received >= start + bytes_needed(place, k, flags_first)
        if not arrived or not self.ports.numbers.ready or not self.ports.nodes.ready:
            return False
        if last or (flags_first and place == 0):
            pointer, flags = unpack_from("<2I", burst.data, start + 4 * POINTER_WORD)
            if flags == EMPTY and not second:
                where = burst.request.address + start
                raise TreeError(f"node at address {where} is empty, but only the second of a pair may be")
            bare = flags == LEAF and not self.design.leaf_dops
            if last or bare:
                self.ports.nodes.put((node, pointer, flags == LEAF))
            if bare or flags == EMPTY:
                self.ports.numbers.put((BARE_LEAF if bare else EMPTY_NODE, node, 0, 0.0))
                burst.sent += k
                return burst.sent == burst.request.lines * k
        self.ports.numbers.put((TUMBLED, node, place, unpack_from("<f", burst.data, start + 4 * place)[0]))
        burst.sent += 1
        return burst.sent == burst.request.lines * k

    def _send_number(self, burst: Burst, channel: Channel, first: int, count: int) -> bool:
        """Send a number of a triangle: of its vertices to the DOP registers, or of its matrix to the triangle unit."""
        at = 4 * (first + burst.sent)
        if burst.sent < count and channel.ready and burst.received >= at + 4:
            value = unpack_from("<f", burst.data, at)[0]
            channel.put(value if burst.request.kind == MATRIX else (VERTICES, 0, burst.sent, value))
            burst.sent += 1
        return burst.sent == count and burst.received == len(burst.data)

    def line_trace(self) -> str:
        """Return the command, what is on the bus, and how many lines of the buffer are taken."""
        return f"{self.command:7}{self.moved:1}{self.all_room - self.room:5}"
