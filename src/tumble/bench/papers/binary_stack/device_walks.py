"""Section 1: whether a stack in memory is slow on a device. The same walk with one and without, on recorded moments.

`alternating` keeps pairs of nodes on a stack in the private memory of its work-item. `stackless-post` walks the same
trees in the same order and meets the same pairs, but finds the next one by numbering; `stackless` finds it by parents,
which it reads. Raced is what the kernels take by the device's own clock, with one work-item per pair of bodies.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tumble.api.ask import ask
from tumble.bench.framework.answers import Pairs, wrong_answers
from tumble.bench.framework.table import Study
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.published import at_step
from tumble.device import Device, measured
from tumble.mesh import Mesh
from tumble.query.answer import PairTable
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING
from tumble.query.plan import Options
from tumble.query.settings import DeviceSettings

DEVICE_WALKS = "walks on devices"
WITH_STACK, BY_NUMBERING, BY_PARENTS, BINARY_WALK = "alternating", "stackless-post", "stackless", "binary-stack"
WALKS = (WITH_STACK, BY_NUMBERING, BY_PARENTS, BINARY_WALK)
# What is compared: a stack with none, and what follows parents with what does not.
COMPARED = ((WITH_STACK, BY_NUMBERING), (BY_PARENTS, BY_NUMBERING), (WITH_STACK, BINARY_WALK))
ONE_EACH = DeviceSettings(pool=False)


def on_device(device: str, method: str) -> str:
    """How a walk on a device is called in the study."""
    return f"{device}, {method}"


def race_walks(
    mesh: Mesh, moment: Moment, truth: Sequence[Pairs], devices: Sequence[Device], rounds: int, study: Study
) -> None:
    """Write answers, turns and kernel times of the walks on each device; `truth` is what touches."""
    bodies = Bodies([mesh], np.zeros(len(moment.poses), np.int64), moment.poses)
    case = at_step(moment.step)
    for device in devices:

        def walk(method: str, stats: bool = False, device: Device = device) -> PairTable:
            options = Options(method, device=device.name, settings=ONE_EACH, stats=stats)
            return ask(TOUCHING, bodies, bodies, moment.pairs, options)

        for method in WALKS:
            name, found = on_device(device.name, method), walk(method, stats=True)
            answers = [found.triangles[found.rows(i)] for i in range(len(found))]
            turns = 0 if found.stats is None else found.stats.iterations
            wrong = {"body pairs": len(truth), "wrong answers": wrong_answers(answers, truth)}
            study.add_values(case, name, {**wrong, "turns": turns})
            walk(method)  # so that its kernel is there: the one that counts is another
        study.add(case, "", "step", moment.step)
        seconds = kernel_seconds({on_device(device.name, method): _asked(walk, method) for method in WALKS}, rounds)
        study.add_race(case, seconds, [(on_device(device.name, a), on_device(device.name, b)) for a, b in COMPARED])


def _asked(walk: Callable[[str], Any], method: str) -> Callable[[], Any]:
    return lambda: walk(method)


def kernel_seconds(asks: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """What kernels take by the device's clock, all contestants in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(rounds):
        for name, one in asks.items():
            with measured() as timings:
                one()
            seconds[name].append(timings.kernel)
    return seconds
