"""How the bodies of a scene lie to each other, as solids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.relation import INSTEAD, BodyRelation, checked_solid, relation_of
from tumble.broad.gaps import box_distances
from tumble.core.parallel import thread_count
from tumble.mesh.edges import require_closed
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.solid.body import Body, body_of
from tumble.solid.evidence import Relation

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment


def buried_pairs(a: Moment, b: Moment, pairs: NDArray[np.int64], touching: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return of which pairs one body is inside the other, and they do not touch."""
    from tumble.solid.decide import one_is_buried

    found = np.zeros(len(pairs), bool)
    # a body inside another has a box that meets the other's
    meeting = np.flatnonzero(box_distances(a.boxes[pairs[:, 0]], b.boxes[pairs[:, 1]]) == 0.0)
    solids_a, solids_b = _solids(a, pairs[meeting, 0]), _solids(b, pairs[meeting, 1])
    for k in meeting[~touching[meeting]].tolist():
        i, j = pairs[k].tolist()
        found[k] = one_is_buried(solids_a[i], solids_b[j])
    return found


def _solids(moment: Moment, bodies: NDArray[np.int64]) -> dict[int, Body]:
    return {
        body: body_of(moment.bodies.mesh(body), moment.bodies.poses[body], _called(moment.names[body]), "solid=True")
        for body in np.unique(bodies).tolist()
    }


def _called(name: str | None) -> str:
    return "the mesh" if name is None else f"body {name!r}"


def relations_of(
    moment: Moment, pairs: NDArray[np.int64], options: Options, solid: bool | None = None
) -> list[BodyRelation]:
    """Return the relation of each two bodies that are not apart, in the order of the pairs."""
    bodies, names, solid = moment.bodies, moment.names, checked_solid(solid)
    if solid:
        for body in np.unique(pairs).tolist():
            require_closed(bodies.mesh(body), f"body {names[body]!r}", "solid=True", INSTEAD)
    touching = ask(TOUCHING, bodies, bodies, pairs, options)
    found = []
    for k, (i, j) in enumerate(pairs.tolist()):
        meshes, poses = (bodies.mesh(i), bodies.mesh(j)), (bodies.poses[i], bodies.poses[j])
        witness = touching.triangles[touching.rows(k)]
        result = relation_of(meshes, poses, witness, thread_count(options.threads), solid)
        if result.relation != Relation.APART:
            found.append(BodyRelation(**vars(result), a=str(names[i]), b=str(names[j])))
    return found
