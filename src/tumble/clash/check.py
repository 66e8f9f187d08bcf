"""From parts to findings, worst first.

copies by their hash → boxes that meet, without what rules ignore → touching triangles → relations → sizes → rules
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.broad.gaps import box_distances
from tumble.clash import measure
from tumble.clash.assembly import Assembly
from tumble.clash.candidates import Candidates, boxes_of_parts, candidates_of
from tumble.clash.duplicates import duplicates_of
from tumble.clash.each_pair import Piece, Report, each_pair
from tumble.clash.finding import Finding, Kind, worst_first
from tumble.clash.relations import relations_of
from tumble.clash.rules import BoundRules, Rule
from tumble.clash.settings import CheckSettings
from tumble.mesh import Part
from tumble.query.answer import PairTable, joined
from tumble.query.engine import CLEARANCE, TOUCHING
from tumble.query.plan import Options
from tumble.solid.evidence import Relation

AT_A_TIME = 512
"""pairs of parts between two reports of progress"""
MEETING = frozenset(Kind) - {Kind.TOO_CLOSE, Kind.APART}


@dataclass(frozen=True)
class Checked:
    """What a check has found."""

    parts: list[Part]
    findings: list[Finding]
    """worst first"""
    settings: CheckSettings = field(default_factory=CheckSettings)
    looked_at: int = 0
    """pairs of parts whose boxes are near enough, which are those that need a closer look"""
    ignored: dict[str, int] = field(default_factory=dict)
    """how many pairs of parts each rule has left out"""
    unused_rules: tuple[str, ...] = ()
    """rules that match no parts"""
    open_parts: tuple[int, ...] = ()
    """parts with open edges, which have no inside"""
    frames: int | None = None
    """of a motion, how many"""
    welded_parts: tuple[int, ...] = ()
    """parts whose seams were open by rounding, and were closed"""

    @property
    def faults(self) -> list[Finding]:
        """The findings that are neither allowed nor approved."""
        return [finding for finding in self.findings if finding.fails]

    @property
    def part_pairs(self) -> int:
        """All pairs of parts that there are."""
        return len(self.parts) * (len(self.parts) - 1) // 2


def check_parts(
    parts: Sequence[Part],
    settings: CheckSettings | None = None,
    rules: Sequence[Rule] = (),
    report: Report | None = None,
) -> Checked:
    """Return what is between any two parts, each in its place: what crosses, touches, is inside or too close.

    parts      named meshes; closed ones are solids, open ones surfaces, in which nothing can be
    settings   tolerance, clearance and so on: `CheckSettings`
    rules      see `tumble.clash.rules`
    report     told now and then what is going on
    """
    settings = settings or CheckSettings()
    assembly = Assembly(parts)
    bound = BoundRules(rules, assembly.parts, settings.clearance)
    found, looked_at, ignored = findings_of(assembly, settings, bound, report or _silent)
    return Checked(
        assembly.parts,
        worst_first(found),
        settings,
        looked_at,
        ignored,
        tuple(bound.unused),
        assembly.open_parts,
        welded_parts=assembly.welded_parts,
    )


def findings_of(
    assembly: Assembly,
    settings: CheckSettings,
    rules: BoundRules,
    report: Report,
    only: tuple[NDArray[np.bool_], list[Finding]] | None = None,
) -> tuple[list[Finding], int, dict[str, int]]:
    """Return the findings in the order of the parts, how many pairs were looked at, and what rules have left out.

    only   look at pairs with one of these parts, and take for granted what is known of the others
    """
    copies: list[tuple[int, int]] = []
    groups = np.arange(len(assembly.parts))
    if not assembly.posed:
        report("looking for copies", 0, None)
        copies, groups = duplicates_of(assembly.meshes, settings.duplicate_offset)
    report("looking for neighbours", 0, None)
    candidates = candidates_of(assembly, groups, rules, None if only is None else only[0])
    found = [measure.duplicate(assembly, pair) for pair in copies if not rules.ignored(np.array([pair]))[0][0]]
    touching = _touching(assembly, candidates, settings, report)
    found += _meeting(assembly, candidates, touching, settings, report)
    met = {(min(one.a, one.b), max(one.a, one.b)) for one in found}
    found += _too_close(assembly, candidates, met, settings)
    found += _not_touching(assembly, rules, [*found, *([] if only is None else only[1])])
    return [judged(finding, settings, rules) for finding in found], len(candidates.pairs), candidates.ignored


def _touching(assembly: Assembly, candidates: Candidates, settings: CheckSettings, report: Report) -> PairTable:
    """Return the touching triangles of all candidates."""
    tables, options = [], Options(threads=settings.threads).checked()
    pairs, at_a_time = candidates.pairs, AT_A_TIME
    if settings.client is not None:
        options, at_a_time = _reporting(options, settings, report), max(len(pairs), 1)
    for start in range(0, len(pairs), at_a_time):
        report("comparing triangles", start, len(pairs))
        tables.append(ask(TOUCHING, assembly.bodies, assembly.bodies, pairs[start : start + at_a_time], options))
    return joined(tables)


def _reporting(options: Options, settings: CheckSettings, report: Report) -> Options:
    """Return the options with a cluster that reports what it does."""
    from tumble.cluster.cluster import cluster_of

    return options._replace(client=cluster_of(settings.client).reporting(report))


def _meeting(
    assembly: Assembly, candidates: Candidates, touching: PairTable, settings: CheckSettings, report: Report
) -> list[Finding]:
    """Return the findings about parts that touch, cross or are inside each other."""
    pairs = candidates.pairs
    relations = relations_of(assembly, pairs, touching, settings, report)
    waiting = [k for k, relation in enumerate(relations) if relation is not Relation.APART]
    # the largest first, so that no thread is left with it at the end
    waiting.sort(key=lambda k: -int(touching.counts[k]))
    pieces = [
        Piece((int(pairs[k, 0]), int(pairs[k, 1])), touching.triangles[touching.rows(k)], relations[k]) for k in waiting
    ]
    return each_pair(_measured, assembly, pieces, settings, report, "measuring")


def _measured(assembly: Assembly, piece: Piece, settings: CheckSettings) -> Finding:
    if piece.given is Relation.TOUCHING:
        return measure.touching(assembly, piece.pair, piece.triangles)
    return measure.overlapping(assembly, piece.pair, piece.triangles, piece.given, settings)


def _too_close(
    assembly: Assembly, candidates: Candidates, met: set[tuple[int, int]], settings: CheckSettings
) -> Iterator[Finding]:
    """Yield the findings about parts that do not meet, but are nearer to each other than they may be: exactly."""
    apart = np.array([tuple(pair) not in met for pair in candidates.pairs.tolist()], bool)
    asked = np.flatnonzero(apart & (candidates.clearances > 0.0))
    if len(asked) == 0:
        return
    pairs, clearances = candidates.pairs[asked], candidates.clearances[asked]
    options = Options(threads=settings.threads, first=True).checked()
    near = ask(CLEARANCE, assembly.bodies, assembly.bodies, pairs, options, clearances=clearances).hit
    for (i, j), clearance in zip(pairs[near].tolist(), clearances[near].tolist(), strict=True):
        yield measure.separate(assembly, (i, j), Kind.TOO_CLOSE, clearance)


def _not_touching(assembly: Assembly, rules: BoundRules, found: list[Finding]) -> Iterator[Finding]:
    """Yield a finding for each part that has to touch one of some others and touches none: the nearest of them."""
    demanded = rules.must_touch()
    met = {frozenset((one.a, one.b)) for one in found if one.kind in MEETING}
    boxes = boxes_of_parts(assembly) if demanded else np.empty((0, 6))
    for name, parts, others in demanded:
        for a in parts.tolist():
            partners = others[others != a]
            if len(partners) == 0 or any(frozenset((a, b)) in met for b in partners.tolist()):
                continue
            gaps = box_distances(np.repeat(boxes[a : a + 1], len(partners), axis=0), boxes[partners])
            best: Finding | None = None
            for k in np.argsort(gaps, kind="stable").tolist():
                if best is not None and best.gap is not None and gaps[k] >= best.gap:
                    break
                one = measure.separate(assembly, (a, int(partners[k])), Kind.APART, None)
                if one.gap == 0.0:  # a pair that a rule ignores may touch all the same
                    best = None
                    break
                best = min((best, one), key=_gap) if best is not None else one
            if best is not None:
                yield replace(best, rule=name)


def _gap(finding: Finding) -> float:
    return math.inf if finding.gap is None else finding.gap


def judged(finding: Finding, settings: CheckSettings, rules: BoundRules) -> Finding:
    """Return a finding with the rule that it breaks, if any, and whether it is a fault."""
    rule = finding.rule
    if finding.kind in MEETING:
        rule = rule or rules.touching_forbidden(finding.a, finding.b)
    if finding.kind is not Kind.APART:
        rule = rule or rules.clearance_rule(finding.a, finding.b)
    return replace(finding, rule=rule, fails=finding.kind in settings.fails or rule is not None)


def _silent(label: str, done: int, total: int | None) -> None:
    pass
