"""One road for every public call: question, bodies and options in, a table of pairs out.

plan (which engine) → engine.ask (which pairs) → columns (contacts, distances)
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tumble.core.parallel import thread_count
from tumble.errors import OptionError
from tumble.mesh.motions import Motions
from tumble.query.answer import PairTable, contacts_of_arrays, total
from tumble.query.bodies import Bodies
from tumble.query.clearance import with_distances
from tumble.query.engine import CANDIDATES, SELF_CANDIDATES, SELF_TOUCHING, TOUCHING, Request
from tumble.query.plan import Options, Plan, plan
from tumble.traversal.packed.engine import QUESTIONS as OF_FAST_PATH

BY_DEFAULT = "auto", "auto", "cpu"
WITH_ITSELF = {TOUCHING: SELF_TOUCHING, CANDIDATES: SELF_CANDIDATES}


def ask(
    question: str,
    a: Bodies,
    b: Bodies,
    pairs: NDArray[np.int64],
    options: Options,
    *,
    neighbours: bool = False,
    curves: bool = False,
    upper_bound: float = math.inf,
    clearances: NDArray[np.float64] | None = None,
    motions: tuple[Motions, Motions] | None = None,
    tolerances: NDArray[np.float64] | None = None,
    until: float = 1.0,
    piece: int | None = None,
) -> PairTable:
    """Answer a question about pairs of bodies; where a is b, a body may be paired with itself."""
    options = options.checked()
    if clearances is not None and options.contacts:
        raise OptionError("contacts=True cannot be used with a clearance: pairs that do not touch have no contact")
    threads = thread_count(options.threads)
    questions, own = [question], pairs[:0, 0] == 0
    if a is b:
        own = pairs[:, 0] == pairs[:, 1]
        questions = [] if len(own) and own.all() else [question]
        questions += [WITH_ITSELF[question]] if own.any() else []
    chosen = planned(questions, options, (a, b))
    request = Request(
        question, a, b, pairs, chosen.tree, options.device, chosen.settings, options.first, options.contacts,
        options.stats, threads, neighbours, chosen.tuned, curves, upper_bound, clearances,
        motions, tolerances, until, piece,
    )  # fmt: skip
    if options.client is not None:
        return by_workers(request, options, chosen)
    if chosen.engine.mixes or len(questions) == 1:
        table = chosen.engine.ask(request._replace(question=questions[0]))
    else:
        parts = [
            chosen.engine.ask(request._replace(question=each, pairs=pairs[rows]))
            for each, rows in ((question, ~own), (WITH_ITSELF[question], own))
        ]
        table = _interleaved(parts, own)
    if options.contacts and table.contacts is None:
        table = with_contacts(table, a, b, pairs)
    if clearances is not None and not options.first:
        table = with_distances(table, a, b, pairs, clearances, threads)
    return table


def by_workers(request: Request, options: Options, chosen: Plan) -> PairTable:
    """Answer a request by the workers of a cluster, each of which asks about some of the pairs."""
    from tumble.cluster.pairs import table_of

    return table_of(ask, request, options, chosen.engine)


def planned(questions: Sequence[str], options: Options, sides: Sequence[Bodies] = ()) -> Plan:
    """Return the engine that answers all questions: the fast path, or one out of the table with every engine."""
    prepared = [tree for side in sides for tree in side.prepared]
    if prepared or not _by_default(options) or not set(questions) <= set(OF_FAST_PATH):
        load_every_engine()
    return plan(questions, options, prepared)


def _by_default(options: Options) -> bool:
    """Tell whether the options leave it to `auto` which engine answers: then the fast path does, which has rank 0."""
    chosen = options.method, options.tree, options.device
    named = all(isinstance(each, str) for each in chosen)
    return named and not options.stats and options.settings is None and chosen == BY_DEFAULT


def load_every_engine() -> None:
    """Fill the table of engines."""
    import tumble.traversal.every  # isort: skip  # methods before their twins on devices
    import tumble.device.engines  # noqa: F401


def with_contacts(table: PairTable, a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> PairTable:
    """Return a table with the contacts of its triangles; `pairs` are the bodies that each of its queries was about."""
    from tumble.narrow.contact.contact import write_contacts
    from tumble.narrow.contact.segment import POLYGON_SHAPE

    count = len(table.triangles)
    segments, normals, depths = np.empty((count, 2, 3)), np.empty((count, 3)), np.empty(count)
    scratch = np.empty(POLYGON_SHAPE)
    for query in np.flatnonzero(table.hit).tolist():
        rows = table.rows(query)
        sides = []
        for bodies, body in zip((a, b), pairs[query].tolist(), strict=True):
            mesh = bodies.mesh(body)
            sides += [mesh.vertices, mesh.faces, bodies.poses[body]]
        write_contacts(*sides, table.triangles[rows], segments[rows], normals[rows], depths[rows], scratch)
    return replace(table, contacts=contacts_of_arrays(segments, normals, depths))


def _interleaved(parts: list[PairTable], own: NDArray[np.bool_]) -> PairTable:
    """Return the table of all queries from those of bodies with others and of bodies with themselves."""
    counts = np.empty(len(own), np.int64)
    counts[~own], counts[own] = parts[0].counts, parts[1].counts
    rows = np.repeat(own, counts)
    triangles = np.empty((len(rows), 2), np.int64)
    triangles[~rows], triangles[rows] = parts[0].triangles, parts[1].triangles
    return PairTable(counts, triangles, total([part.stats for part in parts]))
