"""Table 1: the leaf pairs of each frame, and how long a query takes, on the CPU and on every device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tumble.bench.bsp.asking import bulk_on_cpu, bulk_ways, compare, pairs_for, trees_of
from tumble.bench.bsp.records import ALL, BETWEEN, CPU, Findings, Load, Raced
from tumble.bench.bsp.scenes import Scene
from tumble.bench.framework.timing import Effort, race
from tumble.core.parallel import thread_count
from tumble.mesh import Mesh
from tumble.query.settings import BulkSettings


def questions_of(itself: bool) -> tuple[str, ...]:
    """Between objects, and with what happens within them where the paper asks for it."""
    return (BETWEEN, ALL) if itself else (BETWEEN,)


def questions(scene: Scene) -> tuple[str, ...]:
    """The questions about a scene, the paper's last."""
    return questions_of(scene.itself)


def count_load(scene: Scene, findings: Findings) -> None:
    """The leaf pairs of both frames."""
    for meshes, frame in zip((scene.before, scene.now), scene.frames, strict=True):
        if meshes is scene.before and not scene.real:
            continue
        findings.loads.append(_load(scene, meshes, frame))


def _load(scene: Scene, meshes: Sequence[Mesh], frame: str) -> Load:
    from tumble.traversal.bulk.rounds import leaf_pairs

    trees = trees_of(meshes)
    own = np.repeat(np.arange(len(meshes)), 2).reshape(-1, 2)
    between = len(bulk_on_cpu(trees, pairs_for(trees, BETWEEN))())
    within, apart = (
        len(leaf_pairs(trees, own, BulkSettings(), adjacent=adjacent, threads=thread_count(None))[0])
        for adjacent in (True, False)
    )
    triangles = sum(map(len, meshes))
    return Load(
        scene.name, frame, scene.real, len(meshes), triangles, between, within, apart, itself=scene.itself
    )  # fmt: skip


def race_queries(scene: Scene, effort: Effort, findings: Findings) -> None:
    """Every way in turn."""
    for question in questions(scene):
        ways = bulk_ways(scene.now, findings.devices, question)
        truth = np.sort(ways[CPU]())
        for name, ask in ways.items():
            compare(scene.name, question, name, ask(), truth, findings)
            ask.kernels.clear()
        rounds = race(ways, effort)
        kernels = {name: ask.kernels[1:] for name, ask in ways.items() if name != CPU}
        counts = dict.fromkeys(ways, len(truth))
        findings.table.append(Raced(scene.name, question, rounds, kernels, counts))
