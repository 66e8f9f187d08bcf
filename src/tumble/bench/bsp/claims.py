"""The paper's claims, each with a judge that looks at what was found.

Claims about how long something takes on a GPU are judged where a device is one; ratios between methods and settings are
judged on every device, and on the CPU twin only where there is no device. They are about the method as the paper has
it: descendants are written, and tested when they are read.
"""

from __future__ import annotations

from tumble.bench.bsp.judging import mean, smaller_takes, speedups, step_costs, title
from tumble.bench.bsp.published import (
    BEST_SCENE,
    BEST_SPEEDUP,
    DEEP_STEP,
    ENTRY_LEVELS,
    GOOD_GROUP,
    GOOD_QUEUE,
    GPUS,
    MEAN_SPEEDUP,
    N_BODY,
    SLOW_DOWN,
    TABLE_1,
)
from tumble.bench.bsp.records import Findings, Swept, device_of, papers_way
from tumble.bench.bsp.table import questions_of
from tumble.bench.bsp.trees import COMPRESSED, PADDED, QUERY, called
from tumble.bench.claims import Claim, Judged, judge
from tumble.bench.verdicts import FAILS, HOLDS, PARTLY, UNKNOWN, Finding, verdict
from tumble.report import count, ratio, significant

NOTHING = Finding(UNKNOWN, "–")
# Counts closer than a twentieth are the same load; times closer than that are equal.
CLOSE = 0.05
# So many times as much is far more.
FAR_MORE = 2.0


def judge_claims(findings: Findings) -> list[Judged]:
    """Every claim put to what was found."""
    return judge(CLAIMS, findings)


def _same_answers(findings: Findings) -> Finding:
    wrong = [one for one in findings.answers if not one.same]
    total = len(findings.answers)
    if wrong:
        told = ", ".join(f"{one.way} on {one.scene} ({one.question})" for one in wrong[:5])
        return Finding(verdict(total - len(wrong), total), f"{count(len(wrong))} differ: {told}")
    return Finding(verdict(total, total), f"in all of {count(total)} comparisons" if total else "–")


def _padding(findings: Findings) -> Finding:
    parts = [(one.padded_nodes / one.compressed_nodes, one.scene) for one in findings.grown]
    # A complete tree has 2^(d+1) - 1 nodes, and more than half of the room of its last level is in use.
    kept = sum(part <= 2 for part, _ in parts)
    told = ", ".join(f"{title(scene)} {ratio(part)}" for part, scene in parts)
    return Finding(verdict(kept, len(parts)), told or "–")


def _loads(findings: Findings) -> Finding:
    heaviest: dict[str, tuple[int, str]] = {}
    for one in findings.loads:
        if one.real and one.ordered > heaviest.get(one.scene, (0, ""))[0]:
            heaviest[one.scene] = one.ordered, one.frame
    if not heaviest:
        return Finding(UNKNOWN, "the paper's scenes were not at hand")
    kept = sum(abs(pairs / TABLE_1[scene].leaf_pairs - 1) <= CLOSE for scene, (pairs, _) in heaviest.items())
    told = ", ".join(f"{title(scene)} {count(pairs)} (frame {frame})" for scene, (pairs, frame) in heaviest.items())
    return Finding(verdict(kept, len(heaviest)), f"both orders counted: {told}; the published dataset's other frames "
                   "are not at hand")  # fmt: skip


def _objects(findings: Findings) -> Finding:
    real = {one.scene: one.objects for one in findings.loads if one.real}
    kept = sum(TABLE_1[scene].objects == objects for scene, objects in real.items())
    return Finding(verdict(kept, len(real)), ", ".join(f"{title(s)} {count(n)}" for s, n in real.items()) or "–")


def _times(findings: Findings, way: str) -> dict[str, float]:
    found = {}
    for scene in TABLE_1:
        raced = findings.of(findings.table, scene, questions_of(TABLE_1[scene].itself)[-1])
        if raced is not None and way in raced.rounds:
            found[scene] = raced.seconds(way)
    return found


def _real_time(findings: Findings) -> Finding:
    ways = [papers_way(device.name) for device in findings.gpus] or findings.papers_ways
    times = {way: _times(findings, way) for way in ways}
    told = "; ".join(
        f"{way}: " + ", ".join(f"{title(scene)} {significant(1e3 * value)} ms" for scene, value in found.items())
        for way, found in times.items()
    )
    if not findings.gpus:
        return Finding(UNKNOWN, f"no GPU here; {told}")
    worst = max(value for found in times.values() for value in found.values())
    return Finding(HOLDS if 1e3 * worst <= max(TABLE_1["cloth-ball"].milliseconds) else FAILS, told)


