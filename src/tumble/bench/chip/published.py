"""What the paper `chip` prints: Table 1, and the numbers of its text."""

from __future__ import annotations

from typing import NamedTuple


class Visits(NamedTuple):
    """Node visits of one query and its microseconds, on average over a rotation or in the worst case.

    Aligned nodes are counted once for each tumbled node that they are compared with.
    """

    aligned: int
    tumbled: int
    hardware: int
    software: int


class Row(NamedTuple):
    """A row of Table 1: two copies of an object close to each other, one of them rotating."""

    polygons: int
    average: Visits
    polygon_checks: int
    worst: Visits
    speedup: int
    worst_speedup: int


TABLE_1 = {
    "Filter": Row(19_326, Visits(12_474, 240, 153, 14_936), 1_660, Visits(542_888, 3_553, 5_638, 717_164), 98, 127),
    "Frontlight": Row(30_075, Visits(389, 73, 15, 524), 68, Visits(7_065, 937, 207, 9_226), 36, 44),
    "Lock": Row(62_023, Visits(279, 81, 15, 401), 9, Visits(4_854, 877, 178, 6_804), 27, 38),
    "Car body": Row(60_755, Visits(259, 66, 12, 383), 55, Visits(3_076, 538, 110, 5_390), 31, 49),
    "Buddha": Row(125_000, Visits(159, 50, 9, 240), 7, Visits(3_345, 301, 77, 4_074), 26, 53),
}
# Section 6: the range of speed-ups.
LEAST_SPEEDUP, MOST_SPEEDUP = 25, 125
# Section 3.1, from "extensive benchmarks".
BEST_K = 24
MACHINE = "Pentium III, 1 GHz"
