"""A table of the paper `bsp` in which every claim holds and every goal is met; tests spoil one value at a time."""

from itertools import permutations

from made_once import made_once

from tumble.bench.framework.claims import check_claims
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp import counts, device_work, formulas, streams
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE
from tumble.bench.papers.bsp.claims import CLAIMS
from tumble.bench.papers.bsp.counts import COUNTS
from tumble.bench.papers.bsp.published import add_published
from tumble.bench.papers.bsp.races import (
    BUILD,
    CLOTH_AND_FUNNEL,
    COMPRESSED,
    CONSTRUCTION,
    FORMS,
    LINKED,
    LOADS,
    PADDED,
    QUERIES,
    QUERY,
    REFIT,
    STEPS,
    TREES,
    case_of,
)
from tumble.bench.papers.bsp.races import (
    SCENES as SCENE_RACE,
)
from tumble.bench.papers.bsp.sequences import RULES, SEQUENCES
from tumble.bench.papers.bsp.sheet import (
    CASE,
    IMPLICIT_REBUILD,
    IMPLICIT_REFIT,
    MEASURED,
    SHEET,
    UPDATE,
)
from tumble.bench.papers.bsp.sheet import (
    QUERIES as ASKING,
)
from tumble.bench.papers.bsp.sheet import REFIT as REFIT_RULE
from tumble.bench.papers.bsp.streams import AT_ROOTS, BY_DEFAULT, EVERY, REFITTED, STREAMS, called, opponent
from tumble.bench.papers.bsp.sweeps import study_of
from tumble.bench.papers.bsp.ways import ALL, ANSWERS, BETWEEN, CPU, DEVICES, papers_way, pruned_way

GPU = "opencl:0"
PAPERS = papers_way(GPU)
IPC_FAST, IPC_SLOW, EMBREE = "IPC Toolkit, LBVH", "IPC Toolkit, HashGrid", "Embree, Morton"
SCENES = ("cloth-ball", "funnel", "n-body")
TRIANGLES = dict(zip(SCENES, (92_230, 18_484, 146_480), strict=True))
# Four levels are slow, two best.
STEP_COSTS = {1: 1.2, 2: 1.0, 3: 1.3, 4: 4.0}


def steep(entry, step):
    """A deeper entry costs."""
    return STEP_COSTS[step] * entry


def flat(entry, step):
    return STEP_COSTS[step]


def large(queue, group):
    return 1.0 if queue >= 64 and group >= 64 else 3.0


