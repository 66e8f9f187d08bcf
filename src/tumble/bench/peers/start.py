"""First use on a machine: seconds from the command to the answer, with nothing compiled yet and with everything."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from statistics import median
from time import perf_counter

from tumble.bench.framework.table import Study, Table
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.ours import OURS
from tumble.errors import TumbleError

START = "start"
WARM_RUNS = 3
CHECK = [sys.executable, "-m", "tumble", "check"]
# `tumble check` ends with 1 where parts touch, which is an answer too.
CHECK_ENDS = (0, 1)


def start(peers: Sequence[Peer], table: Table) -> None:
    """Write how long `tumble check` takes, cold and warm, with the peers' import and first query beside it."""
    study = table.study(START)
    with tempfile.TemporaryDirectory(prefix="tumble-start-") as folder:
        environment = {**os.environ, "TUMBLE_CACHE_DIR": folder}
        cold = timed_process(CHECK, environment, CHECK_ENDS)
        warm = median(timed_process(CHECK, environment, CHECK_ENDS) for _ in range(WARM_RUNS))
    how = "`tumble check` on the sample assembly"
    add_fact(study, OURS, "cold", cold, "s", f"{how}, empty kernel cache")
    add_fact(study, OURS, "warm", warm, "s", f"{how}, filled kernel cache, median of {WARM_RUNS}")
    for peer in peers:
        if peer.first_use:
            command = [sys.executable, "-c", peer.first_use]
            seconds = median(timed_process(command, os.environ) for _ in range(WARM_RUNS))
            how = f"import and one query of two tiny meshes, median of {WARM_RUNS}"
            add_fact(study, peer.name, "warm", seconds, "s", how)


def add_fact(study: Study, contestant: str, name: str, value: float, unit: str, how: str) -> None:
    """Write a number that is measured once and is not a race, and how it came about."""
    study.add(name, contestant, "value", value, unit)
    study.add(name, contestant, "how", how)


def timed_process(command: Sequence[str], environment: Mapping[str, str], ends: Sequence[int] = (0,)) -> float:
    """Seconds that a process takes from start to end; it must end with one of these exit codes."""
    began = perf_counter()
    finished = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    seconds = perf_counter() - began
    if finished.returncode not in ends:
        last = (finished.stderr.strip().splitlines() or ["no message"])[-1]
        raise TumbleError(f"{' '.join(command[:4])} … failed with exit code {finished.returncode}: {last}")
    return seconds
