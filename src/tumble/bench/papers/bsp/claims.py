"""The tests of the paper's claims, and what the bulk traversal must reach here.

Claims about how long something takes on a GPU are tested where a device is one; ratios between methods and settings are
tested on every device, and on the CPU twin only where there is no device. They are about the method as the paper has
it: descendants are written, and tested when they are read.
"""

from functools import partial

from tumble.bench.framework.claims import UNKNOWN, Verdict, graded, over_cases, read_claims, verdict
from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.table import TIME, Study, Table, reads
from tumble.bench.papers.bsp import published as paper
from tumble.bench.papers.bsp import races
from tumble.bench.papers.bsp.broad_phases import ELEMENTS, EMBREE, FACES, IPC, TWIN, WIDE, lead_over, object_seconds
from tumble.bench.papers.bsp.published import CLOTH_BALL, N_BODY, TABLE_1, title
from tumble.bench.papers.bsp.races import LOADS, TREES, kernel_speedups, mean, ordered, speedups
from tumble.bench.papers.bsp.sheet import CASE, SHEET
from tumble.bench.papers.bsp.sweeps import Seconds, seconds_of, smaller_takes, step_costs, study_of
from tumble.bench.papers.bsp.ways import ANSWERS, CPU, DEVICES, device_of, papers_way, papers_ways
from tumble.report import count, ratio, significant

# Counts closer than a twentieth are the same load; times closer than that are equal.
CLOSE = 0.05
# So many times as much is far more.
FAR_MORE = 2.0
LEAST_SPEEDUP = 4.0
MOST_GROWTH = 0.05
"""of resident memory, from a third of the way on"""


@reads(ANSWERS)
def same_answers(study: Study) -> Verdict:
    """All comparisons of all ways; the first that differ are named."""
    asked = [(case, way) for case in study.cases() for way in study.contestants(case)]
    wrong = [f"{way} on {case}" for case, way in asked if not study.value(case, way, "same")]
    same = f"in all of {count(len(asked))} comparisons"
    numbers = f"{count(len(wrong))} differ: {', '.join(wrong[:5])}" if wrong else same
    return verdict(len(asked) - len(wrong), len(asked), numbers)


def _real_loads(loads: Study) -> dict[str, str]:
    """The frames that were read, with their scenes."""
    return {case: loads.text(case, "", "scene") for case in loads.cases() if loads.value(case, "", "real")}


@reads(LOADS)
def objects(loads: Study) -> Verdict:
    """The objects of the scenes that were read."""
    found = {scene: loads.count(case, "", "objects") for case, scene in _real_loads(loads).items()}
    return over_cases([(TABLE_1[scene].objects == n, f"{title(scene)} {count(n)}") for scene, n in found.items()])


def loads(table: Table) -> Verdict:
    """The leaf pairs of the heavier frame of each scene that was read."""
    heaviest: dict[str, str] = {}
    for case, scene in _real_loads(table.study(LOADS)).items():
        if scene not in heaviest or ordered(table, case) > ordered(table, heaviest[scene]):
            heaviest[scene] = case
    if not heaviest:
        return Verdict(UNKNOWN, "the paper's scenes were not at hand")
    pairs = {scene: ordered(table, case) for scene, case in heaviest.items()}
    frames = {scene: table.study(LOADS).text(case, "", "frame") for scene, case in heaviest.items()}
    kept = sum(abs(pairs[scene] / TABLE_1[scene].leaf_pairs - 1) <= CLOSE for scene in pairs)
    text = ", ".join(f"{title(scene)} {count(pairs[scene])} (frame {frames[scene]})" for scene in pairs)
    numbers = f"both orders counted: {text}; the published dataset's other frames are not at hand"
    return verdict(kept, len(pairs), numbers)


def _times(table: Table, way: str) -> dict[str, float]:
    """Seconds of the paper's question about each scene."""
    study = table.study(races.QUERIES)
    cases = {scene: races.case_of(scene, races.questions(scene)[-1]) for scene in TABLE_1}
    return {scene: study.value(case, way, TIME) for scene, case in cases.items() if study.has(case, way, TIME)}


