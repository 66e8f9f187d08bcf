"""Findings in groups: by part, by pair of names or types, by place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from tumble.clash.check import Checked
from tumble.clash.finding import Finding

NEAR = 0.05
"""findings that are nearer to each other than this part of the assembly's size are in one place"""
NOWHERE = "no place"
_NUMBER = re.compile(r"[\s._:#-]*\d+$")


class Group(NamedTuple):
    """Findings with something in common, worst first."""

    name: str
    findings: list[Finding]


def grouped(checked: Checked, by: str) -> list[Group]:
    """Return groups, the one with the worst finding first."""
    return WAYS[by](checked)


def _by_part(checked: Checked) -> list[Group]:
    """A finding is in the group of that of its parts that has more of them: the likely culprit."""
    counts = np.zeros(len(checked.parts), np.int64)
    for finding in checked.findings:
        counts[[finding.a, finding.b]] += 1

    def culprit(finding: Finding) -> str:
        first = min((finding.a, finding.b), key=lambda part: (-counts[part], part))
        return checked.parts[first].name

    return _collected(checked.findings, culprit)


def _by_names(checked: Checked) -> list[Group]:
    """Numbers at the end of names are left out: bolt-1, bolt-2 and bolt#3 are bolts."""
    return _collected(checked.findings, lambda finding: _two(_stem(finding.name_a), _stem(finding.name_b)))


def _by_types(checked: Checked) -> list[Group]:
    types = [part.kind or "no type" for part in checked.parts]
    return _collected(checked.findings, lambda finding: _two(types[finding.a], types[finding.b]))


def _by_place(checked: Checked) -> list[Group]:
    """Findings are in one place if a chain of near ones connects them."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    placed = [finding for finding in checked.findings if finding.point is not None]
    if not placed:
        return _collected(checked.findings, lambda finding: NOWHERE)
    corners = np.concatenate([part.mesh.bounds for part in checked.parts if part.mesh.bounds is not None])
    reach = NEAR * float(np.ptp(corners, axis=0).max())
    near = cKDTree(np.array([finding.point for finding in placed])).query_pairs(reach, output_type="ndarray")
    graph = coo_matrix((np.ones(len(near), np.int8), (near[:, 0], near[:, 1])), (len(placed), len(placed)))
    labels = connected_components(graph, directed=False)[1].tolist()
    numbers = {label: k for k, label in enumerate(dict.fromkeys(labels), start=1)}
    places = {finding.id: f"place {numbers[label]}" for finding, label in zip(placed, labels, strict=True)}
    return _collected(checked.findings, lambda finding: places.get(finding.id, NOWHERE))


WAYS: dict[str, Callable[[Checked], list[Group]]] = {
    "part": _by_part,
    "names": _by_names,
    "types": _by_types,
    "place": _by_place,
}


def _collected(findings: Sequence[Finding], name: Callable[[Finding], str]) -> list[Group]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:  # worst first, and so are the groups
        found.setdefault(name(finding), []).append(finding)
    return [Group(*item) for item in found.items()]


def _two(one: str, other: str) -> str:
    return " × ".join(sorted((one, other)))


def _stem(name: str) -> str:
    return _NUMBER.sub("", name) or name
