"""The objects of the paper `chip`: its own are not published, so each has a stand-in of its size and character.

Two copies stand close to each other while one rotates. How close is chosen so that about a given part of the poses
touch: the paper's Filter reaches deep into its copy, the others hardly touch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import tumble
from tumble.mesh import Mesh, shapes, subdivide
from tumble.scenario.objects import SHAPES, Duo, in_unit_cube
from tumble.scenario.tumbling import tumbling_poses

# Parts of the poses that touch; distances are looked for between these, in box lengths.
SELDOM, OFTEN = 0.15, 0.5
NEAREST, FARTHEST, STEPS_OF_SEARCH = 0.2, 1.6, 9


@dataclass(frozen=True)
class StandIn:
    """An object of the paper, its polygons there, what stands in for it, and which part of the poses touches."""

    name: str
    polygons: int
    why: str
    make: Callable[[int], Mesh]
    touching: float = SELDOM

    def duo(self, shrink: int = 1) -> Duo:
        """Two copies within the unit cube, of the paper's number of polygons by `shrink`."""
        mesh = in_unit_cube(self.make(self.polygons // shrink))
        return Duo(self.name, "stand-in", mesh, mesh)


def _layers(faces: int) -> Mesh:
    """A dense coil: many thin layers with gaps between them, as the folds of a filter."""
    return shapes.spring(turns=20, pitch=0.12, wire=0.045, segments=max(6, round(faces / 320)), sides=8)


def _sheet(faces: int) -> Mesh:
    side = max(2, round(sqrt(faces / 2)))
    return shapes.cloth(nx=side, ny=side, wave=0.35, seed=3)


def _figure(faces: int) -> Mesh:
    times = 0
    while faces / 4**times > 40_000:
        times += 1
    return subdivide(shapes.blob(seed=1, faces=max(2000, round(faces / 4**times))), times)


STAND_INS = (
    StandIn("Filter", 19_326, "a dense coil: thin layers and gaps", _layers, OFTEN),
    StandIn("Frontlight", 30_075, "a bowl with a wall", SHAPES["bowl"]),
    StandIn("Lock", 62_023, "a gear: flat sides and sharp teeth", SHAPES["gear"]),
    StandIn("Car body", 60_755, "a thin sheet in waves", _sheet),
    StandIn("Buddha", 125_000, "a body with limbs", _figure),
)


def close_distance(duo: Duo, touching: float, steps: int) -> float:
    """The distance at which about that part of a rotation's poses touches, between the middles in box lengths."""
    near, far = NEAREST, FARTHEST
    for _ in range(STEPS_OF_SEARCH):
        middle = (near + far) / 2
        poses = tumbling_poses(middle, steps)
        hits = sum(tumble.collides(duo.a, duo.b, None, pose) for pose in poses)
        near, far = (middle, far) if hits > touching * steps else (near, middle)
    return far
