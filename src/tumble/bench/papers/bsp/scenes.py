"""The three UNC scenes, a frame and the one before it, cut into the objects of the paper; or what stands in for them.

An object is a connected component: triangles that are linked by vertices of the same number. Duplicate vertices, as
n-body has them, link nothing, and that gives the paper's 2, 4 and 305.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

import tumble
from tumble.bench.papers.bsp.published import CLOTH_BALL, FUNNEL, N_BODY, TABLE_1
from tumble.errors import FileError
from tumble.mesh import Mesh
from tumble.mesh.shapes import box, icosphere
from tumble.mesh.shapes.grid import grid_faces
from tumble.scenario import SheetOverBall
from tumble.scenario.objects import default_data_folder

FOLDER = "scalable-ccd-data"
FRAMES = {
    CLOTH_BALL: ("cloth-ball/frames/cloth_ball92.ply", "cloth-ball/frames/cloth_ball93.ply"),
    FUNNEL: ("cloth-funnel/frames/227.ply", "cloth-funnel/frames/228.ply"),
    N_BODY: ("n-body-simulation/frames/balls16_18.ply", "n-body-simulation/frames/balls16_19.ply"),
}


@dataclass(frozen=True)
class Scene:
    """All objects in two frames, one after the other."""

    name: str
    before: Sequence[Mesh]
    now: Sequence[Mesh]
    # What the frames are called where they were read; empty for a stand-in.
    frames: tuple[str, str] = ("", "")

    @property
    def real(self) -> bool:
        """Whether it is the paper's own."""
        return bool(self.frames[1])

    @cached_property
    def whole(self) -> Mesh:
        """All objects as one mesh, now."""
        firsts = np.cumsum([0, *(len(mesh.vertices) for mesh in self.now)])
        faces = [mesh.faces.astype(np.int64) + first for mesh, first in zip(self.now, firsts, strict=False)]
        return Mesh(np.concatenate([mesh.vertices for mesh in self.now]), np.concatenate(faces))

    def at(self, time: float) -> list[NDArray[np.float64]]:
        """Where the vertices of all objects are: before at 0, now at 1, and on straight lines between and beyond."""
        both = zip(self.before, self.now, strict=True)
        return [one.vertices + time * (other.vertices - one.vertices) for one, other in both]


def scene_folder(chosen: str | Path | None) -> Path | None:
    """The folder of scenes that was named, or the one in TUMBLE_MESHES; a name that is not a folder is refused."""
    if chosen is None:
        data = default_data_folder()
        return data / FOLDER if data is not None and (data / FOLDER).is_dir() else None
    if not Path(chosen).is_dir():
        raise FileError(f"{chosen} is no folder: name the folder that holds cloth-ball, or leave --scenes out")
    return Path(chosen) / FOLDER if (Path(chosen) / FOLDER).is_dir() else Path(chosen)


def scenes(folder: Path | None, shrink: int) -> tuple[list[Scene], list[str]]:
    """All three scenes, and a sentence about each that had to be replaced."""
    found, notes = [], []
    for name in FRAMES:
        scene = _read(name, folder) if folder is not None else "no folder of scenes was named"
        if isinstance(scene, str):
            notes.append(
                f"**{TABLE_1[name].title} is a stand-in** made by code, not the paper's scene ({scene}); its numbers "
                "compare with each other only. Name the folder of the UNC scenes with `--scenes`."
            )
            scene = Scene(name, *STAND_INS[name](shrink))
        found.append(scene)
    return found, notes


def _read(name: str, folder: Path) -> Scene | str:
    """The scene, or why it cannot be had."""
    try:
        before, now = (tumble.load(folder / path) for path in FRAMES[name])
    except FileError as error:
        return str(error)
    which = components(now)
    if len(before.faces) != len(now.faces) or not np.array_equal(before.faces, now.faces):
        return f"the two frames of {name} have different faces"
    frames = tuple("".join(filter(str.isdigit, Path(path).stem.split("_")[-1])) for path in FRAMES[name])
    return Scene(name, parts(before, which), parts(now, which), (frames[0], frames[1]))