def _order(findings: Findings) -> Finding:
    """Cloth-ball takes longest, funnel is fastest."""
    kept, told = 0, []
    ways = findings.papers_ways
    for way in ways:
        times = _times(findings, way)
        if len(times) < 3:
            return NOTHING
        ranked = sorted(times, key=lambda scene: -times[scene])
        kept += ranked[0] == "cloth-ball" and ranked[-1] == "funnel"
        told.append(f"{way}: {' > '.join(map(title, ranked))}")
    return Finding(verdict(kept, len(ways)), "; ".join(told))


def _faster(findings: Findings) -> Finding:
    ways = [(way, speedups(findings, way)) for way in findings.papers_ways]
    found = [(way, values) for way, values in ways if values]
    if not found:
        return NOTHING
    kept = [min(values.values()) > 1 for _, values in found]
    far = [mean(values) >= min(MEAN_SPEEDUP) for _, values in found]
    told = "; ".join(f"{way}: {ratio(mean(values))} on average" for way, values in found)
    return Finding(HOLDS if all(kept) and all(far) else PARTLY if any(kept) else FAILS, told)


def _best_scene(findings: Findings) -> Finding:
    found = [(way, speedups(findings, way)) for way in findings.papers_ways]
    found = [(way, values) for way, values in found if len(values) > 1]
    if not found:
        return NOTHING
    best = [(way, *max((value, scene) for scene, value in values.items())) for way, values in found]
    kept = sum(scene == BEST_SCENE for _, _, scene in best)
    told = "; ".join(f"{way}: {ratio(value)} on {title(scene)}" for way, value, scene in best)
    return Finding(verdict(kept, len(best)), told)


def _figures(findings: Findings, figure: int) -> list[Swept]:
    ways = findings.papers_ways
    return [one for one in findings.swept if one.figure == figure and one.way in ways and len(one.seconds) > 1]


def _told_ways(findings: Findings) -> str:
    return "; ".join(findings.papers_ways) + ": "


def _deep_steps(findings: Findings) -> Finding:
    parts = [(one.scene, step_costs(one)) for one in _figures(findings, 8)]
    parts = [(scene, costs) for scene, costs in parts if DEEP_STEP in costs]
    if not parts:
        return NOTHING
    kept = sum(costs[DEEP_STEP] >= SLOW_DOWN[0] for _, costs in parts)
    slower = sum(costs[DEEP_STEP] == max(costs.values()) and costs[DEEP_STEP] > 1 + CLOSE for _, costs in parts)
    told = ", ".join(f"{title(scene)} {ratio(costs[DEEP_STEP])}" for scene, costs in parts)
    return Finding(
        HOLDS if kept == len(parts) else PARTLY if slower else FAILS,
        f"{_told_ways(findings)}µ = 4 beside the best step: {told}",
    )


def _small_steps(findings: Findings) -> Finding:
    parts = [(one.scene, step_costs(one)) for one in _figures(findings, 8)]
    if not parts:
        return NOTHING
    kept = sum(min(costs.get(1, 9e9), costs.get(2, 9e9)) <= 1 + CLOSE for _, costs in parts)
    told = ", ".join(f"{title(scene)} µ = {min(costs, key=lambda step: costs[step])}" for scene, costs in parts)
    return Finding(verdict(kept, len(parts)), f"{_told_ways(findings)}the best step: {told}")


def _entry(findings: Findings) -> Finding:
    low, high = ENTRY_LEVELS
    growths = []
    for one in _figures(findings, 8):
        levels = sorted({entry for entry, step in one.seconds if step == 2 and low <= entry <= high})
        if len(levels) > 1:
            growths.append((one.scene, one.seconds[levels[-1], 2] / one.seconds[levels[0], 2], levels))
    if not growths:
        return NOTHING
    crowd = [value for scene, value, _ in growths if scene == N_BODY]
    others = [value for scene, value, _ in growths if scene != N_BODY]
    beside = min(crowd, default=0.0) / max(others, default=1.0)
    more = min(crowd, default=0.0) > 1 + CLOSE and beside > 1 + CLOSE
    told = ", ".join(f"{title(scene)} {ratio(value)}" for scene, value, _ in growths)
    levels = growths[0][2]
    found = f"{_told_ways(findings)}time at level {levels[-1]} beside level {levels[0]}, µ = 2: {told}"
    return Finding(FAILS if not more else HOLDS if beside >= FAR_MORE else PARTLY, found)


