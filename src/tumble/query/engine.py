"""The table of engines: one row for each algorithm on each kind of device.

An algorithm registers itself at the end of its file. What `auto` chooses and every refusal are read from this table by
`tumble.query.plan`, so that no message can go stale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tumble.mesh.motions import Motions
    from tumble.query.answer import PairTable
    from tumble.query.bodies import Bodies

TOUCHING = "touching"
"""which triangles of two bodies touch"""
SELF_TOUCHING = "self-touching"
"""which triangles of one body meet each other"""
CANDIDATES = "candidates"
"""which triangles of two bodies have boxes that overlap"""
SELF_CANDIDATES = "self-candidates"
"""which triangles of one body have boxes that overlap"""
ELEMENTS = "elements"
"""which vertices, edges and faces of one body have boxes that overlap"""
DISTANCE = "distance"
"""how far two bodies are apart"""
CLEARANCE = "clearance"
"""which triangles of two bodies are nearer to each other than a given distance, or touch"""
IMPACT = "impact"
"""when two bodies that move touch first"""

CALLS = {
    TOUCHING: "the touching triangles of two meshes",
    SELF_TOUCHING: "self-collisions",
    CANDIDATES: "candidate pairs of two meshes",
    SELF_CANDIDATES: "candidate pairs of one mesh",
    ELEMENTS: "candidate pairs of vertices, edges and faces",
    DISTANCE: "distances",
    CLEARANCE: "clearances",
    IMPACT: "times of impact",
}
"""each question as an error names it"""


class Request(NamedTuple):
    """One question about many pairs of bodies, as engines take it."""

    question: str
    a: Bodies
    b: Bodies
    pairs: NDArray[np.int64]
    """(n, 2) numbers of bodies of a and of b; where a and b are the same record, a body may be paired with itself"""
    tree: str
    """the kind of tree, or "auto" """
    device: str
    settings: Any
    """a record of the engine's class"""
    first: bool = False
    contacts: bool = False
    """an engine may leave the column out: then the host adds it"""
    stats: bool = False
    threads: int = 1
    neighbours: bool = False
    """for candidates: also pairs of triangles that share a vertex of their mesh"""
    tuned: bool = False
    """whether the engine was chosen by `auto`, and may therefore build the trees that suit it best"""
    curves: bool = False
    """for simulations: what of `contacts` a step needs; an engine may leave the column out"""
    upper_bound: float = math.inf
    """for distances: pairs of bodies that are farther apart get no row"""
    clearances: NDArray[np.float64] | None = None
    """for clearances: (n,) what each of the pairs has to keep"""
    motions: tuple[Motions, Motions] | None = None
    """for times of impact: how the bodies of a and those of b move, in their order"""
    tolerances: NDArray[np.float64] | None = None
    """for times of impact: (n,) how near counts as touching, for each of the pairs"""
    until: float = 1.0
    """for times of impact: contacts from this time on get no row"""
    piece: int | None = None
    """rows that are asked one after the other, None: by their number; which pair is named may depend on those before"""

    def part(self, start: int, stop: int) -> Request:
        """Return the request for some of the pairs."""
        clearances = None if self.clearances is None else self.clearances[start:stop]
        tolerances = None if self.tolerances is None else self.tolerances[start:stop]
        return self._replace(pairs=self.pairs[start:stop], clearances=clearances, tolerances=tolerances)


class Engine(NamedTuple):
    """An algorithm: the questions that it answers, on which trees and device, and the function that answers."""

    method: str
    device: str
    """cpu or opencl"""
    trees: tuple[str, ...]
    """the kinds of trees that it walks, the one that `auto` takes first"""
    questions: tuple[str, ...]
    settings: Any
    """its parameters, a record with the defaults; None: it has none"""
    ask: Callable[[Request], PairTable]
    rank: int = 10
    """`auto` takes the engine with the lowest rank that fits"""
    counts: tuple[str, ...] = (TOUCHING,)
    """the questions for which it fills stats"""
    prepared: bool = False
    """whether it takes trees that the user built; one without trees takes their meshes"""
    mixes: bool = False
    """whether it answers for pairs of bodies and for bodies with themselves in one request"""


_engines: list[Engine] = []
_changed = [0]
"""how often the table has changed"""


def register(engine: Engine) -> Engine:
    """Add a row to the table."""
    _engines.append(engine)
    _engines.sort(key=lambda each: each.rank)  # stable: within a rank, in the order of registration
    _changed[0] += 1
    return engine


def unregister(engine: Engine) -> None:
    """Take a row out again."""
    _engines.remove(engine)
    _changed[0] += 1


def engines() -> Sequence[Engine]:
    """Return the table, the engines that `auto` prefers first."""
    return tuple(_engines)


def table_version() -> int:
    """Return a number that changes with the table."""
    return _changed[0]
