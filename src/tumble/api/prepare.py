"""`prepare`: make now what queries would make on first use."""

from tumble.core.options import checked_name
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh, MeshLike, as_mesh

QUESTIONS = "collide", "distance"


def prepare(mesh: MeshLike, *questions: str) -> Mesh:
    """Make now what queries of a mesh need, so that no later one waits for it, and return the mesh to ask about.

    questions   "collide": the tree of the fast path. "distance": also the slabs and hulls that distances use; hulls are
                otherwise made when as many distances were asked for as the mesh has triangles, since they take about as
                long as the tree. None given: both

    Answers do not depend on it. Kernels are compiled by the first query, as ever.
    """
    asked = [checked_name("question", question, QUESTIONS) for question in questions or QUESTIONS]
    checked = as_mesh(mesh)
    tree = packed(checked)
    if "distance" in asked:
        _ = tree.slabs, tree.hulls
    return checked
