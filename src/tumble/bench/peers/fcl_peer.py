"""python-fcl: BVHModel (boxes and swept spheres, OBBRSS, the only kind it offers), objects and requests made once.

A CollisionResult gathers the contacts of every call that it is given to, hence a new one each time.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import ALL_CONTACTS, TETRAHEDRON, Pairs, Peer, Touching, Transforms, id_array

FIRST_USE = f"""{TETRAHEDRON}
import fcl
model = fcl.BVHModel()
model.beginModel(4, 4)
model.addSubModel(corners, sides)
model.endModel()
a, b = fcl.CollisionObject(model), fcl.CollisionObject(model, fcl.Transform(numpy.array([0.1, 0.1, 0.1])))
assert fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult())
"""


class FclPair(Transforms):
    """Two objects with their requests."""

    def __init__(self, fcl: Any, a: Any, b: Any) -> None:
        self.fcl, self.transform = fcl, fcl.Transform
        self.a, self.b = fcl.CollisionObject(a, fcl.Transform()), fcl.CollisionObject(b, fcl.Transform())
        self.first = fcl.CollisionRequest(num_max_contacts=1, enable_contact=False)
        # Ids come without the contact's geometry, which nobody asked for and which would cost more.
        self.all = fcl.CollisionRequest(num_max_contacts=ALL_CONTACTS, enable_contact=False)
        self.nearest = fcl.DistanceRequest(enable_nearest_points=True)

    def first_hits(self, poses: Sequence[Any]) -> list[bool]:
        """One `collide` a pose, one contact at most."""
        a, b, request, collide, result = self.a, self.b, self.first, self.fcl.collide, self.fcl.CollisionResult
        hits = []
        for pose in poses:
            b.setTransform(pose)
            hits.append(collide(a, b, request, result()) > 0)
        return hits

    def all_pairs(self, poses: Sequence[Any]) -> list[Pairs]:
        """One `collide` a pose, all contacts, their ids as an array."""
        a, b, request, collide = self.a, self.b, self.all, self.fcl.collide
        found = []
        for pose in poses:
            b.setTransform(pose)
            result = self.fcl.CollisionResult()
            collide(a, b, request, result)
            found.append(id_array(result.contacts))
        return found

    def distances(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One `distance` a pose, with nearest points."""
        a, b, request, distance, result = self.a, self.b, self.nearest, self.fcl.distance, self.fcl.DistanceResult
        found = []
        for pose in poses:
            b.setTransform(pose)
            found.append(distance(a, b, request, result()))
        return np.maximum(found, 0.0)  # negative where they touch

    def within(self, poses: Sequence[Any], clearance: float) -> list[bool]:
        """By the distance: FCL has no other way."""
        found: list[bool] = (self.distances(poses) <= clearance).tolist()
        return found


class FclCrowd(Transforms):
    """Bodies in a DynamicAABBTreeCollisionManager; a callback asks for the triangles of each pair of boxes.

    The callback is not told which bodies it is about, only of which geometry: names would need a model for each body.
    Sharing one is quicker, so that is what competes.
    """

    def __init__(self, fcl: Any, solid: Any, count: int) -> None:
        self.fcl, self.transform = fcl, fcl.Transform
        self.bodies = [fcl.CollisionObject(solid, fcl.Transform()) for _ in range(count)]
        self.request = fcl.CollisionRequest(num_max_contacts=ALL_CONTACTS, enable_contact=False)
        self.manager = fcl.DynamicAABBTreeCollisionManager()
        self.manager.registerObjects(self.bodies)
        self.manager.setup()

    def touching(self, poses: Any) -> list[Pairs]:
        """Move, update the tree, collide."""
        for body, pose in zip(self.bodies, poses, strict=True):
            body.setTransform(pose)
        self.manager.update()
        found: list[Pairs] = []
        self.manager.collide(found, self._ask)
        return found

    def as_touching(self, found: Any) -> Touching:
        """Numbers of pairs."""
        return Touching(None, sum(map(len, found)))

    def _ask(self, a: Any, b: Any, found: list[Pairs]) -> bool:
        result = self.fcl.CollisionResult()
        if self.fcl.collide(a, b, self.request, result):
            found.append(id_array(result.contacts))
        return False


class FclPeer(Peer):
    """python-fcl."""

    name, pair_type, crowd_type, first_use = "fcl", FclPair, FclCrowd, FIRST_USE
    questions = ("first_hits", "all_pairs", "distances", "within")

    def __init__(self) -> None:
        self.library: Any = import_module("fcl")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A BVHModel."""
        model = self.library.BVHModel()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(vertices, faces)
        model.endModel()
        return model
