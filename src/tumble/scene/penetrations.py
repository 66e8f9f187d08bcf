"""How deep the bodies of a scene are in each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.penetration import INSTEAD, Asked, BodyPenetration, penetration_of
from tumble.mesh.edges import require_closed
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.solid.evidence import Relation

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment


def penetrations_of(moment: Moment, pairs: NDArray[np.int64], options: Options, asked: Asked) -> list[BodyPenetration]:
    """Return how deep each two bodies are in each other that are not apart, in the order of the pairs."""
    bodies, names = moment.bodies, moment.names
    if asked.solid:
        for body in np.unique(pairs).tolist():
            require_closed(bodies.mesh(body), f"body {names[body]!r}", "solid=True", INSTEAD)
    touching = ask(TOUCHING, bodies, bodies, pairs, options)
    found = []
    for k, (i, j) in enumerate(pairs.tolist()):
        rows = touching.rows(k)
        assert touching.contacts is not None
        given = touching.triangles[rows], touching.contacts[rows]
        meshes, poses = (bodies.mesh(i), bodies.mesh(j)), (bodies.poses[i], bodies.poses[j])
        result = penetration_of(meshes, poses, given, asked)
        if result.relation != Relation.APART:
            found.append(BodyPenetration(**vars(result), a=str(names[i]), b=str(names[j])))
    return found
