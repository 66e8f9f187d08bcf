"""The paper's claims: on counts, which are the same on every machine, and on time, as ratios between algorithms.

Each is put to the published tables as well as to ours: a test takes one of the two studies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tumble.bench.framework.claims import (
    FAILS,
    HOLDS,
    NOT_MEASURED,
    PARTLY,
    Claim,
    Verdict,
    exceptions,
    over_cases,
    word_for,
)
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.stackless.measure import QUERIES
from tumble.bench.papers.stackless.published import METHODS
from tumble.report import count, ratio, significant

COUNTS, TIMES = "Counts, the same on every machine", "Times, as ratios between algorithms"
ALTERNATING_FAMILY = ("alternating", "stackless", "stackless-post")
TOUCHING = ("intersection", "scalability", "different-counts")
# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.05
# "By far": at least twice as fast as any other.
BY_FAR = 2.0

Test = Callable[..., Verdict]


def _named(
    group: str, name: str, sentence: str, source: str, test: Test, *options: str, certain: bool = False
) -> Claim:
    """A claim whose test, with its options, is put to the paper's own figures, too."""
    return Claim(
        name,
        sentence,
        source,
        lambda table: test(table.study(PUBLISHED), *options).numbers,
        lambda table: test(table.study(QUERIES), *options),
        certain,
        group,
    )


def _claim(group: str, source: str, certain: bool = False) -> Callable[[Test], Claim]:
    """The same of one test: its docstring is the sentence, its name that of the claim."""

    def make(test: Test) -> Claim:
        return _named(group, test.__name__.replace("_", "-"), test.__doc__ or "", source, test, certain=certain)

    return make


def scenes(study: Study, prefix: str = "") -> list[str]:
    """The scenes whose name starts so and on which all five algorithms ran."""
    return [scene for scene in study.cases(*METHODS) if scene.startswith(prefix)]


def _counts(study: Study, scene: str, quantity: str, methods: Sequence[str] = METHODS) -> list[int]:
    return [study.count(scene, method, quantity) for method in methods]


@_claim(COUNTS, "Table 3", certain=True)
def separation_one_iteration(study: Study) -> Verdict:
    """Apart, the tree traversals end after one iteration and the leaf method after one per leaf of A."""

    def broken(scene: str) -> str | None:
        iterations, overlaps = _counts(study, scene, "iterations"), sum(_counts(study, scene, "overlaps"))
        expected = [study.count(scene, "", "faces a") if method == "leaf" else 1 for method in METHODS]
        return None if iterations == expected and not overlaps else f"iterations {iterations}, overlaps {overlaps}"

    return exceptions(scenes(study, "separation"), broken, "scenes")


def _same(study: Study, quantities: Sequence[str], methods: Sequence[str]) -> Verdict:
    """Whether some methods count the same on every scene."""

    def broken(scene: str) -> str | None:
        found = list(zip(*(_counts(study, scene, name, methods) for name in quantities), strict=True))
        return None if len(set(found)) == 1 else f"({', '.join(quantities)}) {found}"

    return exceptions(scenes(study), broken, "scenes")


@_claim(COUNTS, "Tables 2–8", certain=True)
def same_walk(study: Study) -> Verdict:
    """Alternating, stackless and stackless-post walk alike: equal iterations and overlaps everywhere."""
    return _same(study, ("iterations", "overlaps"), ALTERNATING_FAMILY)


@_claim(COUNTS, "Section 10", certain=True)
def same_answer(study: Study) -> Verdict:
    """All five algorithms find the same leaf overlaps and the same geometry overlaps."""
    return _same(study, ("leaf overlaps", "geometry overlaps"), METHODS)


@_claim(COUNTS, "Algorithms 1–3", certain=True)
def iterations_add_up(study: Study) -> Verdict:
    """Each overlap above the leaves costs two iterations more (one triangle per leaf, two children per node)."""
    # Binary trees: every overlap that is not a leaf overlap opens two more iterations.

    def expected(scene: str, method: str) -> int:
        start = study.count(scene, "", "faces a") if method == "leaf" else 1
        return start + 2 * (study.count(scene, method, "overlaps") - study.count(scene, method, "leaf overlaps"))

    def broken(scene: str) -> str:
        return ", ".join(m for m in METHODS if study.count(scene, m, "iterations") != expected(scene, m))

    return exceptions(scenes(study), broken, "scenes")


@_claim(COUNTS, "Section 9", certain=True)
def scenes_as_named(study: Study) -> Verdict:
    """Intersecting scenes touch, proximity scenes overlap in boxes only, separated ones not even there."""

    def broken(scene: str) -> str | None:
        overlaps, touching = (study.count(scene, "stack", name) for name in ("overlaps", "geometry overlaps"))
        if scene.startswith(TOUCHING):
            right = touching > 0
        elif scene.startswith("separation"):
            right = overlaps == 0
        else:
            right = overlaps > 0 and touching == 0
        return None if right else f"{overlaps} overlaps, {touching} of geometry"

    return exceptions(scenes(study), broken, "scenes")


