"""What fills the slots of page.md: every case, numbers that are measured once, and where answers differ."""

from tumble.bench.framework.answers import Difference, differences
from tumble.bench.framework.goals import MARKS, check_goals
from tumble.bench.framework.page import Flagged, Page, Rows
from tumble.bench.framework.statistics import HIGH, LOW, geometric_mean
from tumble.bench.framework.table import TIME
from tumble.bench.framework.table import Table as Results
from tumble.bench.peers.figures import SWEEPS
from tumble.bench.peers.goals import GOALS, base_name, extremes, fastest, judged_of, leads, timed, with_leads
from tumble.bench.peers.ours import OURS
from tumble.report import Column, Table, count, number_columns, ratio, significant

# The studies of the page, in its order.
QUERIES = (
    *("first-hit", "all-pairs", "aligned", "far-apart", "python-threads", "batch", "batch-threads"),
    *("scattered", "scattered-threads", "scene", "scene-threads", "build"),
)
# Per pose in microseconds, whole runs of long ones in milliseconds.
LONG = ("scene", "scene-threads", "build")


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
    unit, scale = ("ms per run", 1e3) if query in LONG else ("µs per pose", 1e6)
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
