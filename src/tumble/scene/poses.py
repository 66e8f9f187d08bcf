"""Many poses at once: as one checked array, and the pose at fault named by its body."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.broad.boxes import Poses
from tumble.errors import InternalError, PoseError
from tumble.mesh.arrays import plain_copy
from tumble.mesh.rigid import as_matrix, as_pose
from tumble.mesh.rigid_kernel import check_poses

NOBODY = ("",)


def checked_poses(poses: Any, names: Sequence[str] = NOBODY) -> Poses:
    """Return new (m, 4, 4) rigid poses as kernels take them, one for each name; None stands for the identity.

    The argument is read once, and the copy is checked: what other threads write into the array comes too late.
    """
    matrices = _stacked(poses, names)
    wrong = check_poses(matrices, np.empty(len(matrices)))
    if wrong >= 0:
        _blaming(names[wrong], as_pose, matrices[wrong])
        raise InternalError(f"a pose was refused by the kernel alone: {matrices[wrong].tolist()}; please report this")
    return matrices


def _stacked(poses: Any, names: Sequence[str]) -> Poses:
    if not isinstance(poses, np.ndarray | list | tuple) and hasattr(poses, "__array__"):
        poses = np.asarray(poses)
    countable = poses.ndim > 0 if isinstance(poses, np.ndarray) else hasattr(poses, "__len__")
    found = len(poses) if countable else repr(poses)
    if found != len(names):
        raise PoseError(f"expected one 4×4 pose for each of {len(names)} names; found {found}")
    matrices = _plain(poses)
    if matrices is not None and matrices.shape == (len(names), 4, 4):
        return matrices
    matrices = np.empty((len(names), 4, 4))
    for k, (name, pose) in enumerate(zip(names, poses, strict=True)):
        matrices[k] = np.eye(4) if pose is None else _blaming(name, as_matrix, pose)
    return matrices


def _plain(poses: Any) -> NDArray[np.float64] | None:
    """Return a copy of the poses as one array if NumPy takes them for plain numbers; None if each needs a look."""
    if _masked(poses):
        return None
    try:
        raw = np.asarray(poses)
    except (ValueError, TypeError, OverflowError):
        return None
    if raw.dtype.kind not in "iuf" or raw.dtype.itemsize > 8:
        return None
    return plain_copy(raw)


def _blaming(name: str, check: Callable[[ArrayLike], Any], pose: ArrayLike) -> Any:
    """Check a pose; what is wrong with it is said of the body by that name."""
    try:
        return check(pose)
    except PoseError as error:
        raise PoseError(f"body {name!r}: {error}" if name else str(error)) from error


def _masked(poses: Any) -> bool:
    """Tell whether NumPy would drop a mask in silence."""
    if isinstance(poses, np.ndarray):
        return isinstance(poses, np.ma.MaskedArray)
    return any(isinstance(pose, np.ma.MaskedArray) for pose in poses)
