"""The tests of what the paper says about GPUs, and of what a device copies.

Times of a device that is not a GPU say nothing about one: then the verdict is that there is none, with the figures.
"""

from collections.abc import Mapping, Sequence

from tumble.bench.framework.claims import UNKNOWN, Kept, Verdict, graded, interval, over_cases
from tumble.bench.framework.statistics import Interval, mean_interval
from tumble.bench.framework.table import PUBLISHED, Study, Table, reads
from tumble.bench.papers.binary_stack.device_walks import (
    BY_NUMBERING,
    BY_PARENTS,
    DEVICE_WALKS,
    WITH_STACK,
    on_device,
)
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.published import GPU, OVERALL
from tumble.bench.papers.binary_stack.races import COLLISIONS, SPEEDUPS, heap, one_each
from tumble.bench.papers.binary_stack.slots import DENSE, IN_SLOTS, SLOTS_STUDY, by_way
from tumble.bench.papers.binary_stack.stepping import ALL_CORES, CONTACTS, HERE, ONE_CORE, STEP, STEPPING, THERE, points
from tumble.report import count

# Times closer than this are equal: a gain or a loss is more.
EQUAL = 0.05
# "Very inefficient": ten times as many bytes and more.
VERY = 10.0
NO_DEVICE = Verdict(UNKNOWN, "no OpenCL device here")
NOT_IN_THIS_RUN = Verdict(UNKNOWN, "not in this run")

Gains = Mapping[str, Sequence[tuple[str, Interval]]]
"""by device: what was compared, and the ratio"""


def gpus_among(devices: Study) -> list[str]:
    """The devices that are graphics processors."""
    return [name for name in devices.cases() if devices.text(name, "", "kind") == "gpu"]


def _described(devices: Study, name: str, ratios: Sequence[tuple[str, Interval]]) -> str:
    kind, units = devices.text(name, "", "kind").upper(), devices.count(name, "", "units")
    return f"{name} ({kind}, {units} units) {', '.join(f'{interval(one)}{at}' for at, one in ratios)}"


def no_gpu(devices: Study, gains: Gains) -> Verdict | None:
    """The verdict where no GPU was measured, with the figures of what was; None where one was."""
    if not gains:
        return NOT_IN_THIS_RUN if devices else NO_DEVICE
    if any(name in gains for name in gpus_among(devices)):
        return None
    return Verdict(UNKNOWN, "no GPU here; " + "; ".join(_described(devices, *one) for one in gains.items()))


def on_a_gpu(devices: Study, gains: Gains, least: float) -> Verdict:
    """Whether one of the GPUs gains enough in all that was compared."""
    missing = no_gpu(devices, gains)
    if missing:
        return missing
    gpus = [name for name in gpus_among(devices) if name in gains]
    kept = [_all([one.above(least) for _, one in gains[name]]) for name in gpus]
    numbers = "; ".join(_described(devices, name, gains[name]) for name in gpus)
    return graded(True if True in kept else None if None in kept else False, False, numbers)


def _all(kept: Sequence[Kept]) -> Kept:
    return False if False in kept else None if None in kept else True


def on_all_gpus(devices: Study, gains: Gains, least: float) -> Verdict:
    """Whether every GPU shows it in all that was compared."""
    missing = no_gpu(devices, gains)
    if missing:
        return missing
    gpus = [name for name in gpus_among(devices) if name in gains]
    return over_cases([(one.above(least), _described(devices, g, [(at, one)])) for g in gpus for at, one in gains[g]])


@reads(COLLISIONS, SPEEDUPS, DEVICES)
def on_gpus(_: Study, found: Study, devices: Study, quantity: str, least: str) -> Verdict:
    """Whether a GPU gains enough; without one, only what was measured."""
    gains = {name: [("", _speedup(found, name, quantity))] for name in found.cases(quantity)}
    return on_a_gpu(devices, gains, float(least))


def _speedup(found: Study, name: str, quantity: str) -> Interval:
    value = found.value(name, quantity, "speed-up")
    low, high = (found.value(name, quantity, f"speed-up, {end}", value) for end in ("from", "to"))
    return Interval(value, low, high)


