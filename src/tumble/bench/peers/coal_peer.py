"""Coal, with each of its two hierarchies for meshes: boxes with swept spheres (OBBRSS) and boxes alone (OBB).

The functor ComputeCollision looks up once how a pair of geometries is handled; Coal's documentation recommends it for
pairs that are asked about often.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import ALL_CONTACTS, TETRAHEDRON, Pairs, Peer, Touching, Transforms, id_array

FIRST_USE = f"""{TETRAHEDRON}
import coal
model = coal.BVHModelOBBRSS()
model.beginModel(4, 4)
model.addVertices(corners)
model.addTriangles(sides)
model.endModel()
moved = coal.Transform3s(numpy.eye(3), numpy.array([0.1, 0.1, 0.1]))
request, result = coal.CollisionRequest(coal.NO_REQUEST, 1), coal.CollisionResult()
assert coal.collide(model, coal.Transform3s(), model, moved, request, result)
"""


def _contacts(result: Any) -> Pairs:
    # Reading contacts one by one is quicker than the list that getContacts() copies.
    return id_array(result.getContact(index) for index in range(result.numContacts()))


class CoalPair(Transforms):
    """Two geometries with their requests."""

    def __init__(self, coal: Any, a: Any, b: Any) -> None:
        self.coal, self.transform = coal, coal.Transform3s
        self.solids = (a, b)  # the functor only points to them
        self.collide = coal.ComputeCollision(a, b)
        self.still = coal.Transform3s()
        self.first = coal.CollisionRequest(coal.NO_REQUEST, 1)
        self.all = coal.CollisionRequest(coal.CONTACT, ALL_CONTACTS)
        self.distance = coal.ComputeDistance(a, b)
        self.nearest = coal.DistanceRequest()
        self.nearest.enable_signed_distance = False

    def first_hits(self, poses: Sequence[Any]) -> list[bool]:
        """One call a pose, one contact at most."""
        collide, still, request, result = self.collide, self.still, self.first, self.coal.CollisionResult
        return [collide(still, pose, request, result()) > 0 for pose in poses]

    def all_pairs(self, poses: Sequence[Any]) -> list[Pairs]:
        """One call a pose, all contacts, their ids as an array."""
        found = []
        for pose in poses:
            result = self.coal.CollisionResult()
            self.collide(self.still, pose, self.all, result)
            found.append(_contacts(result))
        return found

    def distances(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One call a pose, with nearest points, which Coal always computes."""
        distance, still, request, result = self.distance, self.still, self.nearest, self.coal.DistanceResult
        return np.maximum([distance(still, pose, request, result()) for pose in poses], 0.0)

    def within(self, poses: Sequence[Any], clearance: float) -> list[bool]:
        """First hits with a security margin."""
        self.first.security_margin = clearance
        found = self.first_hits(poses)
        self.first.security_margin = 0.0
        return found

    def pairs_within(self, poses: Sequence[Any], clearance: float) -> list[Pairs]:
        """All pairs with a security margin."""
        self.all.security_margin = clearance
        found = self.all_pairs(poses)
        self.all.security_margin = 0.0
        return found


class CoalCrowd(Transforms):
    """Bodies in a DynamicAABBTreeCollisionManager; its Python reports contacts, but not between which bodies."""

    def __init__(self, coal: Any, solid: Any, count: int) -> None:
        self.coal, self.transform = coal, coal.Transform3s
        self.bodies = [coal.CollisionObject(solid, coal.Transform3s()) for _ in range(count)]
        self.manager = coal.DynamicAABBTreeCollisionManager()
        for body in self.bodies:
            self.manager.registerObject(body)
        self.manager.setup()
        self.found = coal.CollisionCallBackDefault()
        self.found.data.request.num_max_contacts = ALL_CONTACTS

    def touching(self, poses: Any) -> Pairs:
        """Move, update the tree, collide."""
        for body, pose in zip(self.bodies, poses, strict=True):
            body.setTransform(pose)
            body.computeAABB()
        self.manager.update()
        self.found.data.clear()
        self.manager.collide(self.found)
        return _contacts(self.found.data.result)

    def as_touching(self, found: Any) -> Touching:
        """The number of pairs."""
        return Touching(None, len(found))


class CoalPeer(Peer):
    """Coal with one of its hierarchies."""

    pair_type, crowd_type, first_use = CoalPair, CoalCrowd, FIRST_USE
    questions = ("first_hits", "all_pairs", "distances", "within", "pairs_within")

    def __init__(self, volume: str) -> None:
        self.library: Any = import_module("coal")
        self.name = f"coal-{volume.lower()}"
        self.model_class: Any = getattr(self.library, f"BVHModel{volume}")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A BVHModel of the chosen volume."""
        model = self.model_class()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(faces)
        model.endModel()
        model.computeLocalAABB()
        return model
