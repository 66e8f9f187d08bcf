"""Where the meshes of a robot are: addresses such as package://arm_description/meshes/link1.stl.

Only files inside some folders are opened: the robot's own, which is the one of its package (there is a package.xml, or
the robot is in a folder called urdf or robots inside), those that the user names, and those where ROS finds packages.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from tumble.mesh.formats import existing, inside

_SUBFOLDERS = ("urdf", "robots", "robot", "model", "models")
_MAX_UP = 3
"""folders above the robot's own where package.xml is looked for"""


def find_mesh(name: str, robot: Path, folders: Sequence[Path]) -> Path:
    """Return the file that an address means; one outside of the folders, or missing, is refused."""
    scheme, separator, rest = name.partition("://")
    own = robot.resolve().parent
    allowed = [own, _package_folder(own), *(folder.resolve() for folder in (*folders, *_ros_folders()))]
    if separator and scheme not in ("package", "model", "file"):
        raise ValueError(f"the mesh {name[:80]!r} would have to be fetched; only files are read")
    if not separator or scheme == "file":
        return existing(inside(allowed, own / unquote(rest if separator else name), name), name)
    for candidate in _in_packages(PurePosixPath(unquote(rest)).parts, allowed):
        if (found := inside(allowed, candidate, name)).is_file():
            return found
    looked = ", ".join(dict.fromkeys(map(str, allowed)))
    raise ValueError(f"the mesh {name[:200]!r} is not in {looked}; name the folder of its package")


def _in_packages(names: tuple[str, ...], folders: list[Path]) -> Iterator[Path]:
    """Yield where a file may be: in a folder inside one of these, or in one of these that has the package's name."""
    for folder in folders:
        yield folder.joinpath(*names)
        for k, name in enumerate(names[:-1]):
            if name == folder.name:
                yield folder.joinpath(*names[k + 1 :])


def _package_folder(own: Path) -> Path:
    for folder in (own, *own.parents[:_MAX_UP]):
        if (folder / "package.xml").is_file():
            return folder
    return own.parent if own.name in _SUBFOLDERS else own


def _ros_folders() -> list[Path]:
    """Return the folders that hold packages, as ROS (1 and 2) states them in the environment."""
    listed = [path for path in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if path]
    prefixes = [path for path in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if path]
    return [*map(Path, listed), *(Path(prefix, "share") for prefix in prefixes)]
