"""Manifold: how two solids lie to each other, and what they have in common, by booleans."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import Peer, Poses

# By whether nothing is left of a without b, and of b without a.
RELATIONS = {
    (True, True): "equal",
    (True, False): "a_inside_b",
    (False, True): "b_inside_a",
    (False, False): "crossing",
}


class ManifoldPair:
    """Two solids. What touches is apart here: a common surface has no volume."""

    def __init__(self, library: Any, a: Any, b: Any) -> None:
        self.a, self.b = a, b

    def native(self, poses: Poses) -> list[NDArray[np.float64]]:
        """The upper rows of the matrices."""
        return [pose[:3].copy() for pose in poses]

    def relations(self, poses: Sequence[Any]) -> list[str]:
        """An intersection a pose; where there is one, a difference or two."""
        return [self._relation(self.b.transform(pose)) for pose in poses]

    def volumes(self, poses: Sequence[Any]) -> NDArray[np.float64]:
        """An intersection a pose, and its volume."""
        a, b = self.a, self.b
        return np.array([(a ^ b.transform(pose)).volume() for pose in poses])

    def _relation(self, b: Any) -> str:
        a = self.a
        if (a ^ b).is_empty():
            return "apart"
        return RELATIONS[(a - b).is_empty(), (b - a).is_empty()]


class ManifoldPeer(Peer):
    """Manifold."""

    name, pair_type, brief = "manifold", ManifoldPair, True
    questions, most_faces = ("relations", "volumes"), 30_000

    def __init__(self) -> None:
        self.library: Any = import_module("manifold3d")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """A Manifold, in double precision."""
        return self.library.Manifold(self.library.Mesh64(vertices.copy(), faces.astype(np.uint64)))
