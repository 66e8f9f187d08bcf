"""What Tumble set out to reach against its peers, and whether a run reached it."""

import math
from collections.abc import Iterable, Sequence
from functools import partial

from tumble.bench.framework.goals import Goal, Outcome, mean_with_ends
from tumble.bench.framework.table import TIME, Study, Table
from tumble.bench.peers.measure import LIBRARIES
from tumble.bench.peers.moving.goals import all_right, assembly_seconds, longest_flight, same_step_times
from tumble.bench.peers.moving.sweeps import LINEAR, SCREW
from tumble.bench.peers.once import MEMORY, START
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points.races import CLOSEST, SIGNED, SIGNS, WRONG
from tumble.report import count, ratio, significant

# FCL's bytes per triangle, and the part of it that Tumble may take.
FCL_BYTES, BYTES_SHARE = 516, 8
# Distances are meant against these; other libraries compete as well.
FCL_AND_COAL, THAN_BOTH = ("fcl", "coal-obbrss"), "than the faster of FCL and Coal"
# Robots are meant against who compares the same meshes; hulls are larger, and so another question: rows of their own.
SAME_MESHES, HULLS = ("pinocchio-meshes", "pinocchio-meshes-pairs"), ("pinocchio-hulls",)
COLD_SECONDS, WARM_SECONDS = 30.0, 3.0


def judged_of(table: Table) -> list[str]:
    """The libraries that ratios are taken against; the others run for context."""
    libraries = table.study(LIBRARIES)
    return [name for name in libraries.cases() if libraries.value(name, "", "judged")]


def base_name(contestant: str) -> str:
    """The library behind a contestant: `fcl` for `fcl on 2 threads`."""
    return contestant.split(" ", 1)[0]


def timed(study: Study, case: str) -> list[str]:
    """Whose time was taken on a case."""
    return [name for name in study.contestants(case) if study.has(case, name, TIME)]


def fastest(study: Study, case: str, judged: Sequence[str]) -> str | None:
    """The fastest of the judged rivals in its median round."""
    present = [name for name in timed(study, case) if base_name(name) in judged]
    return min(present, key=lambda name: study.value(case, name, TIME), default=None)


def leads(study: Study, judged: Sequence[str]) -> dict[str, float]:
    """How many times faster Tumble is than the fastest of its rivals, case by case, where there is one."""
    rivals = {case: fastest(study, case, judged) for case in study.cases()}
    return {case: study.ratio(case, rival, OURS) for case, rival in rivals.items() if rival is not None}


def extremes(found: dict[str, float]) -> tuple[str, str]:
    """The case where Tumble leads by least, and the one where it leads by most."""
    by_lead = sorted(found, key=lambda case: found[case])
    return by_lead[0], by_lead[-1]


def with_leads(found: dict[str, float], cases: Iterable[str]) -> str:
    """Some cases with how much faster Tumble is there."""
    return ", ".join(f"{ratio(found[case])} ({case})" for case in cases)


def leads_over(table: Table, query: str, rival: str | Sequence[str] | None) -> dict[str, float]:
    """How many times faster Tumble is than the fastest, than the fastest of some, or than one itself on one thread."""
    study = table.study(query)
    if isinstance(rival, str):
        return study.ratios(rival, OURS)
    return leads(study, judged_of(table) if rival is None else rival)


def _mean(query: str, wanted: float, rival: str | Sequence[str] | None, table: Table) -> Outcome:
    """Whether Tumble is so many times as fast."""
    found = leads_over(table, query, rival)
    if not found:
        return None
    words, mean = mean_with_ends(found)
    return words, mean / wanted


def _nowhere_slower(query: str, table: Table) -> Outcome:
    found = leads(table.study(query), judged_of(table))
    if not found:
        return None
    slower, (least, _) = sum(lead < 1 for lead in found.values()), extremes(found)
    text = f"slower on {slower} of {len(found)}" if slower else f"on none of {len(found)}"
    return f"{text}; least lead {ratio(found[least])} ({least})", found[least]


def _memory(table: Table) -> Outcome:
    study, what = table.study(MEMORY), "with triangles"
    if not study.has(what, OURS, "value"):
        return None
    own = study.value(what, OURS, "value")
    fcl = f"; FCL here: {significant(study.value(what, 'fcl', 'value'))}" if study.has(what, "fcl", "value") else ""
    return f"{significant(own)} bytes{fcl}", FCL_BYTES / BYTES_SHARE / own


