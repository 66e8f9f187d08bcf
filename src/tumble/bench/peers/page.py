"""What fills the slots of page.md: every case, numbers that are measured once, where answers differ, and two plots."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tumble.bench.framework.answers import Difference, differences
from tumble.bench.framework.goals import MARKS, check_goals
from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.framework.statistics import HIGH, LOW, geometric_mean
from tumble.bench.framework.table import TIME, Study
from tumble.bench.framework.table import Table as Results
from tumble.bench.peers.goals import (
    FCL_AND_COAL,
    GOALS,
    HULLS,
    SAME_MESHES,
    base_name,
    extremes,
    fastest,
    judged_of,
    leads,
    leads_over,
    timed,
    with_leads,
)
from tumble.bench.peers.ours import OURS
from tumble.report import Column, Table, count, number_columns, plots, ratio, significant

OF_POINTS = (
    *("closest-points", "closest-points-threads", "signed-distance", "signed-distance-threads"),
    *("signed-on-surface", "signed-on-surface-threads"),
)
# The studies of the page, in its order.
QUERIES = (
    *("first-hit", "all-pairs", "aligned", "far-apart", "python-threads", "batch", "batch-threads"),
    *("scattered", "scattered-threads", "scene", "scene-threads", "build"),
    *(
        "distance",
        "distance-many",
        "distance-many-threads",
        "clearance",
        "clearance-pairs",
        "signed-meshes",
        "relation",
    ),
    *OF_POINTS,
    *("time-of-impact", "motion", "motion-threads", "motion-whole", "edge-check", "edge-check-threads"),
    *("ccd-step", "penetration", "assembly-penetration", "robots", "robots-threads"),
)
# Per pose in microseconds, whole runs of long ones in milliseconds.
LONG = ("scene", "scene-threads", "build", "time-of-impact", "motion-whole", "ccd-step", "assembly-penetration")
OF_ROBOTS = ("robots", "robots-threads")
OF_MOTIONS = ("motion", "motion-threads", "edge-check", "edge-check-threads")
# The rows of the first plot, from the top: query, its name there, the goal and whom it is meant against (None: anyone).
ROWS: tuple[tuple[str, str, float | None, str | Sequence[str] | None], ...] = (
    ("all-pairs", "all pairs", 10.0, None),
    ("first-hit", "first hit", 3.0, None),
    ("aligned", "all pairs, aligned", None, None),
    ("far-apart", "far apart", 1.0, "fcl"),
    ("python-threads", "first hit, Python threads", None, None),
    ("batch", "motion, one thread", None, None),
    ("batch-threads", "motion, threads", 30.0, "fcl"),
    ("scattered", "scattered poses, one thread", None, "fcl"),
    ("scattered-threads", "scattered poses, threads", None, "fcl"),
    ("scene", "scene, one thread", None, None),
    ("scene-threads", "scene, threads", None, None),
    ("build", "build", 5.0, "fcl"),
    ("distance", "distance", 10.0, FCL_AND_COAL),
    ("distance-many", "distances of a motion, one thread", None, FCL_AND_COAL),
    ("distance-many-threads", "distances of a motion, threads", 30.0, FCL_AND_COAL),
    ("clearance", "nearer than a clearance", None, None),
    ("clearance-pairs", "pairs nearer than a clearance", None, None),
    ("signed-meshes", "signed distance of meshes", 50.0, "meshlib"),
    ("relation", "relation", None, None),
    ("closest-points", "closest points, per core", 1.0, None),
    ("closest-points-threads", "closest points, all cores", None, None),
    ("signed-distance", "signed distance, per core", 1.0, None),
    ("signed-distance-threads", "signed distance, all cores", None, None),
    ("signed-on-surface", "signed distance on the surface, per core", None, None),
    ("time-of-impact", "time of impact", None, None),
    ("motion", "motion from frame to frame", 1.0, None),
    ("motion-whole", "motion as one path", None, None),
    ("edge-check", "edge check, one thread", None, "fcl"),
    ("edge-check-threads", "edge check, threads", 1.0, "fcl"),
    ("ccd-step", "step of a deforming mesh", 1.0, None),
    ("penetration", "common volume", 1.0, "manifold"),
    ("robots", "robot configurations, per core", 5.0, SAME_MESHES),
    ("robots", "the same, than convex hulls", 5.0, HULLS),
    ("robots-threads", "robot configurations, threads", 10.0, SAME_MESHES),
    ("robots-threads", "the same, than convex hulls", 10.0, HULLS),
)
SWEEPS = (("sweep-first-hit", "First hit"), ("sweep-all-pairs", "All pairs"))
FASTER, SLOWER, MEAN = plots.COLOURS[0], plots.COLOURS[1], "#1b232b"
GOAL: dict[str, Any] = {"color": "#009e73", "linewidth": 2, "linestyle": (0, (2, 1))}
DOT: dict[str, Any] = {"marker": "o", "linestyle": "", "alpha": 0.6, "markersize": 5}


def goals_tally(page: Page) -> str:
    """How many goals are met."""
    verdicts = [goal.verdict for goal in check_goals(GOALS, page.table)]
    tally = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in MARKS if verdict in verdicts)
    return f"{len(verdicts)} goals, {tally}"


def slower_first_hits(page: Page) -> str:
    """Where Tumble is slower."""
    found = leads(page.study("first-hit"), judged_of(page.table))
    slower = sorted((case for case in found if found[case] < 1), key=lambda case: found[case])
    return f" First hits on which Tumble is slower: {with_leads(found, slower)}." if slower else ""


def lead(page: Page, query: str) -> str:
    """How much faster Tumble is, where there is a rival."""
    found = leads(page.study(query), judged_of(page.table))
    if not found:
        return ""
    mean, (least, most) = ratio(geometric_mean(list(found.values()))), extremes(found)
    ends = f"least {with_leads(found, [least])}, most {with_leads(found, [most])}"
    return f" Geometric mean over {count(len(found))}: **{mean}**, {ends}."


def cases(page: Page, query: str) -> Table:
    """Every case of a query; where Tumble is slower, the row stands out."""
    study, judged = page.study(query), judged_of(page.table)
    chosen = study.cases(OURS)
    names = list(dict.fromkeys(name for case in chosen for name in timed(study, case)))
    kinds = (OF_POINTS, "point"), (OF_MOTIONS, "motion"), (OF_ROBOTS, "configuration")
    per_item = f"µs per {next((item for queries, item in kinds if query in queries), 'pose')}"
    unit, scale = ("ms per run", 1e3) if query in LONG else (per_item, 1e6)
    columns = [Column("case", whole=True), Column("answer"), *number_columns("triangles")]
    columns += [Column(_short(name), True, unit, base_name(name) not in (OURS, *judged)) for name in names]
    columns += number_columns("faster", f"{LOW}–{HIGH} % of rounds", group="Tumble")
    columns += [Column("than", number=True, group="Tumble", whole=True)]
    rows, slower = [], []
    for index, case in enumerate(chosen):
        rival, tail = fastest(study, case, judged), ["–"] * 3
        if rival is not None:
            ahead, low, high = (study.value(case, rival, f"{TIME} / {OURS}{end}") for end in ("", ", low", ", high"))
            tail = [ratio(ahead), f"{ratio(low)} – {ratio(high)}", _short(rival)]
            slower += [index] if ahead < 1 else []
        present = timed(study, case)
        times = [significant(study.value(case, name, TIME) * scale) if name in present else "–" for name in names]
        answer = study.text(case, "", "answer") or "–"
        rows.append([case, answer, count(study.count(case, "", "triangles")), *times, *tail])
    return Table(columns, rows, flagged=slower)


def _short(name: str) -> str:
    return name.replace(" threads", "").replace(" on ", " ×")


def facts(page: Page, query: str) -> Rows:
    """Numbers that are measured once."""
    study = page.study(query)
    return [
        [f"`{name}`", what, significant(study.value(what, name, "value")), study.text(what, name, "how")]
        for name in study.contestants()
        for what in study.cases(name)
    ]


def _all_differences(table: Results) -> list[tuple[str, str, str, Difference]]:
    """Query, case, library and difference of everything that was compared."""
    queries = (*QUERIES, *(query for query, _ in SWEEPS))
    return [(query, *key, found) for query in queries for key, found in differences(table.study(query)).items()]


def any_compared(page: Page) -> bool:
    """Whether answers were compared."""
    return bool(_all_differences(page.table))


def none_compared(page: Page) -> bool:
    """The opposite."""
    return not any_compared(page)


def differences_table(page: Page) -> Rows:
    """How answers differ from Tumble's, by library and query."""
    found = _all_differences(page.table)
    rows: list[list[str]] = []
    for query, library in dict.fromkeys((query, library) for query, _, library, _ in found):
        group = [one for q, _, name, one in found if (q, name) == (query, library)]
        sums = [sum(values) for values in zip(*group, strict=True)]
        row = [f"`{library}`", query, count(len(group)), *map(count, sums)]
        rows.append(Flagged(row) if sums[1] else row)
    return rows


