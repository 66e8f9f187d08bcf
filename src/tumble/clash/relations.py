"""How pairs of parts lie to each other: exact, and bounded in all, whatever the number of threads.

Deciding takes time for each line along which surfaces meet without crossing. So all pairs get a little of it first, and
those that are not decided get more, as long as some is left: which ones stay undecided does not depend on threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.api.relation import relation_of_bodies
from tumble.clash.assembly import Assembly
from tumble.clash.each_pair import Piece, Report, each_pair
from tumble.clash.settings import CheckSettings
from tumble.mesh.edges import edges_of
from tumble.query.answer import PairTable
from tumble.solid.body import Body
from tumble.solid.evidence import Effort, Relation, Undecided

Pairs = NDArray[np.int64]
LINES = 50, 200, 1000
"""how many each pair gets, round by round, up to the limit of the settings"""
FEWEST = 8
"""how many each gets in any case"""


def relations_of(
    assembly: Assembly, pairs: Pairs, touching: PairTable, settings: CheckSettings, report: Report
) -> list[Relation | None]:
    """Return the relation of each pair, from all its touching triangles; None where that would take too long."""
    found: list[Relation | None] = [None] * len(pairs)
    waiting, left, tried = list(range(len(pairs))), settings.lines_in_all, 0
    # the largest first, so that no thread is left with it at the end
    waiting.sort(key=lambda k: -int(touching.counts[k]))
    most = settings.lines_each
    limits: list[int | None] = [] if most is None else [each for each in LINES if each < most]
    for limit in [*limits, most]:
        lines = None if limit is None else min(limit, max(left // max(len(waiting), 1), FEWEST))
        if not waiting or (lines is not None and lines <= tried):
            break
        decided = _round(assembly, pairs, touching, (waiting, lines), settings, report)
        for k, (relation, used) in zip(waiting, decided, strict=True):
            found[k] = relation
            left -= used
        waiting, tried = [k for k in waiting if found[k] is None], lines or 0
    return found


def _round(
    assembly: Assembly,
    pairs: Pairs,
    touching: PairTable,
    work: tuple[list[int], int | None],
    settings: CheckSettings,
    report: Report,
) -> list[tuple[Relation | None, int]]:
    waiting, lines = work
    pieces = [Piece((int(pairs[k, 0]), int(pairs[k, 1])), touching.triangles[touching.rows(k)], lines) for k in waiting]
    return each_pair(_decide, assembly, pieces, settings, report, "relating parts")


def _decide(assembly: Assembly, piece: Piece, _: CheckSettings) -> tuple[Relation | None, int]:
    """Return the relation of two parts, and how many lines were looked at."""
    lines = piece.given
    effort = None if lines is None else Effort(lines, lines)
    result = _relation(assembly.two(*piece.pair), piece.triangles, effort)
    return result, 0 if effort is None else lines - max(effort.left, 0)


def _relation(bodies: tuple[Body, Body], triangles: Pairs, effort: Effort | None) -> Relation | None:
    if len(triangles) == 0 and not (_may_be_inside(*bodies) or _may_be_inside(*bodies[::-1])):
        return Relation.APART
    try:
        return relation_of_bodies(bodies, triangles[:1], lambda: triangles, effort).relation
    except Undecided:
        return None


def _may_be_inside(inner: Body, outer: Body) -> bool:
    """Tell whether a body that does not touch another may be inside it, or a component of it: a look at boxes."""
    if not outer.solid or len(inner.mesh) == 0 or len(outer.mesh) == 0:
        return False
    low, high = outer.bounds
    samples = inner.posed(edges_of(inner.mesh).sample_corners)
    return bool(((samples >= low) & (samples <= high)).all(axis=1).any())
