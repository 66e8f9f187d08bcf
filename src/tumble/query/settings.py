"""The parameters of the methods, one record each, with what each field trades; the answers do not depend on them.

`settings=` of every public call takes the record of its method: `collide(a, b, method="bulk",
settings=BulkSettings(depth_step=2))`. Given alone, a record chooses its method.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any

from tumble.core.options import whole_number
from tumble.errors import OptionError

MOST_STEP = 8
"""levels; a pair of nodes then makes 65 536 new ones"""
MOST_ENTRY = 20
MOST_QUEUE = 1 << 20
MOST_CAPACITY = 1 << 31
PAIRS_PER_TRIANGLE = 64
SEARCHES, PLACES = ("global", "local", "table"), ("atomic", "scan")


@dataclass(frozen=True)
class WalkSettings:
    """Parameters of the methods that walk trees of bounding volumes, and of brute."""

    narrow: str = "exact"
    """the test of two triangles: exact, or unit-triangle, that of paper `chip`, with the exact test where it is not
    certain"""
    rule: str | None = None
    """of stack, stack-ahead, stackless-merge and binary-stack, which tree to descend: volume (the default),
    longest-side, triangles, alternate, a-first, b-first, b-twice"""


@dataclass(frozen=True)
class BoxtreeSettings:
    """Parameters of the walk of boxtrees."""

    overlap: str = "sat-lite"
    """the test of two nodes: axis, lookup, sat, sat-lite"""
    pre_transformed: bool = True
    """whether a node's part of the tests is computed once for all its pairs, or once for each pair"""


