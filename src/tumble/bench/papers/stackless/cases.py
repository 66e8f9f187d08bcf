"""What tests of claims read from a study: scenes by name, counts, and times as ratios within rounds."""

from collections.abc import Iterable, Sequence

from tumble.bench.framework.claims import Kept
from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import TIME, Study
from tumble.bench.papers.stackless.measure import new_memory
from tumble.bench.papers.stackless.published import METHODS

FAMILY = ("alternating", "stackless", "stackless-post")
STACKLESS = ("stackless", "stackless-post")
FAMILIES = {"all": METHODS, "alternating family": FAMILY}
# Times closer than this count as equal: what repeated runs on one quiet machine differ by.
EQUAL = 0.05
# "Almost equal", "not a lot": twice that.
ALIKE = 2 * EQUAL


def scenes(study: Study, prefix: str = "") -> list[str]:
    """The scenes whose name starts so and on which all five algorithms ran."""
    return [scene for scene in study.cases(*METHODS) if scene.startswith(prefix)]


def counts(study: Study, scene: str, quantity: str, methods: Sequence[str] = METHODS) -> list[int]:
    """What some methods counted on a scene."""
    return [study.count(scene, method, quantity) for method in methods]


def start(study: Study, scene: str, method: str) -> int:
    """The pairs that a traversal begins with."""
    return study.count(scene, "", "faces a") if method == "leaf" else 1


def time_ratio(study: Study, scene: str, method: str, base: str) -> Interval:
    """How many times as long a method takes as another: the median of the ratios within rounds, with its interval.

    One of the two ways round is kept. The paper prints no rounds: the ratio of its means stands for it.
    """
    if method == base or study.has(scene, method, f"{TIME} / {base}"):
        return study.interval(scene, method, base)
    if study.has(scene, base, f"{TIME} / {method}"):
        return study.interval(scene, base, method).inverse()
    value = study.value(scene, method, TIME) / study.value(scene, base, TIME)
    return Interval(value, value, value)


def ordered(study: Study, scene: str) -> list[str]:
    """The five algorithms by time, the fastest first."""
    return sorted(METHODS, key=lambda method: time_ratio(study, scene, method, "stack").value)


def others(method: str) -> list[str]:
    """The other four algorithms."""
    return [each for each in METHODS if each != method]


def all_kept(outcomes: Iterable[Kept]) -> Kept:
    """Whether all of some outcomes are kept; None where none is broken and some are not decided."""
    found = list(outcomes)
    return False if False in found else None if None in found else True


def kept_often(outcomes: Sequence[Kept], least: float) -> Kept:
    """Whether so many outcomes are kept; None where that depends on those that are not decided."""
    kept = outcomes.count(True)
    return True if kept >= least else None if kept + outcomes.count(None) >= least else False


def set_up(study: Study, scene: str, method: str) -> str:
    """The stack traversal that makes its memory for each query: in the paper, every one."""
    name = new_memory(method)
    return name if study.has(scene, name, TIME) else method
