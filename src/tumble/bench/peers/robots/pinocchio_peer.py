"""pinocchio with Coal: `computeCollisionsInParallel`, which takes many configurations, on any number of threads.

It has a form with a broad phase and one without; links and obstacles are the meshes as they are (OBBRSS), or convex
hulls of them, with boxes as boxes, which Coal compares faster. A hull is solid: what is wholly inside it collides.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.robots.contract import RobotFiles, RobotPeer
from tumble.scenario.shelves import Obstacle

MOST_THREADS = 64


class PinocchioRobots(RobotPeer):
    """pinocchio; `hulls` instead of meshes, and whether it has its broad phase."""

    def __init__(self, hulls: bool, broad_phase: bool) -> None:
        import coal
        import pinocchio

        self.coal, self.library, self.hulls, self.broad_phase = coal, pinocchio, hulls, broad_phase
        self.name = f"pinocchio-{'hulls' if hulls else 'meshes'}{'' if broad_phase else '-pairs'}"

    def checker(self, files: RobotFiles, obstacles: Sequence[Obstacle]) -> "PinocchioChecker":
        """Make a robot among obstacles."""
        pin, urdf = self.library, str(files.urdf)
        model = pin.buildModelFromUrdf(urdf)
        folders = [str(files.packages), str(files.urdf.parent)]
        shapes = pin.buildGeomFromUrdf(model, urdf, pin.GeometryType.COLLISION, package_dirs=folders)
        links = shapes.ngeoms
        if self.hulls:
            for shape in shapes.geometryObjects:
                if hasattr(shape.geometry, "buildConvexHull"):
                    shape.geometry = self._hull(shape.geometry)
        for each in obstacles:
            place = pin.SE3(each.pose[:3, :3], each.pose[:3, 3])
            shapes.addGeometryObject(pin.GeometryObject(each.name, 0, 0, place, self._shape(each)))
        shapes.addAllCollisionPairs()
        pin.removeCollisionPairs(model, shapes, str(files.srdf))
        for pair in list(shapes.collisionPairs):
            if pair.first >= links and pair.second >= links:
                shapes.removeCollisionPair(pair)
        kind = pin.BroadPhaseManagerPool_DynamicAABBTreeCollisionManager if self.broad_phase else pin.GeometryPool
        return PinocchioChecker(pin, kind, model, shapes)

    def _hull(self, model: Any) -> Any:
        model.buildConvexHull(True, "Qt")
        return model.convex

    def _shape(self, obstacle: Obstacle) -> Any:
        if self.hulls and obstacle.box is not None:
            return self.coal.Box(*obstacle.box)
        model, mesh = self.coal.BVHModelOBBRSS(), obstacle.mesh
        model.beginModel(len(mesh.faces), len(mesh.vertices))
        model.addVertices(np.array(mesh.vertices))
        model.addTriangles(mesh.faces.astype(np.int64))
        model.endModel()
        return self._hull(model) if self.hulls else model


class PinocchioChecker:
    """A robot and obstacles, with memory for each number of threads."""

    def __init__(self, library: Any, kind: Any, model: Any, shapes: Any) -> None:
        self.library = library
        self.pools = {threads: kind(model, shapes, threads) for threads in (1, 2, 4, 8, 16, 32, MOST_THREADS)}

    def hits(self, Q: NDArray[np.float64], threads: int) -> NDArray[np.bool_]:
        """Which of some configurations collide."""
        pool = self.pools[min(size for size in self.pools if size >= min(threads, MOST_THREADS))]
        columns = np.asfortranarray(Q.T)
        found = self.library.computeCollisionsInParallel(min(threads, MOST_THREADS), pool, columns, True)
        return np.asarray(found, dtype=bool)
