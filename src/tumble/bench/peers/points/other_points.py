"""Libraries of a call or two each: ncollpyde, point-cloud-utils, VTK, trimesh."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.points.contract import PointPeer, Points, PointScene
from tumble.bench.peers.vtk_peer import VtkPeer


class NcollpydeScene(PointScene):
    """A Volume: float64, over parry; signs by rays."""

    def __init__(self, volume: Any) -> None:
        self.volume = volume

    def closest(self, points: Any, threads: int) -> Any:
        """Distances alone."""
        return self.volume.distance(points, signed=False, threads=threads > 1)

    def signed(self, points: Any, threads: int) -> Any:
        """Distances alone."""
        return self.volume.distance(points, signed=True, threads=threads > 1)


class NcollpydePoints(PointPeer):
    """ncollpyde."""

    name, most_points = "ncollpyde", 20_000

    def __init__(self) -> None:
        self.library: Any = import_module("ncollpyde")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """A Volume."""
        return NcollpydeScene(self.library.Volume(vertices, faces.astype(np.uint32), validate=False))


class PcuScene(PointScene):
    """Two arrays: every call builds a tree; signs by the fast winding number."""

    def __init__(self, library: Any, mesh: tuple[Any, Any]) -> None:
        self.library, self.mesh = library, mesh

    def closest(self, points: Any, threads: int) -> Any:
        """Distances, triangles, barycentric coordinates."""
        return self.library.closest_points_on_mesh(points, *self.mesh)

    def signed(self, points: Any, threads: int) -> Any:
        """The same with signs."""
        return self.library.signed_distance_to_mesh(points, *self.mesh)

    def distances(self, found: Any) -> NDArray[np.floating]:
        """The first array."""
        return np.asarray(found[0])


class PcuPoints(PointPeer):
    """point-cloud-utils."""

    name = "point-cloud-utils"

    def __init__(self) -> None:
        self.library: Any = import_module("point_cloud_utils")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """The arrays."""
        return PcuScene(self.library, (vertices, faces))


class VtkScene(PointScene):
    """vtkImplicitPolyDataDistance: float64, one thread, signs by pseudonormals."""

    def __init__(self, vtk: VtkPeer, function: Any) -> None:
        self.vtk, self.function = vtk, function

    def native(self, points: Points) -> Any:
        """An array of VTK's."""
        return self.vtk.arrays.numpy_to_vtk(points, deep=True)

    def signed(self, points: Any, threads: int) -> Any:
        """Distances alone."""
        found = self.vtk.core.vtkDoubleArray()
        self.function.FunctionValue(points, found)
        return self.vtk.arrays.vtk_to_numpy(found)


class VtkPoints(PointPeer):
    """VTK."""

    name, judged, answers, most_points = "vtk", False, ("signed",), 20_000

    def __init__(self) -> None:
        self.vtk = VtkPeer()
        self.library: Any = import_module("vtkmodules.vtkFiltersCore")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """The implicit function of the mesh."""
        function = self.library.vtkImplicitPolyDataDistance()
        function.SetInput(self.vtk.prepare(vertices, faces))
        return VtkScene(self.vtk, function)


class TrimeshScene(PointScene):
    """trimesh's proximity: candidates from an R-tree, then NumPy; signs by rays."""

    def __init__(self, proximity: Any, mesh: Any) -> None:
        self.proximity, self.mesh = proximity, mesh

    def closest(self, points: Any, threads: int) -> Any:
        """Distances, of points, distances and triangles."""
        return self.proximity.closest_point(self.mesh, points)[1]

    def signed(self, points: Any, threads: int) -> Any:
        """trimesh has the inside positive."""
        return -self.proximity.signed_distance(self.mesh, points)


class TrimeshPoints(PointPeer):
    """trimesh."""

    name, judged, most_points = "trimesh", False, 300

    def __init__(self) -> None:
        import_module("rtree")  # without it proximity fails at the first query
        self.trimesh: Any = import_module("trimesh")
        self.proximity: Any = import_module("trimesh.proximity")

    def scene(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> PointScene:
        """A Trimesh, as it is given."""
        return TrimeshScene(self.proximity, self.trimesh.Trimesh(vertices, faces, process=False))
