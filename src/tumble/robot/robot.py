"""A robot: links with meshes, joints that move them, and which pairs of links may touch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.core.memory import check_memory
from tumble.core.records import frozen
from tumble.core.whole_files import write_whole
from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.mesh.arrays import real_array
from tumble.mesh.files import AnyPath, as_path
from tumble.mesh.reading import as_paths, errors_of
from tumble.robot.adjacent import adjacent_pairs
from tumble.robot.kinematics import Kinematics, checked_configurations, reaches
from tumble.robot.poses import poses
from tumble.robot.questions import RobotQuestions
from tumble.robot.reading import Geometry, read_robot
from tumble.robot.sampling import random_rows, sampled_limits
from tumble.robot.srdf import Pair, Srdf, as_srdf, check_srdf_path, ordered, read_srdf
from tumble.robot.statistics import ADJACENT, SelfContacts, self_contacts

BY_USER = "User"


@dataclass(frozen=True, eq=False, repr=False)
class Robot(RobotQuestions):
    """A robot; immutable.

    Robot.load(urdf, srdf)      from files
    robot.poses(Q)              (n, links, 4, 4): where the links are in each of n configurations
    robot.within_limits(Q)      (n,): which configurations are within the limits of all joints
    robot.random(n, seed)       (n, joints): configurations within the limits
    robot.states, robot.groups  configurations, and groups of joints, that the SRDF names
    robot.with_allowed(pairs)   the same robot with other pairs of links that may touch
    robot.find_allowed_pairs()  such pairs, found by random configurations
    robot.save_srdf(path)       those pairs as a file
    robot.collides(Q, scene)    which configurations collide, with the robot itself or with obstacles
    robot.distance(Q, scene)    how far the robot is from that
    robot.check_motion(q0, q1, scene), check_motions(Q0, Q1, scene)   whether straight lines are free
    robot.with_attached(...)    the same robot, holding something
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
    reasons: Mapping[Pair, str] = field(default_factory=dict)
    """why they may: "Adjacent", "Never", …"""
    name: str = ""
    notes: Sequence[str] = ()
    """what a user should know, a sentence each"""
    states: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """(joints,) for each name: joints that the state does not mention are at 0, or at the limit nearest to it"""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """joints of each group that the SRDF names, in the order of `joints`"""
    semantics: Sequence[str] = ()
    """elements of the SRDF besides pairs, as text"""

    @classmethod
    def load(
        cls,
        urdf: AnyPath,
        srdf: AnyPath | None = None,
        *,
        package_dirs: AnyPath | Sequence[AnyPath] = (),
        geometry: Geometry = "collision",
    ) -> Robot:
        """Read a robot.

        urdf           links, joints, shapes; meshes are read from its package alone, and from `package_dirs`
        srdf           pairs of links that may touch, and states; without it, links that a joint connects may touch
        package_dirs   folders of packages, or folders with packages in them
        geometry       "collision", or "visual": which of a link's shapes it is made of
        """
        none_given = isinstance(package_dirs, tuple | list) and len(package_dirs) == 0
        read = read_robot(as_path(urdf), () if none_given else tuple(as_paths(package_dirs)), geometry)
        robot = cls(
            read.links, read.meshes, read.kinematics, read.joints, read.limits, name=read.name, notes=read.notes
        )
        if srdf is None:
            adjacent = adjacent_pairs(read.links, read.meshes, read.kinematics)
            return robot.with_allowed(dict.fromkeys(adjacent, ADJACENT))
        said = read_srdf(as_path(srdf), read.links, read.carriers)
        with errors_of(as_path(srdf)):
            return robot._with_srdf(said)

    def _with_srdf(self, read: Srdf) -> Robot:
        states = {name: self.configuration(values, skip=True) for name, values in read.states.items()}
        notes = list(self.notes)
        if read.name != self.name:
            notes.append(f"the SRDF is about a robot {read.name[:80]!r}, the URDF about {self.name[:80]!r}.")
        groups = {name: tuple(each for each in self.joints if each in group) for name, group in read.groups.items()}
        changed = replace(self, states=states, groups=groups, semantics=read.other, notes=tuple(notes))
        return changed.with_allowed(read.allowed)

    def poses(self, Q: ArrayLike, threads: int | None = None) -> NDArray[np.float64]:
        """Return (n, links, 4, 4) the poses of all links in n configurations; the root link is at the origin.

        Q          (n, joints) radians, or metres for joints that slide; limits are not enforced
        threads    how many work at the same time, all cores by default
        """
        return poses(self.kinematics, self.configurations(Q), threads)

    def within_limits(self, Q: ArrayLike) -> NDArray[np.bool_]:
        """Return (n,) whether each configuration is within the limits of all joints."""
        checked = self.configurations(Q)
        inside: NDArray[np.bool_] = (checked >= self.limits[:, 0]) & (checked <= self.limits[:, 1])
        return np.asarray(inside.all(axis=1))

    def random(self, count: int, seed: int | np.random.Generator = 0) -> NDArray[np.float64]:
        """Return (count, joints) uniform configurations within the limits.

        A joint without limits turns once, from -π to π, or slides by 1 each way.
        """
        return random_rows(sampled_limits(self.kinematics, self.limits, self._reaches), count, seed)

    def configuration(self, values: Mapping[str, float], *, skip: bool = False) -> NDArray[np.float64]:
        """Return (joints,) one configuration: some joints by name, the others at 0, or at the limit nearest to it.

        skip   leave out names that are not joints of `self.joints`: fixed ones, and those that follow others
        """
        row = np.clip(np.zeros(len(self.joints)), self.limits[:, 0], self.limits[:, 1])
        columns = {name: column for column, name in enumerate(self.joints)}
        if not isinstance(values, Mapping):
            raise InputError(f"a configuration is a mapping from names of joints to numbers, not {values!r}")
        for name, value in values.items():
            if name in columns:
                row[columns[name]] = _as_number(value, name)
            elif not skip:
                raise InputError(f"there is no joint {name!r} to drive; joints are {', '.join(self.joints) or 'none'}")
        found: NDArray[np.float64] = self.configurations(row[None], "the configuration")[0]
        return found

    def configurations(self, Q: ArrayLike, what: str = "Q") -> NDArray[np.float64]:
        """Return configurations as a new (n, joints) float64 array, or name the number at fault."""
        return checked_configurations(Q, self._reaches, what)

    @cached_property
    def _reaches(self) -> NDArray[np.float64]:
        return reaches(self.kinematics, len(self.joints))

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """(k, 2) the numbers of links whose contact is a collision: both have a shape, and the pair is not allowed."""
        numbers, found = {name: number for number, name in enumerate(self.links)}, self.shaped_pairs
        allowed = np.array([(numbers[a], numbers[b]) for a, b in self.allowed], np.int64).reshape(-1, 2)
        keys, known = (len(self.links) * each[:, 0] + each[:, 1] for each in (found, allowed))
        return frozen(found[~np.isin(keys, known)])

    @cached_property
    def stated(self) -> dict[Pair, str]:
        """The pairs that may touch, in the order of the links, and why."""
        places = {name: place for place, name in enumerate(self.links)}
        pairs = sorted(self.allowed, key=lambda pair: (places[pair[0]], places[pair[1]]))
        return {pair: self.reasons.get(pair, BY_USER) for pair in pairs}

    @property
    def shaped_pairs(self) -> NDArray[np.int64]:
        """(k, 2) the numbers of all pairs of links that have a shape, the lower one first."""
        count = sum(mesh is not None and len(mesh) > 0 for mesh in self.meshes)
        check_memory(36 * count * count, f"the pairs of {count:,} links")
        shaped = np.array([k for k, mesh in enumerate(self.meshes) if mesh is not None and len(mesh)], np.int64)
        first, second = np.triu_indices(len(shaped), 1)
        return np.stack([shaped[first], shaped[second]], axis=1)

    def with_allowed(self, pairs: Mapping[Pair, str] | Iterable[Pair]) -> Robot:
        """Return this robot with these pairs of links, by name, that may touch, in place of its own.

        pairs   names of two links each; as a mapping, with the reasons
        """
        if not isinstance(pairs, Iterable):
            raise InputError(f"pairs are a mapping, or a list of pairs of names, not {pairs!r}")
        reasons = dict(pairs if isinstance(pairs, Mapping) else dict.fromkeys(map(_as_pair, pairs), BY_USER))
        places = {name: place for place, name in enumerate(self.links)}
        for pair in map(_as_pair, reasons):
            for name in pair:
                if name not in places:
                    raise InputError(f"there is no link {name!r}; links are {', '.join(self.links)}")
        found = {ordered(pair, places): str(reason) for pair, reason in reasons.items()}
        return replace(self, allowed=frozenset(found), reasons=found)

    def find_allowed_pairs(
        self,
        samples: int = 10_000,
        seed: int | np.random.Generator = 0,
        *,
        depths: bool = False,
        threads: int | None = None,
    ) -> SelfContacts:
        """Return how often links touch in random configurations, and which pairs may by that: `.allowed`, `.pairs`.

        A pair may touch if a joint connects it, if it never touched or always did. Surfaces are compared.

        depths   how deep the worst contacts are, too, of some configurations of each pair
        """
        return self_contacts(self, samples, seed, depths, threads)

    def save_srdf(self, path: AnyPath) -> None:
        """Write the pairs that may touch as an SRDF file, with all else that was in the one that was read."""
        check_srdf_path(as_path(path))
        write_whole(as_path(path), as_srdf(self.name, self.stated, self.semantics))

    def __reduce__(self) -> tuple[Any, ...]:
        # what was computed from the fields stays behind: some of it is addresses
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    def __repr__(self) -> str:
        return f"<Robot {self.name!r}: {len(self.links)} links, {len(self.joints)} joints>"


def _as_number(value: Any, joint: str) -> float:
    number = real_array(value, f"the value of joint {joint!r}", InputError, "a number")
    if number.shape != ():
        raise InputError(f"the value of joint {joint!r} must be one number, not {value!r}")
    return float(number)


def _as_pair(pair: Any) -> Pair:
    names = tuple(pair) if isinstance(pair, tuple | list | set | frozenset) else ()
    if len(names) != 2 or names[0] == names[1] or not all(isinstance(name, str) for name in names):
        raise InputError(f"a pair is the names of two links, not {pair!r}")
    return names
