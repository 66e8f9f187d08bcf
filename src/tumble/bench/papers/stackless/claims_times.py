"""The tests of claims on times that compare algorithms on all scenes of a group.

Times are ratios within rounds (`cases.time_ratio`); where noise is larger than the difference, nothing is decided.
"""

from itertools import combinations

from tumble.bench.framework.claims import Kept, Verdict, graded, interval, over_cases
from tumble.bench.framework.statistics import mean_interval
from tumble.bench.framework.table import Study
from tumble.bench.papers.stackless.cases import (
    ALIKE,
    EQUAL,
    STACKLESS,
    all_kept,
    kept_often,
    ordered,
    others,
    scenes,
    time_ratio,
)
from tumble.report import ratio

# "By far": at least twice as fast as any other.
BY_FAR = 2.0
# "Almost always", "almost every case": four scenes of five.
MOSTLY = 0.8


def faster(study: Study, prefix: str, method: str, other: str) -> Verdict:
    """Whether a method takes less time than another on every scene of a group."""
    found = [time_ratio(study, scene, method, other) for scene in scenes(study, prefix)]
    return over_cases([(each.below(1), interval(each)) for each in found], f"{method} / {other}: ")


def is_fastest(study: Study, scene: str, method: str) -> Kept:
    """Whether a method is the fastest on a scene; 5 % count as equal."""
    return all_kept(time_ratio(study, scene, method, other).below(1 + EQUAL) for other in others(method))


def fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the fastest, or equal to the fastest, on every scene of a group."""

    def outcome(scene: str) -> tuple[Kept, str]:
        best = ordered(study, scene)[0]
        lead = interval(time_ratio(study, scene, method, best))
        return is_fastest(study, scene, method), best if best == method else f"{best} ({method} takes {lead})"

    return over_cases(map(outcome, scenes(study, prefix)), "fastest: ")


def by_far_fastest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether every other method takes at least twice as long on every scene of a group."""

    def outcome(scene: str) -> tuple[Kept, str]:
        found = [time_ratio(study, scene, other, method) for other in others(method)]
        return all_kept(each.above(BY_FAR) for each in found), interval(min(found))

    return over_cases(map(outcome, scenes(study, prefix)), f"the next / {method}: ")


def is_slowest(study: Study, scene: str, method: str) -> Kept:
    """Whether all other methods are faster on a scene."""
    return all_kept(time_ratio(study, scene, method, other).above(1) for other in others(method))


def slowest(study: Study, prefix: str, method: str) -> Verdict:
    """Whether a method is the slowest on every scene of a group."""
    chosen = scenes(study, prefix)
    outcomes = [(is_slowest(study, scene, method), ordered(study, scene)[-1]) for scene in chosen]
    return over_cases(outcomes, "slowest: ")


def as_fast(study: Study, prefix: str, method: str, *rivals: str) -> Verdict:
    """Whether a method is as fast as some others, or faster, on every scene of a group; 5 % count as equal."""

    def outcome(scene: str) -> tuple[Kept, str]:
        found = [time_ratio(study, scene, method, rival) for rival in rivals]
        return all_kept(each.below(1 + EQUAL) for each in found), " and ".join(map(interval, found))

    return over_cases(map(outcome, scenes(study, prefix)), f"{method} / {' and '.join(rivals)}: ", "; ")


def little_slower(study: Study, prefix: str, base: str, *methods: str) -> Verdict:
    """Not a lot slower than a base: each takes at most 10 % more, twice what repeated runs differ by."""
    found = {
        (scene, method): time_ratio(study, scene, method, base) for scene in scenes(study, prefix) for method in methods
    }
    outcomes = [(each.below(1 + ALIKE), f"{method} {interval(each)}") for (_, method), each in found.items()]
    return over_cases(outcomes, f"beside {base}: ")


def both_faster(study: Study, prefix: str, other: str) -> Verdict:
    """Whether both stackless methods take less time than another on every scene of a group."""
    found = [time_ratio(study, scene, method, other) for scene in scenes(study, prefix) for method in STACKLESS]
    return over_cases([(each.below(1), interval(each)) for each in found], f"{' and '.join(STACKLESS)} / {other}: ")


def stackless_not_always(study: Study) -> Verdict | None:
    """Each of both must be slower by more than 5 % somewhere."""
    found = {method: [time_ratio(study, scene, method, "stack") for scene in scenes(study)] for method in STACKLESS}
    if not scenes(study):
        return None
    outcomes = [
        (kept_often([each.above(1 + EQUAL) for each in ratios], 1), f"{method} up to {interval(max(ratios))}")
        for method, ratios in found.items()
    ]
    return over_cases(outcomes, "beside the stack: ")


def alike(study: Study, prefix: str, *methods: str) -> Verdict:
    """Almost equal: no two of them differ by more than 10 %, twice what repeated runs differ by."""

    def outcome(scene: str) -> tuple[Kept, str]:
        found = [time_ratio(study, scene, *pair) for pair in combinations(methods, 2)]
        widest = max(max(each.value, 1 / each.value) for each in found)
        return all_kept(each.within(1 + ALIKE) for each in found), ratio(widest)

    chosen = scenes(study, "" if prefix == "all" else prefix)
    return over_cases(map(outcome, chosen), f"slowest / fastest of {', '.join(methods)}: ")


def mostly_faster(study: Study, method: str, other: str) -> Verdict | None:
    """Whether a method is the faster one "almost always": on four scenes of five; in part on more than half."""
    found = [time_ratio(study, scene, method, other) for scene in scenes(study)]
    if not found:
        return None
    wins = [each.below(1) for each in found]
    values = [each.value for each in found]
    spread = f"mean {interval(mean_interval(found))}, {ratio(min(values))} to {ratio(max(values))}"
    numbers = f"{method} / {other}: faster on {_described(wins)}, {spread}"
    return _mostly(wins, numbers)


def mostly_fastest(study: Study, method: str) -> Verdict | None:
    """Fastest, or within 5 % of it, on more than half of the scenes."""
    won = [is_fastest(study, scene, method) for scene in scenes(study)]
    return graded(kept_often(won, _more_than_half(won)), False, f"on {_described(won)}") if won else None


def mostly_slowest(study: Study, method: str) -> Verdict | None:
    """Slowest on four scenes of five; in part on more than half."""
    lost = [is_slowest(study, scene, method) for scene in scenes(study)]
    return _mostly(lost, f"on {_described(lost)}") if lost else None


def _mostly(outcomes: list[Kept], numbers: str) -> Verdict:
    most = MOSTLY * len(outcomes)
    return graded(kept_often(outcomes, most), kept_often(outcomes, _more_than_half(outcomes)), numbers)


def _more_than_half(outcomes: list[Kept]) -> float:
    return len(outcomes) // 2 + 1


def _described(outcomes: list[Kept]) -> str:
    open_ones = outcomes.count(None)
    kept = f"{outcomes.count(True)} of {len(outcomes)} scenes"
    return f"{kept} ({open_ones} not decided)" if open_ones else kept


def not_significant(study: Study, other: str, *methods: str) -> Verdict | None:
    """The means over the scenes say less than 10 % either way: twice what repeated runs differ by.

    Without separation, where a stack holds one pair: setting it up is another claim.
    """
    chosen = [scene for scene in scenes(study) if not scene.startswith("separation")]
    if not chosen:
        return None
    means = [mean_interval([time_ratio(study, scene, method, other) for scene in chosen]) for method in methods]
    outcomes = [(mean.within(1 + ALIKE), interval(mean)) for mean in means]
    return over_cases(outcomes, f"{' and '.join(methods)} / {other}: ")
