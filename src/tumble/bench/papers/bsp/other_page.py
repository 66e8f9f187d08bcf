"""The parts of the page about what is around the paper: broad phases of others, trees, and a sheet that moves."""

from __future__ import annotations

from tumble.bench.framework.page import Page
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, FACES, TWIN, WIDE
from tumble.bench.papers.bsp.figures import draw_broad_phases, draw_sheet
from tumble.bench.papers.bsp.goals import object_seconds
from tumble.bench.papers.bsp.published import title
from tumble.bench.papers.bsp.sheet import CASE, QUERIES, SHEET, UPDATE
from tumble.bench.papers.bsp.trees import FORMS, STEPS, TREES, called
from tumble.bench.papers.bsp.ways import device_of, ways_of
from tumble.report import Column, Table, count, ratio, significant


def broad_phases(page: Page) -> None:
    """IPC Toolkit and Embree on the same frames."""
    faces, elements, document = page.study(FACES), page.study(ELEMENTS), page.document
    if not faces:
        return
    document.heading("Broad phases of others")
    document.text(
        "Each scene as one mesh, from vertices to all pairs of triangles that share no vertex and whose boxes share a "
        "point: trees or grids are built, and searched. Embree (rtcCollide, boxes as user geometries) calls back for "
        "boxes that meet in float32; the callback, compiled by Numba, keeps one order of each pair, looks at the boxes "
        "in float64 and writes the pair down. IPC Toolkit gives face-face candidates to Python as objects only, which "
        "its times contain; it keeps face-vertex and edge-edge candidates in C++ until they are read, so that table "
        "has none of it."
    )
    each = object_seconds(page.table)
    if each is not None:
        document.text(f"A Python object costs it about {1e9 * each:.0f} ns, measured on edge-edge candidates.")
    page.figure("broad-phases", draw_broad_phases(faces), "From vertices to face-face candidates.")
    _add_race(page, faces, TWIN)
    if elements:
        document.text("Face-vertex and edge-edge candidates, as IPC codes ask for them:")
        _add_race(page, elements, WIDE)


def _add_race(page: Page, study: Study, base: str) -> None:
    """Times and numbers of candidates, and which list more or fewer."""
    columns = [Column("scene"), Column("broad phase"), Column("ms", True), Column(f"{base} = 1", True)]
    rows, others = [], []
    for scene, name in [(case, one) for case in study.cases() for one in study.contestants(case)]:
        found, wanted = (study.count(scene, one, "candidates") for one in (name, base))
        time = significant(1e3 * study.value(scene, name, TIME))
        rows.append([title(scene), name, time, ratio(study.ratio(scene, name, base)), count(found)])
        if found != wanted:
            more = f"{count(abs(found - wanted))} {'more' if found > wanted else 'fewer'}"
            others.append(f"{name} lists {more} on {title(scene)}")
    page.document.table(Table([*columns, Column("candidates", True)], rows))
    if others:
        page.document.text(
            "Not all list the same: " + "; ".join(others) + ". IPC Toolkit's LBVH keeps its boxes in float32, and "
            "`tumble.candidates`, as IPC Toolkit does, makes boxes one float64 step larger."
        )


def trees(page: Page) -> None:
    """Padding, building and refitting."""
    study = page.study(TREES)
    if not study:
        return
    page.document.heading("Trees: padded and compressed, rebuilt and refitted")
    page.document.text(
        "The paper's trees have room for nodes without triangles below them; the compressed form, its future work, has "
        "not. A rebuild sorts the triangles of all objects anew and fits all boxes, a refit only fits boxes; both "
        "begin with new vertices of all objects in float64, and on a device include sending them."
    )
    rows = []
    for scene in study.cases():
        nodes, sizes = ([study.value(scene, form, what) for form in FORMS] for what in ("nodes", "bytes"))
        megabytes = [f"{size / 1e6:.2f}" for size in sizes]
        rows.append([title(scene), *(count(round(n)) for n in nodes), *megabytes, f"{sizes[1] / sizes[0]:.0%}"])
    columns = [Column("scene"), *(Column(form, True, group) for group in ("nodes", "megabytes") for form in FORMS)]
    page.document.table(Table([*columns, Column("share", True)], rows))
    ways = list(dict.fromkeys(map(device_of, ways_of(page.table))))
    parts = [(what, form) for what in STEPS for form in FORMS]
    rows = [
        [title(scene), way, *(significant(1e3 * study.value(scene, called(way, *part), TIME)) for part in parts)]
        for scene in study.cases()
        for way in ways
    ]
    columns = [Column("scene"), Column("on"), *(Column(form, True, group=f"{what}, ms") for what, form in parts)]
    page.document.table(Table(columns, rows))


def sheet(page: Page) -> None:
    """A deforming mesh."""
    study = page.study(SHEET)
    if not study.contestants():
        return
    page.document.heading("A sheet over a ball")
    page.document.text(
        f"A sheet of {count(study.count(CASE, '', 'triangles'))} triangles falls over a ball; in the last third its "
        f"folds cut through each other. {count(study.count(CASE, '', 'frames'))} frames: new vertices, then all "
        "touching triangles of the sheet with itself and with the ball. The first three rows are `tumble.Deformable`, "
        "which refits or rebuilds its packed tree by measured times or as told; the last two keep implicit trees and "
        "ask `collide_all`."
    )
    page.figure("sheet", draw_sheet(study), "What a frame costs.")
    rows = []
    for rule in study.contestants():
        times = [study.value(CASE, rule, what) for what in (UPDATE, QUERIES)]
        counts = [count(study.count(CASE, rule, what)) for what in ("rebuilt", "pairs")]
        rows.append([rule, *map(significant, (*times, sum(times))), *counts])
    columns = [Column("tree"), *(Column(name, True, group="ms per frame") for name in (UPDATE, QUERIES, "both"))]
    page.document.table(Table([*columns, Column("rebuilt", True), Column("pairs", True)], rows))
    if study.has(CASE, "", "megabytes, late"):
        early, late = (study.value(CASE, "", f"megabytes, {when}") for when in ("early", "late"))
        page.document.text(
            f"This process held {early:.0f} megabytes a third of the way, and {late:.0f} after the last frame."
        )
