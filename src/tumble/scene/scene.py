"""`Scene`: many named bodies; boxes first, then the exact question for each two bodies whose boxes meet.

    names and meshes → slots of a table → boxes → candidate pairs → filters → triangles

What a query needs is copied under the scene's lock; the triangles are then tested without it. So a query answers for
the scene at one moment, between two changes, whatever other threads do meanwhile. `named_bodies` has how bodies are
added, moved and filtered, `moments` which of them a query is about.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from tumble.api.ask import planned
from tumble.api.penetration import Asked, BodyPenetration
from tumble.api.relation import BodyRelation, checked_solid
from tumble.core.options import refuse_arrays
from tumble.core.parallel import thread_count
from tumble.errors import InputError
from tumble.mesh import MeshLike
from tumble.query.engine import TOUCHING
from tumble.query.impact import BodiesImpact, checked_tolerance
from tumble.query.nearest import BodiesNearest, checked_bound
from tumble.query.plan import Options
from tumble.query.scene_answer import SceneCollisions
from tumble.query.settings import AnySettings, WalkSettings
from tumble.scene.kept import Kept, can_be_kept, found_again
from tumble.scene.moments import SceneClearance, around, between, one_and_others, seen_by, within
from tumble.scene.named_bodies import NamedBodies
from tumble.scene.penetrations import penetrations_of
from tumble.scene.relations import relations_of
from tumble.scene.touching import any_collide, colliding


class Scene(NamedBodies):
    """Many named bodies: add, move and remove them, and ask which touch.

    broad_phase   how pairs of bodies whose boxes meet are found: auto, sweep, tree
    tree          the trees over the bodies' triangles: auto (packed trees, the fastest), boxtree (the smallest)

    All give the same answers.

    Answers come in the order in which the bodies were added: first by the body of each pair that was added earlier,
    then by the other. Threads may use one scene at once.
    """

    def __init__(self, *, broad_phase: str = "auto", tree: str = "auto") -> None:
        planned([TOUCHING], Options(tree=tree).checked())  # refuses a tree that nothing walks
        super().__init__(broad_phase, tree)
        self._kept: Kept | None = None

    def collisions(
        self,
        *,
        method: str = "auto",
        device: str = "cpu",
        threads: int | None = None,
        first: bool = False,
        contacts: bool = False,
        stats: bool = False,
        settings: AnySettings | None = None,
        solid: bool = False,
        clearance: SceneClearance | None = None,
        client: object = None,
    ) -> SceneCollisions:
        """Return every two bodies that touch, with their triangles.

        first      only one pair of triangles for each two bodies
        solid      a body inside another is a record, too, without triangles: `.buried`; bodies whose boxes meet
                   another's must be closed
        clearance  also bodies that are nearer to each other than this, with the triangles that are, and how far apart
                   those are: `.distances`. A number for all, or a mapping from names, pairs of names, and None for all
                   other bodies, to numbers: {"pipe": 5.0, ("pipe", "clamp"): 0.0, None: 1.0}; see docs/clearance.md
        client     a Dask client, or a `tumble.cluster.Cluster`: its workers compare triangles; see docs/cluster.md

        The other options are those of `tumble.collide`; the trees are those that the scene was made for. Where all are
        left as they are, bodies that have not moved since the last such call are not compared again; the scene keeps
        that call's triangles until the next.
        """
        refuse_arrays(solid=solid)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings, client)
        if clearance is not None or not can_be_kept(options.checked()):
            return colliding(within(self, clearance), options, solid=bool(solid))
        with self._lock:
            compared, generation = within(self, None), self._generation
        self._kept = kept = found_again(compared, generation, self._kept, options)
        return colliding(compared, options, solid=bool(solid), found=kept.table)

    def relations(self, *, solid: bool | None = None, threads: int | None = None) -> list[BodyRelation]:
        """Return how every two bodies lie to each other that are not apart: `.a`, `.b` and what `tumble.relation` says.

        Closed bodies are solids here: what is buried in another is found. See there for open ones, and for `solid`.
        """
        compared = within(self, None)
        options = Options(tree=self._table.tree, threads=threads, first=True)
        return relations_of(compared.a, compared.pairs, options, solid)

    def penetrations(
        self,
        *,
        depth: bool = True,
        local_depth: bool = False,
        solid: bool | None = None,
        threads: int | None = None,
    ) -> list[BodyPenetration]:
        """Return what `tumble.penetration` says of every two bodies that are not apart, with their names: `.a`, `.b`.

        What is buried in another is found, and bodies that only touch have depth 0. Open bodies are surfaces, without a
        volume, unless `solid` is True, which refuses them; see there for the other options.
        """
        refuse_arrays(depth=depth, local_depth=local_depth)
        compared = within(self, None)
        options = Options(tree=self._table.tree, threads=threads, contacts=True)
        asked = Asked(bool(depth), bool(local_depth), checked_solid(solid), thread_count(threads))
        return penetrations_of(compared.a, compared.pairs, options, asked)

    def collisions_and_curves(self, *, device: str, threads: int | None) -> SceneCollisions:
        """Return `collisions()`, with the column `curves` where the device makes it: what a step of a `World` needs."""
        options = Options(tree=self._table.tree, device=device, threads=threads)
        return colliding(within(self, None), options, curves=True)

    def collides(
        self,
        *,
        method: str = "auto",
        device: str = "cpu",
        threads: int | None = None,
        settings: AnySettings | None = None,
        solid: bool = False,
        clearance: SceneClearance | None = None,
    ) -> bool:
        """Tell whether any two bodies touch; stops soon after the first that do.

        solid      a body inside another counts, too; bodies whose boxes meet another's must be closed
        clearance  bodies that are nearer to each other than this count, too: see `collisions`
        """
        refuse_arrays(solid=solid)
        options = Options(method, self._table.tree, device, threads, True, settings=settings)
        return any_collide(within(self, clearance), options, bool(solid))

    def collisions_with(
        self,
        mesh_or_name: MeshLike | str,
        pose: ArrayLike | None = None,
        *,
        method: str = "auto",
        device: str = "cpu",
        threads: int | None = None,
        first: bool = False,
        contacts: bool = False,
        stats: bool = False,
        settings: AnySettings | None = None,
        solid: bool = False,
        clearance: SceneClearance | None = None,
    ) -> SceneCollisions:
        """Return the bodies that touch one mesh, or one body as it is or as if it had another pose; nothing is moved.

        A mesh stands where the pose puts it (None: where it was drawn) and sees every group. In each record `a` is the
        body's name, or None for a mesh, and the first column of `pairs` has its triangles. The options are those of
        `collisions`; in a mapping of clearances, a mesh that is not a body has no name, and keeps what others ask for.
        """
        refuse_arrays(solid=solid)
        compared = around(self, mesh_or_name, pose, clearance)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings)
        return colliding(compared, options, solid=bool(solid))

    def collisions_between(
        self,
        other: Scene,
        *,
        method: str = "auto",
        device: str = "cpu",
        threads: int | None = None,
        first: bool = False,
        contacts: bool = False,
        stats: bool = False,
        settings: AnySettings | None = None,
        solid: bool = False,
        clearance: float | None = None,
    ) -> SceneCollisions:
        """Return every two touching bodies, `a` of this scene and `b` of another, in the order of a, then of b.

        Groups and masks count between scenes as within one. Of the allowed contacts only those with everything do: the
        same name means another body in another scene. For the same reason `clearance` is one number here, for every two
        bodies. The options are those of `collisions`.
        """
        refuse_arrays(solid=solid)
        compared = between(self, self._other(other, "collisions"), clearance)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings)
        return colliding(compared, options, solid=bool(solid))

    def distance(
        self,
        *,
        upper_bound: float = math.inf,
        method: str = "auto",
        threads: int | None = None,
        settings: WalkSettings | None = None,
    ) -> BodiesNearest:
        """Return the nearest two bodies, how far they are apart and where.

        Bodies are compared as in `collisions`: what filters and allowed contacts leave out is left out here too. Of
        several that touch, one pair is the answer. Without any two bodies that are compared, and where none are within
        the upper bound, the distance is infinite, without names. The options are those of `tumble.distance`.
        """
        from tumble.scene.nearest import nearest_within

        bound, options = checked_bound(upper_bound), self._options(method, threads, settings)
        with self._lock:
            moment, allowed, slots = self._table.moment(), self._allowed.copy(), dict(self._table.slots)
        return nearest_within(moment, allowed, slots, bound, options)

    def nearest(
        self,
        mesh_or_name: MeshLike | str,
        pose: ArrayLike | None = None,
        *,
        upper_bound: float = math.inf,
        method: str = "auto",
        threads: int | None = None,
        settings: WalkSettings | None = None,
    ) -> BodiesNearest:
        """Return the body that is nearest to one mesh, or to one body as it is or as if it had another pose.

        In the answer `a` is the body's name, or None for a mesh, and `b` the nearest other body; nothing is moved. See
        `collisions_with` for which bodies count, and `distance` for the rest.
        """
        from tumble.scene.nearest import nearest_between

        bound, options = checked_bound(upper_bound), self._options(method, threads, settings)
        return nearest_between(*one_and_others(self, mesh_or_name, pose), bound, options)

    def distance_between(
        self,
        other: Scene,
        *,
        upper_bound: float = math.inf,
        method: str = "auto",
        threads: int | None = None,
        settings: WalkSettings | None = None,
    ) -> BodiesNearest:
        """Return the nearest two bodies, `a` of this scene and `b` of another.

        See `collisions_between` for which bodies count, and `distance` for the rest.
        """
        from tumble.scene.nearest import nearest_between

        second = self._other(other, "distance")
        bound, options = checked_bound(upper_bound), self._options(method, threads, settings)
        return nearest_between(seen_by(self, None), seen_by(second, None), bound, options)

    def time_of_impact(
        self,
        motions: Mapping[str, Any],
        *,
        tolerance: float | None = None,
        method: str = "auto",
        threads: int | None = None,
        stats: bool = False,
    ) -> BodiesImpact:
        """Return when a moving body touches another body first, from time 0 to time 1: the time, both names, and where.

        motions   for each body that moves, by its name, a `tumble.Motion` (its poses are those in the world, in place
                  of the body's own). All others are at rest; contacts among these do not count. Nothing is moved

        Bodies are compared as in `collisions`: what filters and allowed contacts leave out is left out here too. Of
        equal times that of the bodies added first counts. The other options are those of `tumble.time_of_impact`.
        """
        from tumble.scene.impacts import first_impact_within, named_motions

        number = checked_tolerance(tolerance)
        options = Options(method, self._table.tree, "cpu", threads, stats=stats)
        with self._lock:
            moment, allowed, slots = self._table.moment(), self._allowed.copy(), dict(self._table.slots)
        return first_impact_within(moment, allowed, slots, named_motions(motions, slots), number, options)

    def _options(self, method: str, threads: int | None, settings: WalkSettings | None) -> Options:
        """Return the options of a question about distances."""
        return Options(method, self._table.tree, "cpu", threads, settings=settings)

    def _other(self, other: Scene, call: str) -> Scene:
        if not isinstance(other, Scene) or other is self:
            raise InputError(f"{call}_between takes another Scene, not {other!r}; within one, use {call}()")
        return other
