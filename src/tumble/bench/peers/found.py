"""Which libraries are installed here: those that are compete, of the others the page says that they are missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tumble.bench.peers.coal_peer import CoalPeer
from tumble.bench.peers.contract import Peer
from tumble.bench.peers.fcl_peer import FclPeer
from tumble.bench.peers.trimesh_peer import TrimeshPeer
from tumble.bench.peers.vtk_peer import VtkPeer
from tumble.errors import MissingDependencyError

# How each competitor is made; making one imports its library.
MAKERS: dict[str, Callable[[], Peer]] = {
    "fcl": FclPeer,
    "coal-obbrss": lambda: CoalPeer("OBBRSS"),
    "coal-obb": lambda: CoalPeer("OBB"),
    "vtk": VtkPeer,
    "trimesh": TrimeshPeer,
}
INSTALL = 'pip install "tumble[bench]"'


@dataclass(frozen=True)
class Field:
    """The competitors, and a sentence on each that is missing."""

    peers: Sequence[Peer]
    notes: Sequence[str]

    @property
    def judged(self) -> list[str]:
        """The names of those that ratios are taken against."""
        return [peer.name for peer in self.peers if peer.judged]


def find_peers(makers: dict[str, Callable[[], Peer]] | None = None) -> Field:
    """Import every library that is installed; without FCL and Coal there is nothing to compare with."""
    peers, notes = [], []
    for name, make in (MAKERS if makers is None else makers).items():
        try:
            peers.append(make())
        except ImportError as error:
            notes.append(f"`{name}` did not compete: {error}. Install it with `{INSTALL}`.")
    if not any(peer.judged for peer in peers):
        raise MissingDependencyError(
            f"the benchmark needs python-fcl or coal to compare with, and neither is installed: {INSTALL}"
        )
    return Field(peers, notes)
