"""A prepared query: trees, poses and a method, ready to answer questions in kernels as often as wanted.

Memory never limits an answer. A method that runs out of its own notes that and stops; its record then has a larger one
to offer (`grown`), with which the query starts again from the beginning. The larger record is kept for the next
question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.core.options import checked_name
from tumble.errors import OptionError
from tumble.hierarchy import Tree
from tumble.mesh import Mesh
from tumble.narrow.touch import ExactTest
from tumble.narrow.triangles.unit_touch import Verdicts, unit_triangle_test
from tumble.query.answer import Stats
from tumble.query.bodies import mesh_of
from tumble.query.question import is_nearest_first
from tumble.query.questions import touching
from tumble.query.settings import WalkSettings
from tumble.traversal.brute import Soup
from tumble.traversal.protocol import COLUMNS, METHODS, Counters, Method, Poses, Sizes, run, run_repeatedly
from tumble.traversal.rules import DEFAULT_RULE, RULES
from tumble.volume.relative import relative_pose

if TYPE_CHECKING:
    from tumble.query.nearest import Nearest

IDENTITY = np.eye(4)[:3].copy()
TESTS: dict[str, Callable[..., Any]] = {
    "exact": lambda a, b, pose_a, pose_b: ExactTest(),
    "unit-triangle": unit_triangle_test,
}
"""make the record of a triangle test, by its name, from two meshes and their checked poses"""


class Query:
    """Two meshes, prepared: made by `query_of`, asked by its methods. Not to be shared between threads."""

    def __init__(self, method: Any, a: Any, b: Any, poses: Poses, narrow: Any = None, extent: float = np.inf) -> None:
        self._arguments = (method, a, b, poses)
        self.narrow = ExactTest() if narrow is None else narrow
        self.extent = extent

    @property
    def nbytes(self) -> int:
        """Bytes of the memory that the method walks with, without trees and results."""
        fields = [part if isinstance(part, tuple) else (part,) for part in self._arguments[0]]
        return sum(part.nbytes for field in fields for part in field if isinstance(part, np.ndarray))

    # the questions that need nothing but what a query has
    count, first, collect = touching.count, touching.first, touching.collect

    def distance(self, counters: Counters | None = None, upper_bound: float = np.inf) -> Nearest:
        """Return how far the meshes are apart, the nearest triangles and their nearest points."""
        from tumble.query.questions.distance import nearest  # its kernels take a while to load

        return nearest(self, counters, upper_bound)

    def within(self, clearance: float, only_one: bool, counters: Counters | None = None) -> NDArray[np.int64]:
        """Return the pairs of triangles that are nearer than a clearance, or touch; or the first such pair."""
        from tumble.query.questions.clearance import near_pairs  # its kernels take a while to load

        return near_pairs(self, clearance, only_one, counters)

    def repeat(self, times: int) -> int:
        """Count the touching pairs many times inside one kernel call; return the number of one time."""
        question = touching.counting(self.narrow)
        while True:
            run_repeatedly(times, *self._arguments, question)
            if not self._grow():
                return int(question.found[0])

    def stats(self) -> Stats:
        """Run once with counters and return what they say."""
        counters = new_counters()
        return stats_of(counters, self.count(counters))

    def ask(self, question: Any, counters: Counters | None = None) -> None:
        """Put a question, again whenever memory grew; the answer is in its arrays then."""
        while True:
            if counters is not None:
                counters.values[:] = 0
            run(*self._arguments_for(question), question, counters)
            if not self._grow():
                return

    def _arguments_for(self, question: Any) -> tuple[Any, ...]:
        """Return the arguments of a run, with the order that the question wants if the method can have it."""
        memory, *others = self._arguments
        if is_nearest_first(question) and hasattr(memory, "nearest_first"):
            memory = memory.nearest_first()
        return memory, *others

    def _grow(self) -> bool:
        """Tell whether the method ran out of memory; if so, it has more now."""
        memory, *others = self._arguments
        larger = memory.grown() if hasattr(memory, "grown") else None
        if larger is None:
            return False
        self._arguments = (larger, *others)
        return True

    @property
    def verdicts(self) -> Verdicts | None:
        """How often the triangle test was certain, in all runs so far; None when it always is."""
        counts = getattr(self.narrow, "verdicts", None)
        return None if counts is None else Verdicts(*counts.tolist())


def new_counters() -> Counters:
    """Return counters at zero."""
    return Counters(np.zeros(COLUMNS, np.int64))


def stats_of(counters: Counters, hits: int) -> Stats:
    """Return the counters' values and the number of touching pairs as a record."""
    iterations, tests, overlaps, leaf_overlaps, moves, triangle_tests = counters.values.tolist()
    return Stats(iterations, tests, overlaps, leaf_overlaps, hits, moves, triangle_tests)


