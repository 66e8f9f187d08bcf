"""Trees that are damaged: in their file byte by byte, in an array of an intact file, or as they are constructed.

A file gives the tree that was saved, a tree that is valid and answers right for its own mesh, or an error of ours. A
constructor may take what `validate` would refuse, but no query may crash on it. Boxtrees are refitted, too.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import tumble
from tumble.errors import TumbleError
from tumble.volume.kinds import KINDS

from .limits import memory_limit
from .meshes import awkward
from .questions import Question
from .ways import some, some_tree

Random = np.random.Generator
VOLUMES = (*KINDS, "boxtree")
NUMBERS = (0, 1, -1, 2, 7, 255, 2**31 - 1, -(2**31), 1 << 20)
SPECIAL = (0.0, -1.0, np.nan, np.inf, -np.inf, 1e308, 5e-324)


def ways(rng: Random) -> str:
    """Return what a case needs compiled."""
    return str(some(rng, VOLUMES))


def case(rng: Random) -> None:
    """Damage one tree in one way."""
    volume = str(some(rng, VOLUMES))
    mesh = awkward(rng, 20)
    tree = tumble.build(mesh, "boxtree") if volume == "boxtree" else some_tree(rng, mesh, volume)
    some(rng, (bytes_damaged, array_damaged, wrongly_constructed))(rng, tree)
    if volume == "boxtree":
        refitted(rng, tree)


def saved(tree: Any) -> bytes:
    """Return the content of a tree's file."""
    with tempfile.TemporaryDirectory() as folder:
        tree.save(Path(folder) / "tree")
        return (Path(folder) / "tree").read_bytes()


def loaded(content: bytes) -> Any:
    """Return the tree of a file with this content, None for one that is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree"
        path.write_bytes(content)
        try:
            with memory_limit(1 << 30):
                return tumble.load_tree(path)
        except TumbleError:
            return None


def damaged(rng: Random, content: bytes) -> bytes:
    """Return bytes with something changed, lost, doubled or cut off."""
    data = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        at, size = int(rng.integers(0, len(data) + 1)), int(rng.integers(1, 40))
        kind = rng.integers(5)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            del data[at : at + size]
        elif kind == 2:
            data[at:at] = rng.bytes(size)
        elif kind == 3:
            data[at : at + size] = bytes([int(rng.choice([0, 255]))]) * len(data[at : at + size])
        elif rng.random() < 0.3:
            del data[at:]
    return bytes(data)


def bytes_damaged(rng: Random, tree: Any) -> None:
    """Damage the file's bytes."""
    found = loaded(damaged(rng, saved(tree)))
    if found is not None:
        check_sound(rng, found)


def array_damaged(rng: Random, tree: Any) -> None:
    """Write an intact file with one array that is wrong."""
    with np.load(io.BytesIO(saved(tree))) as archive:
        content = dict(archive)
    name = some(rng, content)
    content[name] = wrong(rng, content[name])
    buffer = io.BytesIO()
    np.savez(buffer, **content)
    found = loaded(buffer.getvalue())
    if found is not None:
        check_sound(rng, found)


def wrong(rng: Random, array: np.ndarray) -> np.ndarray:
    """Return an array with a wrong number, order, length, shape or type."""
    array = np.array(array)
    kind = rng.random()
    if kind < 0.6 and array.size and array.dtype.kind in "iuf":
        flat = array.reshape(-1)
        at = int(rng.integers(len(flat)))
        with np.errstate(all="ignore"):
            value = some(rng, SPECIAL if array.dtype.kind == "f" else NUMBERS)
            flat[at] = np.array(value).astype(array.dtype) if rng.random() < 0.7 else flat[at] + 1
        return array
    if kind < 0.75 and array.ndim and len(array):
        return array[rng.permutation(len(array))]
    if kind < 0.9 and array.ndim:
        return array[: int(rng.integers(len(array) + 1))]
    if array.dtype.kind in "iuf":
        return array.astype(some(rng, (np.float32, np.int64, np.uint8, object, complex)))
    return np.array(some(rng, ("sphere", "aabb", "boxtree", "nothing", 3)))


def wrongly_constructed(rng: Random, tree: Any) -> None:
    """Call the constructor with one wrong array; a query must not crash, and one on a valid tree must be right."""
    if isinstance(tree, tumble.BoxTree):
        names = ("nodes", "order", "box", "origin", "scale")
        make = lambda parts: tumble.BoxTree(tree.mesh, *parts)  # noqa: E731
    else:
        names = ("nodes", "rows", "order")
        make = lambda parts: tumble.Tree(tree.mesh, tree.volume, *parts)  # noqa: E731
    parts = [np.asarray(getattr(tree, name)) for name in names]
    at = int(rng.integers(len(parts)))
    parts[at] = wrong(rng, parts[at])
    parts[-1] = parts[-1] if parts[-1].ndim else parts[-1][()]
    try:
        made = make(parts)
        try:
            made.validate()
        except TumbleError:
            tumble.collide(made, made)
            return
    except TumbleError:
        return
    check_sound(rng, made)


def refitted(rng: Random, tree: Any) -> None:
    """Refit the tree to vertices that were thrown about."""
    mesh = tree.mesh
    vertices = rng.permutation(mesh.vertices) if rng.random() < 0.5 else mesh.vertices * rng.uniform(0.2, 2.0, 3)
    check_sound(rng, tree.refit((vertices, mesh.faces)))


def check_sound(rng: Random, tree: Any) -> None:
    """A tree that counts as valid gives the right pairs for the mesh that it has."""
    tree.validate()
    other = awkward(rng, 10)
    asked = Question(tree.mesh, other, None, None)
    given = tumble.build(other, tree.volume)
    asked.check(tumble.collide(tree, given).pairs, f"a damaged {tree.volume} tree that counts as valid")
