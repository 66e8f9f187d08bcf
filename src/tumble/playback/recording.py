"""What a world did: each mesh once, and the pose of each body at every n-th step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tumble.dynamics import World
from tumble.errors import InputError, OptionError
from tumble.mesh import Mesh

# Colours that tell bodies apart: hues along the order of the bodies, light and less light in turn.
STATIC = (0.78, 0.02, 85.0)
"""lightness, chroma and hue (degrees) of what does not move: the grey of warm stone"""
FIRST_HUE, LAST_HUE = 25.0, 300.0
"""from red over yellow, green and blue to violet; neighbours in number are neighbours in hue"""
LIGHTNESS = (0.68, 0.60, 0.74)
CHROMA = 0.14
_CONES_TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


@dataclass(frozen=True, eq=False)
class Recording:
    """Bodies and their way through time; n bodies, f frames."""

    title: str
    names: tuple[str, ...]
    meshes: tuple[Mesh, ...]
    """the different meshes, in their own frames"""
    mesh_of: NDArray[np.int64]
    """(n,) which of them a body has"""
    movable: NDArray[np.bool_]
    """(n,) not static"""
    colours: NDArray[np.uint8]
    """(n, 3) red, green and blue"""
    planes: NDArray[np.float64]
    """(p, 4) unit normal and offset"""
    times: NDArray[np.float64]
    """(f,) s, from 0"""
    positions: NDArray[np.float32]
    """(f, n, 3) of the meshes' origins"""
    turns: NDArray[np.float32]
    """(f, n, 4) unit quaternions w, x, y, z; from frame to frame they never jump to the opposite sign"""

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return float(self.times[-1])


class Recorder:
    """Keeps the poses of a world's bodies; call `note` after each step. Bodies may not be added meanwhile."""

    def __init__(self, world: World, every: int = 2) -> None:
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise OptionError(f"every must be a whole number of steps from 1, not {every!r}")
        if not world.names:
            raise InputError("there is nothing to record: the world has no bodies")
        self._world, self._every = world, every
        self._start, self._first = world.time, world.steps
        self._last = -1
        self._frames: list[tuple[float, NDArray[np.float32], NDArray[np.float32]]] = []
        self._take()

    def note(self) -> None:
        """Take a frame if it is time for one."""
        if (self._world.steps - self._first) % self._every == 0:
            self._take()

    def recording(self, title: str) -> Recording:
        """Return all frames, and where the bodies are now."""
        self._take()
        world, times = self._world, [time for time, _, _ in self._frames]
        places: dict[Mesh, int] = {}
        mesh_of = [places.setdefault(entry.mesh, len(places)) for entry in world.roster.entries]
        return Recording(
            title,
            world.names,
            tuple(places),
            np.array(mesh_of, np.int64),
            world.movable,
            body_colours(world.movable),
            np.column_stack([world.planes.normals, world.planes.offsets]),
            np.array(times) - self._start,
            np.stack([positions for _, positions, _ in self._frames]),
            without_jumps(np.stack([turns for _, _, turns in self._frames])),
        )

    def _take(self) -> None:
        world = self._world
        if world.steps == self._last:
            return
        self._last = world.steps
        if self._frames and len(self._frames[0][1]) != len(world.names):
            raise InputError(f"body {world.names[-1]!r} was added during the recording; begin a new one")
        origins = world.poses()[:, :3, 3].astype(np.float32)
        self._frames.append((world.time, origins, world.bodies.orientation[:-1].astype(np.float32)))


def without_jumps(turns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the same turns without jumps of sign: q and −q are one turn, but a blend from q to −q spins the body."""
    back = (turns[1:] * turns[:-1]).sum(axis=2) < 0.0
    signs = np.where(np.logical_xor.accumulate(back, axis=0), np.float32(-1.0), np.float32(1.0))
    smooth = turns.copy()
    smooth[1:] *= signs[:, :, None]
    return smooth


def body_colours(movable: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return (n, 3) red, green and blue, for bodies that move or do not."""
    rank = np.cumsum(movable) - 1
    share = rank / max(int(movable.sum()) - 1, 1)
    wanted = np.empty((len(movable), 3))
    wanted[:, 0] = np.array(LIGHTNESS)[rank % len(LIGHTNESS)]
    wanted[:, 1] = CHROMA
    wanted[:, 2] = FIRST_HUE + share * (LAST_HUE - FIRST_HUE)
    wanted[~movable] = STATIC
    return as_rgb(wanted)


def as_rgb(oklch: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return sRGB bytes of colours in OKLCH, where equal steps look equal; what no screen shows is clipped."""
    lightness, chroma, hue = oklch.T
    a, b = chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))
    cones = np.stack(
        [
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        ]
    )
    linear = _CONES_TO_LINEAR @ cones**3
    linear = np.clip(linear, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255.0 * encoded).astype(np.uint8).T
