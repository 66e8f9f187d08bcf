"""Races by the processor's time: everything that competes here runs on one thread.

As `tumble.bench.framework.timing.race`, in turns and with ratios within rounds, but other programs that take the
processor away for a while do not count. What they leave in caches still does.
"""

import gc
from collections.abc import Callable, Mapping
from math import ceil
from time import process_time

from tumble.bench.framework.timing import SHORTEST_TIMER, Effort, Rounds

# The clock of processes may have ticks that are longer than what is measured.
LEAST = 1e-9


def processor_race(runs: Mapping[str, Callable[[], object]], effort: Effort) -> Rounds:
    """Processor seconds for one run of each, in every round; every run must have been made once before."""
    costs = {name: _seconds(run, 1) for name, run in runs.items()}
    repetitions = {name: ceil(SHORTEST_TIMER / max(cost, SHORTEST_TIMER / 1e6)) for name, cost in costs.items()}
    a_round = sum(repetitions[name] * cost for name, cost in costs.items())
    rounds = min(effort.most_rounds, max(effort.least_rounds, int(effort.seconds / a_round)))
    seconds: Rounds = {name: [] for name in runs}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, run in runs.items():
                seconds[name].append(_seconds(run, repetitions[name]) / repetitions[name])
    finally:
        if collecting:
            gc.enable()
    return seconds


def _seconds(run: Callable[[], object], repetitions: int) -> float:
    start = process_time()
    for _ in range(repetitions):
        run()
    return max(process_time() - start, LEAST)
