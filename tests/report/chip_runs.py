"""Runs of the chip made by hand, for tables and pictures."""

import numpy as np

from tumble.chip import ChipRun, Design

INTERVALS = [
    ("SDRAM", 0, 16, "tumbled pair"),
    ("DOTADD", 22, 46, "first"),
    ("DOTADD", 58, 82, "second"),
    ("SDRAM", 80, 96, "aligned pair"),
    ("comparators", 96, 100, "two"),
    ("triangle unit", 100, 160, "triangles"),
]


def made_run(**changes):
    """Two lists of 30 aligned nodes each: 2 · (100 + 13 · 10) = 460 cycles by Equation 5."""
    busy = {"SDRAM": 300, "DOTADD": 96, "comparators": 60, "triangle unit": 400}
    values = {
        "pairs": np.array([[3, 4], [3, 5]]),
        "cycles": 600,
        "bus_bytes": 64 * 128,
        "aligned_nodes": 60,
        "tumbled_nodes": 4,
        "lists": 2,
        "polygon_checks": 7,
        "unsure": 1,
        "busy": busy,
        "design": Design(),
        "waits": {"DOTADD": 150, "SDRAM": 20, "triangle unit": 0},
        "intervals": INTERVALS,
    }
    return ChipRun(**{**values, **changes})


def plain_run(**changes):
    """The same without triangles, five per cent above Equation 5."""
    busy = {"SDRAM": 300, "DOTADD": 96, "comparators": 60}
    return made_run(**{"cycles": 483, "busy": busy, "design": Design(triangle_unit=False), **changes})


def idle_run():
    """A query that nothing had to be done for."""
    return ChipRun(np.empty((0, 2), np.int64), 0, 0, 0, 0, 0, 0, 0, {})
