"""The same numbers in other clothes: the answer must be that for plain arrays, or an error of ours."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

import tumble
from tumble.errors import TumbleError

from .questions import question

Random = np.random.Generator


class Clothed(np.ndarray):
    """An array of a class of its own."""


def read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def strided(array: np.ndarray) -> np.ndarray:
    padded = np.full((*array.shape[:-1], 2 * array.shape[-1]), 7, array.dtype)
    padded[..., ::2] = array
    return padded[..., ::2]


def reversed_twice(array: np.ndarray) -> np.ndarray:
    return array[::-1].copy()[::-1]


def mapped(array: np.ndarray) -> np.ndarray:
    if not array.size:  # nothing cannot be mapped
        return array
    with tempfile.TemporaryFile() as file:
        memory = np.memmap(file, array.dtype, "w+", shape=array.shape)
    memory[...] = array
    return memory


def unaligned(array: np.ndarray) -> np.ndarray:
    raw = np.empty(array.nbytes + 1, np.uint8)
    moved = raw[1:].view(array.dtype).reshape(array.shape) if array.size else array.copy()
    moved[...] = array
    return moved


FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "unpickled": lambda array: pickle.loads(pickle.dumps(array)),
    "product of unpickled": lambda array: pickle.loads(pickle.dumps(array)) * array.dtype.type(1),
    "metadata": lambda array: array.astype(np.dtype(array.dtype, metadata={"unit": "mm"})),
    "read-only": read_only,
    "Fortran": np.asfortranarray,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "subclass": lambda array: array.copy().view(Clothed),
    "matrix": lambda array: np.matrix(array) if array.ndim == 2 else array,
    "masked": np.ma.array,
    "list": lambda array: array.tolist() if array.size else array,
    "object": lambda array: array.astype(object),
    "long double": lambda array: array.astype(np.longdouble if array.dtype.kind == "f" else np.int64),
    "strided": strided,
    "reversed": reversed_twice,
    "memory map": mapped,
    "unaligned": unaligned,
    "one row of many": lambda array: np.stack([array, array])[1],
    "broadcast": lambda array: np.broadcast_to(array, (2, *array.shape))[1],
}


def clothed(rng: Random, array: Any, told: list[str]) -> Any:
    """Return an array in another form, and note which."""
    if array is None:
        return None
    name = list(FORMS)[rng.integers(len(FORMS))]
    told.append(name)
    return FORMS[name](np.asarray(array))


def case(rng: Random) -> None:
    """Ask one question with all four arrays in forms of their own."""
    asked, told = question(rng, 8), []
    sides = []
    for mesh in (asked.a, asked.b):
        if rng.random() < 0.5:
            sides.append(mesh)
        else:
            sides.append((clothed(rng, mesh.vertices, told), clothed(rng, mesh.faces, told)))
    poses = [clothed(rng, pose, told) for pose in (asked.pose_a, asked.pose_b)]
    name = list(CALLS)[rng.integers(len(CALLS))]
    try:
        found = CALLS[name](*sides, *poses)
    except TumbleError:
        if "object" not in told:  # dtype object is refused, all else is numbers
            raise
        return
    what = f"{name} with {told}"
    if isinstance(found, bool):
        asked.check_hit(found, what)
    elif name.endswith("first"):
        asked.check_first(found, what)
    else:
        asked.check(found, what)


def by_scene(a: Any, b: Any, pose_a: Any, pose_b: Any) -> np.ndarray:
    scene = tumble.Scene()
    scene.add("a", a, pose_a)
    scene.add("b", b)
    scene.move("b", pose_b)
    found = scene.collisions()
    return found[0].pairs if len(found) else np.empty((0, 2), np.int64)


def by_many(a: Any, b: Any, pose_a: Any, pose_b: Any) -> np.ndarray:
    poses = [np.eye(4) if pose_b is None else pose_b]
    return tumble.collide_many(a, b, poses, pose_a, first=False).pairs(0)


def by_deformable(a: Any, b: Any, pose_a: Any, pose_b: Any) -> np.ndarray:
    kept = tumble.Deformable(a)
    if isinstance(a, tuple):
        kept.update(a[0])
    return kept.collide(b, pose_a, pose_b).pairs


CALLS: dict[str, Callable[..., Any]] = {
    "collides": tumble.collides,
    "collide": lambda *given: tumble.collide(*given).pairs,
    "collide first": lambda *given: tumble.collide(*given, first=True).pairs,
    "collide contacts": lambda *given: tumble.collide(*given, contacts=True).pairs,
    "collide boxtree": lambda *given: tumble.collide(*given, tree="boxtree").pairs,
    "collide stack": lambda *given: tumble.collide(*given, method="stack").pairs,
    "collide bulk": lambda *given: tumble.collide(*given, method="bulk").pairs,
    "collide_many": by_many,
    "collide_all": lambda a, b, p, q: tumble.collide_all([a, b], [p, q]).pairs(0, 1),
    "Scene": by_scene,
    "Deformable": by_deformable,
    "Tracker": lambda a, b, p, q: tumble.Tracker(a, b).collide(p, q).pairs,
}
