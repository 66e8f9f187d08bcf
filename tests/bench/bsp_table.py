"""A table of the paper `bsp` in which every claim holds and every goal is met; tests spoil one value at a time."""

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE
from tumble.bench.papers.bsp.claims import CLAIMS
from tumble.bench.papers.bsp.published import add_published
from tumble.bench.papers.bsp.races import (
    AT_ROOTS,
    COMPRESSED,
    FIGURE_7,
    FORMS,
    LOADS,
    PADDED,
    QUERIES,
    REFITTED,
    STEPS,
    STREAMS,
    TREES,
    called,
    case_of,
)
from tumble.bench.papers.bsp.sheet import CASE, MEASURED, REFIT, SHEET
from tumble.bench.papers.bsp.sweeps import study_of
from tumble.bench.papers.bsp.ways import ALL, ANSWERS, BETWEEN, CPU, DEVICES, papers_way

GPU = "opencl:0"
PAPERS = papers_way(GPU)
IPC_FAST, IPC_SLOW, EMBREE = "IPC Toolkit, LBVH", "IPC Toolkit, HashGrid", "Embree, Morton"
SCENES = ("cloth-ball", "funnel", "n-body")
# Four levels are slow, two best.
STEP_COSTS = {1: 1.2, 2: 1.0, 3: 1.3, 4: 4.0}


def steep(entry, step):
    """A deeper entry costs."""
    return STEP_COSTS[step] * entry


def flat(entry, step):
    return STEP_COSTS[step]


def large(queue, group):
    return 1.0 if queue >= 64 and group >= 64 else 2.0


def add_load(table, scene, frame, objects, between, within, real=True):
    values = {"scene": scene, "frame": frame, "real": real, "objects": objects, "triangles": 1_000}
    table.study(LOADS).add_values(f"{scene}, {frame}", "", values)
    pairs = {"between": between, "within": within, "within apart": within // 2}
    table.study(LOADS).add_values(f"{scene}, {frame}", "", pairs)


def add_query(table, scene, question, milliseconds):
    study, case = table.study(QUERIES), case_of(scene, question)
    study.add_values(case, "", {"scene": scene, "question": question, "leaf pairs": 7})
    for way, seconds in {CPU: 0.1, GPU: 0.5e-3 * milliseconds, PAPERS: 1e-3 * milliseconds}.items():
        study.add(case, way, "time", seconds, "s")


def add_streams(table, scene, speedup):
    """Bulk, and streams that take so many times as long."""
    study, bulk = table.study(FIGURE_7), {CPU: 0.01, GPU: 0.001, PAPERS: 0.001}
    theirs = {called(way, name): speedup * bulk[way] for way in bulk for name in (STREAMS, REFITTED, AT_ROOTS)}
    rounds = {name: [value] * 3 for name, value in {**bulk, **theirs}.items()}
    study.add_race(scene, rounds, [(called(way, STREAMS), way) for way in bulk])
    study.add(scene, GPU, "kernels", 0.0005, "s")
    study.add(scene, called(GPU, STREAMS), "kernels", 0.001 * speedup, "s")


def add_sweep(table, figure, scene, value):
    first, second = ((1, 5), (1, 2, 3, 4)) if figure == 8 else ((2, 64), (2, 64))
    study = study_of(table, figure)
    study.add(scene, "", "depth step", 2)
    for a, b in ((a, b) for a in first for b in second):
        study.add(scene, PAPERS, f"time: {a} {b}", value(a, b), "s")


def add_broad_phases(table, question, base, seconds, found):
    study = table.study(question)
    study.add_race("cloth-ball", {name: [value] * 3 for name, value in seconds.items()}, [(n, base) for n in seconds])
    for name in seconds:
        study.add("cloth-ball", name, "candidates", found)


def add_trees(table, scene, padded, compressed):
    study = table.study(TREES)
    study.add_values(scene, PADDED, {"nodes": padded, "bytes": 6_700_000})
    study.add_values(scene, COMPRESSED, {"nodes": compressed, "bytes": 4_800_000})
    for way, what, form in ((way, what, form) for way in (CPU, GPU) for what in STEPS for form in FORMS):
        study.add(scene, called(way, what, form), "time", 0.01 if form == COMPRESSED else 0.02, "s")


def add_rule(table, rule, pairs=1_234):
    study = table.study(SHEET)
    study.add_values(CASE, rule, {"rebuilt": 1, "pairs": pairs, "update": 1.0, "queries": 2.5})
    for what in ("update", "queries"):
        study.add_series(CASE, rule, f"{what}, smoothed", [1.0] * 3)


def good_table():
    """Everything as it should be."""
    table = Table()
    add_published(table)
    table.study(DEVICES).add_values(GPU, "", {"device": "GTX", "kind": "gpu"})
    add_load(table, "cloth-ball", "93", 2, 30_000, 1_520_000)
    add_load(table, "funnel", "228", 4, 12_000, 145_000)
    add_load(table, "n-body", "19", 305, 58_800, 900_000)
    for scene, question, milliseconds in (
        ("cloth-ball", BETWEEN, 1.0),
        ("cloth-ball", ALL, 6.0),
        ("funnel", BETWEEN, 0.2),
        ("funnel", ALL, 0.9),
        ("n-body", BETWEEN, 2.0),
    ):
        add_query(table, scene, question, milliseconds)
    for scene in SCENES:
        add_streams(table, scene, 6.0 if scene == "n-body" else 4.0)
        add_sweep(table, 8, scene, steep if scene == "n-body" else flat)
        add_sweep(table, 9, scene, large)
    faces = {TWIN: 0.1, WIDE: 0.2, IPC_FAST: 0.3, IPC_SLOW: 0.4, EMBREE: 0.05}
    add_broad_phases(table, FACES, TWIN, faces, 773_566)
    add_broad_phases(table, ELEMENTS, WIDE, {WIDE: 0.1, IPC_FAST: 0.2, IPC_SLOW: 0.3}, 6_852_873)
    table.study(FACES).add("cloth-ball", "", "per object", 1e-7, "s")
    add_trees(table, "cloth-ball", 262_143, 184_469)
    add_trees(table, "funnel", 65_535, 36_984)
    table.study(SHEET).add_values(CASE, "", {"triangles": 3_200, "frames": 3})
    table.study(SHEET).add_values(CASE, "", {"megabytes, early": 200.0, "megabytes, late": 201.0})
    for rule in (MEASURED, REFIT):
        add_rule(table, rule)
    for way in (CPU, GPU):
        table.study(ANSWERS).add("cloth-ball", way, "same", 1)
    return table


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}