@_claim(COUNTS, "Section 10")
def stack_fewest_iterations(study: Study) -> Verdict:
    """In almost every test the stack with its volume rule takes fewer iterations than stackless."""
    chosen = [scene for scene in scenes(study) if not scene.startswith("separation")]
    iterations = {scene: _counts(study, scene, "iterations", ("stack", "stackless")) for scene in chosen}
    others = [scene for scene, (stack, stackless) in iterations.items() if stack >= stackless]
    fewer = len(chosen) - len(others)
    numbers = f"{fewer} of {len(chosen)} scenes" + (f"; not {', '.join(others)}" if others else "")
    # "Almost every": the paper's own tables have one exception.
    return Verdict(HOLDS if chosen and len(others) <= 1 else word_for(fewer, len(chosen)), numbers)


@_claim(COUNTS, "Table 7")
def sizes_iterations(study: Study) -> Verdict:
    """With objects of different sizes the volume rule prunes far better (iterations of stack, stackless)."""

    def outcome(scene: str) -> tuple[bool, str]:
        stack, stackless = _counts(study, scene, "iterations", ("stack", "stackless"))
        return stackless > 10 * stack, f"{count(stack)} against {count(stackless)}, {ratio(stackless / stack)}"

    return over_cases(map(outcome, scenes(study, "different-sizes")))


def _leaf_by_order(study: Study, quantity: str) -> tuple[float, float] | None:
    """What the leaf method needs with the largest object first, and with the smallest first."""
    if len(scenes(study, "different-counts")) < 2:
        return None
    largest, smallest = (
        study.value(f"different-counts-{which}-first", "leaf", quantity) for which in ("largest", "smallest")
    )
    return largest, smallest


@_claim(COUNTS, "Table 8")
def leaf_iterations_by_order(study: Study) -> Verdict:
    """The leaf method iterates less when the object with fewer triangles comes first."""
    found = _leaf_by_order(study, "iterations")
    if found is None:
        return NOT_MEASURED
    largest, smallest = map(round, found)
    numbers = f"largest first {count(largest)}, smallest first {count(smallest)}"
    return Verdict(HOLDS if smallest < largest else FAILS, numbers)


def _times(study: Study, scene: str) -> dict[str, float]:
    return {method: study.value(scene, method, "time") for method in METHODS}


def _faster(study: Study, prefix: str, method: str, other: str) -> Verdict:
    """Whether a method takes less time than another on every scene of a group."""
    values = [times[method] / times[other] for times in (_times(study, scene) for scene in scenes(study, prefix))]
    return over_cases([(value < 1, ratio(value)) for value in values], f"{method} / {other}: ")


def _fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the fastest, or equal to the fastest, on every scene of a group."""

    def outcome(scene: str) -> tuple[bool, str]:
        times = _times(study, scene)
        best = min(times, key=times.__getitem__)
        lead = times[method] / times[best]
        return lead < 1 + EQUAL, best if best == method else f"{best} ({method} takes {ratio(lead)})"

    return over_cases(map(outcome, scenes(study, prefix)), "fastest: ")


def _by_far_fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether every other method takes several times as long on every scene of a group."""

    def outcome(scene: str) -> tuple[bool, str]:
        times = _times(study, scene)
        next_best = min(time for name, time in times.items() if name != method) / times[method]
        return next_best >= BY_FAR, ratio(next_best)

    return over_cases(map(outcome, scenes(study, prefix)), f"the next / {method}: ")


