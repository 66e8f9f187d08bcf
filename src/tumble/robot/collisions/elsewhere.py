"""`client=` of a robot's questions: rows in chunks, each answered by a worker of a cluster as on one machine.

Answers are records of arrays with a row for each configuration or edge; chunks are joined column by column. All that
bits depend on travels: the robot, the obstacles, the options, and the tables of gaps, by which searches go other ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.checkpoint import digest_of
from tumble.cluster.job import Arrays
from tumble.cluster.rows import ask_rows
from tumble.core.locks import new_lock
from tumble.core.records import frozen
from tumble.mesh import Mesh
from tumble.mesh.arrays import plain_copy
from tumble.robot.collisions.answer import RobotCollisions
from tumble.robot.collisions.asked import Check
from tumble.robot.collisions.check import collisions
from tumble.robot.collisions.distances import RobotDistances, distances
from tumble.robot.collisions.gap_record import GapTables, frozen_tables
from tumble.robot.collisions.gap_tables import expect
from tumble.robot.collisions.prepared import Prepared
from tumble.robot.collisions.world import Bodies
from tumble.robot.motion import LOOKS, Edges, RobotMotions, check_edges

if TYPE_CHECKING:
    from tumble.robot.robot import Robot

Answer = TypeVar("Answer")
ROWS = "Q", "Q0", "Q1"
"""the fields of a question that have a row for each configuration or edge"""
HERE = "prepared", "world", "threads"
"""those that do not travel: workers make their own"""
PIECE_OF_EDGES = 64
"""the links that an edge is said to hit depend on what hit before in its piece, which one machine cuts here"""
_lock = new_lock()


class Kind(NamedTuple):
    """What a function asks."""

    answer: Any
    rows: str
    worth: int
    """configurations that a row counts for until tables of gaps are made, as on one machine"""
    step: int


KINDS: Mapping[Callable[..., Any], Kind] = {
    collisions: Kind(RobotCollisions, "configurations", 1, 1),
    distances: Kind(RobotDistances, "configurations", 0, 1),
    check_edges: Kind(RobotMotions, "edges", LOOKS, PIECE_OF_EDGES),
}


class Shared(NamedTuple):
    """What travels to each worker once."""

    robot: Robot
    obstacles: Bodies
    tables: GapTables


def answer_elsewhere(ask: Callable[..., Answer], asked: Check | Edges, client: Any, *more: Any) -> Answer:
    """Return what `ask(asked, *more)` returns, computed by the workers of a cluster."""
    kind, prepared = KINDS[ask], asked.prepared
    rows = [getattr(asked, name) for name in ROWS if name in asked._fields]
    if len(rows[0]) == 0:
        return ask(asked, *more)
    expect(prepared, kind.worth * len(rows[0]), asked.threads)
    shared, options = _shared(asked), _options(asked)
    parts = ask_rows(
        partial(_on_worker, ask, type(asked), options, more),
        rows,
        shared,
        client,
        what=kind.rows,
        kind=f"{ask.__name__} {options} {more}",
        digests=lambda: _digests(shared, (ask.__name__, options, more)),
        lasting=True,
        step=kind.step,
    )
    found: dict[str, list[NDArray[Any]]] = {}
    for part in parts:
        for name, column in part.result.items():
            if name == "rows":  # the first number of each is that of its configuration
                column[:, 0] += part.start
            found.setdefault(name, []).append(column)
    columns: dict[str, Any] = {each.name: None for each in fields(kind.answer)}
    columns |= {name: frozen(np.concatenate(some)) for name, some in found.items()}
    names = {"links": tuple(prepared.robot.links), "obstacles": asked.world.names}
    answer: Answer = kind.answer(**{**columns, **names})
    return answer


def _on_worker(
    ask: Callable[..., Answer],
    kind: type[Any],
    options: Mapping[str, Any],
    more: tuple[Any, ...],
    shared: Shared,
    *rows: NDArray[np.float64],
) -> Arrays:
    """Return the arrays of an answer by name; a worker runs several chunks at a time, each in a thread."""
    prepared = _prepared(shared)
    world, columns = prepared.world_of(shared.obstacles), [name for name in ROWS if name in kind._fields]
    asked = kind(prepared=prepared, world=world, threads=1, **dict(zip(columns, rows, strict=True)), **options)
    answer = ask(asked, *more)
    found = {each.name: getattr(answer, each.name) for each in fields(KINDS[ask].answer)}
    return {name: np.array(array) for name, array in found.items() if isinstance(array, np.ndarray)}


def _prepared(shared: Shared) -> Prepared:
    """Return what a worker keeps of a robot: with the tables of whoever asks, and none of its own."""
    prepared = shared.robot._prepared
    with _lock:
        if not prepared.has_tables:
            tables = frozen_tables(*(plain_copy(array, array.dtype.type) for array in shared.tables))
            prepared.bodies, prepared.has_tables = prepared.bodies._replace(tables=tables), True
    return prepared


def _shared(asked: Check | Edges) -> Shared:
    """Return what is to travel, the same object where nothing has changed: then it is at the workers already."""
    prepared, world = asked.prepared, asked.world
    known, tables = prepared.elsewhere, prepared.bodies.tables
    if known is None or known[0] is not world or known[1].tables is not tables:
        shared = Shared(prepared.robot, (world.names, world.meshes, world.poses), tables)
        prepared.elsewhere = known = world, shared
    found: Shared = known[1]
    return found


def _options(asked: Check | Edges) -> dict[str, Any]:
    return {name: value for name, value in asked._asdict().items() if name not in (*ROWS, *HERE)}


def _digests(shared: Shared, options: tuple[Any, ...]) -> dict[str, str]:
    """Return what the answer depends on besides the rows, for checkpoints."""
    robot, (_, meshes, poses) = shared.robot, shared.obstacles
    return {
        "the robot": digest_of([*robot.kinematics, *_arrays(robot.meshes), robot.pairs]),
        "the obstacles": digest_of([*_arrays(meshes), poses]),
        "the options": repr(options),
        "tables of gaps, made by earlier questions": digest_of(shared.tables),
    }


def _arrays(meshes: Iterable[Mesh | None]) -> list[NDArray[Any] | None]:
    """Return the arrays of meshes; None stands for a link without one."""
    found: list[NDArray[Any] | None] = []
    for mesh in meshes:
        found += [None] if mesh is None else [mesh.vertices, mesh.faces]
    return found
