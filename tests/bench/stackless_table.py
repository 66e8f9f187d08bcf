"""Tables for tests of the paper `stackless`: its own results as ours, and what it does not print."""

from made_once import made_once

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.papers.stackless.claims import CLAIMS
from tumble.bench.papers.stackless.devices import DEVICES, SETTINGS, WALKS, by_way
from tumble.bench.papers.stackless.measure import EXCHANGED, QUERIES, SET_UP, STACKS, new_memory
from tumble.bench.papers.stackless.published import METHODS, add_published

GPU_CASE = "opencl:0: a crowd"


@made_once
def published_table():
    """Our results are the paper's own."""
    table = Table()
    add_published(table)
    for row in list(table.rows()):
        table.study(QUERIES).add(*row[1:])
    return table


@made_once
def good_table():
    """The same with what the paper does not print: memory, stacks that are kept, sides exchanged, a stack of bits."""
    table = published_table()
    study = table.study(QUERIES)
    for scene in study.cases():
        for method in METHODS:
            study.add(scene, method, "memory", 168 if method in STACKS else 0)
        study.add_values(scene, "binary-stack", {"memory": 16, "iterations": study.value(scene, "stack", "iterations")})
        study.add_values(
            scene, "stackless-merge", {"memory": 0, "iterations": study.value(scene, "stack", "iterations")}
        )
        if scene.startswith(SET_UP):
            for method in STACKS:
                study.add(scene, new_memory(method), "time", study.value(scene, method, "time"))
                study.add(scene, method, "time", min(study.value(scene, name, "time") for name in METHODS))
    study.add_values("different-sizes", EXCHANGED, {"iterations": 800, "time": 1e-6})
    devices = table.study(DEVICES)
    for case in (GPU_CASE, "opencl:1: a crowd"):
        devices.add(case, "", "kind", "gpu")
        for name in (by_way(method, way) for method in WALKS for way in SETTINGS):
            devices.add_values(case, name, {"wrong answers": 0, "iterations": 7, "overlaps": 3})
        for way in SETTINGS:
            devices.add(case, by_way("stackless-post", way), f"time / {by_way('stackless', way)}", 0.9)
    return table


PAPER = published_table().study(PUBLISHED)


def changed(scene, method, quantity, change, make=published_table):
    """The same with one value altered, on one scene or on all."""
    table = make()
    study = table.study(DEVICES if scene == GPU_CASE else QUERIES)
    for name in [scene] if scene else study.cases():
        study.add(name, method, quantity, change(study.value(name, method, quantity)))
    return table


def result(table, name):
    """What one claim gets."""
    return check_claims([claim for claim in CLAIMS if claim.name == name], table)[0]


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}
