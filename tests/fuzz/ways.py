"""Every way to ask which triangles of two meshes touch, from the registries: families of ways, each with a name.

A way's name stands for what has to be compiled for it; options that cost nothing are drawn when it is asked.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bulk_cases
import forest
import front_cases
import tumble
from tumble.device import engines
from tumble.hierarchy.build import BOXTREE_PLANES, BOXTREE_SPLITS, SPLITS
from tumble.traversal.boxtree.overlaps import OVERLAPS
from tumble.traversal.every import METHODS
from tumble.traversal.query import TESTS
from tumble.traversal.rules import RULES
from tumble.volume.kinds import KINDS

from .questions import Question

Random = np.random.Generator
DEVICE = "opencl"
LARGE = 10_000
"""pairs of triangles"""


class Way(NamedTuple):
    """A way to ask; `ask` raises where the answer is wrong."""

    name: str
    ask: Callable[[Random, Question], None]


@cache
def families() -> dict[str, tuple[float, list[Way]]]:
    """Return all ways by family, with the family's weight."""
    trees = [
        Way(f"{method}/{volume}/{narrow}", partial(ask_trees, method=method, volume=volume, narrow=narrow))
        for method in METHODS
        for volume in KINDS
        for narrow in TESTS
        if METHODS[method].layout or volume == next(iter(KINDS))  # one is enough where no tree is looked at
    ]
    found = {
        "trees": (4.0, trees),
        "boxtree": (1.5, [Way(f"boxtree/{overlap}", partial(ask_boxtree, overlap=overlap)) for overlap in OVERLAPS]),
        "implicit": (
            1.0,
            [Way("bulk/cpu", partial(ask_bulk, device="cpu")), Way("front/cpu", partial(ask_front, device="cpu"))],
        ),
    }
    if tumble.devices():
        here = [Way(f"device/{volume}", partial(ask_device, volume=volume)) for volume in engines.VOLUMES]
        here += [
            Way("bulk/device", partial(ask_bulk, device=DEVICE)),
            Way("front/device", partial(ask_front, device=DEVICE)),
        ]
        found["device"] = (2.0, here)
    return found


def draw(rng: Random) -> Way:
    """Return a way of a family drawn by weight."""
    weights, ways = zip(*families().values(), strict=True)
    chosen = ways[rng.choice(len(ways), p=np.array(weights) / sum(weights))]
    return chosen[rng.integers(len(chosen))]


def some(rng: Random, values: Any) -> Any:
    """Return one of a few values."""
    values = list(values)
    return values[rng.integers(len(values))]


def check(question: Question, rng: Random, options: dict[str, Any], sides: tuple[Any, Any] | None = None) -> None:
    """Ask `collide` with options, for all pairs or the first, and judge; contacts and counts must fit."""
    first, stats = rng.random() < 0.2, rng.random() < 0.3
    a, b = sides or (question.a, question.b)
    told = " ".join(f"{name}={value!r}" for name, value in options.items())
    found = tumble.collide(a, b, question.pose_a, question.pose_b, first=first, stats=stats, **options)
    (question.check_first if first else question.check)(found.pairs, f"{told} sides={sides}")
    if stats and found.stats.hits != len(found.pairs):
        raise AssertionError(f"{told}: counted {found.stats.hits} hits, found {len(found.pairs)}")


def ask_trees(rng: Random, question: Question, method: str, volume: str, narrow: str) -> None:
    rule = some(rng, RULES) if METHODS[method].takes_rule and rng.random() < 0.6 else None
    options: dict[str, Any] = {"method": method, "settings": tumble.WalkSettings(narrow, rule)}
    sides = None
    if rng.random() < 0.4:
        options |= {"tree": volume} if METHODS[method].layout else {}
    else:
        sides = some_trees(rng, question, volume)
    try:
        check(question, rng, options, sides)
    except tumble.OptionError as error:
        if rule is None or "cannot be followed without a stack" not in str(error):
            raise
        check(question, rng, {**options, "settings": tumble.WalkSettings(narrow)}, sides)  # by a rule that can be


