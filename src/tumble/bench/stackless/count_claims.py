"""The paper's claims about counts: iterations, overlaps, leaf overlaps, geometry overlaps."""

from __future__ import annotations

from tumble.bench.stackless.claims import Claim, exceptions, on_scenes
from tumble.bench.stackless.rows import METHODS, Results
from tumble.bench.verdicts import FAILS, HOLDS, UNKNOWN, Finding, verdict
from tumble.report import count, ratio

ALTERNATING_FAMILY = ("alternating", "stackless", "stackless-post")
TOUCHING = ("intersection", "scalability", "different-counts")


def _separation(results: Results) -> Finding:
    def broken(scene: str) -> str | None:
        expected = [results[scene, m].faces_a if m == "leaf" else 1 for m in METHODS]
        iterations = [results[scene, m].iterations for m in METHODS]
        overlaps = sum(results[scene, m].overlaps for m in METHODS)
        return None if iterations == expected and not overlaps else f"iterations {iterations}, overlaps {overlaps}"

    return exceptions(results.scenes("separation"), broken)


def _same_walk(results: Results) -> Finding:
    def broken(scene: str) -> str | None:
        counts = [(results[scene, m].iterations, results[scene, m].overlaps) for m in ALTERNATING_FAMILY]
        return None if len(set(counts)) == 1 else f"(iterations, overlaps) {counts}"

    return exceptions(results.scenes(), broken)


def _same_answer(results: Results) -> Finding:
    def broken(scene: str) -> str | None:
        counts = [(results[scene, m].leaf_overlaps, results[scene, m].geometry_overlaps) for m in METHODS]
        return None if len(set(counts)) == 1 else f"(leaf, geometry) {counts}"

    return exceptions(results.scenes(), broken)


def _iterations_add_up(results: Results) -> Finding:
    """Binary trees: every overlap that is no leaf overlap opens two more iterations."""

    def broken(scene: str) -> str | None:
        rows = [results[scene, method] for method in METHODS]
        wrong = [
            row.algorithm
            for row in rows
            if row.iterations
            != (row.faces_a if row.algorithm == "leaf" else 1) + 2 * (row.overlaps - row.leaf_overlaps)
        ]
        return ", ".join(wrong) or None

    return exceptions(results.scenes(), broken)


def _scene_is_what_it_says(results: Results) -> Finding:
    def broken(scene: str) -> str | None:
        row = results[scene, "stack"]
        if scene.startswith(TOUCHING):
            right = row.geometry_overlaps > 0
        elif scene.startswith("separation"):
            right = row.overlaps == 0
        else:
            right = row.overlaps > 0 and row.geometry_overlaps == 0
        return None if right else f"{row.overlaps} overlaps, {row.geometry_overlaps} of geometry"

    return exceptions(results.scenes(), broken)


def _stack_iterates_least(results: Results) -> Finding:
    scenes = [s for s in results.scenes() if not s.startswith("separation")]
    fewer = [s for s in scenes if results[s, "stack"].iterations < results[s, "stackless"].iterations]
    others = [s for s in scenes if s not in fewer]
    numbers = f"{len(fewer)} of {len(scenes)} scenes" + (f"; not {', '.join(others)}" if others else "")
    # "Almost every": the paper's own tables have one exception.
    return Finding(HOLDS if scenes and len(others) <= 1 else verdict(len(fewer), len(scenes)), numbers)


def _sizes_iterations(results: Results) -> Finding:
    def test(scene: str) -> tuple[bool, str]:
        stack, stackless = (results[scene, m].iterations for m in ("stack", "stackless"))
        return (
            stackless > 10 * stack,
            f"{count(stack)} against {count(stackless)}, {ratio(stackless / stack)}",
        )

    return on_scenes(results.scenes("different-sizes"), test)


def _leaf_iterations_by_order(results: Results) -> Finding:
    scenes = results.scenes("different-counts")
    if len(scenes) < 2:
        return Finding(UNKNOWN, "–")
    largest, smallest = (results[f"different-counts-{n}-first", "leaf"].iterations for n in ("largest", "smallest"))
    numbers = f"largest first {count(largest)}, smallest first {count(smallest)}"
    return Finding(HOLDS if smallest < largest else FAILS, numbers)


COUNT_CLAIMS = (
    Claim(
        "separation-one-iteration",
        "Apart, the tree traversals end after one iteration and the leaf method after one per leaf of A.",
        "Table 3",
        True,
        _separation,
    ),
    Claim(
        "same-walk",
        "Alternating, stackless and stackless-post walk alike: equal iterations and overlaps everywhere.",
        "Tables 2–8",
        True,
        _same_walk,
    ),
    Claim(
        "same-answer",
        "All five algorithms find the same leaf overlaps and the same geometry overlaps.",
        "Section 10",
        True,
        _same_answer,
    ),
    Claim(
        "iterations-add-up",
        "Each overlap above the leaves costs two iterations more (one triangle a leaf, two children a node).",
        "Algorithms 1–3",
        True,
        _iterations_add_up,
    ),
    Claim(
        "scenes-as-named",
        "Intersecting scenes touch, proximity scenes overlap in boxes only, separated ones not even there.",
        "Section 9",
        True,
        _scene_is_what_it_says,
    ),
    Claim(
        "stack-fewest-iterations",
        "In almost every test the stack with its volume rule takes fewer iterations than stackless.",
        "Section 10",
        False,
        _stack_iterates_least,
    ),
    Claim(
        "sizes-iterations",
        "With objects of different sizes the volume rule prunes far better (iterations of stack, stackless).",
        "Table 7",
        False,
        _sizes_iterations,
    ),
    Claim(
        "leaf-iterations-by-order",
        "The leaf method iterates less when the object with fewer triangles comes first.",
        "Table 8",
        False,
        _leaf_iterations_by_order,
    ),
)
