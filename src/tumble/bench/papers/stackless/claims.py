"""The tests of the paper's claims: on counts, which are the same on every machine, and on time, as ratios.

Each is put to the published tables as well as to ours: a test takes one of the two studies.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tumble.bench.framework.claims import Claim, Verdict, exceptions, graded, over_cases, read_claims, verdict
from tumble.bench.framework.statistics import geometric_mean
from tumble.bench.framework.table import PUBLISHED, Study
from tumble.bench.papers.stackless.measure import QUERIES
from tumble.bench.papers.stackless.published import METHODS
from tumble.report import count, ratio, significant

FAMILIES = {"all": METHODS, "alternating family": ("alternating", "stackless", "stackless-post")}
TOUCHING = ("intersection", "scalability", "different-counts")
# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.05
# "By far": at least twice as fast as any other.
BY_FAR = 2.0


def scenes(study: Study, prefix: str = "") -> list[str]:
    """The scenes whose name starts so and on which all five algorithms ran."""
    return [scene for scene in study.cases(*METHODS) if scene.startswith(prefix)]


def _counts(study: Study, scene: str, quantity: str, methods: Sequence[str] = METHODS) -> list[int]:
    return [study.count(scene, method, quantity) for method in methods]


def _start(study: Study, scene: str, method: str) -> int:
    """The pairs that a traversal begins with."""
    return study.count(scene, "", "faces a") if method == "leaf" else 1


def separation_one_iteration(study: Study) -> Verdict:
    """Nothing but the pairs that a traversal begins with, none of which overlap."""

    def broken(scene: str) -> str | None:
        iterations, overlaps = _counts(study, scene, "iterations"), sum(_counts(study, scene, "overlaps"))
        expected = [_start(study, scene, method) for method in METHODS]
        return None if iterations == expected and not overlaps else f"iterations {iterations}, overlaps {overlaps}"

    return exceptions(scenes(study, "separation"), broken, "scenes")


def same(study: Study, family: str, *quantities: str) -> Verdict:
    """Whether some methods count the same on every scene."""

    def broken(scene: str) -> str | None:
        found = list(zip(*(_counts(study, scene, name, FAMILIES[family]) for name in quantities), strict=True))
        return None if len(set(found)) == 1 else f"({', '.join(quantities)}) {found}"

    return exceptions(scenes(study), broken, "scenes")


def iterations_add_up(study: Study) -> Verdict:
    """Binary trees: every overlap that is not a leaf overlap opens two more iterations."""

    def expected(scene: str, method: str) -> int:
        inner = study.count(scene, method, "overlaps") - study.count(scene, method, "leaf overlaps")
        return _start(study, scene, method) + 2 * inner

    def broken(scene: str) -> str:
        return ", ".join(m for m in METHODS if study.count(scene, m, "iterations") != expected(scene, m))

    return exceptions(scenes(study), broken, "scenes")


def scenes_as_named(study: Study) -> Verdict:
    """What the names of scenes say about overlaps of boxes and of geometry."""

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


def stack_fewest_iterations(study: Study) -> Verdict | None:
    """Almost every test: the paper's own tables have one exception."""
    chosen = [scene for scene in scenes(study) if not scene.startswith("separation")]
    iterations = {scene: _counts(study, scene, "iterations", ("stack", "stackless")) for scene in chosen}
    others = [scene for scene, (stack, stackless) in iterations.items() if stack >= stackless]
    fewer = len(chosen) - len(others)
    numbers = f"{fewer} of {len(chosen)} scenes" + (f"; not {', '.join(others)}" if others else "")
    return graded(len(others) <= 1, fewer > 0, numbers) if chosen else None


def sizes_iterations(study: Study) -> Verdict:
    """Far better: ten times as many iterations without the rule."""

    def outcome(scene: str) -> tuple[bool, str]:
        stack, stackless = _counts(study, scene, "iterations", ("stack", "stackless"))
        return stackless > 10 * stack, f"{count(stack)} against {count(stackless)}, {ratio(stackless / stack)}"

    return over_cases(map(outcome, scenes(study, "different-sizes")))


def leaf_by_order(study: Study, quantity: str) -> Verdict | None:
    """Whether the leaf method needs less with the smallest object first than with the largest first."""
    if len(scenes(study, "different-counts")) < 2:
        return None
    cases = [f"different-counts-{which}-first" for which in ("largest", "smallest")]
    largest, smallest = (study.value(case, "leaf", quantity) for case in cases)
    numbers = f"smallest first / largest first: {ratio(smallest / largest)}"
    if quantity == "iterations":
        numbers = f"largest first {count(round(largest))}, smallest first {count(round(smallest))}"
    return verdict(smallest < largest, 1, numbers)