def some_trees(rng: Random, question: Question, volume: str) -> tuple[Any, Any]:
    """Return trees over both meshes, or rarely over one of them."""
    sides: list[Any] = [some_tree(rng, mesh, volume) for mesh in (question.a, question.b)]
    if rng.random() < 0.15:
        sides[0] = question.a
    elif rng.random() < 0.15:
        sides[1] = question.b
    return sides[0], sides[1]


def some_tree(rng: Random, mesh: tumble.Mesh, volume: str) -> Any:
    """Return a tree over a mesh: built, made by hand, or loaded from a file or a pickle; it must be valid."""
    kind = rng.random()
    if kind < 0.3 and len(mesh):
        tree = handmade(rng, mesh, volume)
    else:
        split, leaf_size, arity = some(rng, SPLITS), int(rng.choice([1, 2, 5])), int(rng.choice([2, 3, 7]))
        tree = tumble.build(mesh, volume, split, leaf_size, arity)
    tree.validate()
    return again(rng, tree)


def handmade(rng: Random, mesh: tumble.Mesh, volume: str) -> tumble.Tree:
    """Return a tree of any shape."""
    nodes = int(rng.integers(1, 2 * len(mesh) + 1))
    while True:
        parents = forest.random_parents(rng, nodes, float(rng.choice([0.0, 0.3, 0.9])))
        leaves = sorted(set(range(nodes)) - set(parents))
        if len(leaves) <= len(mesh):
            break
        nodes = max(nodes // 2, 1)
    leaf_of = np.concatenate([leaves, rng.choice(leaves, len(mesh) - len(leaves))]).astype(int)
    return tumble.Tree.from_parents(mesh, parents, rng.permutation(leaf_of), volume)


def again(rng: Random, tree: Any) -> Any:
    """Return a tree as it is, or as it comes back from a file or a pickle."""
    kind = rng.random()
    if kind < 0.15:
        return pickle.loads(pickle.dumps(tree))
    if kind < 0.3:
        with tempfile.TemporaryDirectory() as folder:
            tree.save(Path(folder) / "tree.npz")
            return tumble.load_tree(Path(folder) / "tree.npz")
    return tree


def ask_boxtree(rng: Random, question: Question, overlap: str) -> None:
    options: dict[str, Any] = {"settings": tumble.BoxtreeSettings(overlap, some(rng, (True, False)))}
    if rng.random() < 0.4:
        check(question, rng, {**options, "tree": "boxtree", "method": some(rng, ("auto", "stack"))})
        return
    sides = []
    for mesh in (question.a, question.b):
        split, planes = some(rng, BOXTREE_SPLITS), some(rng, BOXTREE_PLANES)
        tree = tumble.build(mesh, "boxtree", split, leaf_size=int(rng.choice([1, 2, 4, 15])), planes=planes)
        tree.validate()
        sides.append(again(rng, tree))
    check(question, rng, options, (sides[0], sides[1]))


def ask_bulk(rng: Random, question: Question, device: str) -> None:
    settings = some(rng, settings_for(question, bulk_cases.SETTINGS))
    if rng.random() < 0.3:
        settings = replace(settings, tested=False)
    check(question, rng, {"method": "bulk", "settings": some(rng, (None, settings)), "device": device})


def settings_for(question: Question, settings: dict[str, Any]) -> list[Any]:
    """Return settings that are awkward, but for large meshes only those that do not take a round for each pair."""
    large = len(question.a) * len(question.b) > LARGE
    return [each for each in settings.values() if not large or each.first_capacity != 1]


def ask_front(rng: Random, question: Question, device: str) -> None:
    settings = some(rng, settings_for(question, front_cases.SETTINGS))
    check(question, rng, {"method": "front", "settings": some(rng, (None, settings)), "device": device})


def ask_device(rng: Random, question: Question, volume: str) -> None:
    options: dict[str, Any] = {"device": DEVICE, "method": some(rng, ("auto", "binary-stack"))}
    if rng.random() < 0.4:
        options["settings"] = tumble.DeviceSettings(rule=some(rng, RULES))
    if rng.random() < 0.5:
        check(question, rng, {**options, "tree": volume})
        return
    check(question, rng, options, some_trees(rng, question, volume))