def real_time(table: Table) -> Verdict:
    """The slowest scene on any GPU; the other devices only for their numbers."""
    devices = table.study(DEVICES)
    gpus = [name for name in devices.cases() if devices.text(name, "", "kind") == "gpu"]
    times = {way: _times(table, way) for way in [papers_way(name) for name in gpus] or papers_ways(table)}
    text = "; ".join(
        f"{way}: " + ", ".join(f"{title(scene)} {significant(1e3 * value)} ms" for scene, value in found.items())
        for way, found in times.items()
    )
    if not gpus:
        return Verdict(UNKNOWN, f"no GPU here; {text}")
    worst = max((value for found in times.values() for value in found.values()), default=float("nan"))
    return verdict(1e3 * worst <= max(TABLE_1[CLOTH_BALL].milliseconds), 1, text)


def order(table: Table) -> Verdict | None:
    """The scenes by time, on every way."""
    outcomes = []
    for way in papers_ways(table):
        times = _times(table, way)
        if len(times) < len(TABLE_1):
            return None
        ranked = sorted(times, key=lambda scene: -times[scene])
        kept = ranked[0] == CLOTH_BALL and ranked[-1] == paper.FUNNEL
        outcomes.append((kept, f"{way}: {' > '.join(map(title, ranked))}"))
    return over_cases(outcomes, between="; ")


def _by_way(table: Table, least_scenes: int) -> dict[str, dict[str, float]]:
    found = {way: speedups(table, way) for way in papers_ways(table)}
    return {way: values for way, values in found.items() if len(values) >= least_scenes}


def faster(table: Table) -> Verdict | None:
    """On all scenes, and by the smaller of the paper's averages."""
    found = _by_way(table, 1)
    if not found:
        return None
    kept = [min(values.values()) > 1 for values in found.values()]
    far = [mean(values) >= min(paper.MEAN_SPEEDUP) for values in found.values()]
    numbers = "; ".join(f"{way}: {ratio(mean(values))} on average" for way, values in found.items())
    return graded(all(kept) and all(far), any(kept), numbers)


def best_scene(table: Table) -> Verdict:
    """The scene of the largest speed-up, on every way with two scenes or more."""
    found = _by_way(table, 2)
    best = {way: max(values, key=lambda scene: values[scene]) for way, values in found.items()}
    outcomes = [
        (scene == paper.BEST_SCENE, f"{way}: {ratio(found[way][scene])} on {title(scene)}")
        for way, scene in best.items()
    ]
    return over_cases(outcomes, between="; ")


def _swept(table: Table, figure: int) -> list[tuple[str, Seconds]]:
    """Scenes of a figure, with more than one combination that was measured in the paper's way."""
    study = study_of(table, figure)
    found = [(scene, seconds_of(study, scene, way)) for way in papers_ways(table) for scene in study.cases(way)]
    return [(scene, seconds) for scene, seconds in found if len(seconds) > 1]


def _on(table: Table, text: str) -> str:
    return f"{'; '.join(papers_ways(table))}: {text}"


def deep_steps(table: Table) -> Verdict | None:
    """Drastic as in the paper on all scenes; in part where four levels are the slowest on any."""
    steps = [(scene, step_costs(seconds)) for scene, seconds in _swept(table, 8)]
    parts = [(scene, costs[paper.DEEP_STEP], max(costs.values())) for scene, costs in steps if paper.DEEP_STEP in costs]
    if not parts:
        return None
    kept = sum(deep >= paper.SLOW_DOWN[0] for _, deep, _ in parts)
    slower = any(deep == most and deep > 1 + CLOSE for _, deep, most in parts)
    text = ", ".join(f"{title(scene)} {ratio(deep)}" for scene, deep, _ in parts)
    return graded(kept == len(parts), slower, _on(table, f"µ = 4 beside the best step: {text}"))


def small_steps(table: Table) -> Verdict:
    """One or two levels, or about as fast as the best."""
    outcomes = []
    for scene, seconds in _swept(table, 8):
        costs = step_costs(seconds)
        kept = min(costs.get(1, 9e9), costs.get(2, 9e9)) <= 1 + CLOSE
        outcomes.append((kept, f"{title(scene)} µ = {min(costs, key=lambda step: costs[step])}"))
    return over_cases(outcomes, _on(table, "the best step: "))