def components(mesh: Mesh) -> NDArray[np.int64]:
    """The number of the connected component of each triangle."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    faces, count = mesh.faces.astype(np.int64), len(mesh.vertices)
    edges = np.concatenate([faces[:, :2], faces[:, 1:]])
    graph = coo_matrix((np.ones(len(edges), np.int8), (edges[:, 0], edges[:, 1])), (count, count))
    label = connected_components(graph, directed=False)[1][faces[:, 0]]
    return np.unique(label, return_inverse=True)[1].reshape(-1)


def parts(mesh: Mesh, which: NDArray[np.int64]) -> list[Mesh]:
    """The mesh cut by the numbers of its triangles, each part with its own vertices only."""
    found = []
    for part in range(int(which.max(initial=-1)) + 1):
        used, corners = np.unique(mesh.faces[which == part], return_inverse=True)
        found.append(Mesh(mesh.vertices[used], corners.reshape(-1, 3)))
    return found


# Scenes made by code, for when the UNC scenes are not at hand: as many objects, about as many triangles, one idea. Each
# maker gives all objects in a frame and in the one after it; `shrink` divides the number of triangles.
TwoFrames = tuple[list[Mesh], list[Mesh]]
FRAME = 285
"""of the sheet over the ball: its folds cut through each other"""
BODIES = 305


def cloth_over_ball(shrink: int) -> TwoFrames:
    """A sheet in folds on a ball."""
    sheet = SheetOverBall(max(4, round(sqrt(91_470 / 2 / shrink))), 3 if shrink == 1 else 2)
    before, now = ([sheet.mesh(frame), sheet.ball] for frame in (FRAME - 1, FRAME))
    return before, now


def cloth_in_funnel(shrink: int) -> TwoFrames:
    """A folded sheet that slides down a funnel, a ball on top of it, and the floor."""
    side = max(6, round(sqrt(14_464 / 2 / shrink)))
    rings = max(4, round(sqrt(2_080 / 6 / shrink)))
    floor = _moved(box((2.0, 2.0, 0.1)), (0.0, 0.0, -1.4))
    funnel = _cone(np.linspace(0.1, 1.0, rings), 3 * rings)
    ball = icosphere(2 if shrink > 4 else 3, 0.12)

    def frame(sunk: float) -> list[Mesh]:
        return [_folded(side, sunk), funnel, _moved(ball, (0.0, 0.0, 0.45 - sunk)), floor]

    return frame(0.2), frame(0.205)


def crowd(shrink: int) -> TwoFrames:
    """Balls that fly through a crowded box; some overlap."""
    rng = np.random.default_rng(305)
    count = max(8, BODIES // shrink)
    body = icosphere(2, 0.5)
    side = (count * 0.9) ** (1 / 3)
    places, ways = rng.uniform(0, side, (count, 3)), rng.normal(0, 0.02, (count, 3))
    before, now = ([_moved(body, place) for place in places + step * ways] for step in (0.0, 1.0))
    return before, now


def _moved(mesh: Mesh, way: ArrayLike) -> Mesh:
    return Mesh(mesh.vertices + np.asarray(way), mesh.faces)


def _cone(radii: NDArray[np.float64], sides: int) -> Mesh:
    """Rings as high as they are wide."""
    angle = 2 * np.pi * np.arange(sides) / sides
    rings = [np.stack([r * np.cos(angle), r * np.sin(angle), np.full(sides, r)], axis=1) for r in radii]
    return Mesh(np.concatenate(rings), grid_faces(len(radii), sides, False, True))


def _folded(side: int, sunk: float) -> Mesh:
    """A round sheet pulled into the funnel: the more it sinks, the deeper its folds."""
    ring, turn = np.meshgrid(np.linspace(0.02, 0.9, side), 2 * np.pi * np.arange(side) / side, indexing="ij")
    radius = ring * (1 - sunk) + 0.08 * ring * np.sin(12 * turn + 6 * ring)
    rng = np.random.default_rng(side)
    height = radius + 0.02 * np.sin(9 * turn) - sunk * (1 - ring) * 0.2
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn), height], axis=-1).reshape(-1, 3)
    return Mesh(points + rng.normal(0, 0.02 / side, points.shape), grid_faces(side, side, False, True))


STAND_INS: dict[str, Callable[[int], TwoFrames]] = {CLOTH_BALL: cloth_over_ball, FUNNEL: cloth_in_funnel, N_BODY: crowd}
