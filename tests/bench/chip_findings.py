"""Findings made by hand, in which every claim holds and every goal is met; tests spoil one thing at a time."""

from dataclasses import replace

import numpy as np

from tumble.bench.chip.listing import METHODS, VOLUMES
from tumble.bench.chip.records import Findings, Listed, Rotation, Sample, contestant
from tumble.bench.peers.records import Case, Difference
from tumble.bench.triangle_operations import TriangleOperations
from tumble.chip import ChipRun, Design
from tumble.chip.sweep import Point

# Of one query: the recursive traversal and what takes its place.
SECONDS = {"stack": 2.0, "stack-ahead": 1.5, "lists": 1.2, "lists-pairs": 1.0}
COUNTS = {
    "stack": {"iterations": 100.0, "tests": 100.0, "moves": 100.0},
    "stack-ahead": {"iterations": 100.0, "tests": 100.0, "moves": 50.0},
    "lists": {"iterations": 90.0, "tests": 90.0, "moves": 20.0, "reached": 20.0},
    "lists-pairs": {"iterations": 45.0, "tests": 90.0, "moves": 20.0, "reached": 20.0},
}


def good_sample(**changes):
    """Ten lists of thirty pairs, five per cent off."""
    values = {
        "step": 1,
        "cycles": 9_000,
        "plain_cycles": 3_990,
        "seconds": 15e-6,
        "equation_cycles": 3_800.0,
        "lists": 10,
        "pairs_a_list": 30.0,
        "tumbled": 20,
        "different_tumbled": 20,
        "polygon_checks": 1_000,
        "unsure": 2,
        "bottleneck": "SDRAM",
        "plain_bottleneck": "SDRAM",
        "agrees": True,
    }
    return Sample(**{**values, **changes})


def good_rotation(name="Lock", **changes):
    """Two poses; the second is the worst case, with a larger speed-up."""
    values = {
        "name": name,
        "what": "a gear",
        "triangles": 1_000,
        "distance": 1.0,
        "touching": 1,
        "aligned": np.array([200.0, 2_000.0]),
        "reads": np.array([100.0, 1_000.0]),
        "tumbled": np.array([40.0, 200.0]),
        "reached": np.array([40.0, 200.0]),
        "checks": np.array([10.0, 100.0]),
        "recursive": np.array([200e-6, 3_000e-6]),
        "listed": np.array([100e-6, 1_500e-6]),
        "samples": [good_sample()],
    }
    return Rotation(**{**values, **changes})


def slower(volume, method):
    """A k-DOP other than the 24-DOP takes half as long again."""
    return SECONDS[method] * (1.0 if volume == "kdop24" else 1.5)


def good_listed():
    rounds = {contestant(v, m): [slower(v, m)] * 3 for v in VOLUMES for m in METHODS}
    counts = {contestant(v, m): COUNTS[m] for v in VOLUMES for m in METHODS}
    case = Case("lists", "Lock at 1.00", "Lock", 1_000, 4, 1.0)
    return Listed(case, rounds, "3 pairs a pose", "stand-in", 1_000, {}, counts)


def swept(k, cycles):
    run = ChipRun(np.empty((0, 2), np.int64), cycles, 8_192, 60, 4, 2, 7, 0, {"SDRAM": 300}, Design(k=k))
    return Point("k", str(k), k == 24, run, run)


def good_findings():
    """Everything as it should be."""
    findings = Findings()
    findings.rotations = [good_rotation("Lock"), good_rotation("Buddha")]
    findings.listed = [good_listed()]
    findings.differences = [Difference("lists", "Lock at 1.00", "kdop24 lists", 4, 0, 0, 0)]
    findings.triangle_tests = [
        TriangleOperations("unit triangle", 30.0, 50.0, 60.0, 10.0, 0.0, 190.0, 0.0, 20),
        TriangleOperations("intervals", 30.0, 80.0, 70.0, 12.0, 2.0, 230.0, 0.0, 20),
        TriangleOperations("exact, its float64 stage", 30.0, 20.0, 10.0, 12.0, 0.0, 80.0, 0.0, 20),
    ]
    findings.sweep = [swept(6, 700), swept(24, 483), swept(26, 500)]
    findings.swept = "Lock, step 1"
    return findings


def with_rotation(**changes):
    findings = good_findings()
    findings.rotations = [replace(one, **changes) for one in findings.rotations]
    return findings


def with_sample(**changes):
    return with_rotation(samples=[good_sample(**changes)])


def relisted(times=None, counts=None):
    """The findings with some times or counts of the races changed, by the contestant's name."""
    findings = good_findings()
    findings.listed = [
        replace(
            one,
            rounds={**one.rounds, **{name: [value] * 3 for name, value in (times or {}).items()}},
            counts={**one.counts, **{n: {**one.counts[n], **v} for n, v in (counts or {}).items()}},
        )
        for one in findings.listed
    ]
    return findings
