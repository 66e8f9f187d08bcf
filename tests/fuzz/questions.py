"""Questions about two meshes, with the answers of the rational judge."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

import oracle
import pairs as contact_pairs
from tumble import Mesh
from tumble.mesh.arrays import MAX_COORDINATE

from .meshes import awkward, mistreated, soup
from .poses import Pose, awkward_pose, awkward_poses

Random = np.random.Generator


class Question:
    """Two meshes and where they are."""

    def __init__(self, a: Mesh, b: Mesh, pose_a: Pose, pose_b: Pose) -> None:
        self.a, self.b, self.pose_a, self.pose_b = a, b, pose_a, pose_b

    @cached_property
    def expected(self) -> np.ndarray:
        """All touching pairs, sorted, by the judge."""
        a, b = self.a, self.b
        return oracle.touching_pairs(a.vertices, a.faces, b.vertices, b.faces, self.pose_a, self.pose_b)

    def check(self, found: Any, what: str) -> None:
        """Compare all pairs."""
        found = np.asarray(found)
        if found.shape != self.expected.shape or not (found == self.expected).all():
            raise AssertionError(f"{what}: {difference(found, self.expected)}")

    def check_first(self, found: Any, what: str) -> None:
        """Compare one pair, whichever it is."""
        found = np.asarray(found)
        if len(found) != min(len(self.expected), 1):
            raise AssertionError(f"{what}: found {found.tolist()} where {len(self.expected)} pairs touch")
        if len(found) and not (self.expected == found[0]).all(axis=1).any():
            raise AssertionError(f"{what}: {found.tolist()} do not touch")

    def check_hit(self, found: Any, what: str) -> None:
        """Compare yes and no."""
        if bool(found) != bool(len(self.expected)):
            raise AssertionError(f"{what}: says {found} where {len(self.expected)} pairs touch")

    @property
    def swapped(self) -> Question:
        """The same with a and b exchanged."""
        twin = Question(self.b, self.a, self.pose_b, self.pose_a)
        pairs = self.expected[:, ::-1]
        twin.__dict__["expected"] = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        return twin


def difference(found: np.ndarray, expected: np.ndarray) -> str:
    """Say which pairs are missing and which are too many."""
    ours, theirs = ({tuple(pair) for pair in each.tolist()} for each in (found, expected))
    missing, extra = sorted(theirs - ours), sorted(ours - theirs)
    order = "" if missing or extra else "; the same pairs, but in another order or several times"
    return (
        f"{len(found)} pairs, {len(expected)} expected; "
        f"{len(missing)} missing {missing[:5]}, {len(extra)} too many {extra[:5]}{order}"
    )


def built_to_touch(rng: Random, count: int) -> tuple[Mesh, Mesh]:
    """Return pairs of triangles that touch, or miss by one unit in the last place, in two soups."""
    found = contact_pairs.touching_float_pairs(count, int(rng.integers(2**32)))
    if rng.random() < 0.7:  # one kind of placement, or boxes of 1e80 hide the small ones
        placement = found.names[rng.integers(count)].split()[1]
        kept = np.array([name.split()[1] == placement for name in found.names])
        found = contact_pairs.FloatPairs(found.a[kept], found.b[kept], found.names[kept])
    return soup(found.a), soup(found.b)


def two_meshes(rng: Random, most: int) -> tuple[Mesh, Mesh]:
    """Return two meshes: strangers, the same twice, relatives, or built to touch."""
    kind = rng.random()
    if kind < 0.2:
        return built_to_touch(rng, int(rng.integers(1, 4 * most)))
    a = awkward(rng, most)
    if kind < 0.3:
        return a, a
    if kind < 0.4:
        return a, mistreated(rng, a)
    return a, awkward(rng, most)


def question(rng: Random, most: int = 40) -> Question:
    """Return a question; half of the time without poses the kernels can leave out."""
    a, b = two_meshes(rng, most)
    if rng.random() < 0.25:
        pose = awkward_pose(rng)
        poses = (None, None) if rng.random() < 0.7 else (pose, pose)
    else:
        poses = awkward_poses(rng, a, b)
    for mesh, pose in zip((a, b), poses, strict=True):  # posed vertices beyond the limit are not tumble's business
        if pose is not None and mesh.extent * 2 + np.abs(pose[:3, 3]).max() > MAX_COORDINATE:
            return Question(a, b, None, None)
    return Question(a, b, *poses)
