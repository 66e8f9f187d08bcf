"""python-fcl: `continuousCollide` by conservative advancement and at samples, and `collide` at poses along the way.

Of FCL's other ways `CCDC_RAY_SHOOTING` is empty, and `CCDC_POLYNOMIAL_SOLVER` moves the vertices of the models it is
given, so that it can be asked once.
"""

from collections.abc import Sequence
from importlib import import_module
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.fcl_peer import FclPeer
from tumble.bench.peers.moving.contract import MovingPair, MovingPeer, Reals, Times
from tumble.scenario.flights import Flight

SAMPLES = 100
"""of a flight, where FCL looks at samples; conservative advancement goes on until it ends"""


class FclMovingPair(MovingPair):
    """Two objects with their requests."""

    def __init__(self, fcl: Any, solver: str, a: Any, b: Any) -> None:
        self.fcl = fcl
        self.a, self.b = (fcl.CollisionObject(solid, fcl.Transform()) for solid in (a, b))
        # straight lines and constant rotations, as flights have them; what it takes for bodies that do not turn as well
        self.request = fcl.ContinuousCollisionRequest(
            num_max_iterations=SAMPLES,
            ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
            ccd_solver_type=getattr(fcl.CCDSolverType, solver),
        )
        self.first = fcl.CollisionRequest(num_max_contacts=1, enable_contact=False)

    def native(self, flights: Sequence[Flight]) -> list[Any]:
        """Of each body the transforms at both ends."""
        return [[self._transform(motion.at(time)) for motion in both for time in (0.0, 1.0)] for both in flights]

    def impacts(self, flights: Any) -> Times:
        """One `continuousCollide` a flight."""
        a, b, request, ask, result = (
            self.a,
            self.b,
            self.request,
            self.fcl.continuousCollide,
            self.fcl.ContinuousCollisionResult,
        )
        found = []
        for start_a, end_a, start_b, end_b in flights:
            a.setTransform(start_a)
            b.setTransform(start_b)
            answer = result()
            ask(a, end_a, b, end_b, request, answer)
            found.append(answer.time_of_contact if answer.is_collide else inf)
        return np.array(found)

    def native_edges(self, flights: Sequence[Flight], counts: Sequence[int]) -> list[Any]:
        """Of the second body, transforms along the way; the first is at rest."""
        return [
            [self._transform(motion.at(time)) for time in np.linspace(0.0, 1.0, count)]
            for (_, motion), count in zip(flights, counts, strict=True)
        ]

    def free(self, edges: Any) -> NDArray[np.bool_]:
        """One `collide` a pose, until one touches."""
        a, b, request, collide, result = self.a, self.b, self.first, self.fcl.collide, self.fcl.CollisionResult
        found = []
        for poses in edges:
            for pose in poses:
                b.setTransform(pose)
                if collide(a, b, request, result()) > 0:
                    found.append(False)
                    break
            else:
                found.append(True)
        return np.array(found)

    def _transform(self, pose: Reals) -> Any:
        return self.fcl.Transform(pose[:3, :3], pose[:3, 3])


class FclMoving(MovingPeer):
    """python-fcl, by conservative advancement; or by `collide` at so many samples of a flight."""

    def __init__(self, sampled: bool = False) -> None:
        self.library: Any = import_module("fcl")
        self.static = FclPeer()
        self.name = "fcl-sampled" if sampled else "fcl"
        self.solver = "CCDC_NAIVE" if sampled else "CCDC_CONSERVATIVE_ADVANCEMENT"
        self.answers = ("impacts", "both move") if sampled else ("impacts", "both move", "free")

    def prepare(self, vertices: Reals, faces: NDArray[np.int64]) -> Any:
        """A BVHModel."""
        return self.static.prepare(vertices, faces)

    def pair(self, a: Any, b: Any) -> FclMovingPair:
        """Two objects."""
        return FclMovingPair(self.library, self.solver, a, b)
