"""Questions about scenes in which some bodies are solid: what is inside such a body collides with it.

Which ones is up to the caller, mesh by mesh: `tumble.compat.trimesh` takes convex ones. A `View` has what a question
needs, at one moment, whatever other threads do meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import le
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.distance import distance
from tumble.api.relation import placed
from tumble.core.products import dot_product, length
from tumble.errors import InternalError
from tumble.mesh import Mesh, MeshLike
from tumble.mesh.edges import edges_of
from tumble.query.nearest import BodiesNearest
from tumble.query.plan import Options
from tumble.query.scene_answer import SceneCollisions
from tumble.scene.bodies import Moment
from tumble.scene.moments import Compared, one_and_others, seen_by
from tumble.scene.nearest import nearest_between, nearest_within
from tumble.scene.scene import Scene
from tumble.scene.touching import any_collide, colliding
from tumble.solid.body import Body

IsSolid = tuple[Callable[[Mesh], bool], Callable[[Mesh], bool]]
"""which meshes of a are solid, and which of b"""
EVERYWHERE = float("inf")


class WayOut(NamedTuple):
    """How the second of two bodies, one of which is inside the other, leaves the first."""

    faces: tuple[int, int]
    """the nearest face of each"""
    point: NDArray[np.float64]
    """(3,): the nearest point of the inner body, which is inside the other"""
    normal: NDArray[np.float64]
    """(3,): unit, out of the outer body by the nearest face if the second is the inner one, else against it"""
    depth: float
    """how far the second has to go along the normal until a plane is between the two"""


class Buried(NamedTuple):
    """Two bodies, one of which is inside the other, or a component of it is; their surfaces share no point."""

    a: Any
    b: Any
    """names"""
    bodies: tuple[Body, Body]
    inner: int
    """0 if a is inside b, 1 if b is inside a"""
    component: int
    """a component of the inner body that is inside"""

    def way_out(self) -> WayOut:
        """Return how b leaves a, by the face of the outer body that is nearest to the component inside."""
        outer, inner = self.bodies[1 - self.inner], self.bodies[self.inner]
        faces = np.flatnonzero(inner.surface.components == self.component)
        mesh = inner.mesh if len(faces) == len(inner.mesh) else Mesh(inner.mesh.vertices, inner.mesh.faces[faces])
        nearest = distance(mesh, outer.mesh, _pose(inner), _pose(outer))
        if nearest.pair is None or nearest.points is None:
            raise InternalError("a body inside another has no distance from it; please report this")
        gap = nearest.points[1] - nearest.points[0]
        out = gap / length(gap)
        depth = float(dot_product(outer.corners, out).max() - dot_product(inner.corners, out).min())
        pair = int(faces[nearest.pair[0]]), nearest.pair[1]
        if self.inner == 0:
            return WayOut(pair, nearest.points[0].copy(), 0.0 - out, depth)
        return WayOut(pair[::-1], nearest.points[0].copy(), out, depth)


class View(NamedTuple):
    """Two sets of bodies at one moment, and which to compare; both may be one set."""

    a: Moment
    b: Moment
    pairs: NDArray[np.int64]
    """(k, 2): bodies whose boxes meet, and whose filters let them"""
    nearest: Callable[[Options], BodiesNearest]

    def collides(self, options: Options, solid: IsSolid) -> bool:
        """Tell whether any two bodies touch, or one is inside another that is solid."""
        if any_collide(Compared(self.a, self.b, self.pairs), options):
            return True
        return next(self._buried(self.pairs, solid), None) is not None

    def collisions(self, options: Options, solid: IsSolid) -> tuple[SceneCollisions, list[Buried]]:
        """Return every two bodies that touch, and every two of which one is inside the other."""
        touching = colliding(Compared(self.a, self.b, self.pairs), options)
        names = set(touching.names)
        apart = [k for k, (i, j) in enumerate(self.pairs.tolist()) if (self.a.names[i], self.b.names[j]) not in names]
        return touching, list(self._buried(self.pairs[apart], solid))

    def distance(self, options: Options, solid: IsSolid) -> BodiesNearest:
        """Return the nearest two bodies; what is inside a solid one is at distance 0."""
        found = self.nearest(options)
        if found.distance == 0.0:
            return found
        for buried in self._buried(self.pairs, solid):
            out = buried.way_out()
            return BodiesNearest(0.0, buried.a, buried.b, out.faces, np.stack([out.point, out.point]))
        return found

    def _buried(self, pairs: NDArray[np.int64], solid: IsSolid) -> Iterator[Buried]:
        """Yield what is inside a solid body, of pairs that do not touch."""
        from tumble.solid.decide import components_inside

        known: tuple[dict[int, Body], dict[int, Body]] = ({}, {})
        samples: tuple[dict[int, list[list[float]]], dict[int, list[list[float]]]] = ({}, {})
        moments = self.a, self.b
        boxes = self.a.boxes.tolist(), self.b.boxes.tolist()

        def may_be_in(side: int, number: int, box: list[float]) -> bool:
            """Tell whether a vertex of any component is in a box: cheaper than a ray, and mostly enough."""
            if number not in samples[side]:
                bodies = moments[side].bodies
                samples[side][number] = _posed_samples(bodies.mesh(number), bodies.poses[number].tolist())
            low, high = box[:3], box[3:]
            return any(all(map(le, low, point)) and all(map(le, point, high)) for point in samples[side][number])

        def body(side: int, number: int) -> Body:
            if number not in known[side]:
                bodies = (self.a, self.b)[side].bodies
                mesh = bodies.mesh(number)
                known[side][number] = placed(mesh, bodies.poses[number], 1, solid[side](mesh))
            return known[side][number]

        for i, j in pairs.tolist():
            if not (solid[0](self.a.bodies.mesh(i)) or solid[1](self.b.bodies.mesh(j))):
                continue
            for inner in (0, 1):
                if not may_be_in(inner, (i, j)[inner], boxes[1 - inner][(j, i)[inner]]):
                    continue
                bodies = body(0, i), body(1, j)
                if not bodies[1 - inner].solid:
                    continue
                inside = components_inside(bodies[inner], bodies[1 - inner])
                if True in inside:
                    yield Buried(self.a.names[i], self.b.names[j], bodies, inner, inside.index(True))
                    break


def _posed_samples(mesh: Mesh, pose: list[list[float]]) -> list[list[float]]:
    """Return a vertex of each component of a mesh, posed as everywhere."""
    edges = edges_of(mesh)
    points = mesh.vertices[edges.faces[edges.samples, 0]].tolist()
    return [[((a * x + b * y) + c * z) + t for a, b, c, t in pose[:3]] for x, y, z in points]


def within(scene: Scene) -> View:
    """Return the bodies of a scene, to be compared with each other."""
    with scene._lock:
        pairs, moment = scene._pairs(), scene._table.moment()
        allowed, slots = scene._allowed.copy(), dict(scene._table.slots)
    return View(moment, moment, pairs, partial(nearest_within, moment, allowed, slots, EVERYWHERE))


def around(scene: Scene, mesh_or_name: MeshLike | str, pose: ArrayLike | None) -> View:
    """Return one mesh, or one body, and the bodies of a scene that it is compared with."""
    return _two(*one_and_others(scene, mesh_or_name, pose))


def between(scene: Scene, other: Scene) -> View:
    """Return the bodies of two scenes, to be compared across."""
    return _two(seen_by(scene, None), seen_by(other, None))


def _two(a: Moment, b: Moment) -> View:
    return View(a, b, a.pairs_with(b), partial(nearest_between, a, b, EVERYWHERE))


def _pose(body: Body) -> NDArray[np.float64]:
    return np.eye(4) if body.rows is None else np.concatenate([body.rows, [[0.0, 0.0, 0.0, 1.0]]])
