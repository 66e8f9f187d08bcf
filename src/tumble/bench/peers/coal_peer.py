"""Coal, with each of its two hierarchies for meshes: boxes with swept spheres (OBBRSS) and boxes alone (OBB).

The functor ComputeCollision looks up once how a pair of geometries is handled; Coal's documentation recommends it for
pairs that are asked about often.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import ALL_CONTACTS, Pairs, Poses, Touching, id_array

FIRST_USE = """
import coal, numpy
corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
sides = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
model = coal.BVHModelOBBRSS()
model.beginModel(4, 4)
model.addVertices(corners)
model.addTriangles(sides)
model.endModel()
moved = coal.Transform3s(numpy.eye(3), numpy.array([0.1, 0.1, 0.1]))
request, result = coal.CollisionRequest(coal.NO_REQUEST, 1), coal.CollisionResult()
assert coal.collide(model, coal.Transform3s(), model, moved, request, result)
"""


class CoalPeer:
    """Coal with one of its hierarchies."""

    package = "coal"
    judged = True
    most_faces = 10**9
    first_use = FIRST_USE

    def __init__(self, volume: str) -> None:
        self.coal: Any = import_module("coal")
        self.name = f"coal-{volume.lower()}"
        self.model_class: Any = getattr(self.coal, f"BVHModel{volume}")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A BVHModel of the chosen volume."""
        model = self.model_class()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(faces)
        model.endModel()
        model.computeLocalAABB()
        return model

    def pair(self, a: Any, b: Any) -> CoalPair:
        """A functor for two geometries."""
        return CoalPair(self.coal, a, b)

    def crowd(self, solid: Any, count: int) -> CoalCrowd:
        """Bodies in Coal's dynamic tree."""
        return CoalCrowd(self.coal, solid, count)


class CoalPair:
    """Two geometries with their requests."""

    def __init__(self, coal: Any, a: Any, b: Any) -> None:
        self.coal = coal
        self.solids = (a, b)  # the functor only points to them
        self.collide = coal.ComputeCollision(a, b)
        self.still = coal.Transform3s()
        self.first = coal.CollisionRequest(coal.NO_REQUEST, 1)
        self.all = coal.CollisionRequest(coal.CONTACT, ALL_CONTACTS)

    def native(self, poses: Poses) -> list[Any]:
        """Transforms."""
        return [self.coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in poses]

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
            # Reading contacts one by one is quicker than the list that getContacts() copies.
            contacts = (result.getContact(index) for index in range(result.numContacts()))
            found.append(id_array([(contact.b1, contact.b2) for contact in contacts]))
        return found


class CoalCrowd:
    """Bodies in a DynamicAABBTreeCollisionManager; its Python reports contacts, but not between which bodies."""

    def __init__(self, coal: Any, solid: Any, count: int) -> None:
        self.coal = coal
        self.bodies = [coal.CollisionObject(solid, coal.Transform3s()) for _ in range(count)]
        self.manager = coal.DynamicAABBTreeCollisionManager()
        for body in self.bodies:
            self.manager.registerObject(body)
        self.manager.setup()
        self.found = coal.CollisionCallBackDefault()
        self.found.data.request.num_max_contacts = ALL_CONTACTS

    def native(self, poses: Poses) -> list[Any]:
        """Transforms."""
        return [self.coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in poses]

    def touching(self, poses: Any) -> Pairs:
        """Move, update the tree, collide."""
        for body, pose in zip(self.bodies, poses, strict=True):
            body.setTransform(pose)
            body.computeAABB()
        self.manager.update()
        self.found.data.clear()
        self.manager.collide(self.found)
        result = self.found.data.result
        contacts = (result.getContact(index) for index in range(result.numContacts()))
        return id_array([(contact.b1, contact.b2) for contact in contacts])

    def told(self, found: Any) -> Touching:
        """The number of pairs."""
        return Touching(None, len(found))