def add_load(table, scene, frame, objects, between, within, real=True, triangles=None, both=None):
    """Loads of a frame; `both`: leaf pairs of cloth and funnel."""
    triangles = TRIANGLES[scene] if triangles is None else triangles
    values = {"scene": scene, "frame": frame, "real": real, "objects": objects, "triangles": triangles}
    table.study(LOADS).add_values(f"{scene}, {frame}", "", values)
    pairs = {"between": between, "within": within, "within apart": within // 2}
    table.study(LOADS).add_values(f"{scene}, {frame}", "", pairs)
    if scene == "funnel":
        table.study(LOADS).add(f"{scene}, {frame}", "", CLOTH_AND_FUNNEL, between - 1 if both is None else both)


def add_query(table, scene, question, milliseconds, rounds=8):
    study, case = table.study(QUERIES), case_of(scene, question)
    study.add_values(case, "", {"scene": scene, "question": question, "leaf pairs": 7})
    for way, seconds in {CPU: 0.1, GPU: 0.5e-3 * milliseconds, PAPERS: 1e-3 * milliseconds}.items():
        study.add_race(case, {way: [seconds] * rounds})


def add_scene_race(table, cloth_ball=6.0, funnel=0.9, n_body=2.0):
    """The three scenes in turn, in milliseconds."""
    seconds = {"cloth-ball": [cloth_ball] * 8, "funnel": [funnel] * 8, "n-body": [n_body] * 8}
    table.study(SCENE_RACE).add_race(PAPERS, seconds, permutations(seconds, 2))


def add_streams(table, scene, speedup, ours=None):
    """Bulk, and streams that take so many times as long; `ours`: in our own way."""
    study, bulk = table.study(streams.FIGURE_7), {CPU: 0.01, GPU: 0.001, PAPERS: 0.001, pruned_way(GPU): 0.001}
    bulk[GPU] *= 1.0 if ours is None else speedup / ours
    names = (STREAMS, EVERY, REFITTED, AT_ROOTS, BY_DEFAULT)
    theirs = {called(way, name): speedup * bulk[way] for way in bulk for name in names}
    rounds = {name: [value] * 8 for name, value in {**bulk, **theirs}.items()}
    study.add_race(scene, rounds, [(opponent(way), way) for way in bulk])
    study.add(scene, GPU, "kernels", 0.0005, "s")
    study.add(scene, called(GPU, STREAMS), "kernels", 0.001 * speedup, "s")


def add_stacks(table, scene, small=2.0):
    """Streams with a small stack take so many times as long as with a large one."""
    study, case, names = table.study(streams.SETTINGS), f"{scene}, {GPU}", ("stack 8", "stack 32")
    small_stack, large = (f"steps 0, segments 4, {name}" for name in names)
    study.add_values(case, "", {"scene": scene, "way": GPU, "chosen": large})
    study.add_race(case, {small_stack: [small] * 8, large: [1.0] * 8}, [(small_stack, large)])


def add_sweep(table, figure, scene, value, rounds=8):
    first, second = ((1, 5), (1, 2, 3, 4)) if figure == 8 else ((2, 64), (2, 64))
    study = study_of(table, figure)
    study.add(scene, "", "depth step", 2)
    for a, b in ((a, b) for a in first for b in second):
        study.add_series(scene, PAPERS, f"time: {a} {b}", [value(a, b)] * rounds, "s")


def spiky(entry, step):
    """Tests behind a first frontier: more with larger steps, with a peak every µ levels."""
    return 1_000 * 4**step * (3 if entry % step == step - 1 and step > 2 else 1)


def add_counted(table, scene, name, first=lambda entry: 4**entry, behind=spiky, rounds=None):
    """Frontiers of all levels and steps: a first one, and one with all other tests behind some of one pair."""
    study, pairs = table.study(COUNTS), 100 if scene == "n-body" else 1
    for entry, step in ((entry, step) for entry in range(8) for step in (1, 2, 3, 4)):
        number = rounds(entry, step) if rounds else 1 - (entry - 12) // step
        sizes = [pairs * first(entry), behind(entry, step), *[1] * (number - 2)]
        study.add_series(scene, name, f"frontiers: {entry} {step}", sizes)
        study.add_values(scene, name, {f"tests: {entry} {step}": sum(sizes), f"rounds: {entry} {step}": number})


def add_facts(table, scene, nodes=200, active=100):
    pairs = 100 if scene == "n-body" else 1
    table.study(COUNTS).add_values(scene, "", {"pairs of objects": pairs, "overlapping": 4, "depth": 12})
    table.study(COUNTS).add_values(scene, "", {"nodes": nodes, "active nodes": active})


def add_between(table, scene, tests):
    table.study(COUNTS).add_series(scene, counts.ONLY_BETWEEN, "frontiers: 0 2", [1, tests - 1])


def add_fronts(table, scene, front=100, at_once=150, bulk=300):
    values = {"front before": front, "front after": front, "bulk at once": at_once, "bulk": bulk}
    name = f"{counts.FRONTS}, {BETWEEN}"
    table.study(COUNTS).add_values(scene, name, {**values, "bulk, tested first": bulk // 10})


def add_lockstep(table, scene, bulk=0.5, walks=0.1, lines=0.6, their_lines=0.7, compressed=500, stored=500):
    values = {"bulk busy": bulk, "streams busy": walks, "mean walk": 2.0, "longest walk": 900}
    values |= {"bulk lines": lines, "streams lines": their_lines}
    values |= {"line reads, padded": 1_000, "line reads anywhere, padded": 1_000}
    values |= {"line reads, compressed": stored, "line reads anywhere, compressed": compressed}
    table.study(COUNTS).add_values(scene, counts.LOCKSTEP, values)


def add_counts(table, scene):
    crowd = scene == "n-body"
    add_facts(table, scene)
    add_counted(table, scene, counts.EVERY)
    add_counted(table, scene, counts.OVERLAPPING, lambda entry: 1)
    add_counted(table, scene, counts.INACTIVE, behind=lambda entry, step: spiky(entry, step) ** 1.5)
    add_between(table, scene, 900 if crowd else 300)
    add_fronts(table, scene)
    add_lockstep(table, scene)


def add_variants(table, scene, searched=1.0, same=1, flushed=2, flushes=20, returned=7, launches=3):
    study, local = table.study(device_work.VARIANTS), device_work.variant(GPU, device_work.LOCAL)
    looked_up, scanned = (device_work.variant(GPU, name) for name in (device_work.TABLE, device_work.SCANNED))
    rounds = {local: [searched] * 8, looked_up: [1.0] * 8, scanned: [1.0] * 8}
    study.add_race(scene, rounds, [(looked_up, local), (scanned, local), (local, looked_up)])
    study.add(scene, scanned, "same", same)
    numbers = {"flushes": flushes, "most flushes": flushed, "writing": 100, "µ": 2, "|G|": 64, "κ": 512}
    numbers |= {"returned": returned, "leaves": 7, "tests": 1_100, "launches": launches, "rounds": 3}
    study.add_values(scene, local, numbers)


def add_broad_phases(table, question, base, seconds, found):
    study = table.study(question)
    study.add_race("cloth-ball", {name: [value] * 6 for name, value in seconds.items()}, [(n, base) for n in seconds])
    for name in seconds:
        study.add("cloth-ball", name, "candidates", found)


def add_trees(table, scene, padded, compressed, megabytes=4.8):
    study = table.study(TREES)
    study.add_values(scene, PADDED, {"nodes": padded, "bytes": 6_700_000})
    study.add_values(scene, COMPRESSED, {"nodes": compressed, "bytes": 1e6 * megabytes})
    add_tree_race(table, scene)


def add_tree_race(table, scene, gain=2.0, linked=5.0):
    """What padding takes of a query, and trees with links beside implicit ones."""
    rounds, pairs = {}, []
    for way in (CPU, GPU):
        rounds |= {called(way, step, form): [1.0] * 8 for step in STEPS for form in FORMS}
        rounds[called(way, QUERY, PADDED)] = [gain] * 8
        pairs += [(called(way, BUILD, form), called(way, REFIT, form)) for form in FORMS]
        pairs += [(called(way, QUERY, PADDED), called(way, QUERY, COMPRESSED))]
    built = [called(CPU, CONSTRUCTION, form) for form in (LINKED, PADDED)]
    rounds |= {built[0]: [linked] * 8, built[1]: [1.0] * 8}
    table.study(TREES).add_race(scene, rounds, [*pairs, tuple(built)])


def add_sequence(table, case, rebuilt=0.5, passes=8, ways=(CPU, GPU)):
    """Frames with rebuilt trees beside frames with refitted ones, pass by pass."""
    table.study(SEQUENCES).add(case, "", "frames", 8)
    for way in ways:
        names = [called(way, rule) for rule in RULES]
        rounds = dict(zip(names, ([rebuilt] * passes, [1.0] * passes), strict=True))
        for quantity in ("time", UPDATE, ASKING):
            table.study(SEQUENCES).add_race(case, rounds, [tuple(names)], quantity=quantity)


def add_code(table, bulk, streamed):
    for name, lines in ((formulas.BULK_FILES, bulk), (formulas.STREAMS_FILES, streamed)):
        table.study(formulas.CODE).add("kernels", name, "lines", lines)


def add_rule(table, rule, pairs=1_234):
    study = table.study(SHEET)
    study.add_values(CASE, rule, {"rebuilt": 1, "pairs": pairs, "update": 1.0, "queries": 2.5})
    for what in (UPDATE, ASKING):
        study.add_series(CASE, rule, f"{what}, frame by frame", [1.0] * 8)


def add_value(table, study, *value):
    table.study(study).add(*value)


@made_once
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
    add_scene_race(table)
    add_code(table, 100, 120)
    table.study(formulas.EQUATION_4).add_values("κ and α", "", {"kept": 9, "all": 9})
    for scene in SCENES:
        add_counts(table, scene)
        add_variants(table, scene)
        add_stacks(table, scene)
        add_streams(table, scene, 8.0 if scene == "n-body" else 4.0)
        add_sequence(table, scene)
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
    add_sequence(table, CASE)
    for rule in (MEASURED, REFIT_RULE, IMPLICIT_REFIT, IMPLICIT_REBUILD):
        add_rule(table, rule)
    for way in (CPU, GPU):
        table.study(ANSWERS).add("cloth-ball", way, "same", 1)
    return table


def result(table, name):
    """What one claim gets."""
    return check_claims([claim for claim in CLAIMS if claim.name == name], table)[0]


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}