def differing_cases(page: Page) -> Rows:
    """Every case with a difference."""
    found = [one for one in _all_differences(page.table) if one[-1].differ]
    return [[f"`{library}`", query, case, *map(count, one)] for query, case, library, one in found]


def different_cases(page: Page) -> str:
    """How many they are."""
    return count(sum(found.differ > 0 for *_, found in _all_differences(page.table)))


def remark(table: Results) -> str:
    """Which libraries erred, for the terminal."""
    names = [library for _, _, library, found in _all_differences(table) if found.differ]
    libraries = ", ".join(dict.fromkeys(names))
    return f"Answers differ from Tumble's, which are exact, in {len(names)} cases ({libraries}).\n" if names else ""


def rows_of(table: Results) -> list[tuple[str, float | None, list[float]]]:
    """Title, goal and leads of each query that was measured: against one rival, or against whichever is fastest."""
    found = []
    for query, title, goal, rival in ROWS:
        both = {} if rival in (FCL_AND_COAL, SAME_MESHES, HULLS) else leads(table.study(query), judged_of(table))
        values = {**both, **leads_over(table, query, rival)}
        if values:
            found.append((title, goal, list(values.values())))
    return found


def draw_speedups(page: Page) -> Any:
    """A row of dots for each query, one per case."""
    rows = rows_of(page.table)
    if not rows:
        return None
    canvas, (axes,) = plots.figure(size=(8.4, 1.5 + 0.42 * len(rows)))
    everything = [1.0, *(lead for _, _, found in rows for lead in found), *(goal for _, goal, _ in rows if goal)]
    axes.set(xscale="log", xlim=(min(everything) / 1.25, max(everything) * 1.25), ylim=(len(rows) - 0.5, -0.5))
    axes.axvline(1, color="#6a737c", linewidth=1.2, zorder=1)
    for row, (_, goal, found) in enumerate(rows):
        _draw_row(axes, row, goal, found)
    axes.set_yticks(range(len(rows)), [title for title, _, _ in rows], color=MEAN)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    plots.plain_log(axes.xaxis, "×")
    axes.spines["left"].set_visible(False)
    plots.titled(axes, "How many times faster Tumble is", "times faster (logarithmic); left of 1 it is slower", "")
    marks = [plots.line("case", color=FASTER, **DOT), plots.line("case, slower", color=SLOWER, **DOT)]
    plots.legend_below(
        canvas, [*marks, plots.line("geometric mean", color=MEAN, linewidth=2.4), plots.line("goal", **GOAL)]
    )
    return canvas


