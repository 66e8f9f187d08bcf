"""Tests of claims about times: Table 1 and Figure 7, by ratios within rounds."""

from collections.abc import Iterable, Mapping
from math import inf

from tumble.bench.framework.claims import UNKNOWN, Kept, Verdict, interval, over_cases
from tumble.bench.framework.statistics import DECIDING_ROUNDS, Interval
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp import races
from tumble.bench.papers.bsp.published import CLOTH_BALL, FUNNEL, N_BODY, TABLE_1, title
from tumble.bench.papers.bsp.races import SCENES
from tumble.bench.papers.bsp.streams import SETTINGS, speedups
from tumble.bench.papers.bsp.ways import DEVICES, device_of, on_devices, papers_way, papers_ways
from tumble.report import ratio, significant

# Times closer than a twentieth are equal.
CLOSE = 0.05
# "Approximately twice": published 2.44 and 2.04.
TWICE = (1.5, 3.0)
STEADY = 1.1
"""the slowest tenth of the runs beside the fastest: a difference below a tenth is not significant"""


def every(kept: Iterable[Kept]) -> Kept:
    """Whether all are kept; what is not decided leaves it open unless one is broken."""
    found = list(kept)
    return False if False in found else None if None in found else True


def between(found: Interval, low: float, high: float) -> Kept:
    """Whether a ratio lies in a range."""
    return every([found.above(low), found.below(high)])


def _spread(study: Study, case: str, way: str) -> Interval:
    """Seconds of a way: the median, and between which a tenth of the rounds lies on either side; few decide nothing."""
    if study.value(case, way, "rounds", 0) < DECIDING_ROUNDS:
        return Interval(study.value(case, way, TIME), 0.0, inf)
    return Interval(*(study.value(case, way, f"{TIME}{end}") for end in ("", ", low", ", high")))


def _times(table: Table, way: str, scenes: Iterable[str]) -> dict[str, Interval]:
    """Milliseconds of the paper's question about scenes."""
    study = table.study(races.QUERIES)
    cases = {scene: races.case_of(scene, races.questions(scene)[-1]) for scene in scenes}
    found = {scene: _spread(study, case, way) for scene, case in cases.items() if study.has(case, way, TIME)}
    return {scene: Interval(*(1e3 * seconds for seconds in spread)) for scene, spread in found.items()}


def on_gpus(table: Table, scene: str) -> Verdict:
    """The slower of the paper's GPUs is the limit, on any GPU here; other devices only for their numbers."""
    scenes = list(TABLE_1) if scene == "all" else [scene]
    limit = max(max(TABLE_1[each].milliseconds) for each in scenes)
    devices = table.study(DEVICES)
    gpus = [name for name in devices.cases() if devices.text(name, "", "kind") == "gpu"]
    outcomes = [
        (spread.below(limit), f"{way}, {title(each)} {significant(spread.value)} ms")
        for way in [papers_way(name) for name in gpus] or papers_ways(table)
        for each, spread in _times(table, way, scenes).items()
    ]
    if gpus:
        return over_cases(outcomes)
    return Verdict(UNKNOWN, "; ".join(["no GPU here: the limit is that of one", *(text for _, text in outcomes)]))


def _scenes(table: Table) -> dict[str, dict[tuple[str, str], Interval]]:
    """What each scene takes beside each other one, by way."""
    study, found = table.study(SCENES), {}
    for way in study.cases(*TABLE_1):
        pairs = [(one, other) for one in TABLE_1 for other in TABLE_1 if one != other]
        found[way] = {pair: study.interval(way, *pair) for pair in pairs}
    return found


def order(table: Table) -> Verdict:
    """Cloth-Ball takes longer than each of the others, and Funnel less, in one race of the three."""
    outcomes = []
    for way, beside in _scenes(table).items():
        longest = [beside[CLOTH_BALL, other].above(1) for other in (FUNNEL, N_BODY)]
        text = f"Cloth-Ball {ratio(beside[CLOTH_BALL, FUNNEL].value)}, NBody {interval(beside[N_BODY, FUNNEL])}"
        outcomes.append((every([*longest, beside[N_BODY, FUNNEL].above(1)]), f"{way}: Funnel = 1, {text}"))
    return over_cases(outcomes, between="; ")


