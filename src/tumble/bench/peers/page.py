"""The page of the race: the plots, then every case, then where answers differ."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tumble.bench.framework.differences import Difference, differences
from tumble.bench.framework.page import Page
from tumble.bench.framework.statistics import HIGH, LOW, geometric_mean
from tumble.bench.framework.table import TIME, Study
from tumble.bench.framework.table import Table as Results
from tumble.bench.peers.figures import SWEEPS, draw_speedups, draw_sweeps, rows_of
from tumble.bench.peers.goals import base_name, extremes, fastest, judged_of, leads, timed, with_leads
from tumble.bench.peers.memory import MEMORY, UNIT
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.start import START
from tumble.report import Column, Table, count, ratio, significant

# Query, heading and what is asked.
QUERIES = (
    ("first-hit", "First hit", "A bool for each pose, one call per pose."),
    ("all-pairs", "All pairs", "An array of triangle ids for each pose, one call per pose."),
    (
        "aligned",
        "All pairs, aligned",
        "Moved but not turned, as parts drawn in one frame: triangles lie in common planes or only just touch.",
    ),
    ("far-apart", "Far apart", "A bool for each pose where the boxes settle it: what a call costs."),
    ("python-threads", "First hit from Python threads", "The poses shared out among threads that call one by one."),
    (
        "batch",
        "A motion, one thread",
        "Hit flags of a tumbling motion of many poses: one call of Tumble's, a Python loop over each peer.",
    ),
    (
        "batch-threads",
        "A motion, with threads",
        "The same, Tumble on all threads; each peer's loop plain and shared out.",
    ),
    ("scattered", "Scattered poses, one thread", "The same for poses that have nothing to do with each other."),
    ("scattered-threads", "Scattered poses, with threads", "The same, Tumble on all threads."),
    (
        "scene",
        "A scene, one thread",
        "All bodies move, then all touching triangles. FCL and Coal do not say whose they are.",
    ),
    ("scene-threads", "A scene, with threads", "The same, Tumble on all threads."),
    ("build", "Build", "From NumPy arrays to a hierarchy ready for questions."),
)
FACTS = (
    (
        MEMORY,
        "Bytes per triangle",
        UNIT,
        "A torus; vertices and faces are included where it says so, and in every peer's.",
    ),
    (START, "Cold and warm start", "s", "Seconds from starting a process to its end; cold means nothing compiled yet."),
)
METHOD = (
    "**Motion.** As in paper `boxtree`: two objects, each scaled into a cube of length 1, stand so far apart (middle "
    "to middle of their boxes: the number after “at”); one makes a full turn about z and x in equal steps. A timed run "
    "goes through all poses of the turn.",
    "**Turns.** In every round each library runs once, one after the other; what slows the machine for a while slows "
    f"all. The ratio is taken within each round; the tables give its median, and its {LOW}–{HIGH} % over rounds. A "
    "timer covers at least 0.3 ms. Python's garbage collector is off meanwhile.",
    "**Each at its best.** Objects, requests and transforms are made beforehand. python-fcl: BVHModel (OBBRSS), one "
    "CollisionObject each, setTransform, a new CollisionResult per call, no contact geometry. Coal: ComputeCollision, "
    "with OBBRSS and with OBB; the faster counts in each case. VTK: vtkCollisionDetectionFilter, up to 30 000 "
    "triangles, for context. Tumble: `collides`, `collide`, `collide_many`, `Scene`.",
    "**Same outputs.** First hit: a bool. All pairs: an array of ids, k × 2; turning contact objects into it is part "
    "of the peers' time, for there is no other way to the ids from Python.",
)


def plots(page: Page) -> None:
    """How much faster, and time over distance."""
    rows = rows_of(page.table)
    if rows:
        page.figure(
            "speedups",
            draw_speedups(rows),
            "Each dot is a case: the median over rounds of the rival's time by Tumble's. The rival is the faster of "
            "FCL and Coal; FCL where the goal says so (far apart, many poses with threads, build).",
        )
    sweeps = [(title, page.study(query)) for query, title in SWEEPS if page.study(query)]
    if sweeps:
        page.figure(
            "distance",
            draw_sweeps(sweeps),
            "One object tumbling beside its like, at growing distances: the mean time of a query over the turn, as in "
            "Figure 8 of paper `boxtree`. No part of the means.",
        )


def _query(query: str, title: str, text: str, page: Page) -> None:
    study, judged = page.study(query), judged_of(page.table)
    if not study:
        return
    found = leads(study, judged)
    if found:
        least, most = ([case] for case in extremes(found))
        text += (
            f" Geometric mean over {count(len(found))}: **{ratio(geometric_mean(list(found.values())))}**, least "
            f"{with_leads(found, least)}, most {with_leads(found, most)}."
        )
    page.document.heading(title)
    page.document.text(text)
    page.document.table(_cases_table(study, judged))


def _cases_table(study: Study, judged: list[str]) -> Table:
    cases = study.cases(OURS)
    names = list(dict.fromkeys(name for case in cases for name in timed(study, case)))
    # Per pose in microseconds, whole runs of long ones in milliseconds.
    long = study.name in ("scene", "scene-threads", "build")
    unit, scale = ("ms per run", 1e3) if long else ("µs per pose", 1e6)
    columns = [Column("case", whole=True), Column("answer"), Column("triangles", number=True)]
    columns += [
        Column(_short(name), number=True, group=unit, faint=base_name(name) not in (OURS, *judged)) for name in names
    ]
    columns += [Column("faster", number=True, group="Tumble"), Column(f"{LOW}–{HIGH} % of rounds", True, "Tumble")]
    columns += [Column("than", number=True, group="Tumble", whole=True)]
    rows, slower = [], []
    for index, case in enumerate(cases):
        rival, tail = fastest(study, case, judged), ["–"] * 3
        if rival is not None:
            lead, low, high = (study.value(case, rival, f"{TIME} / {OURS}{end}") for end in ("", ", low", ", high"))
            tail = [ratio(lead), f"{ratio(low)} – {ratio(high)}", _short(rival)]
            slower += [index] if lead < 1 else []
        present = timed(study, case)
        times = [significant(study.value(case, name, TIME) * scale) if name in present else "–" for name in names]
        answer = study.text(case, "", "answer") or "–"
        rows.append([case, answer, count(study.count(case, "", "triangles")), *times, *tail])
    return Table(columns, rows, flagged=slower)


def _short(name: str) -> str:
    return name.replace(" threads", "").replace(" on ", " ×")


def facts(page: Page) -> None:
    """Numbers that are measured once."""
    for query, title, unit, text in FACTS:
        study = page.study(query)
        if study:
            page.document.heading(title)
            page.document.text(text)
            columns = [Column("library", whole=True), Column("what"), Column(unit, number=True), Column("how")]
            rows = [
                [f"`{name}`", what, significant(study.value(what, name, "value")), study.text(what, name, "how")]
                for name in study.contestants()
                for what in study.cases(name)
            ]
            page.document.table(Table(columns, rows))


def _all_differences(table: Results) -> list[tuple[str, str, str, Difference]]:
    """Query, case, library and difference of everything that was compared."""
    queries = [query for query, *_ in (*QUERIES, *SWEEPS)]
    return [(query, *key, found) for query in queries for key, found in differences(table.study(query)).items()]


def answers(page: Page) -> None:
    """Where answers differ from Tumble's."""
    found, document = _all_differences(page.table), page.document
    document.heading("Answers that differ")
    if not found:
        document.text("No answers were compared.")
        return
    document.text(
        "Every answer is compared with Tumble's, which its tests hold to rational arithmetic. Peers compute with "
        "tolerances: they err where triangles only just touch, or only just do not, above all in aligned poses."
    )
    numbers = [Column(name, number=True) for name in ("answers", "that differ", "missing", "invented")]
    columns = [Column("library", whole=True), Column("query"), Column("cases", number=True), *numbers]
    rows: list[list[str]] = []
    flagged: list[int] = []
    for query, library in dict.fromkeys((query, library) for query, _, library, _ in found):
        group = [one for q, _, name, one in found if (q, name) == (query, library)]
        sums = [sum(values) for values in zip(*group, strict=True)]
        flagged += [len(rows)] if sums[1] else []
        rows.append([f"`{library}`", query, count(len(group)), *map(count, sums)])
    document.table(Table(columns, rows, flagged=flagged))
    wrong = [[f"`{library}`", query, case, *map(count, one)] for query, case, library, one in found if one.differ]
    if wrong:
        columns = [Column("library", whole=True), Column("query"), Column("case", whole=True), *numbers]
        document.folded(f"The {count(len(wrong))} cases with a difference", Table(columns, wrong))


def remark(table: Results) -> str:
    """Who erred, for the terminal."""
    names = [library for _, _, library, found in _all_differences(table) if found.differ]
    libraries = ", ".join(dict.fromkeys(names))
    return f"Answers differ from Tumble's, which are exact, in {len(names)} cases ({libraries}).\n" if names else ""


SECTIONS: tuple[Callable[[Page], None], ...] = (plots, *(partial(_query, *query) for query in QUERIES), facts, answers)
