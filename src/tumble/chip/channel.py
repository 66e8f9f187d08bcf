"""How units talk: a queue of registers with payload, valid and ready, and a clock in two phases.

In the first phase of a cycle every unit looks at its channels and acts:

    valid, payload    there is something to take, and what
    ready             there is room to put something
    take(), put(x)    at most once each in a cycle

In the second phase the clock makes it so. What was put is there in the next cycle, and what was taken leaves room in
the next cycle; nothing a unit does shows within the cycle. So it makes no difference in which order units act. For a
transfer in every cycle a channel needs room for two.
"""

from collections import deque
from typing import Any

from tumble.errors import ChipError


class Clock:
    """Collects what changes in a cycle, each channel and register file once, and carries it out at the end."""

    __slots__ = ("changed",)

    def __init__(self) -> None:
        self.changed: dict[Any, None] = {}  # a set in the order in which they came

    def tick(self) -> None:
        """End the cycle."""
        for each in self.changed:
            each.tick()
        self.changed.clear()


class Unit:
    """Something that acts once per cycle, through its channels and registers."""

    column = ""
    """the title of its column in a trace"""
    shown = ""
    """what it did in this cycle, at most as wide as the title"""

    def tick(self, now: int) -> None:
        """Do a cycle."""
        raise NotImplementedError

    def line_trace(self) -> str:
        """Return what the unit did in this cycle, as wide as its title."""
        return f"{self.shown:{len(self.column)}}"


class Channel:
    """A queue from one unit to another."""

    __slots__ = ("_capacity", "_clock", "_items", "_put", "_put_now", "_take_now", "name", "payload", "ready", "valid")

    def __init__(self, clock: Clock, name: str, capacity: int = 2) -> None:
        self.name = name
        self.payload: Any = None
        self.valid = False
        self.ready = True
        self._clock = clock
        self._capacity = capacity
        self._items: deque[Any] = deque()
        self._put: Any = None
        self._put_now = False
        self._take_now = False

    def put(self, payload: Any) -> None:
        """Offer a payload; only when ready."""
        if not self.ready or self._put_now:
            raise ChipError(f"channel {self.name}: put without room, or twice in a cycle")
        self._clock.changed[self] = None
        self._put = payload
        self._put_now = True

    def take(self) -> Any:
        """Accept the payload; only when valid."""
        if not self.valid or self._take_now:
            raise ChipError(f"channel {self.name}: take from nothing, or twice in a cycle")
        self._clock.changed[self] = None
        self._take_now = True
        return self.payload

    def tick(self) -> None:
        """Carry out what was requested in this cycle."""
        items = self._items
        if self._take_now:
            items.popleft()
            self._take_now = False
        if self._put_now:
            items.append(self._put)
            self._put = None
            self._put_now = False
        self.valid = bool(items)
        self.payload = items[0] if items else None
        self.ready = len(items) < self._capacity

    def __len__(self) -> int:
        """How many payloads wait."""
        return len(self._items)


class Ports:
    """The channels of a chip; a token says that something is done."""

    # memory
    requests: Channel  # master controller → SDRAM interface: Request
    lines: Channel  # triangle unit → master controller: Request
    words: Channel  # SDRAM interface → comparators: entry, side, bytes, whether the node ends, whether the burst does
    numbers: Channel  # SDRAM interface → address generator 1: kind of line, node, place, value
    nodes: Channel  # SDRAM interface → stack engine: tumbled node, its pointer, whether it is a leaf
    matrix: Channel  # SDRAM interface → triangle unit: a coefficient of a leaf's matrix

    # registers and DOTADD
    begun: Channel  # address generator 1 → 2: the tumbled node that begins to come
    freed: Channel  # address generator 2 → 1: token, the DOP registers are read for the last time
    operands: Channel  # address generator 2 → DOTADD: a line and three numbers
    places: Channel  # address generator 2 → 3: node, place, whether it is the last one
    sums: Channel  # DOTADD → address generator 3: a result
    loaded: Channel  # address generator 1 → triangle unit: token, the vertices are in the DOP registers
    programs: Channel  # triangle unit → address generator 2: list of Steps
    moved: Channel  # address generator 3 → triangle unit: token, the vertices are moved

    # traversal
    verdicts: Channel  # comparators → stack engine: EntryOverlaps
    entries: Channel  # stack engine → master controller: ListEntry
    groups: Channel  # stack engine → master controller: Group
    leaf_pairs: Channel  # stack engine → master controller: addresses of two triangles
    jobs: Channel  # master controller → triangle unit: the same
    finished: Channel  # triangle unit → master controller: token
    to_host: Channel  # verdict (None: not tested), addresses of two triangles

    def __init__(self, clock: Clock, leaf_pairs: int = 2) -> None:
        """Make all channels, `leaf_pairs` with room for a whole queue."""
        for name in type(self).__annotations__:
            setattr(self, name, Channel(clock, name))
        self.leaf_pairs = Channel(clock, "leaf_pairs", leaf_pairs)
