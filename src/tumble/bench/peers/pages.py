"""The page of the race: goals first, then the plots, then every case, then where answers differ, then the method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tumble.bench.framework.statistics import HIGH, LOW, Quantiles
from tumble.bench.goals import MARKS, Judged, goals_table
from tumble.bench.peers.goals import speedups
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.records import Difference, Findings, Timed, base_name
from tumble.bench.results import WHAT_IS_KEPT
from tumble.report import Column, Document, Table, count, ratio, significant

# Query, heading and what is asked.
SECTIONS = (
    ("first-hit", "First hit", "A bool for each pose, one call a pose."),
    ("all-pairs", "All pairs", "An array of triangle ids for each pose, one call a pose."),
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
FIGURES = {
    "speedups": "Each dot is a case: the median over rounds of the rival's time by Tumble's. The rival is the "
    "faster of FCL and Coal; FCL where the goal says so (far apart, many poses with threads, build).",
    "distance": "One object tumbling beside its like, at growing distances: the mean time of a query over the turn, "
    "as in Figure 8 of paper `boxtree`. No part of the means.",
}


def build_document(
    findings: Findings,
    judged: Sequence[str],
    goals: Sequence[Judged],
    summary: Mapping[str, Any],
    figures: Mapping[str, str],
) -> Document:
    """The whole page, ready to write."""
    machine = summary["machine"]
    document = Document(
        "Tumble and its peers",
        f"Tumble raced against {_listed(_libraries(findings))} on the same meshes and poses, for the same outputs, "
        f"in turn in one process. Measured on {machine['processor']}, {machine['cores']} cores"
        + (", few rounds (quick run)." if summary["quick"] else "."),
    )
    _goals(document, findings, judged, goals)
    for name, svg in figures.items():
        document.figure(svg, f"{name}.svg", FIGURES[name])
    for query, title, text in SECTIONS:
        if findings.of(query):
            _section(document, title, text, findings.of(query), judged)
    _facts(document, findings)
    _differences(document, findings.differences)
    _method(document, findings, summary)
    return document


def _goals(document: Document, findings: Findings, judged: Sequence[str], goals: Sequence[Judged]) -> None:
    document.heading("Goals")
    tally = [f"{sum(goal.verdict == verdict for goal in goals)} {verdict}" for verdict in MARKS]
    document.text(
        f"Of {len(goals)} goals, {', '.join(part for part in tally if not part.startswith('0 '))}. "
        "Ratios are geometric means over all cases, against the faster of FCL and Coal unless a goal names its rival."
    )
    document.table(goals_table(goals))
    found = speedups(findings.of("first-hit"), judged)
    if found and found.slower:
        document.text(f"First hits on which Tumble is slower: {_cases(found.slower)}.")


def _section(document: Document, title: str, text: str, timed: Sequence[Timed], judged: Sequence[str]) -> None:
    document.heading(title)
    found = speedups(timed, judged)
    lead = "" if found is None else f" Geometric mean over {count(found.cases)}: **{ratio(found.mean)}**"
    ends = "" if found is None else f", least {_cases([found.worst])}, most {_cases([found.best])}."
    document.text(text + lead + ends)
    document.table(_cases_table(timed, judged))


def _cases_table(timed: Sequence[Timed], judged: Sequence[str]) -> Table:
    names = list(dict.fromkeys(name for one in timed for name in one.rounds))
    unit, scale = _unit(timed)
    columns = [Column("case", whole=True), Column("answer"), Column("triangles", number=True)]
    columns += [Column(_short(name), number=True, group=unit, faint=not _is_judged(name, judged)) for name in names]
    columns += [Column("faster", number=True, group="Tumble"), Column(f"{LOW}–{HIGH} % of rounds", True, "Tumble")]
    columns += [Column("than", number=True, group="Tumble", whole=True)]
    rows, slower = [], []
    for index, one in enumerate(timed):
        rival = one.fastest(judged)
        lead = None if rival is None else one.speedup(rival)
        times = [significant(one.seconds(name).median * scale) if name in one.rounds else "–" for name in names]
        tail = ["–"] * 3 if lead is None else [ratio(lead.median), _spread(lead), _short(str(rival))]
        rows.append([one.case.name, one.answer or "–", count(one.case.faces), *times, *tail])
        if lead is not None and lead.median < 1:
            slower.append(index)
    return Table(columns, rows, flagged=slower)


def _facts(document: Document, findings: Findings) -> None:
    for query, title, text in (
        (
            "memory",
            "Bytes a triangle",
            "A torus; vertices and faces are included where it says so, and in every peer's.",
        ),
        (
            "start",
            "Cold and warm start",
            "Seconds from starting a process to its end; cold means nothing compiled yet.",
        ),
    ):
        facts = [fact for fact in findings.facts if fact.query == query]
        if facts:
            document.heading(title)
            document.text(text)
            unit = facts[0].unit
            columns = [Column("library", whole=True), Column("what"), Column(unit, number=True), Column("how")]
            rows = [[f"`{f.contestant}`", f.name, significant(f.value), f.how] for f in facts]
            document.table(Table(columns, rows))


def _differences(document: Document, differences: Sequence[Difference]) -> None:
    document.heading("Answers that differ")
    if not differences:
        document.text("No answers were compared.")
        return
    document.text(
        "Every answer is compared with Tumble's, which its tests hold to rational arithmetic. Peers compute with "
        "tolerances: they err where triangles only just touch, or only just do not, above all in aligned poses."
    )
    columns = [Column("library", whole=True), Column("query")]
    columns += [Column(name, number=True) for name in ("cases", "answers", "that differ", "missing", "invented")]
    rows: list[list[str]] = []
    flagged: list[int] = []
    for peer, query in dict.fromkeys((one.peer, one.query) for one in differences):
        group = [one for one in differences if (one.peer, one.query) == (peer, query)]
        sums = [sum(getattr(one, name) for one in group) for name in ("asked", "differ", "missing", "extra")]
        if sums[1]:
            flagged.append(len(rows))
        rows.append([f"`{peer}`", query, count(len(group)), *map(count, sums)])
    document.table(Table(columns, rows, flagged=flagged))
    wrong = [one for one in differences if one.differ]
    if wrong:
        document.folded(f"The {count(len(wrong))} cases with a difference", _differing_cases(wrong))


def _differing_cases(wrong: Sequence[Difference]) -> Table:
    columns = [Column("library", whole=True), Column("query"), Column("case", whole=True)]
    columns += [Column(name, number=True) for name in ("answers", "that differ", "missing", "invented")]
    rows = [
        [f"`{one.peer}`", one.query, one.case, *map(count, (one.asked, one.differ, one.missing, one.extra))]
        for one in wrong
    ]
    return Table(columns, rows)


def _method(document: Document, findings: Findings, summary: Mapping[str, Any]) -> None:
    document.heading("How it was measured")
    machine = summary["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    document.items(
        [
            "**Motion.** As in paper `boxtree`: two objects, each scaled into a cube of length 1, stand so far apart "
            "(middle to middle of their boxes: the number after “at”); one makes a full turn about z and x in equal "
            "steps. A timed run goes through all poses of the turn.",
            "**Turns.** In every round each library runs once, one after the other; what slows the machine for a "
            "while slows all. The ratio is taken within each round; the tables give its median, and its "
            f"{LOW}–{HIGH} % over rounds. A timer covers at least 0.3 ms. Python's garbage collector is off meanwhile.",
            "**Each at its best.** Objects, requests and transforms are made beforehand. python-fcl: BVHModel "
            "(OBBRSS), one CollisionObject each, setTransform, a new CollisionResult a call, no contact geometry. "
            "Coal: ComputeCollision, with OBBRSS and with OBB; the faster counts in each case. VTK: "
            "vtkCollisionDetectionFilter, up to 30 000 triangles, for context. Tumble: `collides`, `collide`, "
            "`collide_many`, `Scene`.",
            "**Same outputs.** First hit: a bool. All pairs: an array of ids, k × 2; turning contact objects into it "
            "is part of the peers' time, for there is no other way to the ids from Python.",
            f"**Threads.** {summary['threads']} where a query says so.",
            *findings.notes,
            f"**Machine.** {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
            f"Python {machine['python']}, {packages}. Finished {summary['finished']}.",
            WHAT_IS_KEPT,
        ]
    )


def _unit(timed: Sequence[Timed]) -> tuple[str, float]:
    """The unit of a table's times: per pose in microseconds, whole runs of long ones in milliseconds."""
    item = "pose" if timed[0].case.query not in ("scene", "scene-threads", "build") else "run"
    return (f"µs per {item}", 1e6) if item == "pose" else (f"ms per {item}", 1e3)


def _is_judged(name: str, judged: Sequence[str]) -> bool:
    return name == OURS or base_name(name) in judged


def _spread(values: Quantiles) -> str:
    return f"{ratio(values.low)} – {ratio(values.high)}"


def _short(name: str) -> str:
    return name.replace(" threads", "").replace(" on ", " ×")


def _cases(cases: Iterable[tuple[str, float]]) -> str:
    return ", ".join(f"{ratio(lead)} ({name})" for name, lead in cases)


def _libraries(findings: Findings) -> list[str]:
    titles = {"fcl": "python-fcl", "coal-obbrss": "Coal", "coal-obb": "Coal", "vtk": "VTK", "trimesh": "trimesh"}
    names = (base_name(name) for one in findings.timed for name in one.rounds if base_name(name) != OURS)
    return list(dict.fromkeys(titles.get(name, name) for name in names))


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names)) or "nobody"
