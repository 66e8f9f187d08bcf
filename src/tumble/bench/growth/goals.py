"""What was set out to be reached: sizes that have to work, and exponents that may not be exceeded."""

from __future__ import annotations

import math
from functools import partial

from tumble.bench.framework.goals import Goal, Outcome
from tumble.bench.framework.table import TIME, Table
from tumble.bench.growth.fit import curve, exponent
from tumble.bench.growth.measure import PEAK
from tumble.bench.growth.questions import LARGE
from tumble.bench.peers.ours import OURS
from tumble.report import count, significant

GIGABYTE = 1e9
MOST_MEMORY = 24 * 2**30


def _works(names: tuple[str, ...], least: int, table: Table) -> Outcome:
    """Whether questions were answered at a size, within the memory of the machine for which that was meant."""
    texts, reached = [], math.inf
    for name in names:
        sizes, seconds = curve(table.study(name), OURS)
        if not sizes:
            return None
        peaks = curve(table.study(name), OURS, PEAK)[1]
        reached = min(reached, sizes[-1] / least, MOST_MEMORY / peaks[-1] if peaks else math.inf)
        memory = f", {peaks[-1] / GIGABYTE:.2g} GB" if peaks else ""
        texts.append(f"{name} at {count(round(sizes[-1]))}: {duration(seconds[-1])}{memory}")
    return "; ".join(texts), reached


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    for factor, unit in ((1.0, "s"), (1e3, "ms")):
        if factor * seconds >= 1.0:
            return f"{significant(factor * seconds)} {unit}"
    return f"{significant(1e6 * seconds)} µs"


def _grows(name: str, most: float, table: Table) -> Outcome:
    """Whether time grows by no more than a power of the size."""
    found = exponent(*curve(table.study(name), OURS, TIME))
    # met where it is no larger; a curve that is nearly flat would be met many times over
    return None if math.isnan(found) else (f"{found:.2f}", most / max(found, most / 2))


GOALS = (
    Goal(
        "a mesh of 20 million triangles",
        "is built, and answers, within 24 GiB",
        partial(_works, ("build", "first hit", "all pairs"), 19_000_000),
    ),
    Goal(
        "a scene of 100 000 bodies, of which 1 000 move",
        "answers within 24 GiB",
        partial(_works, ("scene, one in 100 moves",), 100_000),
    ),
    Goal(
        "a scene of 100 million triangles in 100 meshes",
        "is built, and answers, within 24 GiB",
        partial(_works, (LARGE,), 100_000_000),
    ),
    Goal("time of a build", "grows by an exponent of at most 1.1", partial(_grows, "build", 1.1)),
    Goal("time of a first hit", "at most 0.3", partial(_grows, "first hit", 0.3)),
    Goal("time of all pairs", "at most 0.7: the touching pairs grow by about 0.5", partial(_grows, "all pairs", 0.7)),
    Goal("time of a distance", "at most 0.3", partial(_grows, "distance", 0.3)),
    Goal("time of a scene whose bodies all move", "at most 1.2", partial(_grows, "scene, all move", 1.2)),
)
