"""The walk of boxtrees as an engine; boxes that are not stored can only be walked from the top, with a stack."""

from functools import partial

import numpy as np

from tumble.hierarchy import BoxTree, build
from tumble.query.answer import PairTable, joined
from tumble.query.bodies import Shape, mesh_of
from tumble.query.engine import TOUCHING, Engine, Request, register
from tumble.query.run import in_pieces, run_compiled
from tumble.query.settings import BoxtreeSettings
from tumble.traversal.boxtree.overlaps import overlap_number


def ask(request: Request) -> PairTable:
    """Answer by the walk of boxtrees; with counters one pair of bodies at a time, as kernels for many do not count."""
    from tumble.traversal.boxtree.query import query_boxtrees

    settings: BoxtreeSettings = request.settings
    query = partial(query_boxtrees, overlap_number(settings.overlap), int(settings.pre_transformed))
    prepared = any(isinstance(shape, BoxTree) for side in (request.a, request.b) for shape in side.shapes)
    if request.stats or prepared or len(request.pairs) == 1:
        return in_pieces(request, lambda piece: joined([_one(piece, *pair) for pair in piece.pairs.tolist()]))
    trees_a = request.a.addresses_of("boxtree", request.pairs[:, 0], _tree_of)
    trees_b = request.b.addresses_of("boxtree", request.pairs[:, 1], _tree_of)
    return run_compiled(request, (trees_a, trees_b), query)


def _one(request: Request, i: int, j: int) -> PairTable:
    from tumble.traversal.boxtree.query import boxtree_collide

    settings: BoxtreeSettings = request.settings
    found = boxtree_collide(
        _tree_of(request.a.shape(i)), _tree_of(request.b.shape(j)), request.a.poses[i], request.b.poses[j],
        request.first, settings.overlap, bool(settings.pre_transformed), request.stats,
    )  # fmt: skip
    return PairTable(np.array([len(found)]), found.pairs, found.stats)


def _tree_of(shape: Shape) -> BoxTree:
    return shape if isinstance(shape, BoxTree) else build(mesh_of(shape), "boxtree")


register(Engine("stack", "cpu", ("boxtree",), (TOUCHING,), BoxtreeSettings(), ask, rank=2, prepared=True))
