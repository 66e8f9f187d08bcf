"""`Scene`: many named bodies; boxes first, then the exact question for each two bodies whose boxes meet.

    names and meshes → slots of a table → boxes → candidate pairs → filters → triangles

What a query needs is copied under the scene's lock; the triangles are then tested without it. So a query answers for
the scene at one moment, between two changes, whatever other threads do meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.ask import planned
from tumble.api.relation import BodyRelation
from tumble.core.keys import pairs_of_keys
from tumble.core.locks import new_lock
from tumble.core.options import refuse_arrays
from tumble.errors import InputError
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.query.bodies import named_poses
from tumble.query.engine import TOUCHING
from tumble.query.nearest import BodiesNearest, checked_bound
from tumble.query.plan import Options
from tumble.query.scene_answer import SceneCollisions
from tumble.query.settings import AnySettings, WalkSettings
from tumble.scene.filters import ALL_GROUPS, DEFAULT_GROUP, AllowedContacts, as_bits
from tumble.scene.relations import relations_of
from tumble.scene.touching import any_collide, colliding

if TYPE_CHECKING:
    from tumble.scene.bodies import Moment

SceneClearance = float | Mapping[str | tuple[str, str] | None, float]
"""a clearance for all bodies, or by names, pairs of names, and None for the others"""


class Scene:
    """Many named bodies: add, move and remove them, and ask which touch.

    broad_phase   how pairs of bodies whose boxes meet are found: auto, sweep, tree
    tree          the trees over the bodies' triangles: auto (packed trees, the fastest), boxtree (the smallest)

    All give the same answers.

    Answers come in the order in which the bodies were added: first by the body of each pair that was added earlier,
    then by the other. Threads may use one scene at once.
    """

    def __init__(self, *, broad_phase: str = "auto", tree: str = "auto") -> None:
        from tumble.broad.choice import make_broad_phase
        from tumble.scene.bodies import BodyTable

        planned([TOUCHING], Options(tree=tree).checked())  # refuses a tree that nothing walks
        self._broad_phase = make_broad_phase(broad_phase)
        self._broad_phase_name = broad_phase
        self._table = BodyTable(tree)
        self._generation = self._table.generation
        self._allowed = AllowedContacts()
        self._lock = new_lock()

    # Bodies

    def add(
        self,
        name: str,
        mesh: MeshLike,
        pose: ArrayLike | None = None,
        *,
        group: int = DEFAULT_GROUP,
        mask: int = ALL_GROUPS,
    ) -> None:
        """Add a body under a name that no other body has.

        The same mesh may serve many bodies; it is stored once, and so is its tree. Group and mask are 32 bits each:
        two bodies are tested when the group of each has a bit in common with the mask of the other.
        """
        if not isinstance(name, str):
            raise InputError(f"the name of a body must be a string; found {name!r}")
        body = as_mesh(mesh)
        filters = np.array([[as_bits(group, "group"), as_bits(mask, "mask")]])
        poses = named_poses([pose], [name])
        with self._lock:
            if name in self._table.slots:
                raise InputError(f"there is a body {name!r} already; remove it first, or choose another name")
            self._allowed.forget(name)  # of one of this name whose removal was interrupted
            self._table.add([name], [body], poses, filters)
            self._follow_slots()

    def remove(self, name: str) -> None:
        """Remove a body, and all rules of `allow` and `disallow` about it."""
        with self._lock:
            self._table.slot(name)
            self._table.remove(name)
            self._allowed.forget(name)

    def move(self, name: str, pose: ArrayLike | None) -> None:
        """Place a body anew: the pose takes the place of the one that it had; None is where its mesh was drawn."""
        self.move_many([name], [pose])

    def move_many(self, names: Iterable[str] | Mapping[str, ArrayLike | None], poses: Any = None) -> None:
        """Place many bodies anew: `move_many(names, poses)`, poses an (n, 4, 4) array, or `move_many({name: pose})`.

        Either all are moved or, when a name or a pose is wrong, none. Of two poses for one body the last counts.
        """
        if isinstance(names, str) or (isinstance(names, Mapping) and poses is not None):
            raise InputError("move_many takes a list of names and as many poses, or one mapping from names to poses")
        if isinstance(names, Mapping):
            poses = list(names.values())
        try:
            names = list(names)
        except TypeError as error:
            raise InputError(f"move_many takes a list of names, not {names!r}") from error
        with self._lock:
            slots = self._table.slots_of(names)
            self._table.place(slots, named_poses(poses, names))

    def pose(self, name: str) -> NDArray[np.float64]:
        """Return a copy of a body's 4×4 pose."""
        with self._lock:
            return np.array(self._table.poses[self._table.slot(name)])

    def mesh(self, name: str) -> Mesh:
        """Return a body's mesh."""
        with self._lock:
            mesh = self._table.meshes[self._table.slot(name)]
        assert mesh is not None
        return mesh

    def bounds(self, name: str) -> NDArray[np.float64] | None:
        """Return the (2, 3) lowest and highest corner of a body's box in the world; None for an empty mesh.

        The box contains every posed vertex. It is made from the bounds of the mesh: a turned body's may be too large.
        """
        with self._lock:
            box = np.array(self._table.boxes[self._table.slot(name)]).reshape(2, 3)
        return box if box[0, 0] <= box[1, 0] else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all bodies, in the order in which they were added."""
        with self._lock:
            return tuple(self._table.slots)

    @property
    def broad_phase(self) -> str:
        """The name of the broad phase."""
        return self._broad_phase_name

    def __len__(self) -> int:
        return len(self._table.slots)

    def __bool__(self) -> bool:
        # without this, an empty scene would be False
        return True

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._table.slots

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __repr__(self) -> str:
        return f"<Scene of {len(self)} bodies>"

    # Filters

    def set_filter(self, name: str, *, group: int | None = None, mask: int | None = None) -> None:
        """Give a body another group, another mask or both; see `add`."""
        with self._lock:
            old_group, old_mask = self.filter(name)
            new_group = old_group if group is None else as_bits(group, "group")
            new_mask = old_mask if mask is None else as_bits(mask, "mask")
            self._table.filters[self._table.slot(name)] = new_group, new_mask

    def filter(self, name: str) -> tuple[int, int]:
        """Return a body's group and mask."""
        with self._lock:
            group, mask = self._table.filters[self._table.slot(name)].tolist()
        return group, mask

    def allow(self, a: str, b: str | None = None) -> None:
        """Allow contact between two bodies, or of one with everything: it is neither tested nor reported.

        Rules for two bodies have precedence over rules for either of them.
        """
        with self._lock:
            self._table.slots_of([a] if b is None else [a, b])
            self._allowed.allow(a, b)

    def disallow(self, a: str, b: str | None = None) -> None:
        """Report contact between two bodies again; or remove all rules about one, those of its pairs included."""
        with self._lock:
            self._table.slots_of([a] if b is None else [a, b])
            self._allowed.disallow(a, b)

    @property
    def allowed(self) -> list[tuple[str, str | None]]:
        """What is allowed: (a, b) for two bodies, (a, None) for one with everything, in the order of the bodies."""
        with self._lock:
            return self._allowed.listed(True, self._table.slots)

    @property
    def disallowed(self) -> list[tuple[str, str | None]]:
        """The pairs of bodies that are reported although one of them may touch everything."""
        with self._lock:
            return self._allowed.listed(False, self._table.slots)

    # Queries

    def candidates(self) -> list[tuple[str, str]]:
        """Return the pairs of bodies that a query tests: their boxes meet and no filter excludes them."""
        with self._lock:
            names, pairs = self._table.names, self._pairs()
            return [(names[i], names[j]) for i, j in pairs.tolist()]

    def count_candidates(self) -> int:
        """Return how many pairs of bodies a query tests."""
        with self._lock:
            return len(self._pairs())

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
    ) -> SceneCollisions:
        """Return every two bodies that touch, with their triangles.

        first      only one pair of triangles for each two bodies
        solid      a body inside another is a record, too, without triangles: `.buried`; bodies whose boxes meet
                   another's must be closed
        clearance  also bodies that are nearer to each other than this, with the triangles that are, and how far apart
                   those are: `.distances`. A number for all, or a mapping from names, pairs of names, and None for all
                   other bodies, to numbers: {"pipe": 5.0, ("pipe", "clamp"): 0.0, None: 1.0}; see docs/clearance.md

        The other options are those of `tumble.collide`; the trees are those that the scene was made for.
        """
        refuse_arrays(solid=solid)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings)
        moment, pairs, clearances = self._candidates(clearance)
        return colliding(moment, moment, pairs, options, clearances=clearances, solid=bool(solid))

    def relations(self, *, solid: bool | None = None, threads: int | None = None) -> list[BodyRelation]:
        """Return how every two bodies lie to each other that are not apart: `.a`, `.b` and what `tumble.relation` says.

        Closed bodies are solids here: what is buried in another is found. See there for open ones, and for `solid`.
        """
        with self._lock:
            pairs, moment = self._pairs(), self._table.moment()
        return relations_of(moment, pairs, Options(tree=self._table.tree, threads=threads, first=True), solid)

    def collisions_and_curves(self, *, device: str, threads: int | None) -> SceneCollisions:
        """Return `collisions()`, with the column `curves` where the device makes it: what a step of a `World` needs."""
        options = Options(tree=self._table.tree, device=device, threads=threads)
        moment, pairs, _ = self._candidates(None)
        return colliding(moment, moment, pairs, options, curves=True)

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
        moment, pairs, clearances = self._candidates(clearance)
        return any_collide(moment, pairs, options, clearances, bool(solid))

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
    ) -> SceneCollisions:
        """Return the bodies that touch one mesh, or one body as it is or as if it had another pose; nothing is moved.

        A mesh stands where the pose puts it (None: where it was drawn) and sees every group. In each record `a` is the
        body's name, or None for a mesh, and the first column of `pairs` has its triangles. The options are those of
        `collisions`.
        """
        one, moment = self._one_and_others(mesh_or_name, pose)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings)
        return colliding(one, moment, one.pairs_with(moment), options)

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
    ) -> SceneCollisions:
        """Return every two touching bodies, `a` of this scene and `b` of another, in the order of a, then of b.

        Groups and masks count between scenes as within one. Of the allowed contacts only those with everything do: the
        same name means another body in another scene. The options are those of `collisions`.
        """
        if not isinstance(other, Scene) or other is self:
            raise InputError(f"collisions_between takes another Scene, not {other!r}; within one, use collisions()")
        a, b = self._moment_seen_by(None), other._moment_seen_by(None)
        options = Options(method, self._table.tree, device, threads, first, contacts, stats, settings)
        return colliding(a, b, a.pairs_with(b), options)

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
        return nearest_between(*self._one_and_others(mesh_or_name, pose), bound, options)

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

        if not isinstance(other, Scene) or other is self:
            raise InputError(f"distance_between takes another Scene, not {other!r}; within one, use distance()")
        bound, options = checked_bound(upper_bound), self._options(method, threads, settings)
        return nearest_between(self._moment_seen_by(None), other._moment_seen_by(None), bound, options)

    # Copies

    def copy(self) -> Scene:
        """Return an independent scene of the same bodies, which shares their meshes."""
        twin = Scene.__new__(Scene)
        twin.__setstate__(self.__getstate__())
        return twin

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            table, live = self._table, self._table.slots_of(self._table.slots)
            return {
                "broad_phase": self._broad_phase_name,
                "tree": table.tree,
                "names": list(table.slots),
                "meshes": [table.meshes[slot] for slot in live.tolist()],
                "poses": table.poses[live],
                "filters": table.filters[live],
                "allowed": self._allowed.copy(),
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(broad_phase=state["broad_phase"], tree=state["tree"])  # type: ignore[misc]
        self._table.add(state["names"], state["meshes"], state["poses"], state["filters"])
        self._allowed = state["allowed"]

    # What the above share; `_follow_slots` and `_pairs` with the lock held

    def _options(self, method: str, threads: int | None, settings: WalkSettings | None) -> Options:
        """Return the options of a question about distances."""
        return Options(method, self._table.tree, "cpu", threads, settings=settings)

    def _follow_slots(self) -> None:
        """Forget what is known by slots, if they have other owners now."""
        if self._generation != self._table.generation:
            self._broad_phase.reset()
            self._allowed.forget_slots()
            self._generation = self._table.generation

    def _pairs(self) -> NDArray[np.int64]:
        """Return the slots of the candidate pairs, (k, 2), sorted."""
        table = self._table
        self._follow_slots()
        try:
            keys = self._broad_phase.keys(table.boxes, table.filters)
        except BaseException:  # interrupted half way, or out of memory
            self._broad_phase.reset()
            raise
        if self._allowed:
            keys = keys[~self._allowed.among(keys, table.slots, len(table.names))]
        return pairs_of_keys(keys)

    def _candidates(
        self, clearance: SceneClearance | None
    ) -> tuple[Moment, NDArray[np.int64], NDArray[np.float64] | None]:
        """Return the bodies, the (k, 2) pairs of them that may collide, and what each pair has to keep, if anything."""
        if clearance is not None:
            return self._near_candidates(clearance)
        with self._lock:
            pairs = self._pairs()
            return self._table.moment(), pairs, None

    def _near_candidates(
        self, clearance: SceneClearance
    ) -> tuple[Moment, NDArray[np.int64], NDArray[np.float64] | None]:
        from tumble.scene.clearances import clearances_of, pairs_within

        with self._lock:
            self._follow_slots()
            moment, allowed, slots = self._table.moment(), self._allowed.copy(), dict(self._table.slots)
        rules = clearances_of(clearance, slots, len(moment.names))
        pairs = pairs_within(moment, rules, allowed, slots)
        return moment, pairs, rules.of_pairs(pairs)

    def _one_and_others(self, mesh_or_name: MeshLike | str, pose: ArrayLike | None) -> tuple[Moment, Moment]:
        """Return one mesh, or one body with another pose if given, and the bodies as it sees them."""
        if isinstance(mesh_or_name, str):
            with self._lock:
                name, mesh = mesh_or_name, self.mesh(mesh_or_name)
                poses = named_poses([self.pose(name) if pose is None else pose], [name])
                one = self._table.moment_of_one(name, mesh, poses, self.filter(name))
                return one, self._moment_seen_by(self._table.slot(name))
        mesh, rigid = as_mesh(mesh_or_name), as_rigid(pose)
        poses = (np.eye(4) if rigid is None else rigid)[None]
        one = self._table.moment_of_one(None, mesh, poses, (ALL_GROUPS, ALL_GROUPS))
        return one, self._moment_seen_by(None)

    def _moment_seen_by(self, slot: int | None) -> Moment:
        """Return the bodies as one of them, or a foreign mesh, sees them; those that may touch it are in no group."""
        with self._lock:
            self._follow_slots()
            moment = self._table.moment()
            size = len(moment.names)
            if slot is None:
                allowed = self._allowed.anything(self._table.slots, size)
            else:
                others = np.arange(size)
                keys = np.minimum(others, slot) << 32 | np.maximum(others, slot)
                allowed = self._allowed.among(keys, self._table.slots, size)
                allowed[slot] = True
        moment.filters[allowed] = 0
        return moment