def _slowest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the slowest on every scene of a group."""
    times = [_times(study, scene) for scene in scenes(study, prefix)]
    slowest = [max(found, key=found.__getitem__) for found in times]
    return over_cases([(name == method, name) for name in slowest], "slowest: ")


@_claim(TIMES, "Section 10")
def intersection_family_alike(study: Study) -> Verdict:
    """Intersecting, alternating, stackless and stackless-post take almost equal time."""

    def outcome(scene: str) -> tuple[bool, str]:
        times = [study.value(scene, method, "time") for method in ALTERNATING_FAMILY]
        spread = max(times) / min(times)
        return spread < 1 + 2 * EQUAL, ratio(spread)

    return over_cases(map(outcome, scenes(study, "intersection")), "slowest / fastest of the three: ")


def _growth(study: Study) -> dict[str, float]:
    """How much longer each method takes on the largest scalability scene than on the smallest."""
    chosen = scenes(study, "scalability")
    if len(chosen) < 2:
        return {}
    first, last = _times(study, chosen[0]), _times(study, chosen[-1])
    return {method: last[method] / first[method] for method in METHODS}


def _describe(growth: dict[str, float]) -> str:
    return "time grows " + ", ".join(f"{method} {significant(value)}×" for method, value in growth.items())


@_claim(TIMES, "Figure 33")
def stack_scales_best(study: Study) -> Verdict:
    """The stack scales best with the number of triangles."""
    growth = _growth(study)
    if not growth:
        return NOT_MEASURED
    # Growth alone flatters what is slow on the small scene: the time on the last must be least as well.
    times = _times(study, scenes(study, "scalability")[-1])
    fastest = min(times, key=times.__getitem__)
    kept = (fastest == "stack") + (growth["stack"] < min(growth.values()) * (1 + EQUAL))
    return Verdict(word_for(kept, 2), f"fastest on the largest: {fastest}; {_describe(growth)}")


@_claim(TIMES, "Figure 33")
def leaf_scales_worst(study: Study) -> Verdict:
    """The leaf method scales worst."""
    growth = _growth(study)
    if not growth:
        return NOT_MEASURED
    worst, next_worst = sorted(growth, key=growth.__getitem__, reverse=True)[:2]
    numbers = _describe({method: growth[method] for method in (worst, next_worst)})
    return Verdict(HOLDS if worst == "leaf" else FAILS, numbers)


@_claim(TIMES, "Table 8")
def counts_leaf_order(study: Study) -> Verdict:
    """The leaf method does better with the smaller object first."""
    found = _leaf_by_order(study, "time")
    if found is None:
        return NOT_MEASURED
    value = found[1] / found[0]
    return Verdict(HOLDS if value < 1 else FAILS, f"smallest first / largest first: {ratio(value)}")


def _mostly_faster(study: Study, method: str, other: str) -> Verdict:
    """Whether a method is the faster one "almost always": on four scenes of five."""
    times = [_times(study, scene) for scene in scenes(study)]
    if not times:
        return NOT_MEASURED
    ratios = [found[method] / found[other] for found in times]
    wins = sum(value < 1 for value in ratios)
    word = HOLDS if wins >= 0.8 * len(ratios) else PARTLY if wins > 0.5 * len(ratios) else FAILS
    spread = f"mean {ratio(geometric_mean(ratios))} ({ratio(min(ratios))} to {ratio(max(ratios))})"
    return Verdict(word, f"{method} / {other}: faster on {wins} of {len(ratios)}, {spread}")


_time = partial(_named, TIMES)

CLAIMS = (
    separation_one_iteration,
    same_walk,
    same_answer,
    iterations_add_up,
    scenes_as_named,
    stack_fewest_iterations,
    sizes_iterations,
    leaf_iterations_by_order,
    _time(
        "separation-stackless-faster", "Apart, stackless beats the stack: it has none to set up.", "Table 3",
        _faster, "separation", "stackless", "stack",
    ),
    _time(
        "separation-leaf-slowest", "Apart, the leaf method is the slowest.", "Table 3",
        _slowest, "separation", "leaf",
    ),
    _time(
        "intersection-stack-fastest", "Intersecting, the stack is the fastest.", "Table 2",
        _fastest, "intersection", "stack",
    ),
    intersection_family_alike,
    _time(
        "close-stack-fastest", "In close proximity the stack is the fastest or as fast as any.", "Table 4",
        _fastest, "close", "stack",
    ),
    _time(
        "small-stackless-faster", "In small proximity stackless is a little faster than the stack.", "Table 5",
        _faster, "small", "stackless", "stack",
    ),
    _time(
        "small-leaf-slowest", "In small proximity the leaf method is the slowest.", "Table 5",
        _slowest, "small", "leaf",
    ),
    stack_scales_best,
    leaf_scales_worst,
    _time(
        "sizes-stack-fastest", "With objects of different sizes the stack is by far the fastest.", "Table 7",
        _by_far_fastest, "different-sizes", "stack",
    ),
    _time(
        "sizes-leaf-slowest",
        "With the smaller object first, the leaf method is the slowest on different sizes.",
        "Table 7", _slowest, "different-sizes", "leaf",
    ),
    _time(
        "counts-stackless-fastest",
        "With different numbers of triangles stackless is the fastest, if not by much.",
        "Table 8", _fastest, "different-counts", "stackless",
    ),
    counts_leaf_order,
    _time(
        "leaf-beats-stack-smallest-first", "Smallest first, the leaf method even beats the stack.", "Table 8",
        _faster, "different-counts-smallest", "leaf", "stack",
    ),
    _time(
        "stackless-beats-alternating",
        "Stackless is almost always a little faster than alternating, which takes the same steps.",
        "Section 10", _mostly_faster, "stackless", "alternating",
    ),
    _time(
        "stackless-beats-post", "Stackless is a little faster than stackless-post.", "Section 10",
        _mostly_faster, "stackless", "stackless-post",
    ),
)  # fmt: skip
