"""How the bodies of a scene lie to each other, as solids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.relation import INSTEAD, BodyRelation, checked_solid, relation_of
from tumble.core.parallel import thread_count
from tumble.mesh.edges import require_closed
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.solid.body import body_of
from tumble.solid.evidence import Relation

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment


def any_is_buried(moment: Moment, pairs: NDArray[np.int64]) -> bool:
    """Tell whether a body is inside another, of pairs that do not touch."""
    from tumble.solid.decide import one_is_buried

    bodies, names = moment.bodies, moment.names
    solids = {
        body: body_of(bodies.mesh(body), bodies.poses[body], f"body {names[body]!r}", "solid=True")
        for body in np.unique(pairs).tolist()
    }
    return any(one_is_buried(solids[i], solids[j]) for i, j in pairs.tolist())


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
