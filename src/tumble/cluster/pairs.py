"""Pairs of bodies as a job: each chunk is a question of its own, about the bodies that its pairs name.

Shapes travel once, with the packed trees that they have; poses travel with the pairs that need them. What a worker gets
is asked by the same function as here, so the rows of a chunk are those that one machine finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.checkpoint import digest_of
from tumble.cluster.cluster import cluster_of
from tumble.cluster.job import PAIRS, Items, Job, Part, Stored
from tumble.cluster.run import parts_of
from tumble.cluster.tables import table_of_arrays, table_to_arrays
from tumble.core.limits import PairCount
from tumble.errors import OptionError
from tumble.hierarchy import BoxTree, Tree
from tumble.hierarchy.packed import packed
from tumble.mesh import Mesh
from tumble.mesh.arrays import plain_copy
from tumble.query.answer import PairTable, joined
from tumble.query.bodies import Bodies
from tumble.query.engine import Engine, Request
from tumble.query.plan import Options
from tumble.query.run import piece_size

Numbers = NDArray[np.int64]
Ask = Callable[..., PairTable]
"""`tumble.api.ask.ask`"""
POSE_BYTES = 128
TOGETHER = ("implicit",)
"""the trees of engines that go through all bodies at once, so that their counters depend on which bodies those are"""


class Side(NamedTuple):
    """The bodies of one side that some pairs name."""

    shapes: Numbers
    """the numbers of the items that are their shapes, each once"""
    which: Numbers
    """which of these each body has"""
    poses: NDArray[np.float64]


class Rows(NamedTuple):
    """Some pairs of bodies on their way to a worker."""

    a: Side
    b: Side | None
    """None: the same bodies as a"""
    pairs: Numbers
    clearances: NDArray[np.float64] | None


class Wanted(NamedTuple):
    """What is asked about all pairs."""

    question: str
    options: Options
    more: Mapping[str, Any]


def table_of(ask: Ask, request: Request, options: Options, engine: Engine) -> PairTable:
    """Return the table of all pairs of a request."""
    count, tables = PairCount(), []
    for part in tables_of(ask, request, options, engine):
        if not request.first:
            count.add(len(part.result.triangles))
        tables.append(part.result)
    return joined(tables)


def tables_of(ask: Ask, request: Request, options: Options, engine: Engine) -> Iterator[Part]:
    """Yield the tables of all pairs of a request, one part after the other."""
    if options.device != "cpu":
        raise OptionError(f"device={options.device!r} cannot be used with client=; workers ask the CPU")
    if options.stats and engine.trees == TOGETHER:
        raise OptionError(f"stats=True cannot be used with client=: {engine.method!r} counts all pairs together")
    if request.motions is not None:
        raise OptionError("client= cannot be used for times of impact")
    request.a.check_poses()
    if request.b is not request.a:
        request.b.check_poses()
    return parts_of(_job(ask, request, options, engine), cluster_of(options.client))


def _job(ask: Ask, request: Request, options: Options, engine: Engine) -> Job:
    sides = _Sides(request)
    if engine.trees == ("packed",):
        for mesh in sides.items:
            if isinstance(mesh, Mesh):
                packed(mesh, None)  # once here, on all cores, instead of once on each worker
    threads = 1 if options.threads is None else options.threads
    # which pair is named of those that touch may depend on the rows before, as far as the beginning of their piece
    piece = piece_size(len(request.pairs)) if request.first else None
    wanted = Wanted(
        request.question,
        options._replace(client=None, threads=threads),
        {
            "neighbours": request.neighbours,
            "curves": request.curves,
            "upper_bound": request.upper_bound,
            "until": request.until,
            "piece": piece,
        },
    )
    return Job(
        PAIRS,
        partial(answer_rows, ask, wanted),
        len(request.pairs),
        sides.rows,
        sides.items,
        lasting=True,
        needs=sides.needs,
        row_bytes=2 * POSE_BYTES,
        result_bytes=_bytes_of,
        step=piece or 1,
        kind=f"{wanted.question} {wanted.options}",
        stored=Stored(table_to_arrays, table_of_arrays, partial(_digests, request, wanted)),
    )


class _Sides:
    """The bodies of a request, by the numbers of items."""

    def __init__(self, request: Request) -> None:
        self.request, self.same = request, request.a is request.b
        numbers: dict[int, int] = {}
        self.items: list[Any] = []
        self._numbers = []
        for bodies in (request.a,) if self.same else (request.a, request.b):
            for shape in bodies.shapes:
                if shape is not None and id(shape) not in numbers:
                    numbers[id(shape)] = len(self.items)
                    self.items.append(shape)
            self._numbers.append(np.array([numbers.get(id(shape), -1) for shape in bodies.shapes], np.int64))

    def rows(self, start: int, stop: int) -> Rows:
        """Return some pairs, with bodies numbered anew."""
        some, request = self.request.pairs[start:stop], self.request
        clearances = None if request.clearances is None else request.clearances[start:stop]
        if self.same:
            used, within = np.unique(some, return_inverse=True)
            return Rows(self._side(request.a, 0, used), None, within.reshape(some.shape), clearances)
        (used_a, a), (used_b, b) = _each_once(some[:, 0]), _each_once(some[:, 1])
        sides = self._side(request.a, 0, used_a), self._side(request.b, 1, used_b)
        return Rows(*sides, np.stack([a, b], axis=1), clearances)

    def needs(self, start: int, stop: int) -> Numbers:
        """Return the numbers of the items that some pairs need."""
        some = self.request.pairs[start:stop]
        if len(self.items) == 1:
            return np.zeros(1, np.int64)
        sides = [(self.request.a, self._numbers[0], some[:, 0]), (self.request.b, self._numbers[-1], some[:, 1])]
        named = [_each_once(numbers[bodies.which[named]])[0] for bodies, numbers, named in sides]
        return np.unique(np.concatenate(named))

    def _side(self, bodies: Bodies, side: int, used: Numbers) -> Side:
        shapes, which = _each_once(self._numbers[side][bodies.which[used]])
        return Side(shapes, which, np.ascontiguousarray(bodies.poses[used]))


def _each_once(numbers: Numbers) -> tuple[Numbers, Numbers]:
    """Return the different ones of some numbers, in order, and which of these each is; quick if they are sorted."""
    steps = np.diff(numbers)
    if (steps > 0).all():
        return numbers, np.arange(len(numbers))
    if not steps.any():
        return numbers[:1], np.zeros(len(numbers), np.int64)
    used, which = np.unique(numbers, return_inverse=True)
    return used, which.reshape(-1)


def answer_rows(ask: Ask, wanted: Wanted, items: Items, rows: Rows) -> PairTable:
    """Answer for some pairs, on a worker."""
    a = _bodies(rows.a, items)
    b = a if rows.b is None else _bodies(rows.b, items)
    return ask(wanted.question, a, b, rows.pairs, wanted.options, clearances=rows.clearances, **wanted.more)


def _bodies(side: Side, items: Items) -> Bodies:
    shapes = [items[number] for number in side.shapes.tolist()]
    prepared = tuple(shape for shape in shapes if isinstance(shape, Tree | BoxTree))
    poses = plain_copy(side.poses)  # kernels refuse arrays out of pickles, whose type is another object
    return Bodies(shapes, side.which, poses, checked=True, prepared=prepared)


def _bytes_of(table: PairTable) -> int:
    return sum(array.nbytes for array in table_to_arrays(table).values())


def _digests(request: Request, wanted: Wanted) -> dict[str, str]:
    """Return what the answer depends on."""
    sides = (request.a,) if request.a is request.b else (request.a, request.b)
    arrays = [array for bodies in sides for shape in bodies.shapes for array in _arrays_of(shape)]
    options = wanted.options._replace(threads=None)
    return {
        "the options": f"{wanted.question} {options} {dict(wanted.more)}",
        "the meshes": digest_of([*arrays, *(bodies.which for bodies in sides)]),
        "the poses": digest_of([bodies.poses for bodies in sides]),
        "the pairs": digest_of([request.pairs, request.clearances]),
    }


def _arrays_of(shape: Mesh | Tree | BoxTree | None) -> list[NDArray[Any] | None]:
    if shape is None or isinstance(shape, Mesh):
        return [None] if shape is None else [shape.vertices, shape.faces]
    parts: list[NDArray[Any] | None] = [getattr(shape, name) for name in shape.PARTS]
    return [shape.mesh.vertices, shape.mesh.faces, *parts]
