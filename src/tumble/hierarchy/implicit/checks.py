"""What implicit trees are made of, checked before kernels use its numbers as indices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import MeshError
from tumble.hierarchy.implicit.posed import Posed


def check_posed(posed: Any) -> None:
    """Raise MeshError unless these are meshes and where they are, as `posed_meshes` makes them."""
    if not isinstance(posed, Posed):
        raise MeshError(f"trees are made of posed meshes, not of {type(posed).__name__}; call implicit_trees(meshes)")
    if not (_arrays(*posed.bodies, *posed.world) and _shapes(posed) and _numbers(posed)):
        raise MeshError("the posed meshes contradict themselves; call implicit_trees(meshes) with the meshes instead")


def _arrays(*given: Any) -> bool:
    return all(type(each) is np.ndarray for each in given)


def _shapes(posed: Posed) -> bool:
    bodies, poses, world = posed
    count, width = len(bodies.first_face) - 1, bodies.vertices.shape[1:]
    kinds: list[tuple[NDArray[Any], str, int]] = [
        (bodies.vertices, "f8", 2),
        (bodies.faces, "i4", 2),
        (bodies.first_vertex, "i8", 1),
        (bodies.first_face, "i8", 1),
        (world.vertices, "f8", 2),
        (world.local, "f4", 2),
        (world.bounds, "f8", 2),
        (world.frame, "f8", 1),
    ]
    return (
        all(array.dtype == np.dtype(kind) and array.ndim == dimension for array, kind, dimension in kinds)
        and width in ((3,), (6,))
        and bodies.vertices.shape == world.vertices.shape == world.local.shape
        and (bodies.faces.shape[1], world.bounds.shape, world.frame.shape) == (3, (count, 6), (4,))
        and (
            poses is None or (type(poses) is np.ndarray and poses.dtype == np.float64 and poses.shape == (count, 3, 4))
        )
    )


def _numbers(posed: Posed) -> bool:
    faces, vertices = posed.bodies.faces, len(posed.bodies.vertices)
    within = len(faces) == 0 or (int(faces.min()) >= 0 and int(faces.max()) < vertices)
    return within and _ascends(posed.bodies.first_face, len(faces)) and _ascends(posed.bodies.first_vertex, vertices)


def _ascends(firsts: NDArray[np.int64], last: int) -> bool:
    """Tell whether numbers go from 0 to a last one and never down."""
    return len(firsts) > 0 and int(firsts[0]) == 0 and int(firsts[-1]) == last and bool((np.diff(firsts) >= 0).all())
