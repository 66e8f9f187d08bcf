"""How many times as fast as software the chip is: like beside like, and as the paper sets them side by side.

LEAVES     both stop at pairs of leaves: recursive traversal without triangle tests, chip by Equation 5
TRIANGLES  both test triangles: the chip by Equation 5, and for each pair what the cycle model says that one takes
HOSTS      the same, and the chip waits for its set-up and its answers over a PCI bus of 64 or 32 bits (Figure 4)
MIXED      Table 1: the software tests triangles, the chip by Equation 5 does not
"""

import numpy as np

from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import Study
from tumble.bench.papers.chip.rotation import (
    AS_IT_IS,
    BARE_TIME,
    CHIP,
    PASS_LONGEST,
    PASS_MEAN,
    RECURSIVE,
    WITHOUT,
    Steps,
)
from tumble.chip.cost import answer_cycles, seconds, setup_cycles
from tumble.chip.design import Design

LEAVES, TRIANGLES = "both without triangles", "both with triangles"
FAST_PCI, SLOW_PCI = "64 bits at 66 MHz", "32 bits at 33 MHz"
BUSES = {FAST_PCI: Design(), SLOW_PCI: Design(host_bits=32, host_cycles=8)}
HOSTS = {f"with triangles and PCI, {bus}": design for bus, design in BUSES.items()}
MIXED = "as in Table 1, triangles in the software only"
LIKE_WITH_LIKE = (LEAVES, TRIANGLES, *HOSTS)


def cycles_per_check(model: Study) -> float | None:
    """What a pair of triangles takes on the cycle model, over all its runs; None where none was tested."""
    runs = [case for case in model.cases() if model.value(case, AS_IT_IS, "polygon checks") > 0]
    checks = sum(model.value(case, AS_IT_IS, "polygon checks") for case in runs)
    longer = sum(model.value(case, AS_IT_IS, "cycles") - model.value(case, WITHOUT, "cycles") for case in runs)
    return longer / checks if checks else None


def answers(rotations: Study, model: Study, name: str) -> Steps | None:
    """Pairs that go back to the host, pose by pose: all that touch, and the share that float32 cannot decide.

    Pairs of both kinds count twice. None where touching pairs were not noted.
    """
    if not rotations.has(name, CHIP, "hits"):
        return None
    checks = model.total("polygon checks")
    undecided = model.total("unsure") / checks if checks else 0.0
    return rotations.series(name, CHIP, "hits") + undecided * rotations.series(name, CHIP, "checks")


def host_seconds(rotations: Study, model: Study, name: str, design: Design) -> Steps | None:
    """What goes over the bus of the host before and after each pose's query: the set-up, and the answers."""
    found = answers(rotations, model, name)
    if found is None:
        return None
    return np.array([seconds(setup_cycles(design) + answer_cycles(each, design)) for each in found])


def chip_times(rotations: Study, model: Study, name: str, form: str) -> Steps | None:
    """Seconds of the chip, pose by pose; None where it was not noted what triangles or answers take."""
    times = rotations.series(name, CHIP, "time")
    if form in (LEAVES, MIXED):
        return times
    each = cycles_per_check(model)
    if each is None:
        return None
    times = times + seconds(each) * rotations.series(name, CHIP, "checks")
    if form == TRIANGLES:
        return times
    waiting = host_seconds(rotations, model, name, HOSTS[form])
    return None if waiting is None else times + waiting


def software_times(rotations: Study, name: str, form: str) -> Steps | None:
    """Seconds of the recursive traversal, pose by pose; None where they were not measured."""
    quantity = _quantity(form)
    return rotations.series(name, RECURSIVE, quantity) if rotations.has(name, RECURSIVE, quantity) else None


def _quantity(form: str) -> str:
    return BARE_TIME if form == LEAVES else "time"


def speedups(rotations: Study, model: Study, name: str, form: str) -> tuple[float, float] | None:
    """Of means and, as in the paper, of the longest of each."""
    software, chip = software_times(rotations, name, form), chip_times(rotations, model, name, form)
    if software is None or chip is None:
        return None
    return float(software.mean() / chip.mean()), float(software.max() / chip.max())


def _passes(rotations: Study, name: str, form: str) -> tuple[Steps, Steps]:
    """Seconds of the software, pass by pass: the mean over the poses, and the longest; one where none is noted."""
    quantities = [what.format(_quantity(form)) for what in (PASS_MEAN, PASS_LONGEST)]
    if all(rotations.has(name, RECURSIVE, what) for what in quantities):
        mean, longest = (rotations.series(name, RECURSIVE, what) for what in quantities)
        return mean, longest
    times = rotations.series(name, RECURSIVE, _quantity(form))
    return times.mean(keepdims=True), times.max(keepdims=True)


def speedup_intervals(rotations: Study, model: Study, name: str, form: str) -> tuple[Interval, Interval]:
    """What `speedups` returns, as far as the passes agree on it; only for forms that were measured."""
    chip = chip_times(rotations, model, name, form)
    assert chip is not None
    mean, longest = _passes(rotations, name, form)
    return Interval.of(list(mean / chip.mean())), Interval.of(list(longest / chip.max()))


def worst_by_mean(rotations: Study, model: Study, name: str, form: str) -> Interval:
    """How much higher the speed-up is in the worst case than on average, as far as the passes agree on it."""
    chip = chip_times(rotations, model, name, form)
    assert chip is not None, "only forms that were measured are asked for"
    mean, longest = _passes(rotations, name, form)
    return Interval.of(list(longest / mean * float(chip.mean() / chip.max())))
