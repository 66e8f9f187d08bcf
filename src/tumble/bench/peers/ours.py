"""Tumble as it competes: the public calls, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.peers.contract import Pairs, Peer, Poses, Touching
from tumble.hierarchy.packed import packed
from tumble.scene import Scene

OURS = "tumble"


class TumblePeer(Peer):
    """Tumble."""

    name = OURS
    questions = (
        "first_hits",
        "all_pairs",
        "distances",
        "within",
        "pairs_within",
        "signed_distances",
        "relations",
        "volumes",
    )

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A Mesh with its tree built."""
        mesh = tumble.Mesh(vertices, faces)
        packed(mesh)
        return mesh

    def pair(self, a: Any, b: Any) -> TumblePair:
        """Two meshes."""
        return TumblePair(a, b)

    def crowd(self, solid: Any, count: int, threads: int = 1) -> TumbleCrowd:
        """Bodies in a Scene."""
        return TumbleCrowd(solid, count, threads)


class TumblePair:
    """Two meshes."""

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def ready_for_distances(self) -> None:
        """Make what distances use before the race, as other libraries have it in their hierarchies."""
        for mesh in (self.a, self.b):
            tumble.prepare(mesh, "distance")

    def native(self, poses: Poses) -> list[NDArray[np.float64]]:
        """Matrices, as they are given."""
        return list(poses)

    def first_hits(self, poses: Sequence[Any]) -> list[bool]:
        """One `collides` a pose."""
        a, b, collides = self.a, self.b, tumble.collides
        return [collides(a, b, None, pose) for pose in poses]

    def all_pairs(self, poses: Sequence[Any]) -> list[Pairs]:
        """One `collide` a pose."""
        a, b, collide = self.a, self.b, tumble.collide
        return [collide(a, b, None, pose).pairs for pose in poses]

    def batch(self, poses: Poses, threads: int) -> NDArray[np.bool_]:
        """All poses in one call."""
        return tumble.collide_many(self.a, self.b, poses, threads=threads).hit

    def distances(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One `distance` a pose; pair and points are in the answer."""
        a, b, distance = self.a, self.b, tumble.distance
        return np.array([distance(a, b, None, pose).distance for pose in poses])

    def distances_of_all(self, poses: Poses, threads: int) -> NDArray[np.float64]:
        """All poses in one call."""
        return tumble.distance_many(self.a, self.b, poses, threads=threads).distances

    def signed_distances(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One `distance` a pose, with its sign."""
        a, b, distance = self.a, self.b, tumble.distance
        return np.array([distance(a, b, None, pose, signed=True).distance for pose in poses])

    def relations(self, poses: Sequence[Any]) -> list[str]:
        """One `relation` a pose."""
        a, b, relation = self.a, self.b, tumble.relation
        return [str(relation(a, b, None, pose).relation.value) for pose in poses]

    def volumes(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """One `penetration` a pose, without a depth."""
        a, b, penetration = self.a, self.b, tumble.penetration
        return np.array([penetration(a, b, None, pose, depth=False).volume for pose in poses])

    def within(self, poses: Sequence[Any], clearance: float) -> list[bool]:
        """One `collides` a pose, with a clearance."""
        a, b, collides = self.a, self.b, cast(Any, tumble.collides)
        return [collides(a, b, None, pose, clearance=clearance) for pose in poses]

    def pairs_within(self, poses: Sequence[Any], clearance: float) -> list[Pairs]:
        """One `clearance` a pose."""
        a, b, ask = self.a, self.b, cast(Any, tumble).clearance
        return [ask(a, b, clearance, None, pose).pairs for pose in poses]


class TumbleCrowd:
    """Bodies of a Scene, under their numbers as names."""

    def __init__(self, solid: Any, count: int, threads: int) -> None:
        self.scene, self.threads = Scene(), threads
        self.names = [str(index) for index in range(count)]
        for name in self.names:
            self.scene.add(name, solid)

    def native(self, poses: Poses) -> Poses:
        """Matrices, as they are given."""
        return poses

    def touching(self, poses: Any) -> Any:
        """Move all in one call, then ask for names and triangles."""
        self.scene.move_many(self.names, poses)
        return self.scene.collisions(threads=self.threads)

    def as_touching(self, found: Any) -> Touching:
        """Numbers from names."""
        bodies = {tuple(sorted((int(one.a), int(one.b)))) for one in found}
        return Touching(bodies, sum(len(one.pairs) for one in found))  # type: ignore[arg-type]
