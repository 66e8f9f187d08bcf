"""Named bodies: what a `Scene` consists of, their places, and the filters that say which of them are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.keys import pairs_of_keys
from tumble.core.locks import new_lock
from tumble.errors import InputError
from tumble.mesh import Mesh, MeshLike, as_mesh
from tumble.query.bodies import named_poses
from tumble.scene.filters import ALL_GROUPS, DEFAULT_GROUP, AllowedContacts, as_bits

Named = TypeVar("Named", bound="NamedBodies")


class NamedBodies:
    """Bodies to add, move, remove and filter, and which pairs of them a query tests."""

    def __init__(self, broad_phase: str, tree: str) -> None:
        from tumble.broad.choice import make_broad_phase
        from tumble.scene.bodies import BodyTable

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

    # Pairs; `_follow_slots` and `_pairs` with the lock held

    def candidates(self) -> list[tuple[str, str]]:
        """Return the pairs of bodies that a query tests: their boxes meet and no filter excludes them."""
        with self._lock:
            names, pairs = self._table.names, self._pairs()
            return [(names[i], names[j]) for i, j in pairs.tolist()]

    def count_candidates(self) -> int:
        """Return how many pairs of bodies a query tests."""
        with self._lock:
            return len(self._pairs())

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

    # Copies

    def copy(self: Named) -> Named:
        """Return an independent scene of the same bodies, which shares their meshes."""
        twin = type(self).__new__(type(self))
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