@dataclass(frozen=True)
class BulkSettings:
    """How frontiers are expanded and written."""

    entry_level: int = 0
    """le: the level of all trees at which the first frontier is made: deeper means more pairs at once, fewer rounds"""
    depth_step: int | None = None
    """µ: levels that an overlapping pair descends at once: more means fewer rounds, more tests; None: Equation 4"""
    queue: int = 1024
    """κ: pairs that are kept back before they are written behind all others at once"""
    group: int | None = None
    """|G|: pairs of a frontier that are taken at a time; on a device, work-items of a group. None: 64, and 1 on a CPU
    that is a device, as it does them one after the other"""
    writers: int | None = None
    """α: of how many pairs of a group all descendants fit into the queue; None: the fourth root of κ, the most that
    the paper allows"""
    first_capacity: int | None = None
    """first capacity of frontiers and results, in pairs; more of them repeat a round; None: 64 per triangle"""
    most_pairs: int = 1 << 24
    """pairs of a frontier, at most: beyond, the frontier before it is done in parts, one after the other"""
    padded: bool = True
    """whether trees keep places for nodes without triangles"""
    tested: bool = True
    """whether descendants are tested before they are written; False: in the next round, when they are read, as in the
    paper"""
    inactive: bool = False
    """whether descendants without triangles are written and tested, too, which changes nothing but the work; for
    `padded` trees with `tested=False`: so padding can be seen in time and counts"""
    search: str = "global"
    """on devices with `tested=False`, how a work-item finds the level of a node: by a search through all levels in
    `global` memory, by one through the trees in `local` memory as in the paper (for `padded` trees), or in a `table`"""
    places: str = "atomic"
    """on devices with `tested=False`, how work-items get places in the queue: by `atomic` additions as in the paper, or
    by a prefix sum over the group, `scan`"""

    def __post_init__(self) -> None:
        limits = {
            "entry_level": (0, MOST_ENTRY), "queue": (1, MOST_QUEUE), "group": (1, 1 << 20),
            "most_pairs": (1, MOST_CAPACITY), "depth_step": (1, MOST_STEP), "first_capacity": (1, MOST_CAPACITY),
        }  # fmt: skip
        _check(self, limits, ("padded", "tested", "inactive"))
        if self.inactive and (self.tested or not self.padded):
            raise OptionError("inactive=True: only padded trees have such nodes, and only tested=False writes them")
        _check_names(self, {"search": SEARCHES, "places": PLACES})
        if self.variant and self.tested:
            raise OptionError(f"search={self.search!r}, places={self.places!r}: only for tested=False")
        if self.search == "local" and not self.padded:
            raise OptionError("search='local' takes the logarithm of a node's place in its tree: for padded trees only")
        _check(self, {"writers": (1, _fourth_root(self.queue))})

    @property
    def variant(self) -> bool:
        """Whether a device searches or writes in another than the usual way."""
        return (self.search, self.places) != (SEARCHES[0], PLACES[0])

    @property
    def step(self) -> int:
        """µ as given, or ⌊log4(κ / α)⌋, Equation 4; at least 1, which is what a queue of fewer than four pairs gets."""
        if self.depth_step is not None:
            return self.depth_step
        share = self.queue // (self.writers or _fourth_root(self.queue))
        return min(max((share.bit_length() - 1) // 2, 1), MOST_STEP)

    @property
    def most(self) -> int:
        """The largest frontier: `most_pairs`, or what one pair of nodes can make, if that is more."""
        return max(self.most_pairs, 4**self.step)

    def capacity(self, triangles: int, per_triangle: int = PAIRS_PER_TRIANGLE) -> int:
        """Return the first capacity in pairs; memory that is never written to costs nothing."""
        return self.first_capacity or per_triangle * max(triangles, 1 << 10)


@dataclass(frozen=True)
class FrontSettings:
    """How work-items walk down from the nodes of a front, and where they register what they find."""

    stack: int = 32
    """capacity of the stack of a work-item, in pairs; what does not fit waits for the next round"""
    steps: int = 128
    """pairs that a work-item replaces by their children before it hands over what is left; 0: no limit"""
    group: int | None = None
    """work-items of a group on devices; on the CPU, pairs that a thread takes at a time. None: 64, or fewer if a device
    has no room for their stacks"""
    segments: int = 64
    """on devices: parts of a stream with a counter each, so that groups seldom wait for one another"""
    queue: int = 1024
    """on the CPU: pairs that a thread keeps back before it writes them at once"""
    first_capacity: int | None = None
    """first capacity of streams, in pairs; more of them repeat a round; None: twice the size of the last front, else 8
    per triangle on devices and 64 on the CPU, where memory that is not used costs nothing"""
    padded: bool = True
    """whether trees keep places for nodes without triangles"""

    def __post_init__(self) -> None:
        limits = {
            "stack": (1, 1 << 12), "steps": (0, 1 << 30), "group": (1, 1 << 16), "segments": (1, 1 << 12),
            "queue": (1, MOST_QUEUE), "first_capacity": (1, MOST_CAPACITY),
        }  # fmt: skip
        _check(self, limits, ("padded",))

    def capacity(self, triangles: int, before: int = 0, per_triangle: int = PAIRS_PER_TRIANGLE) -> int:
        """Return the first capacity in pairs; `before` are those of the front that is followed."""
        if self.first_capacity is not None:
            return self.first_capacity
        return 2 * before + (1 << 14) if before else max(per_triangle * triangles, 1 << 16)


@dataclass(frozen=True)
class DeviceSettings:
    """Parameters of binary-stack, leaf, alternating, stackless and stackless-post on devices."""

    rule: str = "volume"
    """of binary-stack, which tree to descend, see `WalkSettings`"""
    pool: bool = True
    """work-items draw from a pool; False: one work-item for each pair of bodies, as in the paper"""
    steps: int = 4096
    """with a pool, turns after which a walk is split: fewer balance better and cost rounds; 0: never"""
    items_per_unit: int | None = None
    """with a pool, how many work-items a compute unit gets, in multiples of its vector width; None: 64, and 1 where the
    device is a CPU"""
    leaf_size: int = 1
    """triangles in a leaf of the trees that are built for devices, at most"""
    volume: str = "obb"
    """the oriented boxes of those trees: obb, obb-covariance"""
    first_capacity: int = 1 << 16
    """first capacity in candidates; more of them repeat the launch"""
    pool_capacity: int = 1 << 18
    """tasks that fit into the pool of the next round; a walk that finds it full goes on by itself"""
    most_candidates: int = 1 << 26
    """candidates of one launch, at most: beyond, the list of pairs is halved, and a single pair is left to the CPU"""


def _fourth_root(number: int) -> int:
    return isqrt(isqrt(number))


def _check(record: Any, limits: Mapping[str, tuple[int, int]], flags: tuple[str, ...] = ()) -> None:
    """Refuse numbers beyond their limits, but None where that is the default, and flags that are not truth values.

    Numbers are kept as Python's own: those of NumPy overflow.
    """
    for name, (least, most) in limits.items():
        value = getattr(record, name)
        if value is None and getattr(type(record), name) is None:
            continue
        number = whole_number(value)
        if number is None or not least <= number <= most:
            raise OptionError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
        object.__setattr__(record, name, number)
    for name in flags:
        if not isinstance(getattr(record, name), bool):
            raise OptionError(f"{name} must be True or False, not {getattr(record, name)!r}")


def _check_names(record: Any, known: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse names that are not known."""
    for name, names in known.items():
        if getattr(record, name) not in names:
            raise OptionError(f"{name} must be one of {', '.join(names)}, not {getattr(record, name)!r}")


BULK_ON_DEVICES = BulkSettings(queue=512)
"""the default on devices: local memory is scarce on a GPU"""
BULK_AS_IN_PAPER = BulkSettings(depth_step=2, queue=512, group=64, tested=False)
"""descendants written untested; the paper found two levels at a time best"""

AnySettings = WalkSettings | BoxtreeSettings | BulkSettings | FrontSettings | DeviceSettings
"""what `settings=` of a public call takes"""
