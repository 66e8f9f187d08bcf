"""Section 4.1 as an experiment: how well Equations 4 to 6 estimate which pairs of children a query meets.

The derivation is about axis-aligned boxes of two objects that are moved and not turned: given that A and B overlap, B's
place is taken to be anywhere in the Minkowski sum of A and B with the same probability. So two AABB trees are walked
under random translations that let their roots overlap, and for every pair of children of an overlapping pair the
estimates are set beside whether they overlap:

    Equation 4   Vol(A1 ⊕ B1) / Vol(A ⊕ B)
    Equation 6   (Vol A1 + Vol B1) / (Vol A + Vol B)
    Equation 5   Vol A + Vol B + 2/α √(Vol A Vol B)  ≤  Vol(A ⊕ B)  ≤  Vol A + Vol B + 2α √(Vol A Vol B)

α is the larger aspect ratio of the two boxes. Nothing is random from run to run: the counts are the same everywhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.hierarchy.layout import ESCAPE, FIRST
from tumble.mesh import Mesh

CRITERION = "criterion"
EQUATION_4, EQUATION_6 = "Equation 4", "Equation 6"
PLACES, MOST_PAIRS, SEED = 64, 4000, 4
"""random translations; overlapping pairs of a level that go on, at most; where the sequence of numbers begins"""
BINS = 10

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]


class Boxes(NamedTuple):
    """The inner nodes of an AABB tree with their two children, and the boxes of all nodes."""

    low: Numbers
    high: Numbers
    children: Rows
    """(n, 2); -1 for leaves"""


class Pairs(NamedTuple):
    """Pairs of children with what was estimated, and whether they overlap."""

    by_sums: Numbers
    by_volumes: Numbers
    overlap: NDArray[np.bool_]


def boxes_of(mesh: Mesh) -> Boxes:
    """The AABB tree of a mesh by surface, one triangle per leaf."""
    tree = tumble.build(mesh, "aabb", split="sah", leaf_size=1)
    first = tree.nodes[:, FIRST].astype(np.int64)
    second = np.where(first >= 0, tree.nodes[first, ESCAPE], -1)
    return Boxes(tree.rows[:, :3], tree.rows[:, 3:], np.stack([first, second], axis=1))


def volumes(sides: Numbers) -> Numbers:
    """The volumes of boxes with these sides, one box per row."""
    found: Numbers = sides.prod(axis=1)
    return found


def walked(boxes: Boxes, shift: Numbers, rng: np.random.Generator) -> tuple[Pairs, Numbers, Numbers]:
    """Walk a tree against itself, moved; return the pairs of children, and the sides of all overlapping pairs."""
    sides = boxes.high - boxes.low
    waiting = np.zeros((1, 2), np.int64)
    found, parents = [], []
    while len(waiting):
        if len(waiting) > MOST_PAIRS:
            waiting = waiting[rng.choice(len(waiting), MOST_PAIRS, replace=False)]
        a, b = waiting.T
        parents.append((sides[a], sides[b]))
        next_a = np.repeat(boxes.children[a], 2, axis=1).ravel()
        next_b = np.tile(boxes.children[b], 2).ravel()
        own, other = np.repeat(a, 4), np.repeat(b, 4)
        met = np.all(boxes.low[next_a] <= boxes.high[next_b] + shift, axis=1)
        met &= np.all(boxes.low[next_b] + shift <= boxes.high[next_a], axis=1)
        both, sums = volumes(sides[own]) + volumes(sides[other]), volumes(sides[own] + sides[other])
        flat = both <= 0
        children = volumes(sides[next_a]) + volumes(sides[next_b])
        by_volumes = np.divide(children, both, out=np.zeros(len(both)), where=~flat)
        known = sums > 0
        by_sums = np.divide(volumes(sides[next_a] + sides[next_b]), sums, out=np.zeros(len(sums)), where=known)
        keep = known & ~flat
        found.append(Pairs(by_sums[keep], by_volumes[keep], met[keep]))
        inner = met & (boxes.children[next_a, 0] >= 0) & (boxes.children[next_b, 0] >= 0)
        waiting = np.stack([next_a[inner], next_b[inner]], axis=1)
    joined = Pairs(*(np.concatenate(columns) for columns in zip(*found, strict=True)))
    of_a, of_b = (np.concatenate(columns) for columns in zip(*parents, strict=True))
    return joined, of_a, of_b


def add_estimates(name: str, mesh: Mesh, study: Study) -> None:
    """Write what the equations estimate for one object, and what is so."""
    boxes, rng = boxes_of(mesh), np.random.default_rng(SEED)
    size = boxes.high[0] - boxes.low[0]
    runs = [walked(boxes, shift, rng) for shift in rng.uniform(-1, 1, (PLACES, 3)) * size]
    pairs = Pairs(*(np.concatenate(columns) for columns in zip(*(run[0] for run in runs), strict=True)))
    a, b = (np.concatenate([run[side] for run in runs]) for side in (1, 2))
    study.add_values(name, "", {"triangles": len(mesh), "pairs": len(pairs.overlap), "overlapping": len(a)})
    study.add(name, "", "overlap", float(pairs.overlap.mean()))
    for equation, estimated in ((EQUATION_4, pairs.by_sums), (EQUATION_6, pairs.by_volumes)):
        _add_calibration(study, name, equation, estimated, pairs.overlap)
    _add_bounds(study, name, a, b)


def _add_calibration(study: Study, name: str, equation: str, estimated: Numbers, met: NDArray[np.bool_]) -> None:
    """Write the mean estimate and how often the pairs overlap, over all pairs and by tenths of them."""
    study.add_values(name, equation, {"estimated": float(estimated.mean()), "rank": rank_correlation(estimated, met)})
    parts = np.array_split(np.argsort(estimated, kind="stable"), BINS)
    for index, part in enumerate(parts):
        study.add(name, equation, "estimated in a tenth", float(estimated[part].mean()), round=index)
        study.add(name, equation, "overlapping in a tenth", float(met[part].mean()), round=index)


def rank_correlation(estimated: Numbers, met: NDArray[np.bool_]) -> float:
    """How much more often an overlapping pair has the larger estimate than one that does not, from -1 to 1.

    Twice the area under the curve of an ordering, less one (Somers' D); 0 where all or none overlap.
    """
    yes, no = np.sort(estimated[met]), np.sort(estimated[~met])
    if not len(yes) or not len(no):
        return 0.0
    below = np.searchsorted(no, yes, side="left").sum() + np.searchsorted(no, yes, side="right").sum()
    return float(below / (len(yes) * len(no)) - 1)


def _add_bounds(study: Study, name: str, a: Numbers, b: Numbers) -> None:
    """Write how often Equation 5 is so for overlapping pairs of boxes that are not flat, in space and in the plane."""
    solid = (a.min(axis=1) > 0) & (b.min(axis=1) > 0)
    a, b = a[solid], b[solid]
    for where, sides in (("space", (a, b)), ("plane", (a[:, :2], b[:, :2]))):
        low, high, true = sum_bounds(*sides)
        kept = {"lower bound": true >= low * (1 - 1e-12), "upper bound": true <= high * (1 + 1e-12)}
        for bound, holds in kept.items():
            study.add(name, where, bound, float(holds.mean()))
        simple = 2 * (volumes(sides[0]) + volumes(sides[1]))
        study.add_series(name, where, "sum / estimate", np.percentile(true / simple, [10, 50, 90]))


def sum_bounds(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Both bounds of Equation 5 for boxes with these sides, and the volume of their Minkowski sum."""
    ratio = np.maximum(a.max(axis=1) / a.min(axis=1), b.max(axis=1) / b.min(axis=1))
    one, other = volumes(a), volumes(b)
    mixed = 2 * np.sqrt(one) * np.sqrt(other)
    return one + other + mixed / ratio, one + other + mixed * ratio, volumes(a + b)
