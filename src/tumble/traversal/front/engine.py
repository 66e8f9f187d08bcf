"""Front tracking as an engine: a first frame, which starts at the roots; `tumble.Tracker` keeps the front."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.mesh import Mesh
from tumble.query.engine import TOUCHING, Engine, Request, register
from tumble.query.settings import FrontSettings
from tumble.traversal.bulk.engine import Found, ask_by


def _search(meshes: list[Mesh], poses: list[Any], pairs: NDArray[np.int64], request: Request) -> Found:
    from tumble.hierarchy.implicit import implicit_trees
    from tumble.traversal.front.follow import front_pairs

    settings: FrontSettings = request.settings
    trees = implicit_trees(meshes, poses, padded=settings.padded, threads=request.threads)
    keys, _, work = front_pairs(trees, None, pairs, settings, adjacent=True, threads=request.threads)
    return Found(trees.posed, keys, work)


register(Engine("front", "cpu", ("implicit",), (TOUCHING,), FrontSettings(), ask_by(_search), rank=6))
