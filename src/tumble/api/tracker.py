"""`Tracker`: two meshes in motion; the traversal of each frame starts where that of the last one ended."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tumble.api.ask import planned, with_contacts
from tumble.core.locks import new_lock
from tumble.core.options import is_cpu
from tumble.core.parallel import thread_count
from tumble.errors import said_of
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.answer import Collision
from tumble.query.bodies import moved_vertices, standing
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.engine import by_queries, stats_of

STANDING = np.eye(4)
ONE_PAIR = np.array([[0, 1]], np.int64)
NOWHERE: tuple[Any, Any] = (None, None)
"""vertices of no mesh"""


class Tracker:
    """Two meshes whose poses and vertices change from frame to frame while their faces stay.

    Trees are kept and fitted, and the front of the last frame is where the next traversal starts; when the meshes have
    moved far, it starts at the roots again, by the rule of `tumble.traversal.front.follow`. The pairs do not depend on
    any of this.
    """

    def __init__(
        self,
        a: MeshLike,
        b: MeshLike,
        *,
        device: str = "cpu",
        settings: FrontSettings | None = None,
        threads: int | None = None,
    ) -> None:
        """Take two meshes.

        device    cpu, or an OpenCL device, on which trees and front stay: opencl, opencl:0, … (`tumble.devices`)
        settings  how the front is followed: `tumble.FrontSettings`
        threads   how many threads share the work, at most; None: all cores
        """
        from tumble.device.engines import device_trees
        from tumble.hierarchy.implicit import implicit_trees
        from tumble.traversal.front.follow import Restarts

        chosen = planned([TOUCHING], Options("front", device=device, settings=settings).checked())
        self._settings, self._threads = chosen.settings, thread_count(threads)
        meshes = [as_mesh(a), as_mesh(b)]
        self._vertices: tuple[Any, ...] = tuple(mesh.vertices for mesh in meshes)
        self._on_device = not is_cpu(device)
        build: Any = partial(device_trees, device=device) if self._on_device else implicit_trees
        self._trees: Any = build(meshes, padded=self._settings.padded, threads=self._threads)
        self._placed = self._built = self._vertices
        self._front: Any = None
        self._rule = Restarts()
        self._frames = self._starts = 0
        self._lock = new_lock()

    @property
    def frames(self) -> int:
        """How many frames were queried."""
        return self._frames

    @property
    def restarts(self) -> int:
        """How many of them started at the roots, not counting the first."""
        return max(self._starts - 1, 0)

    @property
    def front_size(self) -> int:
        """How many pairs of nodes the front of the last frame has."""
        return 0 if self._front is None else self._front.size

    def collide(
        self,
        pose_a: ArrayLike | None = None,
        pose_b: ArrayLike | None = None,
        *,
        vertices_a: ArrayLike | None = None,
        vertices_b: ArrayLike | None = None,
        first: bool = False,
        contacts: bool = False,
        stats: bool = False,
    ) -> Collision:
        """Return the touching triangles of the next frame, exactly: those of `tumble.collide` for the same meshes.

        pose_a, pose_b           where the meshes are: rigid 4×4 arrays, or None
        vertices_a, vertices_b   their vertices from this frame on, as many as before; None: as they were
        first, contacts, stats   as of `tumble.collide`

        Wrong arguments and a failing device raise an error and change nothing.
        """
        with self._lock:
            given = (("vertices_a", vertices_a), ("vertices_b", vertices_b))
            vertices = tuple(
                own if new is None else moved_vertices(name, new, own, ", or make a new Tracker")
                for (name, new), own in zip(given, self._vertices, strict=True)
            )
            poses = []
            for name, pose in (("pose_a", pose_a), ("pose_b", pose_b)):
                with said_of(name):
                    matrix = as_rigid(pose)
                poses.append(STANDING if matrix is None else matrix)
            start = self._rule.due
            deformed = any(new is not old for new, old in zip(vertices, self._built, strict=True))
            self._move(vertices, poses, rebuild=start and deformed)
            leaves, front, work = self._follow(None if start else self._front, bool(stats))
            if start:
                rule = self._rule.after_start(front.size, leaves.total)
            else:
                rule = self._rule.after_step(self._front.size, front.size, leaves.total)
            found = self._confirmed(leaves, work, Options(first=first, contacts=contacts, stats=stats).checked())
            before = self._front
            self._vertices, self._front, self._rule = vertices, front, rule
            self._frames, self._starts = self._frames + 1, self._starts + int(start)
            if self._on_device and before is not None:
                before.release()
            return found

    def _move(self, vertices: tuple[Any, ...], poses: list[Any], *, rebuild: bool) -> None:
        """Move the trees, with the vertices that they do not have yet; when that fails, they are where they were."""
        placed, self._placed = self._placed, NOWHERE  # until it is known what came of it
        sent = [None if new is old else new for new, old in zip(vertices, placed, strict=True)]
        if rebuild:
            self._built = NOWHERE
        self._trees.move(sent, poses, rebuild=rebuild)
        self._placed = vertices
        if rebuild:
            self._built = vertices

    def _confirmed(self, leaves: Any, work: Any, options: Options) -> Collision:
        """Return which leaf pairs touch, with the columns asked for."""
        from tumble.traversal.bulk.confirm import touching

        posed, tested = self._trees.posed, leaves.total
        kept = touching(posed, leaves.unsure, self._threads, leaves.hits)
        table = by_queries(kept[:1] if options.first else kept, posed.bodies.first_face, ONE_PAIR)
        if options.contacts:
            bodies = standing([Mesh._of_checked(*posed.placed(number)) for number in (0, 1)])
            table = with_contacts(table, bodies, bodies, ONE_PAIR)
        stats = stats_of(work, len(table.triangles), tested) if options.stats else None
        return Collision(table.triangles, stats, table.contacts)

    def _follow(self, front: Any, counting: bool) -> tuple[Any, Any, Any]:
        from tumble.device.host.front import device_front_touching
        from tumble.traversal.bulk.rounds import LeafPairs
        from tumble.traversal.front.follow import front_pairs

        if self._on_device:
            return device_front_touching(self._trees, front, ONE_PAIR, self._settings, counting=counting)
        keys, new, work = front_pairs(
            self._trees, front, ONE_PAIR, self._settings, adjacent=True, threads=self._threads
        )
        return LeafPairs(keys, np.empty(0, np.int64), len(keys)), new, work

    def __repr__(self) -> str:
        sizes = " and ".join(str(count) for count in self._trees.layout.triangles.tolist())
        return f"<Tracker of {sizes} triangles, {self._frames} frames, {self.restarts} restarts>"