def _draw_row(axes: Any, row: int, goal: float | None, found: list[float]) -> None:
    # Dots in the order of their values, on three levels, so that equal ones do not hide each other.
    ordered = np.sort(found)
    heights = row + 0.13 * (np.arange(len(ordered)) % 3 - 1) * (len(ordered) > 1)
    colours = [FASTER if lead >= 1 else SLOWER for lead in ordered]
    axes.scatter(ordered, heights, s=20, c=colours, alpha=0.55, linewidths=0, zorder=3)
    mean = geometric_mean(found)
    axes.plot([mean, mean], [row - 0.3, row + 0.3], color=MEAN, linewidth=2.4, zorder=4, solid_capstyle="butt")
    place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "va": "center"}
    axes.annotate(ratio(mean), (1.01, row), **place, color=MEAN, fontweight="bold")
    if goal is not None:
        axes.plot([goal, goal], [row - 0.36, row + 0.36], **GOAL, zorder=2)


def draw_distance(page: Page) -> Any:
    """Microseconds over distance, a panel per query."""
    sweeps = [(title, page.study(query)) for query, title in SWEEPS if page.study(query)]
    if not sweeps:
        return None
    canvas, panels = plots.figure(columns=len(sweeps), size=(5.0 * len(sweeps), 4.2))
    for axes, (title, study) in zip(panels, sweeps, strict=True):
        for index, (name, colour, x, y) in enumerate(_series(study)):
            width = 2.6 if name == OURS else 1.6
            axes.plot(x, y, color=colour, marker=plots.MARKERS[index], linewidth=width, markeredgewidth=0)
        axes.set(yscale="log")
        plots.plain_log(axes.yaxis)
        plots.titled(axes, title, "distance of the middles, in box lengths", "microseconds per query")
    # Names stand where the limits of the axes put them, so the layout has to settle first.
    canvas.draw_without_rendering()
    for axes, (_, study) in zip(panels, sweeps, strict=True):
        plots.name_series_at_end(axes, [(name, colour, x[-1], y[-1]) for name, colour, x, y in _series(study)])
    return canvas


def _series(study: Study) -> list[tuple[str, str, list[float], list[float]]]:
    """Name, colour, distances and microseconds of every contestant."""
    cases = sorted(study.cases(), key=lambda case: study.value(case, "", "distance"))
    distances = [study.value(case, "", "distance") for case in cases]
    return [
        (name, plots.COLOURS[index], distances, [1e6 * study.value(case, name, TIME) for case in cases])
        for index, name in enumerate(timed(study, cases[0]))
    ]
