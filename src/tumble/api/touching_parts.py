"""Which parts of an assembly touch: boxes first, then an exact count for each pair whose boxes overlap.

Boxes are the float64 bounds of parts in their places, closed, so that no pair is lost; a pair of parts that only share
a face, an edge or a point is counted like any other. With `solid`, pairs that do not touch are asked whether one is
inside the other, and each pair that is found is told how it lies. With a clearance, boxes are enlarged by it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.collide import collide
from tumble.api.relation import placed, relation_of_bodies
from tumble.core.options import refuse_arrays
from tumble.core.parallel import thread_count
from tumble.errors import InputError, OptionError, said_of
from tumble.mesh import Mesh, MeshLike, Part, as_mesh
from tumble.query.answer import PairContacts, PairTable
from tumble.query.bodies import Bodies, standing
from tumble.query.clearance import checked_clearance
from tumble.query.engine import CLEARANCE, TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import AnySettings
from tumble.solid.body import Body
from tumble.solid.evidence import Effort, Relation, Undecided

Progress = Callable[[int, int], None]

AT_A_TIME = 64
"""pairs of parts between two reports of progress"""


@dataclass(frozen=True)
class Contact:
    """Two parts that touch, or one inside the other; `index_a` is always below `index_b`."""

    part_a: str
    part_b: str
    index_a: int
    """the place of part_a in the list of parts"""
    index_b: int
    triangle_pairs: int
    """how many pairs of triangles, one of each part, share at least a point, or are nearer than the clearance; 1 with
    `first`; zero only with `solid`, for parts of which one is inside the other"""
    contacts: PairContacts | None = None
    """where the triangles meet; None unless asked for"""
    relation: Relation | None = None
    """how the parts lie to each other (see `tumble.relation`); None unless asked for by `solid`"""
    distance: float | None = None
    """how far those triangles are apart that are nearest; None without a clearance, with `first`, or without any"""


def touching_parts(
    parts: Iterable[Part],
    progress: Progress | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
    solid: bool = False,
    clearance: float | None = None,
    client: object = None,
) -> list[Contact]:
    """Return every two parts that touch, in the order of the parts.

    Parts are `Part(name, mesh)`, each mesh already in its place; a `trimesh.Trimesh` or a
    `(vertices, faces)` pair will do as the mesh. Only surfaces count: a part that floats inside a hollow one does not
    touch it. `progress(done, total)` is called at the start and now and then; `total` is the number of pairs of parts
    whose boxes overlap.

    solid    closed parts are solids: what is buried in them is listed, too, and each record has its `relation`, as
             `tumble.relation` gives it. Nothing is inside an open part, which is a surface.
    clearance  parts that are nearer to each other than this are listed, too, each record with its `distance`; see
             docs/clearance.md
    client   a Dask client, or a `tumble.cluster.Cluster`: its workers compare triangles, with the same bits;
             docs/cluster.md

    The other options are those of `collide`; `stats` is refused, as a list has no counters.
    """
    options = Options(method, tree, device, threads, first, contacts, stats, settings, client).checked()
    if options.stats:
        raise OptionError("stats=True cannot be used for touching_parts, which has no counters; collide_all has them")
    refuse_arrays(solid=solid)
    number = None if clearance is None else checked_clearance(clearance)
    return contacts_of(_listed(parts), progress, options, bool(solid), clearance=number)


def contacts_of(
    parts: list[Part],
    progress: Progress | None,
    options: Options,
    solid: bool,
    effort: Effort | None = None,
    clearance: float | None = None,
) -> list[Contact]:
    """Return what `touching_parts` does; where deciding a relation takes more than an effort, it is None."""
    from tumble.broad.choice import overlapping_pairs

    meshes = [_mesh_of(part, index) for index, part in enumerate(parts)]
    bodies = standing(meshes)
    pairs = overlapping_pairs(meshes, bodies.poses, clearance or 0.0)
    solids = _Solids(meshes, options, effort) if solid else None
    found: list[Contact] = []
    report = progress or (lambda done, total: None)
    report(0, len(pairs))
    at_a_time = AT_A_TIME
    if options.client is not None:
        options, at_a_time = options._replace(client=_reporting(options.client, progress)), max(len(pairs), 1)
    for start in range(0, len(pairs), at_a_time):
        some = pairs[start : start + at_a_time]
        table = _near(bodies, some, options, clearance)
        touching = table if clearance is None or solids is None else ask(TOUCHING, bodies, bodies, some, options)
        for k, ((i, j), count) in enumerate(zip(some.tolist(), table.counts.tolist(), strict=True)):
            related, gaps = None, table.distances_of(k)
            if solids is not None:
                related = solids.relation(i, j, touching.triangles[touching.rows(k)])
                report(start + k, len(pairs))
            if count or related not in (None, Relation.APART):
                gap = None if gaps is None or count == 0 else float(gaps.min())
                found.append(Contact(parts[i][0], parts[j][0], i, j, count, table.contacts_of(k), related, gap))
        report(start + len(some), len(pairs))
    return found


def _reporting(client: object, progress: Progress | None) -> Any:
    """Return a cluster that tells the progress of comparing triangles."""
    from tumble.cluster.cluster import cluster_of
    from tumble.cluster.job import PAIRS

    cluster = cluster_of(client)
    if progress is None:
        return cluster
    return cluster.reporting(lambda what, done, total: progress(done, total or 0) if what == PAIRS else None)


def _near(bodies: Bodies, pairs: NDArray[np.int64], options: Options, clearance: float | None) -> PairTable:
    if clearance is None:
        return ask(TOUCHING, bodies, bodies, pairs, options)
    return ask(CLEARANCE, bodies, bodies, pairs, options, clearances=np.full(len(pairs), clearance))


class _Solids:
    """Parts as solids where they are closed, each made once."""

    def __init__(self, meshes: list[Mesh], options: Options, effort: Effort | None) -> None:
        self.meshes, self.options, self.effort = meshes, options, effort
        self._bodies: dict[int, Body] = {}

    def _body(self, part: int) -> Body:
        if part not in self._bodies:
            self._bodies[part] = placed(self.meshes[part], None, thread_count(self.options.threads))
        return self._bodies[part]

    def relation(self, i: int, j: int, touching: NDArray[np.int64]) -> Relation | None:
        """Return how two parts lie to each other, from some or all of their touching triangles; None: undecided."""
        a, b = self._body(i), self._body(j)
        every = partial(_all_pairs, a.mesh, b.mesh) if self.options.first else (lambda: touching)
        try:
            return relation_of_bodies((a, b), touching, every, self.effort).relation
        except Undecided:
            return None


def _all_pairs(a: Mesh, b: Mesh) -> NDArray[np.int64]:
    return collide(a, b).pairs


def _listed(parts: Iterable[Part]) -> list[Part]:
    if isinstance(parts, Mapping):
        raise InputError("expected a list of tumble.Part; make one with [tumble.Part(*item) for item in parts.items()]")
    try:
        return list(parts)
    except TypeError:
        raise InputError(f"expected a list of tumble.Part, not {parts!r}") from None


def _mesh_of(part: tuple[str, MeshLike], index: int) -> Mesh:
    try:
        name, mesh = part
    except (TypeError, ValueError):
        raise InputError(f"part {index} is {part!r}; expected a tumble.Part: its name and its mesh") from None
    with said_of(f"part {index}, {name!r}"):
        return as_mesh(mesh)
