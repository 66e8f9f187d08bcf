"""The answers about a step of meshes that deform: the first contact, and all contacts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

KINDS = ("vertex-face", "face-vertex", "edge-edge")


@dataclass(frozen=True, eq=False)
class StepContacts:
    """All pairs of elements that meet in a step, or may meet, sorted by time, kind and elements."""

    kinds: NDArray[np.int64]
    """(k,) places in `KINDS`: 0 vertex-face, 1 face-vertex, 2 edge-edge; the first element is of this mesh"""
    elements: NDArray[np.int64]
    """(k, 2) numbers of vertices, faces, or edges in the order of `tumble.Candidates.edges`"""
    vertices: NDArray[np.int64]
    """(k, 4) the vertices of both elements; those of the other mesh are numbered from 0, too"""
    times: NDArray[np.float64]
    """(k,) never later than the first contact"""
    latest: NDArray[np.float64]
    """(k,) until when a contact is proven to have come; infinity where none was proven"""

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True)
class StepImpact:
    """The first contact of a step; false if there is none."""

    time: float = math.inf
    """never later than the first contact; infinity when there is none"""
    latest: float = math.inf
    """a time until which a contact is proven to have come; infinity when none was proven"""
    kind: str | None = None
    """vertex-face, face-vertex (of two meshes) or edge-edge; the first element is of this mesh"""
    elements: tuple[int, int] | None = None
    """numbers of vertices, faces, or edges in the order of `tumble.Candidates.edges`"""
    vertices: tuple[int, int, int, int] | None = None
    """the vertices of both elements; those of the other mesh are numbered from 0, too"""
    contacts: StepContacts | None = None
    """all pairs that meet, where they were asked for"""

    def __bool__(self) -> bool:
        return self.kind is not None
