"""What the bulk traversal must reach here, beyond what the paper claims."""

from functools import partial

from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.table import Table
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, EMBREE, FACES, IPC, TWIN, WIDE, lead_over, object_seconds
from tumble.bench.papers.bsp.published import CLOTH_BALL, title
from tumble.bench.papers.bsp.races import mean
from tumble.bench.papers.bsp.sheet import CASE, SHEET
from tumble.bench.papers.bsp.streams import kernel_speedups, speedups
from tumble.bench.papers.bsp.ways import ANSWERS, CPU, DEVICES, papers_way
from tumble.report import count, ratio

LEAST_SPEEDUP = 4.0
MOST_GROWTH = 0.05
"""of resident memory, from a third of the way on"""


def _streams(table: Table) -> Outcome:
    """Every device by itself; the slowest counts."""
    texts, means = [], []
    for device in table.study(DEVICES).cases():
        found = _values(table, device)
        if found:
            others = {
                "in the paper's way": mean(_values(table, papers_way(device))),
                "in kernels alone": mean(kernel_speedups(table, device)),
                "on the CPU without a device": mean(_values(table, CPU)),
            }
            parts = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value in found.items())
            text = "; ".join([parts, *(f"{name} {ratio(value)}" for name, value in others.items())])
            texts.append(f"{device}: {ratio(mean(found))} ({text})")
            means.append(mean(found))
    return ("; ".join(texts), min(means) / LEAST_SPEEDUP) if means else None


def _values(table: Table, way: str) -> dict[str, float]:
    return {scene: found.value for scene, found in speedups(table, way).items()}


def _ipc(question: str, ours: str, table: Table) -> Outcome:
    study = table.study(question)
    lead = lead_over(study, CLOTH_BALL, IPC, ours)
    if lead is None:
        return None
    rival, value = lead
    text = f"{ratio(value)} as fast as {rival}"
    each = object_seconds(table)
    if question == FACES and each is not None:
        text += f", with the Python objects that it makes of all candidates, about {1e9 * each:.0f} ns each;"
        text += " the next row has none"
    return text, value


def _embree(table: Table) -> Outcome:
    lead = lead_over(table.study(FACES), CLOTH_BALL, EMBREE)
    if lead is None:
        return None
    rival, value = lead
    words = f"is {ratio(value)} as fast as" if value >= 1 else f"takes {ratio(1 / value)} as long as"
    return f"the CPU twin {words} {rival}", 1.0


def _answers(table: Table) -> Outcome:
    study = table.study(ANSWERS)
    asked, same = sum(len(study.contestants(case)) for case in study.cases()), round(study.total("same"))
    return (f"{count(same)} of {count(asked)} comparisons", same / asked) if asked else None


def _sheet(table: Table) -> Outcome:
    study = table.study(SHEET)
    rules = study.contestants()
    if not rules:
        return None
    pairs = {study.count(CASE, rule, "pairs") for rule in rules}
    text = f"{count(min(pairs))} pairs in {count(study.count(CASE, '', 'frames'))} frames by {len(rules)} rules"
    text += "" if len(pairs) == 1 else f" (but up to {count(max(pairs))})"
    early, late = (study.value(CASE, "", f"megabytes, {when}", 0) for when in ("early", "late"))
    grown = (late - early) / early if early and late else 0.0
    text += f"; memory grows by {grown:.1%} in the last two thirds" if early else "; memory not known"
    return text, (1.0 if len(pairs) == 1 else 0.0) * min(1.0, MOST_GROWTH / max(grown, 1e-9))


FASTER = "faster than IPC Toolkit's fastest"
GOALS = (
    Goal("bulk on devices", f"on average at least {LEAST_SPEEDUP:g}× as fast as streams at their best", _streams),
    Goal("self-collision candidates, cloth-ball", FASTER, partial(_ipc, FACES, TWIN)),
    Goal("contact candidates, cloth-ball", FASTER, partial(_ipc, ELEMENTS, WIDE)),
    Goal("beside Embree, cloth-ball", "the distance is stated", _embree),
    Goal("answers", "the same leaf pairs in every way, for all settings", _answers),
    Goal("sheet", "the same pairs by every rule, memory flat", _sheet),
)
