"""Tests of claims about times: Table 1, Figure 7 and trees, by ratios within rounds."""

from collections.abc import Iterable, Mapping

from tumble.bench.framework.claims import UNKNOWN, Kept, Verdict, interval, over_cases, verdict
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import TIME, Study, Table, reads
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp import races
from tumble.bench.papers.bsp.published import CLOTH_BALL, FUNNEL, N_BODY, TABLE_1, title
from tumble.bench.papers.bsp.races import SCENES, TREES
from tumble.bench.papers.bsp.sheet import CASE, IMPLICIT_REBUILD, IMPLICIT_REFIT, SHEET, frame_ratio
from tumble.bench.papers.bsp.streams import SETTINGS, called, speedups
from tumble.bench.papers.bsp.ways import DEVICES, device_of, papers_way, papers_ways
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


def _times(table: Table, way: str) -> dict[str, float]:
    """Seconds of the paper's question about each scene."""
    study = table.study(races.QUERIES)
    cases = {scene: races.case_of(scene, races.questions(scene)[-1]) for scene in TABLE_1}
    return {scene: study.value(case, way, TIME) for scene, case in cases.items() if study.has(case, way, TIME)}


def on_gpus(table: Table, scene: str) -> Verdict:
    """The slower of the paper's GPUs is the limit, on any GPU here; other devices only for their numbers."""
    scenes = TABLE_1 if scene == "all" else [scene]
    limit = max(max(TABLE_1[each].milliseconds) for each in scenes)
    devices = table.study(DEVICES)
    gpus = [name for name in devices.cases() if devices.text(name, "", "kind") == "gpu"]
    found = {way: _times(table, way) for way in [papers_way(name) for name in gpus] or papers_ways(table)}
    times = {way: {each: ms[each] for each in scenes if each in ms} for way, ms in found.items()}
    text = "; ".join(
        f"{way}: " + ", ".join(f"{title(each)} {significant(1e3 * value)} ms" for each, value in ms.items())
        for way, ms in times.items()
    )
    if not gpus:
        return Verdict(UNKNOWN, f"no GPU here; {text}")
    worst = max((value for ms in times.values() for value in ms.values()), default=float("nan"))
    return verdict(1e3 * worst <= limit, 1, text)


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
                outcomes.append((high / low <= STEADY, f"{case} {ratio(high / low)} ({rounds} runs)"))
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


def compressed(table: Table) -> Verdict:
    """Queries over both forms of trees."""
    study, outcomes = table.study(TREES), []
    for way in map(device_of, papers_ways(table)):
        padded, without = (called(way, races.QUERY, form) for form in races.FORMS)
        for scene in study.cases(padded, without):
            if study.has(scene, padded, f"{TIME} / {without}"):
                gain = study.interval(scene, padded, without)
                outcomes.append((gain.above(1 + CLOSE), f"{title(scene)} {interval(gain)}"))
    return over_cases(outcomes, "padded beside compressed, time of a query: ")


def rebuilt(table: Table) -> Verdict:
    """A frame over compressed trees, moved and asked: built anew beside refitted since the frame before."""
    study, outcomes = table.study(TREES), []
    for way in dict.fromkeys(map(device_of, papers_ways(table))):
        anew, refitted = (called(way, what, races.COMPRESSED) for what in races.FRAMES)
        steps = [called(way, what, races.COMPRESSED) for what in (races.BUILD, races.REFIT)]
        for scene in study.cases(anew, refitted):
            found, alone = study.interval(scene, anew, refitted), study.interval(scene, *steps)
            text = f"{title(scene)} {interval(found)}, without the query {ratio(alone.value)}"
            outcomes.append((found.below(1), text))
    return over_cases(outcomes, "rebuilt beside refitted: ")


@reads(SHEET)
def rebuilt_on_sheet(study: Study) -> Verdict | None:
    """Update and queries of compressed trees in each frame: built anew beside refitted since the first frame."""
    if not all(study.has(CASE, rule, "pairs") for rule in (IMPLICIT_REFIT, IMPLICIT_REBUILD)):
        return None
    found = frame_ratio(study, IMPLICIT_REBUILD, IMPLICIT_REFIT)
    return over_cases([(found.below(1), interval(found))], "rebuilt beside refitted, a frame: ")
