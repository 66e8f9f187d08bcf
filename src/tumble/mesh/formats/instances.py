"""Scenes: nodes that refer to each other, where every path to a mesh is a part.

One mesh can be placed many times, and nodes that are placed many times can hold others that are: a file of a kilobyte
can describe 2**60 parts. So parts and triangles are counted first, each node once, and what is too much is refused
before anything is copied. What the file itself stores is not limited, only what is copied from it.
"""

from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple, TypeAlias

from tumble.mesh.formats.placing import Instance, Matrix, product
from tumble.mesh.mesh import Mesh
from tumble.mesh.names import Names, deeper, joined

MAX_COPIED_NODES = 100_000
MAX_COPIED_TRIANGLES = 10_000_000

# what identifies a node of a format: the file and the id, the kind and the id
Key: TypeAlias = tuple[str, str]


class Placement(NamedTuple):
    """A node where its parent or the scene puts it; `matrix` is None where it stays in place."""

    key: Key
    matrix: Matrix | None = None
    name: str | None = None
    """the name of the part, when the node itself has the mesh"""


class SceneNode(NamedTuple):
    """A mesh, further nodes, or both."""

    name: str
    mesh: Mesh | None
    children: Sequence[Placement]


class _Count(NamedTuple):
    visits: int
    parts: int
    triangles: int


def expand(roots: Sequence[Placement], look_up: Callable[[Key], SceneNode], units: str) -> list[Instance]:
    """Return an instance for every way to a mesh, in the order of the file; `look_up` gives a node by its key."""
    nodes = _nodes(roots, look_up)
    counts: dict[Key, _Count] = {}
    try:
        for key in TopologicalSorter({key: _keys(node.children) for key, node in nodes.items()}).static_order():
            counts[key] = _count(nodes[key], counts)
    except CycleError as error:
        raise ValueError(f"its scene has a cycle: {nodes[error.args[1][0]].name!r} contains itself") from None
    _check_total(roots, nodes, counts)
    return list(_instances(roots, nodes, counts, units))


def _keys(placements: Sequence[Placement]) -> list[Key]:
    return [placement.key for placement in placements]


def _nodes(roots: Sequence[Placement], look_up: Callable[[Key], SceneNode]) -> dict[Key, SceneNode]:
    """Return all nodes that the roots reach, in the order of the file."""
    nodes: dict[Key, SceneNode] = {}
    stack = _keys(roots)[::-1]
    while stack:
        key = stack.pop()
        if key not in nodes:
            nodes[key] = look_up(key)
            stack += _keys(nodes[key].children)[::-1]
    return nodes


def _count(node: SceneNode, counts: dict[Key, _Count]) -> _Count:
    """Add up what is below a node, whose children are counted, and the node itself."""
    size = len(node.mesh) if node.mesh is not None else 0
    below = [counts[key] for key in _keys(node.children)]
    return _Count(*(sum(column) for column in zip((1, int(size > 0), size), *below, strict=True)))


def _check_total(roots: Sequence[Placement], nodes: dict[Key, SceneNode], counts: dict[Key, _Count]) -> None:
    visits = sum(counts[root.key].visits for root in roots)
    triangles = sum(counts[root.key].triangles for root in roots)
    placements = len(roots) + sum(len(node.children) for node in nodes.values())
    stored = sum(len(mesh) for mesh in {id(n.mesh): n.mesh for n in nodes.values() if n.mesh is not None}.values())
    if visits - placements > MAX_COPIED_NODES or triangles - stored > MAX_COPIED_TRIANGLES:
        parts = sum(counts[root.key].parts for root in roots)
        raise ValueError(
            f"its copies of copies make {parts} parts of {triangles} triangles, from {stored} that are stored; "
            f"at most {MAX_COPIED_NODES} copies and {MAX_COPIED_TRIANGLES} copied "
            "triangles are made: export fewer copies, or several files"
        )


def _instances(
    roots: Sequence[Placement], nodes: dict[Key, SceneNode], counts: dict[Key, _Count], units: str
) -> Iterator[Instance]:
    stack: list[tuple[Placement, Matrix | None, Names]] = [(root, None, ()) for root in reversed(roots)]
    while stack:
        placement, outer, around = stack.pop()
        if counts[placement.key].parts == 0:
            continue
        node = nodes[placement.key]
        matrix = product(outer, placement.matrix)
        if node.mesh is not None and len(node.mesh):
            name = placement.name or node.name
            # a shape that has the name of the node around it is that node
            group = joined(around[:-1] if around and around[-1] == name else around)
            yield Instance(name, node.mesh, matrix, units, group=group, shape=repr(placement.key))
        inner = deeper(around, node.name)
        stack += [(child, matrix, inner) for child in reversed(node.children)]