def _ratios(study: Study, devices: Study, first: str, second: str) -> Gains:
    """The ratios of two walks, by device and moment."""
    found = {}
    for name in devices.cases():
        one, other = on_device(name, first), on_device(name, second)
        ratios = [(f" at {case}", study.interval(case, one, other)) for case in study.cases(one, other)]
        if ratios:
            found[name] = ratios
    return found


@reads(COLLISIONS, DEVICE_WALKS, DEVICES)
def stack_slow(_: Study, walks: Study, devices: Study) -> Verdict:
    """Kernels with a stack in private memory beside the same walk without one."""
    return on_all_gpus(devices, _ratios(walks, devices, WITH_STACK, BY_NUMBERING), 1 + EQUAL)


@reads(COLLISIONS, DEVICE_WALKS, DEVICES)
def parents_slow(_: Study, walks: Study, devices: Study) -> Verdict:
    """Kernels that follow parents beside the same walk by numbering."""
    return on_all_gpus(devices, _ratios(walks, devices, BY_PARENTS, BY_NUMBERING), 1 + EQUAL)


def overall_here(table: Table) -> Verdict | None:
    """Steps of the world on one core beside those with a device, from the same states."""
    stepping, devices = table.study(STEPPING), table.study(DEVICES)
    if not stepping:
        return None
    means = {}
    for name in stepping.contestants():
        if name not in (ONE_CORE, ALL_CORES):
            cases = stepping.cases(ONE_CORE, name)
            means[name] = [("", mean_interval([stepping.interval(case, ONE_CORE, name, STEP) for case in cases]))]
    return on_a_gpu(devices, means, OVERALL)


@reads(STEPPING, CONTACTS, DEVICES)
def contacts_there(_: Study, contacts: Study, devices: Study) -> Verdict:
    """Triangles and contacts of them, with points made on the host or on the device."""
    found = {}
    for name in devices.cases():
        cases = contacts.cases(points(name, HERE), points(name, THERE))
        if cases:
            found[name] = [
                (f" at {case}", contacts.interval(case, points(name, HERE), points(name, THERE))) for case in cases
            ]
    return on_all_gpus(devices, found, 1 + EQUAL)


@reads(COLLISIONS, PUBLISHED, DEVICES)
def compact(study: Study, paper: Study, devices: Study) -> Verdict:
    """What copying takes of the collision time in the paper, and here: candidates, and only those."""
    if not devices:
        return NO_DEVICE
    theirs = min(paper.value(case, GPU, "copy") / paper.value(case, GPU, "collision") for case in heap(paper))
    shares = [(f"{name} at {case}", _share(study, case, one_each(name))) for name in devices.cases()
              for case in heap(study) if study.has(case, one_each(name), "copy")]  # fmt: skip
    worst = max(shares, key=lambda share: share[1].high)
    numbers = f"copying takes {worst[1].value:.1%} (up to {worst[1].high:.1%}) of the time at most, on {worst[0]}; "
    kept = _all([share.below(theirs) for _, share in shares])
    return graded(kept, False, f"{numbers}in the paper {theirs:.0%} at least")


def _share(study: Study, case: str, name: str) -> Interval:
    """The part of a device's time that copying takes, in tables that were kept without rounds by its median."""
    if study.has(case, name, "copy / time"):
        return study.interval(case, name, "time", "copy")
    share = study.value(case, name, "copy") / study.value(case, name, "time")
    return Interval(share, share, share)


@reads(COLLISIONS, SLOTS_STUDY, DEVICES)
def slots(_: Study, study: Study, devices: Study) -> Verdict:
    """Bytes of the areas beside those of the dense list, which are the same on every device; times are shown."""
    found = [(case, name) for name in devices.cases() for case in study.cases(by_way(name, IN_SLOTS))]
    if not found:
        return NOT_IN_THIS_RUN if devices else NO_DEVICE
    outcomes = []
    for case, name in found:
        areas = by_way(name, IN_SLOTS)
        size = study.value(case, areas, "slot bytes") / max(study.value(case, areas, "dense bytes"), 1)
        time, right = study.interval(case, areas, by_way(name, DENSE)), not study.value(case, areas, "wrong answers")
        words = f"{case}, {name}: {count(round(size))}× the bytes, {interval(time)} the time"
        outcomes.append((size >= VERY and right, words))
    return over_cases(outcomes)
