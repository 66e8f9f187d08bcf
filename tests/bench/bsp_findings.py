"""Findings made by hand, in which every claim holds and every goal is met; tests spoil one thing at a time."""

from dataclasses import replace

from tumble.bench.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE
from tumble.bench.bsp.records import ALL, BETWEEN, CPU, Answer, Findings, Grown, Load, Moved, Raced, Swept, papers_way
from tumble.bench.bsp.sheet import MEASURED, QUERIES, REFIT, UPDATE
from tumble.bench.bsp.streams import AT_ROOTS, REFITTED, STREAMS, called
from tumble.bench.bsp.trees import BUILD, COMPRESSED, PADDED, QUERY
from tumble.bench.bsp.trees import REFIT as FITTED
from tumble.bench.bsp.trees import called as tree_called
from tumble.device import Device

GPU = Device("opencl:0", "GTX", "maker", "gpu", 1 << 30, 16, True)
PAPERS = papers_way(GPU.name)
IPC_FAST, IPC_SLOW, EMBREE = "IPC Toolkit, LBVH", "IPC Toolkit, HashGrid", "Embree, Morton"


def raced(scene, question, seconds, kernels=None, counts=None):
    """A race of three equal rounds."""
    rounds = {name: [value] * 3 for name, value in seconds.items()}
    return Raced(scene, question, rounds, {name: [value] * 3 for name, value in (kernels or {}).items()}, counts or {})


def load(scene, objects, between, within, itself, frame="93", real=True):
    return Load(scene, frame, real, objects, 1_000, between, within, within // 2, itself)


def query(scene, question, milliseconds):
    seconds = {CPU: 0.1, GPU.name: 0.5e-3 * milliseconds, PAPERS: 1e-3 * milliseconds}
    return raced(scene, question, seconds, {GPU.name: 1e-3, PAPERS: 1e-3}, dict.fromkeys(seconds, 7))


def streams(scene, speedup):
    names = (STREAMS, REFITTED, AT_ROOTS)
    seconds = {CPU: 0.01, GPU.name: 0.001}
    slower = {called(way, name): speedup * value for way, value in seconds.items() for name in names}
    kernels = {GPU.name: 0.0005, called(GPU.name, STREAMS): 0.001 * speedup}
    return raced(scene, BETWEEN, {**seconds, PAPERS: 0.001, **slower}, kernels)


def swept(figure, scene, value, way=PAPERS):
    places = [(entry, step) for entry in (1, 5) for step in (1, 2, 3, 4)]
    if figure == 9:
        places = [(queue, group) for queue in (2, 64) for group in (2, 64)]
    return Swept(figure, scene, way, {at: value(*at) for at in places})


def steep(entry, step):
    """Four levels are slow, two best, and a deeper entry costs."""
    return {1: 1.2, 2: 1.0, 3: 1.3, 4: 4.0}[step] * entry


def flat(entry, step):
    return {1: 1.2, 2: 1.0, 3: 1.3, 4: 4.0}[step]


def large(queue, group):
    return 1.0 if queue >= 64 and group >= 64 else 2.0


def grown(scene, padded=262_143, compressed=184_469):
    names = [tree_called(way, what, form) for way in (CPU, GPU.name) for what in (BUILD, FITTED, QUERY)
             for form in (PADDED, COMPRESSED)]  # fmt: skip
    rounds = {name: [0.01 if COMPRESSED in name else 0.02] * 3 for name in names}
    return Grown(scene, padded, compressed, 6_700_000, 4_800_000, rounds)


def moved(rule, **changes):
    values = {
        "triangles": 3_200,
        "frames": 3,
        "milliseconds": {UPDATE: [1.0] * 3, QUERIES: [2.5] * 3},
        "rebuilt": 1,
        "pairs": 1_234,
    }
    return Moved(rule, **{**values, **changes})


def good_findings():
    """Everything as it should be."""
    faces = {TWIN: 0.1, WIDE: 0.2, IPC_FAST: 0.3, IPC_SLOW: 0.4, EMBREE: 0.05}
    elements = {WIDE: 0.1, IPC_FAST: 0.2, IPC_SLOW: 0.3}
    return Findings(
        loads=[
            load("cloth-ball", 2, 30_000, 1_520_000, True),
            load("funnel", 4, 12_000, 145_000, True, "228"),
            load("n-body", 305, 58_800, 900_000, False, "19"),
        ],
        table=[
            query("cloth-ball", BETWEEN, 1.0), query("cloth-ball", ALL, 6.0), query("funnel", BETWEEN, 0.2),
            query("funnel", ALL, 0.9), query("n-body", BETWEEN, 2.0),
        ],
        streams=[streams("cloth-ball", 4.0), streams("funnel", 4.0), streams("n-body", 6.0)],
        swept=[
            swept(8, "cloth-ball", flat), swept(8, "funnel", flat), swept(8, "n-body", steep),
            *(swept(9, scene, large) for scene in ("cloth-ball", "funnel", "n-body")),
        ],
        grown=[grown("cloth-ball"), grown("funnel", 65_535, 36_984)],
        moved=[moved(MEASURED), moved(REFIT)], early_megabytes=200.0, late_megabytes=201.0,
        faces=[raced("cloth-ball", FACES, faces, counts=dict.fromkeys(faces, 773_566))],
        elements=[raced("cloth-ball", ELEMENTS, elements, counts=dict.fromkeys(elements, 6_852_873))],
        object_seconds=[1e-7],
        answers=[Answer("cloth-ball", ALL, CPU, 7, 7, True), Answer("cloth-ball", ALL, GPU.name, 7, 7, True)],
        devices=[GPU],
        versions={"ipctk": "1.6.1", "embree": "4.4.0"},
    )  # fmt: skip


def changed(**changes):
    """The good findings with some parts replaced: by values, or by functions of what is there."""
    good = good_findings()
    news = {name: value(getattr(good, name)) if callable(value) else value for name, value in changes.items()}
    return replace(good, **news)
