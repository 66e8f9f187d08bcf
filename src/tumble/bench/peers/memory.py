"""Bytes per triangle: the growth of a fresh process over several builds of one mesh, the same way for every library.

python -m tumble.bench.peers.memory NAME FACES      # what the benchmark starts; prints the bytes per triangle
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tumble.bench.framework.machine import resident_bytes
from tumble.bench.framework.table import Table
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.entrants import MAKERS
from tumble.bench.peers.ours import OURS, TumblePeer
from tumble.bench.peers.start import add_fact
from tumble.scenario.objects import arrays, shape_duo

MEMORY, UNIT = "memory", "bytes per triangle"
BUILDS = 8
GROWN = f"growth of a fresh process over {BUILDS} builds"


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
    from tumble.hierarchy.packed import packed

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
    command = [sys.executable, "-m", "tumble.bench.peers.memory", name, str(faces)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(finished.stdout) if finished.returncode == 0 and finished.stdout.strip() else None


def main(name: str, faces: str) -> None:
    """Print what `grown_bytes` finds."""
    peer = TumblePeer() if name == OURS else MAKERS[name]()
    grown = grown_bytes(peer, int(faces))
    print("" if grown is None else grown)


if __name__ == "__main__":
    main(*sys.argv[1:])
