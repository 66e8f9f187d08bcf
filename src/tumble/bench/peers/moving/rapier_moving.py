"""rapier3d: parry's shape casts of one triangle mesh against another, in single precision; the first body is at rest.

`cast_shape` for flights that do not turn, `cast_shape_nonlinear` for those that do.
"""

from collections.abc import Sequence
from importlib import import_module
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.moving.contract import MovingPair, MovingPeer, Reals, Times
from tumble.mesh.motion import Motion
from tumble.mesh.motion_pieces import ANGLE, AXIS, WAY
from tumble.scenario.flights import Flight


class RapierPair(MovingPair):
    """A scene of the first body, and the shape of the second."""

    def __init__(self, rapier: Any, a: Any, b: Any) -> None:
        self.rapier, self.shape = rapier, b
        bodies, colliders, islands = rapier.RigidBodySet(), rapier.ColliderSet(), rapier.IslandManager()
        broad, narrow = rapier.BroadPhaseBvh(), rapier.NarrowPhase()
        colliders.insert(rapier.Collider.new(a))
        rapier.CollisionPipeline().step(0.0, islands, broad, narrow, bodies, colliders)
        self.scene = rapier.QueryPipeline(broad, narrow, bodies, colliders)
        self.options = rapier.ShapeCastOptions(max_time_of_impact=1.0)

    def native(self, flights: Sequence[Flight]) -> list[Any]:
        """Of the second body, a pose and a velocity, or a motion that turns."""
        return [self._motion(motion) for _, motion in flights]

    def impacts(self, flights: Any) -> Times:
        """One shape cast a flight."""
        scene, shape, options = self.scene, self.shape, self.options
        found = []
        for pose, velocity, turning in flights:
            if turning is None:
                hit = scene.cast_shape(pose, velocity, shape, options)
            else:
                hit = scene.cast_shape_nonlinear(turning, shape, options, 0.0, 1.0)
            found.append(inf if hit is None else hit[1].time_of_impact)
        return np.array(found)

    def _motion(self, motion: Motion) -> tuple[Any, Any, Any]:
        from scipy.spatial.transform import Rotation

        start, piece = motion.at(0.0), motion.pieces[0]
        turn = tuple(Rotation.from_matrix(start[:3, :3]).as_quat().tolist())
        pose = self.rapier.Isometry3(tuple(start[:3, 3].tolist()), turn)
        velocity, spin = (
            tuple(each.tolist()) for each in (piece[WAY : WAY + 3], piece[AXIS : AXIS + 3] * piece[ANGLE])
        )
        if not any(spin):
            return pose, velocity, None
        return pose, velocity, self.rapier.NonlinearRigidMotion(pose, (0.0, 0.0, 0.0), velocity, spin)


class RapierMoving(MovingPeer):
    """rapier3d."""

    name, answers = "rapier3d", ("impacts",)

    def __init__(self) -> None:
        self.library: Any = import_module("rapier3d")

    def prepare(self, vertices: Reals, faces: NDArray[np.int64]) -> Any:
        """A shape with its tree."""
        return self.library.SharedShape.trimesh(vertices, faces)

    def pair(self, a: Any, b: Any) -> RapierPair:
        """A scene and a shape."""
        return RapierPair(self.library, a, b)
