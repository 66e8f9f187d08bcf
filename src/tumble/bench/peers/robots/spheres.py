"""The spheres that planners put in place of a robot's links: which configurations collide by them?

Spheres and obstacles are solid. How far a centre is from an obstacle is what `tumble.signed_distance` says.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from tumble.api.contains import signed_distance
from tumble.errors import FileError
from tumble.robot import Robot
from tumble.scenario.shelves import Obstacle


class Spheres(NamedTuple):
    """Spheres of links."""

    links: NDArray[np.int64]
    """(n,) the number of the link that carries each"""
    centres: NDArray[np.float64]
    """(n, 3) in the frame of the link"""
    radii: NDArray[np.float64]


def spheres_of(robot: Robot, urdf: Path) -> Spheres:
    """Read the spheres that a URDF file has in place of collision meshes, for the links of a robot."""
    found: list[tuple[int, list[float], float]] = []
    for link in ElementTree.parse(urdf).getroot().iter("link"):
        for shape in link.iter("collision"):
            sphere, origin = shape.find("geometry/sphere"), shape.find("origin")
            if sphere is not None and link.get("name") in robot.links:
                way = (origin.get("xyz") if origin is not None else None) or "0 0 0"
                number = robot.links.index(str(link.get("name")))
                found.append((number, [float(each) for each in way.split()], float(sphere.get("radius", "nan"))))
    if not found:
        raise FileError(f"{urdf.name} has no spheres")
    links, centres, radii = zip(*found, strict=True)
    return Spheres(np.array(links), np.array(centres), np.array(radii))


def sphere_hits(
    robot: Robot, spheres: Spheres, obstacles: Sequence[Obstacle], Q: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return which configurations collide: spheres with obstacles, or those of two links that must not touch."""
    poses = robot.poses(Q)[:, spheres.links]
    places = np.einsum("nsij,sj->nsi", poses[:, :, :3, :3], spheres.centres) + poses[:, :, :3, 3]
    hit = np.zeros(len(Q), np.bool_)
    for a, b in robot.pairs.tolist():
        ours, theirs = spheres.links == a, spheres.links == b
        gaps = places[:, ours, None] - places[:, None, theirs]
        reach = spheres.radii[ours][:, None] + spheres.radii[theirs]
        hit |= ((gaps * gaps).sum(axis=3) <= reach * reach).any(axis=(1, 2))
    for each in obstacles:
        near = np.linalg.norm(places - each.pose[:3, 3], axis=2) <= _radius(each) + spheres.radii
        distances = signed_distance(each.mesh, np.ascontiguousarray(places[near]), each.pose).distances
        touching = np.zeros(near.shape, np.bool_)
        touching[near] = distances <= np.broadcast_to(spheres.radii, near.shape)[near]
        hit |= touching.any(axis=1)
    return hit


def _radius(obstacle: Obstacle) -> float:
    return float(np.linalg.norm(obstacle.mesh.vertices, axis=1).max())
