"""Which parts of an assembly touch: boxes first, then an exact count for each pair whose boxes overlap.

Boxes are the float64 bounds of parts in their places, closed, so that no pair is lost; a pair of parts that only share
a face, an edge or a point is counted like any other.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tumble.api.ask import ask
from tumble.errors import InputError, OptionError, said_of
from tumble.mesh import Mesh, MeshLike, Part, as_mesh
from tumble.query.answer import PairContacts
from tumble.query.bodies import standing
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import AnySettings

Progress = Callable[[int, int], None]

AT_A_TIME = 64
"""pairs of parts between two reports of progress"""


@dataclass(frozen=True)
class Contact:
    """Two parts that touch; `index_a` is always below `index_b`."""

    part_a: str
    part_b: str
    index_a: int
    """the place of part_a in the list of parts"""
    index_b: int
    triangle_pairs: int
    """how many pairs of triangles, one of each part, share at least a point; never zero; 1 with `first`"""
    contacts: PairContacts | None = None
    """where the triangles meet; None unless asked for"""


def touching_parts(
    parts: Iterable[Part],
    progress: Progress | None = None,
    *,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
) -> list[Contact]:
    """Return every two parts that touch, in the order of the parts.

    Parts are `Part(name, mesh)`, each mesh already in its place; a `trimesh.Trimesh` or a
    `(vertices, faces)` pair will do as the mesh. Only surfaces count: a part that floats inside a hollow one does not
    touch it. `progress(done, total)` is called at the start and now and then; `total` is the number of pairs of parts
    whose boxes overlap.

    The options are those of `collide`; `stats` is refused, as a list has no counters.
    """
    from tumble.broad.choice import overlapping_pairs

    options = Options(method, tree, device, threads, first, contacts, stats, settings).checked()
    if options.stats:
        raise OptionError("stats=True cannot be used for touching_parts, which has no counters; collide_all has them")
    parts = _listed(parts)
    meshes = [_mesh_of(part, index) for index, part in enumerate(parts)]
    bodies = standing(meshes)
    pairs = overlapping_pairs(meshes, bodies.poses)
    found: list[Contact] = []
    report = progress or (lambda done, total: None)
    report(0, len(pairs))
    for start in range(0, len(pairs), AT_A_TIME):
        some = pairs[start : start + AT_A_TIME]
        table = ask(TOUCHING, bodies, bodies, some, options)
        for k, ((i, j), count) in enumerate(zip(some.tolist(), table.counts.tolist(), strict=True)):
            if count:
                found.append(Contact(parts[i][0], parts[j][0], i, j, count, table.contacts_of(k)))
        report(start + len(some), len(pairs))
    return found


def _listed(parts: Iterable[Part]) -> list[Part]:
    if isinstance(parts, Mapping):
        raise InputError("expected a list of tumble.Part; make one with [tumble.Part(*item) for item in parts.items()]")
    try:
        return list(parts)
    except TypeError:
        raise InputError(f"expected a list of tumble.Part, not {parts!r}") from None


def _mesh_of(part: tuple[str, MeshLike], index: int) -> Mesh:
    try:
        name, mesh = part
    except (TypeError, ValueError):
        raise InputError(f"part {index} is {part!r}; expected a tumble.Part: its name and its mesh") from None
    with said_of(f"part {index}, {name!r}"):
        return as_mesh(mesh)
