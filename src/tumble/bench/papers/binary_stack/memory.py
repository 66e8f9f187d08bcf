"""Section 2: the bytes that a query walks with, by the paper's bounds (1) and (2), and here.

With k bytes for a pair of nodes, c children at most and heights h of the two trees:

    (1)  k (c - 1) max(h_a, h_b)          an ordinary stack
    (2)  k + (h_a + h_b) / 8              a bit for each step down, and the current pair
"""

from collections.abc import Callable
from typing import Any

import tumble
from tumble.bench.framework.benchmark import Say
from tumble.bench.framework.table import Study
from tumble.bench.papers.binary_stack.races import BINARY, STACK
from tumble.mesh import Mesh
from tumble.scenario.objects import in_unit_cube
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal import prepare

MEMORY = "memory"
BOUND, GIVEN = "bound", "given"
PAIR_BYTES = 8
# Where the two stand: they touch, so that walks go down to leaves.
DISTANCE, STEPS, STEP = 0.6, 7, 2
UNUSED = -1


def bound_1(children: int, height_a: int, height_b: int) -> float:
    """Bytes of an ordinary stack, as the paper has it."""
    return PAIR_BYTES * (children - 1) * max(height_a, height_b)


def bound_2(height_a: int, height_b: int) -> float:
    """Bytes of a binary stack, as the paper has it."""
    return PAIR_BYTES + (height_a + height_b) / 8


def measure_memory(study: Study, name: str, make: Callable[[], Mesh], children: int, split: str, say: Say) -> None:
    """Write the bytes of a query of two equal trees that touch; the mesh is made here."""
    mesh = make()
    tree = tumble.build(in_unit_cube(mesh), "aabb", split=split, leaf_size=1, arity=children)
    pose = tumbling_poses(DISTANCE, STEPS)[STEP]
    stack, binary = (prepare(tree, tree, None, pose, method=method) for method in ("stack", "binary-stack"))
    assert stack is not None
    assert binary is not None
    depth, case = tree.depth, f"{name}, {children} children"
    study.add_values(case, "", {"trees": name, "triangles": len(mesh), "children": children, "height": depth})
    ordinary = {BOUND: bound_1(children, depth, depth), "in use": _seen(stack), GIVEN: stack.nbytes}
    study.add_values(case, STACK, ordinary, "bytes")
    study.add_values(case, BINARY, {BOUND: bound_2(depth, depth), GIVEN: binary.nbytes}, "bytes")


def _seen(query: Any) -> int:
    """The bytes of the stack that a run writes to."""
    pairs = query._arguments[0].stack
    pairs[:] = UNUSED
    query.collect()
    return int(pairs[(pairs != UNUSED).any(axis=1)].nbytes)
