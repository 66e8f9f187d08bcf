"""Links that a joint holds together: they touch at the joint, and may."""

from __future__ import annotations

from collections.abc import Sequence

from tumble.mesh import Mesh
from tumble.robot.kinematics import NONE, Kinematics


def adjacent_pairs(
    links: Sequence[str], meshes: Sequence[Mesh | None], kinematics: Kinematics
) -> list[tuple[str, str]]:
    """Return each link that has a shape with the nearest link that has one on the way to the root."""
    nearest: list[int] = []
    """by link, itself if it has a shape, else that link; NONE if there is none"""
    found = []
    for link, parent in enumerate(kinematics.parents.tolist()):
        before = NONE if parent == NONE else nearest[parent]
        mesh = meshes[link]
        if mesh is None or not len(mesh):
            nearest.append(before)
            continue
        nearest.append(link)
        if before != NONE:
            found.append((links[before], links[link]))
    return found