def _signs(table: Table) -> Outcome:
    """Whether all signs of Tumble are those of the judge."""
    study = table.study(SIGNS)
    cases = study.cases(OURS)
    if not cases:
        return None
    sums = {name: sum(study.count(case, OURS, name) for case in cases) for name in (*WRONG, "points", "on surface")}
    wrong = sum(sums[name] for name in WRONG)
    points, surface = count(sums["points"]), count(sums["on surface"])
    return f"{wrong} wrong of {points}, of which {surface} are on the surface", 0.0 if wrong else 1.0


def _start(name: str, limit: float, table: Table) -> Outcome:
    seconds = table.study(START).value(name, OURS, "value", math.nan)
    return None if math.isnan(seconds) else (f"{significant(seconds)} s", limit / seconds)


GOALS = (
    Goal("all pairs, one thread", "≥ 10× faster", partial(_mean, "all-pairs", 10, None)),
    Goal("first hit, one thread", "≥ 3× faster", partial(_mean, "first-hit", 3, None)),
    Goal("first hit, every case", "slower on none", partial(_nowhere_slower, "first-hit")),
    Goal("far apart, one call", "≥ 1× FCL's own call", partial(_mean, "far-apart", 1, "fcl")),
    Goal(
        "10 000 poses in one call, with threads",
        "≥ 30× faster than a Python loop over FCL",
        partial(_mean, "batch-threads", 30, "fcl"),
    ),
    Goal("build", "≥ 5× faster than FCL fed by NumPy arrays", partial(_mean, "build", 5, "fcl")),
    Goal("memory", f"≤ {FCL_BYTES / BYTES_SHARE:g} bytes per triangle, triangles included", _memory),
    Goal("first use, cold", f"`tumble check` below {COLD_SECONDS:g} s", partial(_start, "cold", COLD_SECONDS)),
    Goal("first use, warm", f"`tumble check` below {WARM_SECONDS:g} s", partial(_start, "warm", WARM_SECONDS)),
    Goal("distance, one thread", f"≥ 10× faster {THAN_BOTH}", partial(_mean, "distance", 10, FCL_AND_COAL)),
    Goal("distance, every case", "slower on none", partial(_nowhere_slower, "distance")),
    Goal(
        "1 000 distances in one call, with threads",
        "≥ 30× faster than a Python loop over the faster of FCL and Coal",
        partial(_mean, "distance-many-threads", 30, FCL_AND_COAL),
    ),
    Goal("closest points, per core", "ahead of all, in every case", partial(_nowhere_slower, CLOSEST)),
    Goal("signed distance of points, per core", "ahead of all, in every case", partial(_nowhere_slower, SIGNED)),
    Goal("signs of 1 000 000 points", "none wrong", _signs),
    Goal("signed distance of two meshes", "≥ 50× faster than MeshLib", partial(_mean, "signed-meshes", 50, "meshlib")),
    Goal("longest linear sweep of two tori", "≤ 0.5 ms", partial(longest_flight, LINEAR, 0.5e-3)),
    Goal("longest screw of two tori", "≤ 5 ms", partial(longest_flight, SCREW, 5e-3)),
    Goal("a motion from frame to frame", "faster than FCL", partial(_mean, "motion", 1, ("fcl", "fcl-sampled"))),
    Goal("times of impact, judged by dense samples", "none missed, late or far too early", all_right),
    Goal(
        "the edge check of a planner, with threads",
        "faster than a loop over FCL at samples",
        partial(_mean, "edge-check-threads", 1, "fcl"),
    ),
    Goal("a step of a deforming mesh", "slower on none", partial(_nowhere_slower, "ccd-step")),
    Goal(
        "first contact of a step",
        "within 1 % of IPC Toolkit's at 0.999 of the way",
        partial(same_step_times, "ipctk-additive-0.999"),
    ),
    Goal("common volume of two meshes", "faster than Manifold", partial(_mean, "penetration", 1, "manifold")),
    Goal(
        "configurations of a robot, per core",
        "≥ 5× faster than pinocchio + Coal with its broad phase, on the same meshes",
        partial(_mean, "robots", 5, SAME_MESHES),
    ),
    Goal(
        "the same, against convex hulls",
        "≥ 5× faster, though hulls are another question",
        partial(_mean, "robots", 5, HULLS),
    ),
    Goal(
        "configurations of a robot, with threads",
        "≥ 10× faster than pinocchio's computeCollisionsInParallel, on the same meshes",
        partial(_mean, "robots-threads", 10, SAME_MESHES),
    ),
    Goal(
        "the same with threads, against convex hulls",
        "≥ 10× faster, though hulls are another question",
        partial(_mean, "robots-threads", 10, HULLS),
    ),
    Goal("all penetrations of a gearbox", "≤ 5 s, with depths", partial(assembly_seconds, 5.0)),
)
