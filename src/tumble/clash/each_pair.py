"""One piece of work per pair of parts, by threads here or by the workers of a cluster.

On a worker, an assembly has the parts that its pieces name, under numbers of its own; findings get theirs back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.clash.assembly import Assembly
from tumble.clash.finding import Finding
from tumble.clash.settings import CheckSettings
from tumble.core.parallel import run_pieces, thread_count

Result = TypeVar("Result")
Pairs = NDArray[np.int64]
Report = Callable[[str, int, int | None], None]
"""called with what is going on, how much of it is done, and of how much, if that is known"""


class Piece(NamedTuple):
    """Two parts, and what is known of them."""

    pair: tuple[int, int]
    triangles: Pairs
    """(k, 2) those that touch"""
    given: Any = None
    """what else the work takes"""


Work = Callable[[Assembly, Piece, CheckSettings], Result]


def each_pair(
    work: Work[Result], assembly: Assembly, pieces: Sequence[Piece], settings: CheckSettings, report: Report, what: str
) -> list[Result]:
    """Return work(assembly, piece, settings) of all pieces, in their order; begin with those that take longest."""
    if settings.client is not None:
        return _by_workers(work, assembly, pieces, settings, report, what)
    done, total = count(1), len(pieces)

    def one(number: int) -> Result:
        result = work(assembly, pieces[number], settings)
        report(what, next(done), total)
        return result

    return run_pieces(one, total, thread_count(settings.threads))


class _Part(NamedTuple):
    """A part on its way to a worker; its mesh travels apart from it, once."""

    part: int
    mesh: int
    name: str
    key: str
    pose: NDArray[np.float64] | None


def _by_workers(
    work: Work[Result], assembly: Assembly, pieces: Sequence[Piece], settings: CheckSettings, report: Report, what: str
) -> list[Result]:
    from tumble.cluster.cluster import cluster_of
    from tumble.cluster.each import Pieces, each

    meshes = list(dict.fromkeys(assembly.meshes))
    numbers = {mesh: number for number, mesh in enumerate(meshes)}

    def sent(k: int) -> _Part:
        part = assembly.parts[k]
        return _Part(k, numbers[assembly.meshes[k]], part.name, assembly.keys[k], assembly.pose(k))

    given = [(piece, sent(piece.pair[0]), sent(piece.pair[1])) for piece in pieces]
    needs = [(a.mesh, b.mesh) for _, a, b in given]
    sizes = np.array([1.0 + len(piece.triangles) for piece in pieces])
    own = replace(settings, client=None, threads=1)
    cluster = cluster_of(settings.client).reporting(report)
    return each(partial(_on_worker, work, own, assembly.posed), meshes, Pieces(what, given, needs, sizes), cluster)


def _on_worker(
    work: Work[Result],
    settings: CheckSettings,
    posed: bool,
    meshes: Any,
    pieces: Sequence[tuple[Piece, _Part, _Part]],
) -> list[Result]:
    parts = list({part.part: part for _, *two in pieces for part in two}.values())
    places = {part.part: k for k, part in enumerate(parts)}
    poses = np.empty((len(parts), 4, 4))
    for k, part in enumerate(parts):
        poses[k] = np.eye(4) if part.pose is None else part.pose
    assembly = Assembly.of_sound(
        [(part.name, meshes[part.mesh]) for part in parts], [part.key for part in parts], poses, posed
    )
    found = []
    for piece, a, b in pieces:
        result = work(assembly, piece._replace(pair=(places[a.part], places[b.part])), settings)
        if isinstance(result, Finding):
            result = replace(result, a=parts[result.a].part, b=parts[result.b].part)
        found.append(result)
    return found
