"""Numbers that are measured once and are no race: bytes per triangle, and seconds of a first use.

Bytes are the growth of a fresh process over several builds of one mesh, the same way for every library. A first use is
timed from the command to the answer, with nothing compiled yet and with everything.

python -m tumble.bench.peers.once NAME FACES        # what the benchmark starts; prints the bytes per triangle
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from statistics import median
from time import perf_counter

from tumble.bench.framework.machine import resident_bytes
from tumble.bench.framework.table import Study, Table
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.entrants import MAKERS
from tumble.bench.peers.ours import OURS, TumblePeer
from tumble.errors import TumbleError
from tumble.hierarchy.packed import packed
from tumble.scenario.objects import arrays, shape_duo

MEMORY, UNIT = "memory", "bytes per triangle"
BUILDS = 8
GROWN = f"growth of a fresh process over {BUILDS} builds"
START = "start"
WARM_RUNS = 3
CHECK = [sys.executable, "-m", "tumble", "check"]
# `tumble check` ends with 1 where parts touch, which is an answer too.
CHECK_ENDS = (0, 1)


def memory(peers: Sequence[Peer], faces: int, table: Table) -> None:
    """Write the bytes per triangle of every judged library, and of Tumble as its objects report them."""
    study, own = table.study(MEMORY), reported_bytes(faces)
    add_fact(study, OURS, "with triangles", own[0] + own[1], UNIT, "tree and mesh, as reported")
    add_fact(study, OURS, "tree alone", own[0], UNIT, "tree, as reported")
    for peer in peers:
        if not peer.judged:
            continue
        grown = _grown_elsewhere(peer.name, faces)
        if grown is None:
            table.note(f"The memory of `{peer.name}` was not measured: this system does not tell it.")
        else:
            add_fact(study, peer.name, "grown" if peer.name == OURS else "with triangles", grown, UNIT, GROWN)


def reported_bytes(faces: int) -> tuple[float, float]:
    """Bytes per triangle of Tumble's tree and of the mesh's arrays, as they report them."""
    mesh = TumblePeer().prepare(*arrays(shape_duo("torus", faces).a))
    held = mesh.vertices.nbytes + mesh.faces.nbytes
    return packed(mesh).nbytes / len(mesh), held / len(mesh)


def grown_bytes(peer: Peer, faces: int) -> float | None:
    """Bytes per triangle that this process grows by when the library builds; None where the system does not tell."""
    vertices, indices = arrays(shape_duo("torus", faces).a)
    kept = [peer.prepare(vertices, indices)]  # whatever is needed once is no part of it
    before = resident_bytes()
    kept += [peer.prepare(vertices, indices) for _ in range(BUILDS)]
    after = resident_bytes()
    if before is None or after is None:
        return None
    return (after - before) / (len(kept) - 1) / len(indices)


def _grown_elsewhere(name: str, faces: int) -> float | None:
    # A process that has run other queries has freed memory to fill first, and would hardly grow.
    command = [sys.executable, "-m", "tumble.bench.peers.once", name, str(faces)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(finished.stdout) if finished.returncode == 0 and finished.stdout.strip() else None


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


def main(name: str, faces: str) -> None:
    """Print what `grown_bytes` finds."""
    peer = TumblePeer() if name == OURS else MAKERS[name]()
    grown = grown_bytes(peer, int(faces))
    print("" if grown is None else grown)


if __name__ == "__main__":
    main(*sys.argv[1:])
