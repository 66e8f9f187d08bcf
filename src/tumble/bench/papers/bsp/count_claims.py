"""Tests of claims about counts of the traversal: rounds, tests, frontiers and nodes are the same on every machine."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil

import numpy as np

from tumble.bench.framework.claims import Verdict, exceptions, graded, over_cases
from tumble.bench.framework.table import Study, reads
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp.counts import (
    COUNTS,
    EVERY,
    FRONTS,
    LOCKSTEP,
    ONLY_BETWEEN,
    frontiers_of,
    rounds_of,
    tests_of,
)
from tumble.bench.papers.bsp.formulas import BULK_FILES, CODE, EQUATION_4, STREAMS_FILES
from tumble.bench.papers.bsp.published import N_BODY, title
from tumble.report import count, ratio

NODE_BYTES, PAIR_BYTES = 24, 8
"""a box of six float32, two nodes of 32 bits"""


def _combinations(study: Study, name: str) -> Iterator[tuple[str, tuple[int, int], np.ndarray]]:
    for scene in study.cases(name):
        for at, sizes in frontiers_of(study, scene, name).items():
            yield scene, at, sizes


@reads(COUNTS)
def one_test_each(study: Study) -> Verdict:
    """As many tests as pairs in all frontiers: a work-item reads one pair, and tests it."""
    found = list(_combinations(study, EVERY))
    wrong = [at for scene, at, sizes in found if study.count(scene, EVERY, f"tests: {at[0]} {at[1]}") != sizes.sum()]
    total = sum(float(sizes.sum()) for _, _, sizes in found)
    return graded(not wrong, len(wrong) < len(found), f"{count(round(total))} pairs of {len(found)} traversals")


@reads(COUNTS)
def rounds(study: Study) -> Verdict:
    """Rounds are 1 + ⌈(k - le) / µ⌉, k being the deepest level that is reached; k is read off at le = 0 and µ = 1.

    Boxes contain those below them, so a pair that is apart at a level has nothing below that is not: k does not depend
    on µ or le.
    """

    def broken(scene: str) -> str | None:
        found = rounds_of(study, scene, EVERY)
        if (0, 1) not in found:
            return None
        deepest = found[0, 1] - 1
        wrong = [at for at, n in found.items() if n != 1 + ceil(max(deepest - at[0], 0) / at[1])]
        return f"{len(wrong)} of {len(found)}, first {wrong[0]}" if wrong else None

    scenes = study.cases(EVERY)
    text = ", ".join(f"{title(scene)} {_fewer(study, scene)}" for scene in scenes)
    found = exceptions(scenes, broken, "scenes")
    return found._replace(numbers=f"{found.numbers}: {text}")


def _fewer(study: Study, scene: str) -> str:
    found = rounds_of(study, scene, EVERY)
    steps = sorted({step for _, step in found})
    entries = sorted(entry for entry, step in found if step == 2)
    by_step = " ".join(str(found[0, step]) for step in steps if (0, step) in found)
    by_entry = " ".join(str(found[entry, 2]) for entry in entries)
    return f"by µ {by_step}, by level {by_entry}"


@reads(COUNTS)
def first_frontier(study: Study) -> Verdict:
    """The first frontier beside 4^le E, at every level: at least half, as a last level may be half empty, at most all.

    A tree with itself has each pair of nodes once, so about half of its share.
    """
    outcomes = []
    for scene in study.cases(EVERY):
        pairs = study.count(scene, "", "pairs of objects")
        shares = {
            entry: sizes[0] / (4**entry * pairs) for (entry, _), sizes in frontiers_of(study, scene, EVERY).items()
        }
        worst = min(shares.values())
        kept = worst >= 0.5 and max(shares.values()) <= 1
        outcomes.append((kept, f"{title(scene)} {worst:.2f} to {max(shares.values()):.2f}"))
    return over_cases(outcomes, "of 4^le E: ")


@reads(COUNTS)
def larger_workloads(study: Study) -> Verdict:
    """Pairs per round, from the roots: more with each step that is larger."""
    outcomes = []
    for scene in study.cases(EVERY):
        means = {step: sizes.mean() for (entry, step), sizes in frontiers_of(study, scene, EVERY).items() if entry == 0}
        values = [means[step] for step in sorted(means)]
        kept = all(one < two for one, two in pairwise(values))
        outcomes.append((kept, f"{title(scene)} {' '.join(count(round(value)) for value in values)}"))
    return over_cases(outcomes, "pairs per round by µ: ", "; ")


@reads(COUNTS)
def averaged_out(study: Study) -> Verdict:
    """The largest frontier beside the mean, µ = 2: smaller when entered at level 5, or the last before it."""
    outcomes = []
    for scene in study.cases(EVERY):
        found = {
            entry: s.max() / s.mean() for (entry, step), s in frontiers_of(study, scene, EVERY).items() if step == 2
        }
        deep = max((entry for entry in found if entry <= paper.ENTRY_LEVELS[1]), default=0)
        if deep:
            outcomes.append((found[deep] < found[0], f"{title(scene)} {ratio(found[0])} to {ratio(found[deep])}"))
    return over_cases(outcomes, "largest frontier beside the mean, from level 0 to 5: ")


@reads(COUNTS)
def largest_workload(study: Study) -> Verdict | None:
    """Between objects, from the roots, µ = 2: tests of NBody beside those of the others."""
    tests = {scene: tests_of(study, scene, ONLY_BETWEEN)[0, 2] for scene in study.cases(ONLY_BETWEEN)}
    if N_BODY not in tests or len(tests) < 2:
        return None
    text = ", ".join(f"{title(scene)} {count(round(n))}" for scene, n in tests.items())
    return graded(tests[N_BODY] == max(tests.values()), False, f"tests: {text}")


def _fronts(study: Study, kept: Callable[[dict[str, int]], bool], shown: Callable[[dict[str, int]], str]) -> Verdict:
    outcomes = []
    for scene in study.cases():
        for name in study.contestants(scene):
            if name.startswith(FRONTS):
                found = {what: study.count(scene, name, what) for what in study.quantities(scene, name)}
                outcomes.append((kept(found), f"{title(scene)}{name.removeprefix(FRONTS)}: {shown(found)}"))
    return over_cases(outcomes, between="; ")


@reads(COUNTS)
def uniform(study: Study) -> Verdict:
    """In lockstep, work-items of bulk are busy for a larger share of the time than those of streams, on all scenes."""
    outcomes = []
    for scene in study.cases(LOCKSTEP):
        bulk, walks = (study.value(scene, LOCKSTEP, f"{name} busy") for name in ("bulk", "streams"))
        outcomes.append((bulk > walks, f"{title(scene)} {bulk:.0%} beside {walks:.0%}"))
    return over_cases(outcomes, "busy in groups of 32: ")


def _lines(study: Study) -> list[tuple[str, float, float]]:
    """Each scene with the lines for each box that bulk and streams read."""
    scenes = [scene for scene in study.cases(LOCKSTEP) if study.has(scene, LOCKSTEP, "bulk lines")]
    both = [[study.value(scene, LOCKSTEP, f"{name} lines") for scene in scenes] for name in ("bulk", "streams")]
    return list(zip(scenes, *both, strict=True))


@reads(COUNTS)
def coalesced(study: Study) -> Verdict:
    """Groups of 32 read fewer lines for each box than those of streams do for their first test, with a sorted front."""
    outcomes = [(bulk < walks, f"{title(scene)} {bulk:.2f} beside {walks:.2f}") for scene, bulk, walks in _lines(study)]
    return over_cases(outcomes, "lines of four boxes for each box: ")


@reads(COUNTS)
def little_reuse(study: Study) -> Verdict:
    """Most boxes are on lines that no other work-item of their group of 32 reads: more than one line for two boxes."""
    outcomes = [(bulk > 0.5, f"{title(scene)} {bulk:.2f}") for scene, bulk, _ in _lines(study)]
    return over_cases(outcomes, "lines for each box: ")


@reads(COUNTS)
def footprint(study: Study) -> Verdict:
    """Pairs of the front before and after, which are both there, beside the two frontiers of bulk that are largest."""
    return _fronts(
        study,
        lambda n: n["front before"] + n["front after"] > n["bulk at once"],
        lambda n: f"{count(n['front before'] + n['front after'])} beside {count(n['bulk at once'])}",
    )


@reads(COUNTS)
def traffic(study: Study) -> Verdict:
    """Pairs written and read again by bulk, beside pairs of fronts read and written by streams."""
    return _fronts(
        study,
        lambda n: 2 * n["bulk"] > n["front before"] + n["front after"],
        lambda n: (
            f"{ratio(2 * n['bulk'] / (n['front before'] + n['front after']))}, "
            f"{ratio(2 * n['bulk, tested first'] / (n['front before'] + n['front after']))} if tested first"
        ),
    )


@reads(COUNTS)
def padding_is_cheap(study: Study) -> Verdict:
    """Bytes of inactive nodes beside those of the largest frontier, from the roots with µ = 2: less than half."""
    outcomes = []
    for scene in study.cases(EVERY):
        inactive = NODE_BYTES * (study.count(scene, "", "nodes") - study.count(scene, "", "active nodes"))
        frontier = PAIR_BYTES * frontiers_of(study, scene, EVERY)[0, 2].max()
        outcomes.append((inactive < frontier / 2, f"{title(scene)} {inactive / frontier:.1%}"))
    return over_cases(outcomes, "inactive nodes beside the largest frontier, bytes: ")


@reads(COUNTS)
def sparse(study: Study) -> Verdict:
    """A quarter of the nodes or more are inactive."""
    shares = {
        scene: 1 - study.value(scene, "", "active nodes") / study.value(scene, "", "nodes") for scene in study.cases()
    }
    return over_cases([(share >= 0.25, f"{title(scene)} {share:.0%}") for scene, share in shares.items()], "inactive: ")


@reads(EQUATION_4)
def heuristic(study: Study) -> Verdict:
    """For every κ and α that Equation 4 allows, α pairs with all their descendants fit, and not with a larger µ."""
    kept, total = (study.count("κ and α", "", what) for what in ("kept", "all"))
    return graded(kept == total, kept > 0, f"{count(kept)} of {count(total)} pairs of κ and α")


@reads(CODE)
def simpler(study: Study) -> Verdict:
    """Lines of the kernels without comments and blank ones: bulk as in the paper has fewer than streams."""
    lines = {name: study.count("kernels", name, "lines") for name in (BULK_FILES, STREAMS_FILES)}
    text = ", ".join(f"{name} {count(n)}" for name, n in lines.items())
    return graded(lines[BULK_FILES] < lines[STREAMS_FILES], False, text)
