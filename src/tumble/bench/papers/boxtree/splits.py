"""Section 4.2: the criterion in the paper's own words and orders, on other trees, with look-ahead, with more children.

All is counted: node pairs of a query, summed over the poses of a turn, and how deep the trees are. The same walk and
the same leaves for all trees of one kind; one triangle per leaf, as in the paper.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.papers.boxtree.arity import LEVELS, node_pairs, widened
from tumble.bench.papers.boxtree.contestants import AABB, ARITIES, DOP, OBB, STORED, boxtree_collide, by_arity
from tumble.hierarchy.boxtree import BoxTree
from tumble.hierarchy.boxtree.nodes import deepest_level
from tumble.hierarchy.layout import COUNT, FIRST, LEVEL
from tumble.mesh import Mesh
from tumble.query.answer import Stats
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.every import prepare as prepare_query

SPLITS = "splits"
DISTANCE, STEPS = 0.8, 8
GUARDED, SHUFFLED = "boxtree, least-volume", "boxtree, shuffled"
LITERAL, LITERAL_SHUFFLED, LITERAL_AS_THEY_LIE = (
    f"boxtree, literal{order}" for order in ("", ", shuffled", ", as they lie")
)
LONGEST, BY_SURFACE = "boxtree, longest-axis", "boxtree, sah"
# The planes of two children need not be parallel: by the rule of the same name with planes that are.
FREE_PLANES = {f"{name}, free planes": name for name in (GUARDED, BY_SURFACE)}
BOXTREES = (GUARDED, SHUFFLED, LITERAL, LITERAL_SHUFFLED, LITERAL_AS_THEY_LIE, LONGEST, BY_SURFACE)
OTHER_TREES = (AABB, OBB, DOP)
OTHER_SPLITS = ("median", "least-volume", "sah", "look-ahead")
BOXTREE = "boxtree"


def by_split(tree: str, split: str) -> str:
    """How a tree by a split rule is called."""
    return f"{tree}, {split}"


def trees_to_split(mesh: Mesh) -> dict[str, Callable[[], Any]]:
    """What makes each tree, by name."""
    from tumble.hierarchy.boxtree.build import build_boxtree

    def boxtree(name: str, planes: str = "coplanar") -> Callable[[], Any]:
        return lambda: build_boxtree(mesh, name.removeprefix("boxtree, "), 1, planes)

    def stored(tree: str, split: str, arity: int = 2) -> Callable[[], Any]:
        return lambda: tumble.build(mesh, STORED[tree], split=split, leaf_size=1, arity=arity)

    found = {name: boxtree(name) for name in BOXTREES}
    found |= {name: boxtree(rule, "free") for name, rule in FREE_PLANES.items()}
    found |= {by_split(tree, split): stored(tree, split) for tree in OTHER_TREES for split in OTHER_SPLITS}
    return found | {by_arity(AABB, arity): stored(AABB, "sah", arity) for arity in ARITIES}


def add_splits(name: str, mesh: Mesh, study: Study) -> None:
    """Write what queries cost with each tree, and how deep it is."""
    poses = tumbling_poses(DISTANCE, STEPS)
    study.add(name, "", "triangles", len(mesh))
    for contestant, make in trees_to_split(mesh).items():
        tree = make()
        stats = [_asked(tree, pose) for pose in poses]
        levels = triangle_levels(tree)
        pairs, hits = sum(each.tests for each in stats), sum(each.hits for each in stats)
        study.add_values(name, contestant, {"node pairs": pairs, "hits": hits})
        study.add_values(name, contestant, {"depth": int(levels.max()), "mean depth": float(levels.mean())})
    _add_wide_boxtrees(name, mesh, study)


def _add_wide_boxtrees(name: str, mesh: Mesh, study: Study) -> None:
    """Write the node pairs of boxtrees with more children; they find what their tree finds."""
    tree = tumble.build(mesh, "boxtree", split="sah", leaf_size=1, planes="free")
    for arity, levels in LEVELS.items():
        pairs = sum(node_pairs(widened(tree, arity), pose) for pose in tumbling_poses(DISTANCE, STEPS))
        depth = triangle_levels(tree) / levels
        study.add(name, by_arity(BOXTREE, arity), "node pairs", pairs)
        study.add(name, by_arity(BOXTREE, arity), "mean depth", float(np.ceil(depth).mean()))


def _asked(tree: Any, pose: NDArray[np.float64]) -> Stats:
    query: Any = None if isinstance(tree, BoxTree) else prepare_query(tree, tree, None, pose, method="stack")
    found: Stats = query.stats() if query else boxtree_collide()(tree, tree, None, pose, stats=True).stats
    return found


def triangle_levels(tree: Any) -> NDArray[np.int64]:
    """The level of the leaf of each triangle."""
    if isinstance(tree, BoxTree):
        levels = np.zeros(len(tree), np.uint8)
        deepest_level(tree.nodes.ctypes.data, len(tree), levels.ctypes.data)
        return np.repeat(levels.astype(np.int64), tree.leaf_counts)
    leaf = tree.nodes[:, FIRST] < 0
    return np.repeat(tree.nodes[leaf, LEVEL].astype(np.int64), tree.nodes[leaf, COUNT])
