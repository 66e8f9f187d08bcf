"""Scenes of two meshes, by name and by group: those of paper `stackless`, Tables 2 to 8.

The paper shows its scenes, two copies of one closed, non-convex object, only as pictures. Ours are a thick-walled bowl
of radius 1 and 796 triangles (open upwards, rim at z = 0) in poses that give each scene the property it is
named for, with counts of its order:

    intersection      the objects touch: side by side, almost coincident, hooked into each other
    separation        not even the boxes around the whole objects overlap
    close-proximity   boxes of many triangle pairs overlap, no triangles touch: a bowl in the other's mouth
    small-proximity   boxes of few triangle pairs overlap, no triangles touch
    scalability       one intersecting pose, both objects subdivided 0 to 4 times
    different-sizes   a small bowl (A) inside the solid wall of a large one (B)
    different-counts  the scalability pose, one object subdivided four times, the other not, both ways round
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import radians

import numpy as np
from numpy.typing import NDArray

from tumble.errors import OptionError
from tumble.mesh import Mesh, compose, rotation, shapes, subdivide, transformed, translation

Pose = NDArray[np.float64] | None

FACES = 796
FINEST = 4
SMALL_SCALE = 0.08


@dataclass(frozen=True, eq=False)
class PairScene:
    """Two posed meshes with a name; a mesh is built when it is first used, and scenes of equal shape share it."""

    name: str
    title: str
    group: str
    pose_b: Pose
    make_a: Callable[[], Mesh]
    make_b: Callable[[], Mesh]
    pose_a: Pose = None

    @property
    def mesh_a(self) -> Mesh:
        """The first mesh, in its own frame."""
        return self.make_a()

    @property
    def mesh_b(self) -> Mesh:
        """The second mesh, in its own frame."""
        return self.make_b()


@cache
def subdivided(times: int) -> Mesh:
    """The object, each of its triangles split into four `times` times."""
    return subdivide(subdivided(times - 1)) if times else shapes.closed_object(FACES)


@cache
def shrunken() -> Mesh:
    """The object small enough to fit into its own wall."""
    return transformed(subdivided(0), np.diag([SMALL_SCALE, SMALL_SCALE, SMALL_SCALE, 1.0]))


def _at(x: float, y: float, z: float, axis: str | tuple[float, float, float] = "z", degrees: float = 0.0) -> Pose:
    return compose(translation(x, y, z), rotation(axis, radians(degrees)))


# Where the second of two equal objects stands, scene by scene.
_EQUAL = {
    "intersection": (_at(1.3, 0.6, 0.3), _at(0.03, 0.08, 0.15), _at(1.0, 0.5, -0.4, (1.0, 0.2, 0.1), 150)),
    "separation": (_at(2.5, 0.0, 0.0), _at(0.25, -0.5, 1.5), _at(1.5, -2.0, 1.5, (1.0, 1.0, 0.2), 75)),
    "close-proximity": (
        _at(0.01, 0.005, 0.65),
        _at(0.02, 0.0, 0.66, "y", 20),
        _at(0.03, 0.02, 0.78, (0.3, 1.0, 0.1), 35),
    ),
    "small-proximity": (_at(1.48, 1.48, 0.15, "z", 30), _at(1.42, 1.42, 0.1), _at(0.02, 0.0, 0.82, "y", 40)),
}
_CROSSED = _at(0.9, 0.3, 0.2)


def _scenes() -> Iterator[PairScene]:
    coarse, fine = partial(subdivided, 0), partial(subdivided, FINEST)
    for group, poses in _EQUAL.items():
        title = group.replace("-", " ").capitalize()
        for number, pose in enumerate(poses, start=1):
            yield PairScene(f"{group}-{number}", f"{title} {number}", group, pose, coarse, coarse)
    for times in range(FINEST + 1):
        make = partial(subdivided, times)
        title = f"Subdivided {times} times: {FACES * 4**times} triangles each"
        yield PairScene(f"scalability-{times}", title, "scalability", _CROSSED, make, make)
    sizes, counts, in_wall = "different-sizes", "different-counts", _at(0.03, 0.02, -0.87)
    yield PairScene(sizes, "A small object inside the wall of a large one", sizes, None, shrunken, coarse, in_wall)
    yield PairScene(f"{counts}-largest-first", "Largest first", counts, _CROSSED, fine, coarse)
    yield PairScene(f"{counts}-smallest-first", "Smallest first", counts, _CROSSED, coarse, fine)


SCENES: dict[str, PairScene] = {scene.name: scene for scene in _scenes()}


def pair_scene_names(group: str | None = None) -> list[str]:
    """The names of all scenes, or of one group's."""
    names = [name for name, scene in SCENES.items() if group in (None, scene.group)]
    if not names:
        raise OptionError(f"unknown group of scenes {group!r}: choose from {', '.join(pair_scene_groups())}")
    return names


def pair_scene_groups() -> list[str]:
    """The groups of scenes, in the order of the paper's tables."""
    return list(dict.fromkeys(scene.group for scene in SCENES.values()))


def pair_scenes(group: str | None = None) -> list[PairScene]:
    """All scenes, or those of one group, in the order of the paper's tables."""
    return [SCENES[name] for name in pair_scene_names(group)]


def pair_scene(name: str) -> PairScene:
    """One scene by its name."""
    if name not in SCENES:
        raise OptionError(f"unknown scene {name!r}: choose from {', '.join(SCENES)}")
    return SCENES[name]
