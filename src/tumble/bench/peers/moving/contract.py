"""What a library must offer to be asked when bodies touch: one small file each.

    solid = peer.prepare(vertices, faces)       # its own hierarchy over a mesh
    pair = peer.pair(solid, other)              # objects and requests made once
    flights = pair.native(list_of_flights)      # `tumble.scenario.flights`, in the library's own types
    pair.impacts(flights)                       # (n,) times from 0 to 1, infinity where it says that nothing touches;
                                                # also where both move, if `answers` says so
    edges = pair.native_edges(flights, counts)  # for those that can only look at poses: how many of each flight
    pair.free(edges)                            # (n,) whether nothing touches

and to be asked about a step of a mesh that deforms:

    step = peer.step(start, end, faces)         # vertices in the library's own types
    step()                                      # a time before which nothing meets, broad and narrow phase
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.scenario.flights import Flight

Times = NDArray[np.float64]
Reals = NDArray[np.float64]


class MovingPair:
    """Two prepared objects, both of which may move."""

    def native(self, flights: Sequence[Flight]) -> Any:
        """The flights in the library's own types."""
        return flights

    def impacts(self, flights: Any) -> Times:
        """When the two touch first, flight by flight."""
        raise NotImplementedError

    def native_edges(self, flights: Sequence[Flight], counts: Sequence[int]) -> Any:
        """The same for `free`."""
        return self.native(flights)

    def free(self, edges: Any) -> NDArray[np.bool_]:
        """Whether nothing touches, flight by flight."""
        raise NotImplementedError


class MovingPeer:
    """A library that competes."""

    name: str
    """in tables and files"""
    judged = True
    """whether ratios are taken against it"""
    answers: tuple[str, ...] = ("impacts", "both move", "free")
    """what it can be asked"""

    def prepare(self, vertices: Reals, faces: NDArray[np.int64]) -> Any:
        """Build the library's hierarchy over a mesh."""
        raise NotImplementedError

    def pair(self, a: Any, b: Any) -> MovingPair:
        """Two prepared objects, ready for questions."""
        raise NotImplementedError


class StepPeer:
    """A library that tells how far a mesh that deforms can go."""

    name: str
    judged = True
    share = 1.0
    """the part of the way to the first contact at which it stops"""
    tolerance = 0.0
    """how much earlier than that, in time, it may stop"""

    def step(self, start: Reals, end: Reals, faces: NDArray[np.int32]) -> Callable[[], float]:
        """A step of a mesh, ready to be asked about."""
        raise NotImplementedError
