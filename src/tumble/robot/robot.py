"""A robot: links with meshes, joints that move them, and which pairs of links are allowed to touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.robot.kinematics import Kinematics, checked_configurations, reaches
from tumble.robot.poses import poses

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class Robot:
    """A robot; immutable.

    robot.poses(Q)            (n, links, 4, 4) where the links are in each of n configurations
    robot.within_limits(Q)    (n,) which configurations are within the limits of all joints
    robot.with_allowed(pairs) the same robot, with other pairs of links that may touch
    """

    links: Sequence[str]
    """names, parents first"""
    meshes: Sequence[Mesh | None]
    """of each link, in its frame; None for a link without a shape"""
    kinematics: Kinematics
    joints: Sequence[str]
    """names of the columns of a configuration"""
    limits: NDArray[np.float64]
    """(joints, 2): lower and upper, infinite where there is none"""
    allowed: frozenset[Pair] = frozenset()
    """pairs of links that may touch, the names of each in the order of `links`"""
    name: str = ""
    notes: Sequence[str] = field(default_factory=tuple)
    """what a user should know, a sentence each"""

    def poses(self, Q: ArrayLike, threads: int | None = None) -> NDArray[np.float64]:
        """Return (n, links, 4, 4) the poses of all links in n configurations.

        Q          (n, joints) radians, or lengths for joints that slide; limits are not enforced
        threads    how many work at the same time, all cores by default
        """
        return poses(self.kinematics, self.configurations(Q), threads)

    def within_limits(self, Q: ArrayLike) -> NDArray[np.bool_]:
        """Return (n,) whether each configuration is within the limits of all joints."""
        checked = self.configurations(Q)
        inside: NDArray[np.bool_] = (checked >= self.limits[:, 0]) & (checked <= self.limits[:, 1])
        return np.asarray(inside.all(axis=1))

    def configurations(self, Q: ArrayLike, what: str = "Q") -> NDArray[np.float64]:
        """Return configurations as a new (n, joints) float64 array, or name the number at fault."""
        return checked_configurations(Q, self._reaches, what)

    @cached_property
    def _reaches(self) -> NDArray[np.float64]:
        return reaches(self.kinematics, len(self.joints))

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """(k, 2) the numbers of links whose contact is a collision: both have a shape, and the pair is not allowed."""
        shaped = [k for k, mesh in enumerate(self.meshes) if mesh is not None and len(mesh)]
        found = [(i, j) for i in shaped for j in shaped if i < j and (self.links[i], self.links[j]) not in self.allowed]
        return np.array(found, np.int64).reshape(-1, 2)

    def with_allowed(self, pairs: Iterable[Pair]) -> Robot:
        """Return this robot with these pairs of links, by name, that may touch, in place of its own."""
        return replace(self, allowed=allowed_pairs(self.links, pairs))

    def __repr__(self) -> str:
        return f"<Robot {self.name!r}: {len(self.links)} links, {len(self.joints)} joints>"


def allowed_pairs(links: Sequence[str], pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return pairs of names in the order of the links; a name that is not one of them is refused."""
    numbers = {name: number for number, name in enumerate(links)}
    found = set()
    for pair in pairs:
        for name in pair:
            if name not in numbers:
                raise InputError(f"the robot has no link {name!r}; its links are {', '.join(links)}")
        first, second = sorted(pair, key=numbers.__getitem__)
        found.add((first, second))
    return frozenset(found)
