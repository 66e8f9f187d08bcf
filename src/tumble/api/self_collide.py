"""`self_collide`: the triangles of one mesh that meet each other."""

from tumble.api.ask import ask
from tumble.api.collide import ONE_PAIR
from tumble.mesh import MeshLike
from tumble.query.answer import Collision
from tumble.query.bodies import one_body
from tumble.query.engine import CANDIDATES, TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import AnySettings


def self_collide(
    mesh: MeshLike,
    *,
    candidates: bool = False,
    method: str = "auto",
    tree: str = "auto",
    device: str = "cpu",
    threads: int | None = None,
    first: bool = False,
    contacts: bool = False,
    stats: bool = False,
    settings: AnySettings | None = None,
) -> Collision:
    """Return the pairs i < j of triangles of a mesh that meet each other, exactly.

    Triangles that share vertices, by index, always touch there, and that is not a hit. They are one when they share a
    point beyond: more than the one vertex, or more than the edge (then they are folded onto each other). Two triangles
    with the same three vertices are a hit. Vertices with equal coordinates and different numbers are not shared: merge
    them first if they should be. docs/self-collision.md says more.

    mesh        a `tumble.Mesh`, a `trimesh.Trimesh` or `(vertices, faces)`
    candidates  all pairs whose axis-aligned boxes share a point instead, neighbours included; `tumble.candidates` has
                more of them
    method      auto (which is packed), packed or bulk

    The other options are those of `collide`.
    """
    options = Options(method, tree, device, threads, first, contacts, stats, settings)
    body = one_body(mesh)
    table = ask(CANDIDATES if candidates else TOUCHING, body, body, ONE_PAIR, options, neighbours=True)
    return Collision(table.triangles, table.stats, table.contacts)