def query_of(
    method: Method,
    sides: tuple[Mesh | Tree, Mesh | Tree],
    poses: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None],
    settings: WalkSettings,
) -> Query | None:
    """Return the query about trees of one volume, or meshes if the method walks none, under checked (3, 4) poses."""
    # looked at before emptiness, so that wrong settings are refused in any case
    way_down, narrow = _chosen_rule(method, settings.rule), checked_name("narrow", settings.narrow, tuple(TESTS))
    mesh_a, mesh_b = mesh_of(sides[0]), mesh_of(sides[1])
    if len(mesh_a) == 0 or len(mesh_b) == 0:
        return None
    relative = relative_pose(*poses, mesh_a.extent, mesh_b.extent)
    if isinstance(sides[0], Tree) and isinstance(sides[1], Tree) and method.layout is not None:
        record_a, record_b = (getattr(each, method.layout) for each in sides)
        if method.rule_for is not None:
            way_down = method.rule_for(*sides, way_down, settings.rule is not None)
        memory = method.make(_sizes(sides[0], sides[1]), way_down)
        prepare_pose = sides[0].kind.prepare_pose
        relative = relative if prepare_pose is None else prepare_pose(relative)
    else:
        record_a, record_b = (Soup(mesh.vertices, mesh.faces) for mesh in (mesh_a, mesh_b))
        memory = method.make(Sizes(0, 0, 0, 0, 0), way_down)
    extent = max(_posed_extent(mesh, pose) for mesh, pose in zip((mesh_a, mesh_b), poses, strict=True))
    given_a, given_b = (IDENTITY if pose is None else pose for pose in poses)
    test = TESTS[narrow](mesh_a, mesh_b, *poses)
    return Query(memory, record_a, record_b, Poses(relative, given_a, given_b), test, extent)


def _chosen_rule(method: Method, rule: str | None) -> int:
    if rule is None:
        return RULES[DEFAULT_RULE]
    if not method.takes_rule:
        able = ", ".join(each.name for each in METHODS.values() if each.takes_rule)
        raise OptionError(f"method {method.name!r} has its own way down: rule={rule!r} is for one of: {able}")
    return RULES[checked_name("descent rule", rule, tuple(RULES))]


def _posed_extent(mesh: Mesh, pose: NDArray[np.float64] | None) -> float:
    """Return no less than the largest coordinate of the posed mesh: rotated, at most sqrt(3) times as large."""
    return mesh.extent if pose is None else 2.0 * mesh.extent + float(np.abs(pose[:, 3]).max())


def _sizes(a: Tree, b: Tree) -> Sizes:
    # each step down replaces one pair by at most as many as there are children
    waiting = 1 + a.depth * max(a.arity - 1, 0) + b.depth * max(b.arity - 1, 0)
    # no leaf is empty, so there are no more of them than triangles
    return Sizes(waiting, min(len(a), len(a.mesh)), b.depth, a.kind.in_frame_of_a.width, a.depth + b.depth)
