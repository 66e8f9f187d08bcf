"""IPC Toolkit: additive CCD and tight inclusion, with its fastest broad phase, on all cores.

It stops at a part of the way to the contact, 0.9 or 0.8 unless told otherwise, so that a simulation keeps a distance.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.moving.contract import Reals, StepPeer

BROAD_PHASE = "LBVH"
"""the fastest of its broad phases on these steps"""
TIGHT_TOLERANCE = 1e-6
"""in time, of tight inclusion"""
NEARLY_ALL = 0.999


class IpcSteps(StepPeer):
    """IPC Toolkit with one of its narrow phases."""

    def __init__(self, narrow: str, share: float) -> None:
        self.library: Any = import_module("ipctk")
        self.library.set_logger_level(self.library.LoggerLevel.error)
        self.narrow = getattr(self.library, narrow)(conservative_rescaling=share)
        kind = "additive" if narrow == "AdditiveCCD" else "tight"
        self.name, self.share = f"ipctk-{kind}-{share:g}", share
        self.tolerance = 0.0 if kind == "additive" else TIGHT_TOLERANCE

    def step(self, start: Reals, end: Reals, faces: NDArray[np.int32]) -> Callable[[], float]:
        """The mesh is made once, as in a simulation; a step that is free to its end is told as 1."""
        library, narrow = self.library, self.narrow
        mesh = library.CollisionMesh(start, library.edges(faces), faces)
        places = np.asfortranarray(start), np.asfortranarray(end)

        def ask() -> float:
            broad = getattr(library, BROAD_PHASE)()
            return float(library.compute_collision_free_stepsize(mesh, *places, 0.0, broad, narrow))

        return ask
