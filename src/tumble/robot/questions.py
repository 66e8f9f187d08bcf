"""What a robot is asked about contacts: the methods of `Robot` that lead to kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.options import refuse_arrays
from tumble.core.parallel import thread_count
from tumble.mesh import MeshLike
from tumble.query.nearest import checked_bound
from tumble.robot.attached import attached
from tumble.robot.clearances import ByLink, checked_clearances

if TYPE_CHECKING:
    from tumble.robot.collisions.answer import RobotCollisions
    from tumble.robot.collisions.distances import RobotDistances
    from tumble.robot.collisions.prepared import Prepared
    from tumble.robot.motion import Edges, RobotMotion, RobotMotions
    from tumble.robot.robot import Robot
    from tumble.scene import Scene

Answer = TypeVar("Answer")


class RobotQuestions:
    """A robot among obstacles."""

    if TYPE_CHECKING:
        links: Sequence[str]

        def configurations(self, Q: ArrayLike, what: str = "Q") -> NDArray[np.float64]:
            """Return checked configurations."""

    def collides(
        self,
        Q: ArrayLike,
        scene: Scene | MeshLike | None = None,
        *,
        links: bool = False,
        self_collision: bool = True,
        clearance: ByLink = 0.0,
        threads: int | None = None,
        client: object = None,
    ) -> RobotCollisions:
        """Return which of n configurations collide: `.hit`, (n,) bool; the truth about the meshes of the links.

        Q               (n, joints) configurations
        scene           obstacles: a `tumble.Scene` as it is now, or a mesh as it was drawn; None: the robot alone
        links           also tell who touches whom: `.touching(k)` by name; looks on after the first contact
        self_collision  whether links must not touch each other, but for pairs that may (`robot.allowed`)
        clearance       links that are nearer than this to an obstacle or another link collide, too; one number, or one
                        for each link by name, 0 for the others: of two links the larger one holds
        threads         how many work at the same time, all cores by default
        client          a Dask client, or a `tumble.cluster.Cluster`: its workers answer, with the same bits
        """
        from tumble.robot.collisions.asked import Check
        from tumble.robot.collisions.check import collisions

        refuse_arrays(links=links, self_collision=self_collision)
        limit, world = checked_clearances(clearance, self.links), self._prepared.world(scene)
        asked = self.configurations(Q), limit, bool(self_collision), thread_count(threads)
        check = Check(self._prepared, world, *asked)
        return _answer(collisions, check, client, bool(links))

    def distance(
        self,
        Q: ArrayLike,
        scene: Scene | MeshLike | None = None,
        *,
        links: bool = False,
        upper_bound: float = math.inf,
        self_collision: bool = True,
        threads: int | None = None,
        client: object = None,
    ) -> RobotDistances:
        """Return how far the robot is from a collision: `.distance`, (n,); `.nearest(k)`, by name; `.points`.

        links           also tell how far each link is: `.link_distances`, (n, links); `.nearest(k, link)`
        upper_bound     what is farther apart does not count: the distance is infinite then; saves time

        The other options are those of `collides`, on a cluster too.
        """
        from tumble.robot.collisions.asked import Check
        from tumble.robot.collisions.distances import distances

        refuse_arrays(links=links, self_collision=self_collision)
        most, world = checked_bound(upper_bound), self._prepared.world(scene)
        asked = self.configurations(Q), 0.0, bool(self_collision), thread_count(threads)
        return _answer(distances, Check(self._prepared, world, *asked), client, most, bool(links))

    def check_motion(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        scene: Scene | MeshLike | None = None,
        *,
        tolerance: float | None = None,
        self_collision: bool = True,
    ) -> RobotMotion:
        """Return whether the straight line from one configuration to another is free: `.free`, `.hit`, `.time`.

        tolerance   what comes as near as this and is not found to touch is undecided, neither free nor hit; None: a
                    ten-thousandth of how far the robot reaches

        See `check_motions`.
        """
        from tumble.robot.motion import check_edge

        ends = (np.asarray(q0)[None], np.asarray(q1)[None])
        return check_edge(self._edges(*ends, scene, tolerance, self_collision, 1))

    def check_motions(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        scene: Scene | MeshLike | None = None,
        *,
        times: bool = False,
        tolerance: float | None = None,
        self_collision: bool = True,
        threads: int | None = None,
        client: object = None,
    ) -> RobotMotions:
        """Return which of n straight lines between configurations are free: `.free`, `.hit`, (n,) bool.

        Free is proved: there is no contact anywhere on the line, not only at samples. See docs/robot.md.

        times       also say when each line meets its first contact, never late: `.times`; looks for the first one

        The other options are those of `collides` and `check_motion`.
        """
        from tumble.robot.motion import check_edges

        refuse_arrays(times=times)
        edges = self._edges(Q0, Q1, scene, tolerance, self_collision, thread_count(threads))
        return _answer(check_edges, edges, client, bool(times))

    def _edges(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        scene: Scene | MeshLike | None,
        tolerance: Any,
        self_collision: Any,
        threads: int,
    ) -> Edges:
        from tumble.robot.motion import Edges, checked_tolerance, edges_of

        refuse_arrays(self_collision=self_collision)
        prepared = self._prepared
        ends = edges_of(self.configurations(Q0, "Q0"), self.configurations(Q1, "Q1"))
        size = checked_tolerance(tolerance, prepared.size)
        return Edges(prepared, prepared.world(scene), *ends, bool(self_collision), size, threads)

    def with_attached(
        self,
        name: str,
        mesh: MeshLike,
        link: str,
        pose: ArrayLike | None = None,
        *,
        may_touch: Iterable[str] = (),
    ) -> Robot:
        """Return this robot holding a mesh: a link more, which moves with another one.

        name       of the new link
        pose       4×4, of the mesh in the frame of the link that carries it
        may_touch  other links that the mesh may touch; it may always touch the one that carries it
        """
        return attached(cast("Robot", self), name, mesh, link, pose, may_touch)

    @cached_property
    def _prepared(self) -> Prepared:
        from tumble.robot.collisions.prepared import Prepared

        return Prepared(cast("Robot", self))


def _answer(ask: Callable[..., Answer], asked: Any, client: Any, *more: Any) -> Answer:
    """Ask about many rows, here or on a cluster."""
    return ask(asked, *more) if client is None else _elsewhere(ask, asked, client, *more)


def _elsewhere(ask: Callable[..., Answer], asked: Any, client: Any, *more: Any) -> Answer:
    from tumble.robot.collisions.elsewhere import answer_elsewhere

    return answer_elsewhere(ask, asked, client, *more)
