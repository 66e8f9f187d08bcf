"""How many times as fast as software the chip is: like beside like, and as the paper sets them side by side.

LEAVES     both stop at pairs of leaves: recursive traversal without triangle tests, chip by Equation 5
TRIANGLES  both test triangles: the chip by Equation 5, and for each pair what the cycle model says that one takes
SET_UP     the same, and the chip waits for its set-up over the bus of the host
MIXED      Table 1: the software tests triangles, the chip by Equation 5 does not
"""

from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import Study
from tumble.bench.papers.chip.rotation import AS_IT_IS, BARE_TIME, CHIP, RECURSIVE, WITHOUT, WORST_BY_MEAN, Steps
from tumble.chip.cost import seconds, setup_cycles

LEAVES, TRIANGLES = "both without triangles", "both with triangles"
SET_UP, MIXED = "with triangles and set-up", "as in Table 1, triangles in the software only"
LIKE_WITH_LIKE = (LEAVES, TRIANGLES, SET_UP)


def cycles_per_check(model: Study) -> float | None:
    """What a pair of triangles takes on the cycle model, over all its runs; None where none was tested."""
    runs = [case for case in model.cases() if model.value(case, AS_IT_IS, "polygon checks") > 0]
    checks = sum(model.value(case, AS_IT_IS, "polygon checks") for case in runs)
    longer = sum(model.value(case, AS_IT_IS, "cycles") - model.value(case, WITHOUT, "cycles") for case in runs)
    return longer / checks if checks else None


def chip_times(rotations: Study, model: Study, name: str, form: str) -> Steps | None:
    """Seconds of the chip, pose by pose; None where the cycle model did not say what triangles take."""
    times = rotations.series(name, CHIP, "time")
    if form in (LEAVES, MIXED):
        return times
    each = cycles_per_check(model)
    if each is None:
        return None
    times = times + seconds(each) * rotations.series(name, CHIP, "checks")
    return times + seconds(setup_cycles()) if form == SET_UP else times


def software_times(rotations: Study, name: str, form: str) -> Steps | None:
    """Seconds of the recursive traversal, pose by pose; None where they were not measured."""
    quantity = BARE_TIME if form == LEAVES else "time"
    return rotations.series(name, RECURSIVE, quantity) if rotations.has(name, RECURSIVE, quantity) else None


def speedups(rotations: Study, model: Study, name: str, form: str) -> tuple[float, float] | None:
    """Of means and, as in the paper, of the longest of each."""
    software, chip = software_times(rotations, name, form), chip_times(rotations, model, name, form)
    if software is None or chip is None:
        return None
    return float(software.mean() / chip.mean()), float(software.max() / chip.max())


def worst_by_mean(rotations: Study, model: Study, name: str, form: str) -> Interval:
    """How much higher the speed-up is in the worst case than on average, as far as the passes agree on it."""
    software, chip = software_times(rotations, name, form), chip_times(rotations, model, name, form)
    assert software is not None, "only forms that were measured are asked for"
    assert chip is not None
    passes = WORST_BY_MEAN.format(BARE_TIME if form == LEAVES else "time")
    noted = rotations.has(name, RECURSIVE, passes)
    found = rotations.series(name, RECURSIVE, passes) if noted else [software.max() / software.mean()]
    return Interval.of([each * float(chip.mean() / chip.max()) for each in found])
