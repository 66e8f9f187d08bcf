"""The tests of claims on counts, which are the same on every machine."""

from tumble.bench.framework.claims import Verdict, exceptions, graded, over_cases, verdict
from tumble.bench.framework.table import Study
from tumble.bench.papers.stackless.cases import FAMILIES, FAMILY, counts, scenes, start
from tumble.bench.papers.stackless.measure import EXCHANGED, STACKS
from tumble.bench.papers.stackless.published import METHODS
from tumble.report import count, ratio

TOUCHING = ("intersection", "scalability", "different-counts")
# "Almost half": the paper's own numbers are 0.43 and 0.55.
ALMOST_HALF = (0.35, 0.65)
# Bytes that are "a few": two words, which hold the way down in any two trees of 64 levels.
FEW_BYTES = 16


def separation_one_iteration(study: Study) -> Verdict:
    """Nothing but the pairs that a traversal begins with, none of which overlap."""

    def broken(scene: str) -> str | None:
        iterations, overlaps = counts(study, scene, "iterations"), sum(counts(study, scene, "overlaps"))
        expected = [start(study, scene, method) for method in METHODS]
        return None if iterations == expected and not overlaps else f"iterations {iterations}, overlaps {overlaps}"

    return exceptions(scenes(study, "separation"), broken, "scenes")


def same(study: Study, family: str, *quantities: str) -> Verdict:
    """Whether some methods count the same on every scene."""

    def broken(scene: str) -> str | None:
        found = list(zip(*(counts(study, scene, name, FAMILIES[family]) for name in quantities), strict=True))
        return None if len(set(found)) == 1 else f"({', '.join(quantities)}) {found}"

    return exceptions(scenes(study), broken, "scenes")


def iterations_add_up(study: Study) -> Verdict:
    """Binary trees: every overlap that is not a leaf overlap opens two more iterations."""

    def expected(scene: str, method: str) -> int:
        inner = study.count(scene, method, "overlaps") - study.count(scene, method, "leaf overlaps")
        return start(study, scene, method) + 2 * inner

    def broken(scene: str) -> str:
        return ", ".join(m for m in METHODS if study.count(scene, m, "iterations") != expected(scene, m))

    return exceptions(scenes(study), broken, "scenes")


def leaf_every_leaf(study: Study) -> Verdict:
    """At least one iteration per leaf of A, also where nothing overlaps."""

    def broken(scene: str) -> str | None:
        iterations, leaves = study.count(scene, "leaf", "iterations"), study.count(scene, "", "faces a")
        return None if iterations >= leaves else f"{iterations} iterations, {leaves} leaves"

    return exceptions(scenes(study), broken, "scenes")


def geometry_within_leaves(study: Study) -> Verdict:
    """Always less, says the paper; where no leaves overlap, both are 0, so: never more."""

    def broken(scene: str) -> str:
        found = {m: [study.count(scene, m, f"{what} overlaps") for what in ("geometry", "leaf")] for m in METHODS}
        return ", ".join(f"{method} {both}" for method, both in found.items() if both[0] > both[1])

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
    iterations = {scene: counts(study, scene, "iterations", ("stack", "stackless")) for scene in chosen}
    others = [scene for scene, (stack, stackless) in iterations.items() if stack >= stackless]
    fewer = len(chosen) - len(others)
    numbers = f"{fewer} of {len(chosen)} scenes" + (f"; not {', '.join(others)}" if others else "")
    return graded(len(others) <= 1, fewer > 0, numbers) if chosen else None


def intersection_half(study: Study) -> Verdict:
    """Of the first and the third test, as the paper says; between 0.35 and 0.65 is almost half."""

    def outcome(scene: str) -> tuple[bool, str]:
        stack, stackless = counts(study, scene, "iterations", ("stack", "stackless"))
        return ALMOST_HALF[0] <= stack / stackless <= ALMOST_HALF[1], f"{stack / stackless:.2f}"

    chosen = [scene for scene in scenes(study, "intersection") if not scene.endswith("2")]
    return over_cases(map(outcome, chosen), "iterations, stack / stackless: ")


def fewest_iterations(study: Study, prefix: str, method: str) -> Verdict:
    """Whether no other method takes fewer on any scene of a group."""

    def outcome(scene: str) -> tuple[bool, str]:
        found = counts(study, scene, "iterations")
        own, best = study.count(scene, method, "iterations"), min(found)
        return own == best, count(own) if own == best else f"{count(own)}, not {count(best)}"

    return over_cases(map(outcome, scenes(study, prefix)), between="; ")


def most(study: Study, prefix: str, quantity: str, method: str) -> Verdict:
    """Whether all other methods count less on every scene of a group."""

    def outcome(scene: str) -> tuple[bool, str]:
        others = counts(study, scene, quantity, [each for each in METHODS if each != method])
        own = study.count(scene, method, quantity)
        return own > max(others), f"{count(own)}, the next {count(max(others))}"

    return over_cases(map(outcome, scenes(study, prefix)), between="; ")


def small_third_fewer(study: Study) -> Verdict:
    """By how much does not matter: the paper calls it luck."""

    def outcome(scene: str) -> tuple[bool, str]:
        stack, *family = counts(study, scene, "iterations", ("stack", *FAMILY))
        return max(family) < stack, f"{count(max(family))} against {count(stack)}"

    return over_cases(map(outcome, scenes(study, "small-proximity-3")))