def twice_as_slow(table: Table) -> Verdict:
    """NBody takes 1.5 to 3 times as long as Funnel: the published ratios are 2.44 and 2.04."""
    found = {way: beside[N_BODY, FUNNEL] for way, beside in _scenes(table).items()}
    return over_cases([(between(value, *TWICE), f"{way}: {interval(value)}") for way, value in found.items()])


def steady(table: Table) -> Verdict:
    """Of the runs of Table 1 in the paper's way, the slowest tenth takes at most a tenth longer than the fastest."""
    study, outcomes = table.study(races.QUERIES), []
    for way in papers_ways(table):
        for case in study.cases(way):
            low, high = (study.value(case, way, f"{TIME}, {end}", 0) for end in ("low", "high"))
            if low:
                rounds = round(study.value(case, way, "rounds", 0))
                kept = high / low <= STEADY if rounds >= DECIDING_ROUNDS else None
                outcomes.append((kept, f"{case} {ratio(high / low)} ({rounds} runs)"))
    return over_cases(outcomes)


def mean_speedup(found: Mapping[str, Interval]) -> Interval:
    """The plain mean, as the paper's average is one, and between what it lies."""
    parts = zip(*found.values(), strict=True)
    return Interval(*(sum(part) / len(found) for part in parts))


def _by_way(table: Table, least_scenes: int) -> dict[str, dict[str, Interval]]:
    found = {way: speedups(table, way) for way in papers_ways(table)}
    return {way: values for way, values in found.items() if len(values) >= least_scenes}


def faster(table: Table) -> Verdict:
    """On all scenes, beside streams with their best settings that enter with the same pairs."""
    outcomes = [
        (value.above(1), f"{way}, {title(scene)} {interval(value)}")
        for way, values in _by_way(table, 1).items()
        for scene, value in values.items()
    ]
    return over_cases(outcomes)


def four_times(table: Table) -> Verdict:
    """By the smaller of the paper's averages."""
    means = {way: mean_speedup(values) for way, values in _by_way(table, 1).items()}
    return over_cases([(m.above(min(paper.MEAN_SPEEDUP)), f"{way}: {interval(m)}") for way, m in means.items()])


def best_scene(table: Table) -> Verdict:
    """NBody's speed-up beside those of the others: above all of them once noise is allowed for."""
    outcomes = []
    for way, values in _by_way(table, 2).items():
        best = values.get(paper.BEST_SCENE)
        if best:
            beside = [
                True if best.low > value.high else False if best.high < value.low else None
                for scene, value in values.items()
                if scene != paper.BEST_SCENE
            ]
            text = ", ".join(f"{title(scene)} {interval(value)}" for scene, value in values.items())
            outcomes.append((every(beside), f"{way}: {text}"))
    return over_cases(outcomes, between="; ")


def up_to(table: Table) -> Verdict:
    """The largest speed-up of all scenes reaches the paper's largest: in the paper's way, and in ours."""
    outcomes = []
    for way in _by_way(table, 1):
        for each in (way, device_of(way)):
            found = speedups(table, each)
            best = max(found, key=lambda scene: found[scene].value)
            largest = Interval(*map(max, zip(*found.values(), strict=True)))
            kept = largest.above(max(paper.BEST_SPEEDUP))
            outcomes.append((kept, f"{each}: {title(best)} {interval(largest)}"))
    return over_cases(outcomes, between="; ")


@on_devices
def local_stacks(table: Table) -> Verdict | None:
    """Streams with the smallest stack that was tried, all else being as in the best settings, beside those settings.

    Smaller stacks are slower by more than a twentieth if streams depend on local memory.
    """
    study, outcomes = table.study(SETTINGS), []
    for case in study.cases():
        best = study.text(case, "", "chosen")
        others = best.partition("stack ")[0]
        stacks = {int(name.split()[-1]): name for name in study.contestants(case) if name.startswith(others)}
        if study.text(case, "", "way") in table.study(DEVICES).cases() and len(stacks) > 1:
            smallest = stacks[min(stacks)]
            found = study.interval(case, smallest, best)
            outcomes.append((found.above(1 + CLOSE), f"{case} {interval(found)}"))
    return over_cases(outcomes, "the smallest stack beside the best: ")