def _times(study: Study, prefix: str = "") -> list[dict[str, float]]:
    """The times of all methods on every scene of a group."""
    return [{method: study.value(scene, method, "time") for method in METHODS} for scene in scenes(study, prefix)]


def _ordered(times: dict[str, float]) -> list[str]:
    return sorted(times, key=times.__getitem__)


def faster(study: Study, prefix: str, method: str, other: str) -> Verdict:
    """Whether a method takes less time than another on every scene of a group."""
    values = [times[method] / times[other] for times in _times(study, prefix)]
    return over_cases([(value < 1, ratio(value)) for value in values], f"{method} / {other}: ")


def fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the fastest, or equal to the fastest, on every scene of a group."""

    def outcome(times: dict[str, float]) -> tuple[bool, str]:
        best = _ordered(times)[0]
        lead = times[method] / times[best]
        return lead < 1 + EQUAL, best if best == method else f"{best} ({method} takes {ratio(lead)})"

    return over_cases(map(outcome, _times(study, prefix)), "fastest: ")


def by_far_fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether every other method takes several times as long on every scene of a group."""
    others = [
        min(time for name, time in times.items() if name != method) / times[method] for times in _times(study, prefix)
    ]
    return over_cases([(value >= BY_FAR, ratio(value)) for value in others], f"the next / {method}: ")


def slowest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the slowest on every scene of a group."""
    last = [_ordered(times)[-1] for times in _times(study, prefix)]
    return over_cases([(name == method, name) for name in last], "slowest: ")


def intersection_family_alike(study: Study) -> Verdict:
    """Almost equal: twice what repeated runs differ by."""
    family = [[times[method] for method in FAMILIES["alternating family"]] for times in _times(study, "intersection")]
    spreads = [max(times) / min(times) for times in family]
    title = "slowest / fastest of the three: "
    return over_cases([(spread < 1 + 2 * EQUAL, ratio(spread)) for spread in spreads], title)


def _growth(study: Study) -> dict[str, float]:
    """How much longer each method takes on the largest scalability scene than on the smallest."""
    times = _times(study, "scalability")
    return {method: times[-1][method] / times[0][method] for method in METHODS} if len(times) > 1 else {}


def _describe(growth: dict[str, float]) -> str:
    return "time grows " + ", ".join(f"{method} {significant(value)}×" for method, value in growth.items())


def stack_scales_best(study: Study) -> Verdict | None:
    """Growth alone flatters what is slow on the small scene: the time on the last must be least as well."""
    growth = _growth(study)
    if not growth:
        return None
    first = _ordered(_times(study, "scalability")[-1])[0]
    kept = (first == "stack") + (growth["stack"] < min(growth.values()) * (1 + EQUAL))
    return verdict(kept, 2, f"fastest on the largest: {first}; {_describe(growth)}")


def leaf_scales_worst(study: Study) -> Verdict | None:
    """By growth alone."""
    growth = _growth(study)
    worst = _ordered(growth)[:-3:-1]
    return verdict(worst[0] == "leaf", 1, _describe({name: growth[name] for name in worst})) if growth else None


def mostly_faster(study: Study, method: str, other: str) -> Verdict | None:
    """Whether a method is the faster one "almost always": on four scenes of five."""
    ratios = [times[method] / times[other] for times in _times(study)]
    if not ratios:
        return None
    wins = sum(value < 1 for value in ratios)
    spread = f"mean {ratio(geometric_mean(ratios))} ({ratio(min(ratios))} to {ratio(max(ratios))})"
    numbers = f"{method} / {other}: faster on {wins} of {len(ratios)}, {spread}"
    return graded(wins >= 0.8 * len(ratios), wins > 0.5 * len(ratios), numbers)


def _on_both(claim: Claim) -> Claim:
    """The claim with its test put to our study, and to the published one for what the paper prints."""
    test: Callable[..., Verdict | None] = claim.test

    def printed(study: Study) -> str:
        found = test(study)
        return found.numbers if found else "–"

    return replace(
        claim, published=lambda table: printed(table.study(PUBLISHED)), test=lambda table: test(table.study(QUERIES))
    )


CLAIMS = tuple(map(_on_both, read_claims(__package__, globals())))
