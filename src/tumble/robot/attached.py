"""What a robot holds, as one link more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tumble.errors import InputError
from tumble.mesh import MeshLike, as_mesh
from tumble.mesh.rigid import as_rigid
from tumble.robot.kinematics import FIXED, NONE, Kinematics

if TYPE_CHECKING:
    from tumble.robot.robot import Robot


CARRIED, BY_USER = "Adjacent", "User"
"""why pairs may touch"""


def attached(
    robot: Robot, name: str, mesh: MeshLike, link: str, pose: ArrayLike | None, may_touch: Iterable[str]
) -> Robot:
    """Return a robot with one link more, which another one carries."""
    if not isinstance(name, str) or name in robot.links:
        raise InputError(f"what is attached needs a name of its own, not {name!r}; links: {', '.join(robot.links)}")
    if link not in robot.links:
        raise InputError(f"the robot has no link {link!r}; its links are {', '.join(robot.links)}")
    if isinstance(may_touch, str):
        raise InputError(f"may_touch is a list of names of links, not {may_touch!r}")
    place = as_rigid(pose)
    row = {
        "parents": robot.links.index(link), "kinds": FIXED, "columns": NONE, "factors": 1.0, "offsets": 0.0,
        "origins": np.eye(4) if place is None else place, "axes": [1.0, 0.0, 0.0],
    }  # fmt: skip
    columns = {key: np.concatenate([getattr(robot.kinematics, key), np.array(row[key])[None]]) for key in row}
    with_link = replace(
        robot, links=(*robot.links, name), meshes=(*robot.meshes, as_mesh(mesh)), kinematics=Kinematics.of(**columns)
    )
    others = {(link, name): CARRIED, **{(other, name): BY_USER for other in may_touch}}
    return with_link.with_allowed({**robot.stated, **others})