def entry(table: Table) -> Verdict | None:
    """How the time grows with the entry level, at µ = 2."""
    low, high = paper.ENTRY_LEVELS
    growths, span = [], (low, high)
    for scene, seconds in _swept(table, 8):
        levels = sorted({entry for entry, step in seconds if step == 2 and low <= entry <= high})
        if len(levels) > 1:
            span = levels[0], levels[-1]
            growths.append((scene, seconds[span[1], 2] / seconds[span[0], 2]))
    if not growths:
        return None
    crowd = min((value for scene, value in growths if scene == N_BODY), default=0.0)
    beside = crowd / max((value for scene, value in growths if scene != N_BODY), default=1.0)
    more = crowd > 1 + CLOSE and beside > 1 + CLOSE
    text = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value in growths)
    numbers = _on(table, f"time at level {span[1]} beside level {span[0]}, µ = 2: {text}")
    return graded(more and beside >= FAR_MORE, more, numbers)


def mid_range(table: Table) -> Verdict | None:
    """Queues and groups each by themselves, the other being as good as the paper says."""
    swept = _swept(table, 9)
    queues = [(scene, smaller_takes(seconds, 0, paper.GOOD_QUEUE, paper.GOOD_GROUP)) for scene, seconds in swept]
    groups = [(scene, smaller_takes(seconds, 1, paper.GOOD_GROUP, paper.GOOD_QUEUE)) for scene, seconds in swept]
    gains = [gain for _, gain in queues + groups if gain is not None]
    text = "; ".join(
        f"smaller {name} take " + ", ".join(f"{title(scene)} {ratio(gain)}" for scene, gain in parts)
        for name, parts in (("queues", queues), ("groups", groups))
    )
    return verdict(sum(gain > 1 + CLOSE for gain in gains), len(gains), _on(table, text))


@reads(TREES)
def padding(study: Study) -> Verdict:
    """A complete tree has 2^(d+1) - 1 nodes, and more than half of the room of its last level is in use."""
    nodes = {scene: [study.value(scene, form, "nodes") for form in races.FORMS] for scene in study.cases()}
    parts = {scene: padded / compressed for scene, (padded, compressed) in nodes.items()}
    return over_cases([(part <= 2, f"{title(scene)} {ratio(part)}") for scene, part in parts.items()])


def compressed(table: Table) -> Verdict:
    """Queries over both forms of trees."""
    study, outcomes = table.study(TREES), []
    for way in map(device_of, papers_ways(table)):
        padded, without = (races.called(way, races.QUERY, form) for form in races.FORMS)
        for scene in study.cases(padded, without):
            gain = study.value(scene, padded, TIME) / study.value(scene, without, TIME)
            outcomes.append((gain > 1 + CLOSE, f"{title(scene)} {ratio(gain)}"))
    return over_cases(outcomes, "padded beside compressed, time of a query: ")


def _streams(table: Table) -> Outcome:
    """Every device by itself; the slowest counts."""
    texts, means = [], []
    for device in table.study(DEVICES).cases():
        found = speedups(table, device)
        if found:
            others = {
                "in the paper's way": mean(speedups(table, papers_way(device))),
                "in kernels alone": mean(kernel_speedups(table, device)),
                "on the CPU without a device": mean(speedups(table, CPU)),
            }
            parts = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value in found.items())
            text = "; ".join([parts, *(f"{name} {ratio(value)}" for name, value in others.items())])
            texts.append(f"{device}: {ratio(mean(found))} ({text})")
            means.append(mean(found))
    return ("; ".join(texts), min(means) / LEAST_SPEEDUP) if means else None


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


CLAIMS = read_claims(__package__, globals())
FASTER = "faster than IPC Toolkit's fastest"
GOALS = (
    Goal("bulk on devices", f"on average at least {LEAST_SPEEDUP:g}× as fast as streams on the same device", _streams),
    Goal("self-collision candidates, cloth-ball", FASTER, partial(_ipc, FACES, TWIN)),
    Goal("contact candidates, cloth-ball", FASTER, partial(_ipc, ELEMENTS, WIDE)),
    Goal("beside Embree, cloth-ball", "the distance is stated", _embree),
    Goal("answers", "the same leaf pairs in every way, for all settings", _answers),
    Goal("sheet", "the same pairs by every rule, memory flat", _sheet),
)
