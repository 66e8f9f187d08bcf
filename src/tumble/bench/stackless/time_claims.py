"""The paper's claims about time, as ratios between algorithms on one scene: those carry over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import geometric_mean

from tumble.bench.stackless.claims import Claim, on_scenes
from tumble.bench.stackless.rows import METHODS, Results
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN, Finding, verdict
from tumble.report import ratio, significant

# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.05
# "By far": at least twice as fast as any other.
BY_FAR = 2.0


def _faster(prefix: str, method: str, other: str) -> Callable[[Results], Finding]:
    """Whether a method takes less time than another on every scene of a group."""

    def judge(results: Results) -> Finding:
        def test(scene: str) -> tuple[bool, str]:
            value = results.time_ratio(scene, method, other)
            return value < 1, ratio(value)

        finding = on_scenes(results.scenes(prefix), test)
        return Finding(finding.verdict, f"{method} / {other}: {finding.numbers}")

    return judge


def _fastest(prefix: str, method: str) -> Callable[[Results], Finding]:
    """Whether a method is the fastest, or equal to the fastest, on every scene of a group."""

    def judge(results: Results) -> Finding:
        def test(scene: str) -> tuple[bool, str]:
            best = min(METHODS, key=lambda name: results[scene, name].seconds_per_query)
            lead = results.time_ratio(scene, method, best)
            return lead < 1 + EQUAL, best if best == method else f"{best} ({method} takes {ratio(lead)})"

        finding = on_scenes(results.scenes(prefix), test)
        return Finding(finding.verdict, f"fastest: {finding.numbers}")

    return judge


def _by_far_fastest(prefix: str, method: str) -> Callable[[Results], Finding]:
    """Whether every other method takes several times as long on every scene of a group."""

    def judge(results: Results) -> Finding:
        def test(scene: str) -> tuple[bool, str]:
            others = [results.time_ratio(scene, name, method) for name in METHODS if name != method]
            return min(others) >= BY_FAR, ratio(min(others))

        finding = on_scenes(results.scenes(prefix), test)
        return Finding(finding.verdict, f"the next / {method}: {finding.numbers}")

    return judge


def _slowest(prefix: str, method: str) -> Callable[[Results], Finding]:
    """Whether a method is the slowest on every scene of a group."""

    def judge(results: Results) -> Finding:
        def test(scene: str) -> tuple[bool, str]:
            worst = max(METHODS, key=lambda name: results[scene, name].seconds_per_query)
            return worst == method, worst

        finding = on_scenes(results.scenes(prefix), test)
        return Finding(finding.verdict, f"slowest: {finding.numbers}")

    return judge


def _family_alike(results: Results) -> Finding:
    def test(scene: str) -> tuple[bool, str]:
        times = [results[scene, m].seconds_per_query for m in ("alternating", "stackless", "stackless-post")]
        spread = max(times) / min(times)
        return spread < 1 + 2 * EQUAL, ratio(spread)

    finding = on_scenes(results.scenes("intersection"), test)
    return Finding(finding.verdict, f"slowest / fastest of the three: {finding.numbers}")


def _growth(results: Results) -> dict[str, float] | None:
    scenes = results.scenes("scalability")
    if len(scenes) < 2:
        return None
    first, last = scenes[0], scenes[-1]
    return {m: results[last, m].seconds_per_query / results[first, m].seconds_per_query for m in METHODS}


def _describe(growth: dict[str, float]) -> str:
    return "time grows " + ", ".join(f"{method} {significant(value)}×" for method, value in growth.items())


def _stack_scales_best(results: Results) -> Finding:
    growth = _growth(results)
    if growth is None:
        return Finding(UNKNOWN, "–")
    # Growth alone flatters whoever is slow on the small scene: the time on the last must be least as well.
    last = results.scenes("scalability")[-1]
    fastest = min(METHODS, key=lambda name: results[last, name].seconds_per_query)
    least = min(growth.values())
    kept = (fastest == "stack") + (growth["stack"] < least * (1 + EQUAL))
    return Finding(verdict(kept, 2), f"fastest on the largest: {fastest}; {_describe(growth)}")


def _leaf_scales_worst(results: Results) -> Finding:
    growth = _growth(results)
    if growth is None:
        return Finding(UNKNOWN, "–")
    worst, next_worst = sorted(growth, key=growth.__getitem__, reverse=True)[:2]
    numbers = _describe({method: growth[method] for method in (worst, next_worst)})
    return Finding(HOLDS if worst == "leaf" else FAILS, numbers)


def _leaf_order(results: Results) -> Finding:
    scenes = results.scenes("different-counts")
    if len(scenes) < 2:
        return Finding(UNKNOWN, "–")
    value = (
        results["different-counts-smallest-first", "leaf"].seconds_per_query
        / results["different-counts-largest-first", "leaf"].seconds_per_query
    )
    return Finding(HOLDS if value < 1 else FAILS, f"smallest first / largest first: {ratio(value)}")


def _mostly_faster(method: str, other: str) -> Callable[[Results], Finding]:
    """Whether a method is the faster one "almost always": on four scenes of five."""

    def judge(results: Results) -> Finding:
        scenes = results.scenes()
        if not scenes:
            return Finding(UNKNOWN, "–")
        ratios = [results.time_ratio(scene, method, other) for scene in scenes]
        wins = sum(value < 1 for value in ratios)
        share = wins / len(ratios)
        word = HOLDS if share >= 0.8 else PARTLY if share > 0.5 else FAILS
        return Finding(word, f"{method} / {other}: faster on {wins} of {len(ratios)}, {_range(ratios)}")

    return judge


def _range(ratios: Sequence[float]) -> str:
    return f"mean {ratio(geometric_mean(ratios))} ({ratio(min(ratios))} to {ratio(max(ratios))})"


TIME_CLAIMS = (
    Claim(
        "separation-stackless-faster",
        "Apart, stackless beats the stack: it has none to set up.",
        "Table 3",
        False,
        _faster("separation", "stackless", "stack"),
    ),
    Claim(
        "separation-leaf-slowest",
        "Apart, the leaf method is the slowest.",
        "Table 3",
        False,
        _slowest("separation", "leaf"),
    ),
    Claim(
        "intersection-stack-fastest",
        "Intersecting, the stack is the fastest.",
        "Table 2",
        False,
        _fastest("intersection", "stack"),
    ),
    Claim(
        "intersection-family-alike",
        "Intersecting, alternating, stackless and stackless-post take almost equal time.",
        "Section 10",
        False,
        _family_alike,
    ),
    Claim(
        "close-stack-fastest",
        "In close proximity the stack is the fastest or as fast as any.",
        "Table 4",
        False,
        _fastest("close", "stack"),
    ),
    Claim(
        "small-stackless-faster",
        "In small proximity stackless is a little faster than the stack.",
        "Table 5",
        False,
        _faster("small", "stackless", "stack"),
    ),
    Claim(
        "small-leaf-slowest",
        "In small proximity the leaf method is the slowest.",
        "Table 5",
        False,
        _slowest("small", "leaf"),
    ),
    Claim(
        "stack-scales-best",
        "The stack scales best with the number of triangles.",
        "Figure 33",
        False,
        _stack_scales_best,
    ),
    Claim("leaf-scales-worst", "The leaf method scales worst.", "Figure 33", False, _leaf_scales_worst),
    Claim(
        "sizes-stack-fastest",
        "With objects of different sizes the stack is by far the fastest.",
        "Table 7",
        False,
        _by_far_fastest("different-sizes", "stack"),
    ),
    Claim(
        "sizes-leaf-slowest",
        "With the smaller object first, the leaf method is the slowest on different sizes.",
        "Table 7",
        False,
        _slowest("different-sizes", "leaf"),
    ),
    Claim(
        "counts-stackless-fastest",
        "With different numbers of triangles stackless is the fastest, if not by much.",
        "Table 8",
        False,
        _fastest("different-counts", "stackless"),
    ),
    Claim(
        "counts-leaf-order",
        "The leaf method does better with the smaller object first.",
        "Table 8",
        False,
        _leaf_order,
    ),
    Claim(
        "leaf-beats-stack-smallest-first",
        "Smallest first, the leaf method even beats the stack.",
        "Table 8",
        False,
        _faster("different-counts-smallest", "leaf", "stack"),
    ),
    Claim(
        "stackless-beats-alternating",
        "Stackless is almost always a little faster than alternating, which takes the same steps.",
        "Section 10",
        False,
        _mostly_faster("stackless", "alternating"),
    ),
    Claim(
        "stackless-beats-post",
        "Stackless is a little faster than stackless-post.",
        "Section 10",
        False,
        _mostly_faster("stackless", "stackless-post"),
    ),
)
