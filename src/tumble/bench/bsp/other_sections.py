"""The parts of the page about what is around the paper: broad phases of others, trees, and a sheet that moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tumble.bench.bsp.broad_phases import TWIN, WIDE
from tumble.bench.bsp.judging import title
from tumble.bench.bsp.records import Findings, Raced, device_of
from tumble.bench.bsp.sheet import QUERIES, UPDATE
from tumble.bench.bsp.trees import BUILD, COMPRESSED, PADDED, QUERY, REFIT, called
from tumble.report import Column, Document, Table, count, ratio, significant


def broad_phases(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """IPC Toolkit and Embree on the same frames."""
    document.heading("Broad phases of others")
    document.text(
        "Each scene as one mesh, from vertices to all pairs of triangles that share no vertex and whose boxes share a "
        "point: trees or grids are built, and searched. Embree (rtcCollide, boxes as user geometries) calls back for "
        "boxes that meet in float32; the callback, compiled by Numba, keeps one order of each pair, looks at the boxes "
        "in float64 and writes the pair down. IPC Toolkit gives face-face candidates to Python as objects only, which "
        "its times contain; it keeps face-vertex and edge-edge candidates in C++ until they are read, so that table "
        "has none of it."
    )
    if findings.object_seconds:
        per = 1e9 * float(np.median(findings.object_seconds))
        document.text(f"A Python object costs it about {per:.0f} ns, measured on edge-edge candidates.")
    if "broad-phases" in figures:
        document.figure(figures["broad-phases"], "broad-phases.svg", "From vertices to face-face candidates.")
    document.table(_races(findings.faces, TWIN))
    _differing(document, findings.faces, TWIN)
    if findings.elements:
        document.text("Face-vertex and edge-edge candidates, as IPC codes ask for them:")
        document.table(_races(findings.elements, WIDE))
        _differing(document, findings.elements, WIDE)


def _differing(document: Document, raced: Sequence[Raced], base: str) -> None:
    """Who lists more or fewer candidates."""
    others = [
        f"{name} lists {count(abs(found - one.counts[base]))} {'more' if found > one.counts[base] else 'fewer'} on "
        f"{title(one.scene)}"
        for one in raced
        for name, found in one.counts.items()
        if found != one.counts[base]
    ]
    if others:
        document.text(
            "Not all list the same: " + "; ".join(others) + ". IPC Toolkit's LBVH keeps its boxes in float32, and "
            "`tumble.candidates`, as IPC Toolkit does, makes boxes one float64 step larger."
        )


def _races(raced: Sequence[Raced], base: str) -> Table:
    columns = [Column("scene"), Column("broad phase"), Column("ms", True), Column(f"{base} = 1", True)]
    columns.append(Column("candidates", True))
    rows = [
        [
            title(one.scene),
            name,
            significant(1e3 * one.seconds(name)),
            ratio(one.ratio(name, base).median),
            count(one.counts.get(name)),
        ]
        for one in raced
        for name in one.rounds
    ]
    return Table(columns, rows)


def trees(document: Document, findings: Findings) -> None:
    """Padding, building and refitting."""
    document.heading("Trees: padded and compressed, rebuilt and refitted")
    document.text(
        "The paper's trees have room for nodes without triangles below them; the compressed form, its future work, has "
        "not. A rebuild sorts the triangles of all objects anew and fits all boxes, a refit only fits boxes; both "
        "begin with new vertices of all objects in float64, and on a device include sending them."
    )
    sizes = [
        [
            title(one.scene), count(one.padded_nodes), count(one.compressed_nodes),
            f"{one.padded_bytes / 1e6:.2f}", f"{one.compressed_bytes / 1e6:.2f}",
            f"{one.compressed_bytes / one.padded_bytes:.0%}",
        ]
        for one in findings.grown
    ]  # fmt: skip
    columns = [Column("scene")]
    columns += [Column(form, True, group="nodes") for form in (PADDED, COMPRESSED)]
    columns += [Column(form, True, group="megabytes") for form in (PADDED, COMPRESSED)]
    document.table(Table([*columns, Column("share", True)], sizes))
    times = [
        [
            title(one.scene), way,
            *(significant(1e3 * one.seconds(called(way, what, form)))
              for what in (BUILD, REFIT, QUERY) for form in (PADDED, COMPRESSED)),
        ]
        for one in findings.grown for way in dict.fromkeys(map(device_of, findings.ways))
    ]  # fmt: skip
    columns = [Column("scene"), Column("on")]
    columns += [
        Column(form, True, group=f"{what}, ms") for what in (BUILD, REFIT, QUERY) for form in (PADDED, COMPRESSED)
    ]
    document.table(Table(columns, times))


def sheet(document: Document, findings: Findings, figures: Mapping[str, str]) -> None:
    """A deforming mesh."""
    if not findings.moved:
        return
    first = findings.moved[0]
    document.heading("A sheet over a ball")
    document.text(
        f"A sheet of {count(first.triangles)} triangles falls over a ball; in the last third its folds cut through "
        f"each other. {count(first.frames)} frames: new vertices, then all touching triangles of the sheet with itself "
        "and with the ball. The first three rows are `tumble.Deformable`, which refits or rebuilds its packed tree by "
        "measured times or as told; the last two keep implicit trees and ask `collide_all`."
    )
    if "sheet" in figures:
        document.figure(figures["sheet"], "sheet.svg", "What a frame costs.")
    rows = []
    for one in findings.moved:
        update, queries = (float(np.mean(one.milliseconds[name])) for name in (UPDATE, QUERIES))
        times = map(significant, (update, queries, update + queries))
        rows.append([one.rule, *times, count(one.rebuilt), count(one.pairs)])
    columns = [Column("tree"), *(Column(name, True, group="ms a frame") for name in (UPDATE, QUERIES, "both"))]
    document.table(Table([*columns, Column("rebuilt", True), Column("pairs", True)], rows))
    if findings.early_megabytes is not None and findings.late_megabytes is not None:
        document.text(
            f"This process held {findings.early_megabytes:.0f} megabytes a third of the way, and "
            f"{findings.late_megabytes:.0f} after the last frame."
        )
