"""What is where, what touches, and what can be undone: everything about a view but its drawing.

    drag → pose in the scene → broad phase → triangles of the dragged part and of the others that touch
                                           → none: the nearest other part
    rest → a step that can be undone → depth, which may take seconds

Parts are known by their numbers. A pose moves a part from where its file has it. Trees are built once per part.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import RLock

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.api.penetration import penetration
from tumble.api.relation import relation
from tumble.mesh import Part
from tumble.mesh.pose import apply_pose
from tumble.scene import Scene
from tumble.scene.filters import ALL_GROUPS, DEFAULT_GROUP
from tumble.solid.evidence import Relation

Points = NDArray[np.float64]
Numbers = NDArray[np.int64]

EXACT = 1e-9
"""of a depth: a lower bound that is nearer makes it exact"""
MOST_STEPS = 1000
"""that can be undone"""


@dataclass(frozen=True)
class Touching:
    """What touches one part, at one pose."""

    part: int
    pose: Points
    """of the part, when it was asked"""
    triangles: Numbers
    """of the part, each once, in order"""
    others: dict[int, Numbers]
    """the triangles of every other part that touch it"""
    pairs: int
    """of triangles"""
    seconds: float
    """that the answer took"""
    distance: float = 0.0
    """to the nearest other part; 0 where something touches, infinite where there is none"""
    nearest: int | None = None
    points: Points | None = None
    """(2, 3): where the two are nearest, on the part and on the other one"""

    def __bool__(self) -> bool:
        return bool(self.others)


@dataclass(frozen=True)
class Depth:
    """How deep a part is in the others, at one pose."""

    part: int
    pose: Points
    depth: float
    """the longest of the shifts that part it from one of the others each; NaN where none overlaps"""
    other: int | None
    """the one that it is deepest in"""
    is_exact: bool
    """whether no shorter shift does; else the depth is an upper bound"""
    inside: int | None = None
    """a part that it is buried in without touching, or that is buried in it"""


class ViewState:
    """The parts of an assembly, to move about; every method may be called from any thread."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = list(parts)
        self._scene = Scene()
        for number, part in enumerate(self.parts):
            self._scene.add(str(number), part.mesh)
        self._lock = RLock()
        self._rested = [np.eye(4) for _ in self.parts]
        self._done: list[dict[int, Points]] = []
        self._undone: list[dict[int, Points]] = []
        self._hidden: set[int] = set()

    # Places

    def pose(self, part: int) -> Points:
        """Return how far a part was moved from where its file has it."""
        return self._scene.pose(str(part))

    def drag(self, part: int, pose: ArrayLike) -> None:
        """Move a part for now; `rest` makes it a step."""
        self._scene.move(str(part), pose)

    def drag_many(self, poses: dict[int, Points]) -> None:
        """Move several parts at once, for now."""
        self._scene.move_many({str(part): pose for part, pose in poses.items()})

    def carry(self, poses: dict[int, Points]) -> None:
        """Move several parts to where joints have them: no step, as the joints can be set back."""
        with self._lock:
            self.drag_many(poses)
            for part, pose in poses.items():
                self._rested[part] = pose

    def rest(self) -> bool:
        """Make what moved since the last rest a step that can be undone; tell whether anything did."""
        with self._lock:
            poses = {number: self.pose(number) for number in range(len(self.parts))}
            moved = {n: self._rested[n] for n, pose in poses.items() if not np.array_equal(pose, self._rested[n])}
            if moved:
                self._done = [*self._done, moved][-MOST_STEPS:]
                self._undone = []
                for number in moved:
                    self._rested[number] = poses[number]
            return bool(moved)

    def undo(self) -> list[int]:
        """Take the last step back; return the parts that it had moved."""
        with self._lock:
            return self._step(self._done, self._undone)

    def redo(self) -> list[int]:
        """Take back the last `undo`; return the parts that moved."""
        with self._lock:
            return self._step(self._undone, self._done)

    def _step(self, steps: list[dict[int, Points]], back: list[dict[int, Points]]) -> list[int]:
        if not steps:
            return []
        step = steps.pop()
        back.append({number: self._rested[number] for number in step})
        for number, pose in step.items():
            self._rested[number] = pose
        self.drag_many(step)
        return sorted(step)

    @property
    def undoable(self) -> tuple[int, int]:
        """How many steps can be undone, and how many done again."""
        with self._lock:
            return len(self._done), len(self._undone)

    def box(self, part: int) -> Points | None:
        """Return the lowest and highest corner of a part where it is now; None of an empty one."""
        return self._scene.bounds(str(part))

    # Which parts count

    def show(self, part: int, visible: bool) -> None:
        """Show or hide a part; what is hidden touches nothing and is not near anything."""
        with self._lock:
            self._hidden -= {part}
            if not visible:
                self._hidden |= {part}
            bits = (DEFAULT_GROUP, ALL_GROUPS) if visible else (0, 0)
            self._scene.set_filter(str(part), group=bits[0], mask=bits[1])

    def is_shown(self, part: int) -> bool:
        """Tell whether a part is visible."""
        return part not in self._hidden

    def listed(self, text: str, most: int) -> tuple[list[int], int]:
        """Return the first parts whose names contain a text, in any case, and how many do in all."""
        wanted = text.strip().lower()
        found = [number for number, part in enumerate(self.parts) if wanted in part.name.lower()]
        return found[:most], len(found)

    # Questions

    def touching(self, part: int) -> Touching:
        """Return which triangles of a part and of the others touch where it is now, or how far the nearest is."""
        began = time.perf_counter()
        pose = self.pose(part)
        found = self._scene.collisions_with(str(part), pose)
        own = np.unique(found.triangles[:, 0]) if found else np.empty(0, np.int64)
        others = {int(body.b): np.unique(body.pairs[:, 1]) for body in found}
        pairs = len(found.triangles)
        if others:
            return Touching(part, pose, own, others, pairs, time.perf_counter() - began)
        distance, other, points = self.nearest(part, pose)
        return Touching(part, pose, own, others, pairs, time.perf_counter() - began, distance, other, points)

    def touching_each_other(self, moved: Sequence[int]) -> list[tuple[int, int, Numbers, Numbers]]:
        """Return the pairs of a part that moved and one that did not, and the triangles of both that touch."""
        own, found = set(moved), []
        for each in self._scene.collisions():
            a, b = int(str(each.a)), int(str(each.b))
            if (a in own) != (b in own):
                sides = [(a, np.unique(each.pairs[:, 0])), (b, np.unique(each.pairs[:, 1]))]
                (part, mine), (other, theirs) = sides if a in own else sides[::-1]
                found.append((part, other, mine, theirs))
        return found

    def nearest(self, part: int, pose: Points | None = None) -> tuple[float, int | None, Points | None]:
        """Return how far the nearest other part is, which one, and where they are nearest: at a pose, or as it is."""
        near = self._scene.nearest(str(part), self.pose(part) if pose is None else pose)
        return near.distance, None if near.b is None else int(near.b), near.points

    def between(self, a: int, b: int) -> tuple[Numbers, Numbers]:
        """Return the triangles of two parts with which they touch where they are now, hidden or not."""
        two = Scene()
        for number in (a, b):
            two.add(str(number), self.parts[number].mesh, self.pose(number))
        found = two.collisions()
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        return np.unique(found.triangles[:, 0]), np.unique(found.triangles[:, 1])

    def depth(self, touching: Touching) -> Depth:
        """Return how deep the part of an answer is in the others; it may take seconds, for parts that are not convex.

        Where nothing touches, it tells whether the part is inside another one, or another one inside it.
        """
        part, pose = touching.part, touching.pose
        if not touching.others:
            return Depth(part, pose, float("nan"), None, False, self._inside(part, pose))
        deepest = Depth(part, pose, float("nan"), None, False)
        for other in touching.others:
            meshes = self.parts[part].mesh, self.parts[other].mesh
            # one thread: the others answer drags meanwhile
            found = penetration(*meshes, pose, self.pose(other), solid=None, threads=1)
            if found and not found.depth <= deepest.depth:
                is_exact = found.depth - found.least_depth <= EXACT * found.depth
                deepest = Depth(part, pose, found.depth, other, is_exact)
        return deepest

    def _inside(self, part: int, pose: Points) -> int | None:
        box = self.box(part)
        for other in range(len(self.parts)):
            around = self.box(other)
            if other == part or box is None or around is None or not self.is_shown(other):
                continue
            if (box[0] > around[1]).any() or (around[0] > box[1]).any():
                continue
            found = relation(self.parts[part].mesh, self.parts[other].mesh, pose, self.pose(other), solid=None)
            if found.relation not in (Relation.APART, Relation.TOUCHING):
                return other
        return None

    # Triangles to draw

    def lit(self, touching: Touching) -> tuple[Points, Points]:
        """Return the corners of the triangles of an answer, (k, 3, 3): of its part, and of all others."""
        mesh = self.parts[touching.part].mesh
        own = _placed(mesh.vertices[mesh.faces[touching.triangles]], touching.pose)
        others = [self.corners(other, triangles) for other, triangles in touching.others.items()]
        return own, np.concatenate([np.empty((0, 3, 3)), *others])

    def corners(self, part: int, triangles: Numbers) -> Points:
        """Return the corners of some triangles of a part where it is now, (k, 3, 3)."""
        mesh = self.parts[part].mesh
        return _placed(mesh.vertices[mesh.faces[triangles]], self.pose(part))


def _placed(corners: Points, pose: Points) -> Points:
    return apply_pose(pose, corners.reshape(-1, 3)).reshape(-1, 3, 3)