def _mid_range(findings: Findings) -> Finding:
    """Queues and groups each by themselves, the other being as good as the paper says."""
    figures = _figures(findings, 9)
    queues = [(one.scene, smaller_takes(one, 0, GOOD_QUEUE, GOOD_GROUP)) for one in figures]
    groups = [(one.scene, smaller_takes(one, 1, GOOD_GROUP, GOOD_QUEUE)) for one in figures]
    gains = [gain for _, gain in queues + groups if gain is not None]
    if not gains:
        return NOTHING
    told = "; ".join(
        f"smaller {name} take " + ", ".join(f"{title(scene)} {ratio(gain)}" for scene, gain in parts)
        for name, parts in (("queues", queues), ("groups", groups))
    )
    return Finding(verdict(sum(gain > 1 + CLOSE for gain in gains), len(gains)), f"{_told_ways(findings)}{told}")


def _compressed(findings: Findings) -> Finding:
    gains = []
    for one in findings.grown:
        for way in map(device_of, findings.papers_ways):
            names = called(way, QUERY, PADDED), called(way, QUERY, COMPRESSED)
            if all(name in one.rounds for name in names):
                gains.append((one.scene, one.seconds(names[0]) / one.seconds(names[1])))
    if not gains:
        return NOTHING
    kept = sum(gain > 1 + CLOSE for _, gain in gains)
    told = ", ".join(f"{title(scene)} {ratio(gain)}" for scene, gain in gains)
    return Finding(verdict(kept, len(gains)), f"padded beside compressed, time of a query: {told}")


_NAMES = " and ".join(GPUS)
CLAIMS = (
    Claim(
        "same-answers",
        "What is found does not depend on method, device and parameters.",
        "Sections 3, 5",
        "by construction",
        _same_answers,
        certain=True,
    ),
    Claim("objects", "The scenes have 2, 4 and 305 objects.", "Section 6", "2, 4, 305", _objects),
    Claim(
        "loads",
        "At the heaviest time-steps so many leaf pairs overlap.",
        "Section 6.1",
        "3.1 M, 314 K, 117.6 K",
        _loads,
    ),
    Claim(
        "real-time",
        "Queries between and within objects take at most 6.5 ms.",
        "Table 1",
        f"cloth-ball 6.43 and 3.08 ms ({_NAMES})",
        _real_time,
    ),
    Claim(
        "order",
        "Cloth-ball takes longest, funnel is the fastest.",
        "Section 6.1",
        "6.43 > 2.42 > 0.99 ms",
        _order,
    ),
    Claim(
        "faster",
        "Bulk is faster than streams on all scenes, more than four times on average.",
        "Figure 7",
        f"{MEAN_SPEEDUP[0]:g}× and {MEAN_SPEEDUP[1]:g}×",
        _faster,
    ),
    Claim(
        "best-scene",
        "The largest speed-up is on NBody.",
        "Figure 7",
        f"{BEST_SPEEDUP[0]:g}× and {BEST_SPEEDUP[1]:g}×",
        _best_scene,
    ),
    Claim("deep-steps", "Beyond µ = 3 a drastic slow-down follows.", "Section 6.2, Figure 8", "3 to 5×", _deep_steps),
    Claim("small-steps", "Small values of µ, such as 2, are best.", "Section 6.2, Figure 8", "µ = 2", _small_steps),
    Claim(
        "entry",
        "On NBody a deeper entry level costs far more than on the other scenes.",
        "Section 6.2, Figure 8",
        "3 to 16 ms from level 1 to 5",
        _entry,
    ),
    Claim(
        "mid-range",
        "Groups of 32 or more and queues of 64 or more perform better than smaller ones.",
        "Section 6.2, Figure 9",
        "|G| ≥ 2⁵, κ ≥ 2⁶",
        _mid_range,
    ),
    Claim(
        "padding",
        "Padding at worst doubles the number of nodes.",
        "Section 7",
        "2× at most",
        _padding,
        certain=True,
    ),
    Claim(
        "compressed",
        "Without inactive nodes, less is read, and a query is faster.",
        "Section 7, future work",
        "expected",
        _compressed,
    ),
)