def leaf_needless(study: Study) -> Verdict:
    """Where fewer than half as many nodes overlap as A has leaves: at least twice the iterations of stackless."""

    def outcome(scene: str) -> tuple[bool, str]:
        stackless, leaf = counts(study, scene, "iterations", ("stackless", "leaf"))
        return leaf >= 2 * stackless, f"{scene} {ratio(leaf / stackless)}"

    few = [
        scene
        for scene in scenes(study)
        if 2 * study.count(scene, "stack", "overlaps") < study.count(scene, "", "faces a")
    ]
    return over_cases(map(outcome, few))


def leaf_second_subdivision(study: Study) -> Verdict | None:
    """Fewer than stackless after two subdivisions, more after any other number: the paper's only exception."""
    chosen = scenes(study, "scalability")
    if "scalability-2" not in chosen:
        return None
    fewer = [scene for scene in chosen if study.count(scene, "leaf", "iterations") < _stackless(study, scene)]
    numbers = ", ".join(ratio(study.count(scene, "leaf", "iterations") / _stackless(study, scene)) for scene in chosen)
    return verdict(fewer == ["scalability-2"], 1, f"iterations, leaf / stackless: {numbers}")


def _stackless(study: Study, scene: str) -> int:
    return study.count(scene, "stackless", "iterations")


def rule_decides_scaling(study: Study) -> Verdict | None:
    """A lot of influence: iterations grow at least a tenth more under the alternating rule than under that of volumes.

    The number of triangles grows 256-fold from the first to the last scene.
    """
    chosen = scenes(study, "scalability")
    if len(chosen) < 2:
        return None
    first, last = (counts(study, scene, "iterations", STACKS) for scene in (chosen[0], chosen[-1]))
    stack, alternating = (late / early for early, late in zip(first, last, strict=True))
    numbers = f"iterations grow {ratio(stack)} with stack, {ratio(alternating)} with alternating"
    return verdict(alternating >= 1.1 * stack, 1, numbers)


def sizes_iterations(study: Study) -> Verdict:
    """Far better: ten times as many iterations without the rule."""

    def outcome(scene: str) -> tuple[bool, str]:
        stack, stackless = counts(study, scene, "iterations", ("stack", "stackless"))
        return stackless > 10 * stack, f"{count(stack)} against {count(stackless)}, {ratio(stackless / stack)}"

    return over_cases(map(outcome, scenes(study, "different-sizes")))


def sizes_exchanged_iterations(study: Study) -> Verdict | None:
    """The paper says so and does not print it; A and B are exchanged here."""
    chosen = [scene for scene in scenes(study, "different-sizes") if study.has(scene, EXCHANGED, "iterations")]
    if not chosen:
        return None

    def outcome(scene: str) -> tuple[bool, str]:
        small, large = counts(study, scene, "iterations", ("leaf", EXCHANGED))
        return large < small, f"{count(small)}, the other way round {count(large)}"

    return over_cases(map(outcome, chosen))


def leaf_iterations_by_order(study: Study) -> Verdict | None:
    """Whether the leaf method needs less with the smallest object first than with the largest first."""
    if len(scenes(study, "different-counts")) < 2:
        return None
    cases = [f"different-counts-{which}-first" for which in ("largest", "smallest")]
    largest, smallest = (study.count(case, "leaf", "iterations") for case in cases)
    return verdict(smallest < largest, 1, f"largest first {count(largest)}, smallest first {count(smallest)}")


def no_memory(study: Study) -> Verdict | None:
    """Bytes beside the trees, as a prepared query holds them: none for the three, some for both stacks."""
    chosen = [scene for scene in scenes(study) if study.has(scene, "stack", "memory")]

    def broken(scene: str) -> str:
        without = [m for m in METHODS if m not in STACKS and study.count(scene, m, "memory") != 0]
        return ", ".join([*without, *(m for m in STACKS if study.count(scene, m, "memory") == 0)])

    return exceptions(chosen, broken, "scenes") if chosen else None


def compact_stack(study: Study) -> Verdict | None:
    """The binary stack of the next paper: the pairs of the stack, so as many iterations, in two words."""
    chosen = [scene for scene in scenes(study) if study.has(scene, "binary-stack", "memory")]

    def broken(scene: str) -> str | None:
        stack, binary = counts(study, scene, "iterations", ("stack", "binary-stack"))
        held = study.count(scene, "binary-stack", "memory")
        return None if stack == binary and held <= FEW_BYTES else f"{binary} iterations, not {stack}; {held} bytes"

    return exceptions(chosen, broken, "scenes") if chosen else None


def volume_unpredictable(study: Study) -> Verdict | None:
    """What the paper shows by Figure 2; a walk by volumes with the stack's steps and no memory contradicts it."""
    chosen = [scene for scene in scenes(study) if study.has(scene, "stackless-merge", "memory")]

    def contradicts(scene: str) -> bool:
        stack, merge = counts(study, scene, "iterations", ("stack", "stackless-merge"))
        return stack == merge and study.count(scene, "stackless-merge", "memory") == 0

    predicted = sum(map(contradicts, chosen))
    numbers = f"predicted without memory on {predicted} of {len(chosen)} scenes"
    return verdict(predicted < len(chosen), 1, numbers) if chosen else None


def another_rule(study: Study) -> Verdict | None:
    """The rule of volumes itself without a stack: no more iterations than the dynamic algorithm, no memory."""
    chosen = [scene for scene in scenes(study) if study.has(scene, "stackless-merge", "memory")]

    def broken(scene: str) -> str | None:
        stack, merge = counts(study, scene, "iterations", ("stack", "stackless-merge"))
        held = study.count(scene, "stackless-merge", "memory")
        return None if merge <= stack and held == 0 else f"{merge} iterations, not {stack}; {held} bytes"

    return exceptions(chosen, broken, "scenes") if chosen else None
