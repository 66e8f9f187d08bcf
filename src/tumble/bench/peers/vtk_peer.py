"""VTK's vtkCollisionDetectionFilter, for context: a filter of a visualisation pipeline, not a collision library."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.contract import NO_PAIRS, Pairs, Peer, Poses

FIRST_USE = """
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkFiltersModeling import vtkCollisionDetectionFilter
from vtkmodules.vtkFiltersSources import vtkSphereSource

filter, ball = vtkCollisionDetectionFilter(), vtkSphereSource()
for side in (0, 1):
    filter.SetInputConnection(side, ball.GetOutputPort())
    filter.SetMatrix(side, vtkMatrix4x4())
filter.SetCollisionModeToFirstContact()
filter.Update()
"""


class VtkPeer(Peer):
    """VTK."""

    name, judged, most_faces, first_use = "vtk", False, 30_000, FIRST_USE

    def __init__(self) -> None:
        self.filters: Any = import_module("vtkmodules.vtkFiltersModeling")
        self.data: Any = import_module("vtkmodules.vtkCommonDataModel")
        self.core: Any = import_module("vtkmodules.vtkCommonCore")
        self.matrix: Any = import_module("vtkmodules.vtkCommonMath").vtkMatrix4x4
        self.arrays: Any = import_module("vtkmodules.util.numpy_support")

    def prepare(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> Any:
        """Triangles as polygonal data; the tree is made by the filter at its first run."""
        points, cells = self.core.vtkPoints(), self.data.vtkCellArray()
        points.SetData(self.arrays.numpy_to_vtk(vertices, deep=True))
        corners = self.arrays.numpy_to_vtkIdTypeArray(faces.ravel(), deep=True)
        offsets = self.arrays.numpy_to_vtkIdTypeArray(np.arange(0, faces.size + 1, 3), deep=True)
        cells.SetData(offsets, corners)
        polygons = self.data.vtkPolyData()
        polygons.SetPoints(points)
        polygons.SetPolys(cells)
        return polygons

    def pair(self, a: Any, b: Any) -> VtkPair:
        """A filter for each kind of question."""
        return VtkPair(self, a, b)


class VtkPair:
    """Two filters over the same two meshes: their modes differ."""

    def __init__(self, vtk: VtkPeer, a: Any, b: Any) -> None:
        self.vtk = vtk
        self.first = self._filter(a, b)
        self.first.SetCollisionModeToFirstContact()
        self.all = self._filter(a, b)
        self.all.SetCollisionModeToAllContacts()

    def native(self, poses: Poses) -> list[Any]:
        """Matrices."""
        matrices = [self.vtk.matrix() for _ in poses]
        for matrix, pose in zip(matrices, poses, strict=True):
            matrix.DeepCopy(pose.ravel().tolist())
        return matrices

    def first_hits(self, poses: Sequence[Any]) -> list[bool]:
        """One run of the pipeline a pose, one contact at most."""
        hits = []
        for pose in poses:
            self.first.SetMatrix(1, pose)
            self.first.Update()
            hits.append(self.first.GetNumberOfContacts() > 0)
        return hits

    def all_pairs(self, poses: Sequence[Any]) -> list[Pairs]:
        """One run of the pipeline a pose; the ids of the touching cells side by side."""
        found = []
        for pose in poses:
            self.all.SetMatrix(1, pose)
            self.all.Update()
            touching = self.all.GetNumberOfContacts()
            cells = [self.all.GetContactCells(side) for side in (0, 1)] if touching else []
            columns = [self.vtk.arrays.vtk_to_numpy(side) for side in cells]
            found.append(np.stack(columns, axis=1).astype(np.int64) if touching else NO_PAIRS)
        return found

    def _filter(self, a: Any, b: Any) -> Any:
        found = self.vtk.filters.vtkCollisionDetectionFilter()
        for side, polygons in enumerate((a, b)):
            found.SetInputData(side, polygons)
            found.SetMatrix(side, self.vtk.matrix())
        found.SetBoxTolerance(0.0)
        found.SetCellTolerance(0.0)
        found.GenerateScalarsOff()
        return found
