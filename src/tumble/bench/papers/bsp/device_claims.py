"""Tests of claims about how a device works: searches, flushes, atomic additions, and what crosses to the host."""

from math import ceil

from tumble.bench.framework.claims import Verdict, interval, over_cases
from tumble.bench.framework.table import TIME, Study, Table, reads
from tumble.bench.papers.bsp.device_work import LOCAL, SCANNED, TABLE, VARIANTS, variant
from tumble.bench.papers.bsp.published import title
from tumble.bench.papers.bsp.ways import DEVICES, on_devices
from tumble.report import count

CLOSE = 0.05
FEW = 0.5
"""atomic additions in global memory for each work-item that writes: without a queue, it needs one for itself"""


def _beside(table: Table, one: str, other: str) -> list[tuple[str, str, str]]:
    study = table.study(VARIANTS)
    pairs = [(variant(device, one), variant(device, other)) for device in table.study(DEVICES).cases()]
    return [
        (scene, *pair)
        for pair in pairs
        for scene in study.cases(*pair)
        if study.has(scene, pair[0], f"{TIME} / {pair[1]}")
    ]


@on_devices
def search_is_negligible(table: Table) -> Verdict:
    """The search in local memory takes at most a twentieth more than a table with the row of every node."""
    study, outcomes = table.study(VARIANTS), []
    for scene, searched, looked_up in _beside(table, LOCAL, TABLE):
        found = study.interval(scene, searched, looked_up)
        outcomes.append((found.below(1 + CLOSE), f"{title(scene)} {interval(found)}"))
    return over_cases(outcomes, "searched in local memory beside looked up: ")


@on_devices
def prefix_sums(table: Table) -> Verdict:
    """With prefix sums in place of atomic additions the same leaf pairs are found; times are shown beside."""
    study, outcomes = table.study(VARIANTS), []
    for scene, scanned, reserved in _beside(table, SCANNED, LOCAL):
        same = study.value(scene, scanned, "same") == 1
        outcomes.append((same, f"{title(scene)} {interval(study.interval(scene, scanned, reserved))} of the time"))
    return over_cases(outcomes)


@on_devices
@reads(VARIANTS)
def flushes(study: Study) -> Verdict:
    """No group takes more turns to write than Equation 3 says: ⌈4^µ |G| / κ⌉."""
    outcomes = []
    for scene in study.cases():
        for name in study.contestants(scene):
            if study.has(scene, name, "most flushes"):
                found = study.count(scene, name, "most flushes")
                step, group, queue = (study.count(scene, name, what) for what in ("µ", "|G|", "κ"))
                most = ceil(4**step * group / queue)
                outcomes.append((found <= most, f"{title(scene)} {found} of {most}"))
    return over_cases(outcomes)


@on_devices
@reads(VARIANTS)
def few_additions(study: Study) -> Verdict:
    """Atomic additions in global memory beside work-items that write, each of which needs one without a queue."""
    outcomes = []
    for scene in study.cases():
        for name in study.contestants(scene):
            if study.has(scene, name, "writing"):
                additions, alone = (study.value(scene, name, what) for what in ("flushes", "writing"))
                outcomes.append(
                    (additions <= FEW * alone, f"{title(scene)} {count(round(additions))} of {count(round(alone))}")
                )
    return over_cases(outcomes, "additions of those that work-items by themselves need: ")


@on_devices
@reads(VARIANTS)
def stays_there(study: Study) -> Verdict:
    """Of all pairs of nodes only leaf pairs come to the host, and one set of counters for each round."""
    outcomes = []
    for scene in study.cases():
        for name in study.contestants(scene):
            if study.has(scene, name, "returned"):
                numbers = {
                    what: study.count(scene, name, what)
                    for what in ("returned", "leaves", "tests", "launches", "rounds")
                }
                kept = numbers["returned"] <= numbers["leaves"] and numbers["launches"] == numbers["rounds"]
                pairs = f"{count(numbers['returned'])} of {count(numbers['tests'])}"
                outcomes.append((kept, f"{title(scene)} {pairs} in {numbers['rounds']} rounds"))
    return over_cases(outcomes)
