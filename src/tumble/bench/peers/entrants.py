"""Which libraries compete: those that are installed, and each with its own prepared pair of objects.

Of libraries that are missing, the page says so.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tumble.bench.peers.coal_peer import CoalPeer
from tumble.bench.peers.contract import Pair, Peer, Poses
from tumble.bench.peers.fcl_peer import FclPeer
from tumble.bench.peers.klampt_peer import KlamptPeer
from tumble.bench.peers.manifold_peer import ManifoldPeer
from tumble.bench.peers.meshlib_peer import MeshLibPeer
from tumble.bench.peers.moving.contract import MovingPeer, StepPeer
from tumble.bench.peers.moving.fcl_moving import FclMoving
from tumble.bench.peers.moving.ipc_steps import NEARLY_ALL, IpcSteps
from tumble.bench.peers.moving.rapier_moving import RapierMoving
from tumble.bench.peers.points.contract import PointPeer
from tumble.bench.peers.points.fcpw_points import FcpwPoints
from tumble.bench.peers.points.libigl_points import LibiglPoints
from tumble.bench.peers.points.meshlib_points import MeshLibPoints
from tumble.bench.peers.points.open3d_points import Open3dPoints
from tumble.bench.peers.points.other_points import NcollpydePoints, PcuPoints, TrimeshPoints, VtkPoints
from tumble.bench.peers.points.warp_points import WarpPoints
from tumble.bench.peers.robots.contract import RobotPeer
from tumble.bench.peers.robots.pinocchio_peer import PinocchioRobots
from tumble.bench.peers.trimesh_peer import TrimeshPeer
from tumble.bench.peers.vtk_peer import VtkPeer
from tumble.errors import MissingDependencyError
from tumble.scenario.objects import Duo, arrays

# How each competitor is made; making one imports its library.
MAKERS: dict[str, Callable[[], Peer]] = {
    "fcl": FclPeer,
    "coal-obbrss": lambda: CoalPeer("OBBRSS"),
    "coal-obb": lambda: CoalPeer("OBB"),
    "vtk": VtkPeer,
    "trimesh": TrimeshPeer,
}
# Those that are asked how far and how two meshes are from each other, and those that are asked about points.
APART_MAKERS: dict[str, Callable[[], Peer]] = {
    "fcl": FclPeer,
    "coal-obbrss": lambda: CoalPeer("OBBRSS"),
    "klampt": KlamptPeer,
    "meshlib": MeshLibPeer,
    "manifold": ManifoldPeer,
}
POINT_MAKERS: dict[str, Callable[[], PointPeer]] = {
    "fcpw": FcpwPoints,
    "open3d": Open3dPoints,
    "warp": WarpPoints,
    "warp-normals": lambda: WarpPoints("normals"),
    "libigl": LibiglPoints,
    "libigl-winding": lambda: LibiglPoints("FAST_WINDING_NUMBER"),
    "meshlib": MeshLibPoints,
    "ncollpyde": NcollpydePoints,
    "point-cloud-utils": PcuPoints,
    "vtk": VtkPoints,
    "trimesh": TrimeshPoints,
}
# Those that are asked when bodies touch, and how far a mesh that deforms can go.
MOVING_MAKERS: dict[str, Callable[[], MovingPeer]] = {
    "fcl": FclMoving,
    "fcl-sampled": lambda: FclMoving(sampled=True),
    "rapier3d": RapierMoving,
}
STEP_MAKERS: dict[str, Callable[[], StepPeer]] = {
    "ipctk-additive": lambda: IpcSteps("AdditiveCCD", 0.9),
    "ipctk-additive-0.999": lambda: IpcSteps("AdditiveCCD", NEARLY_ALL),
    "ipctk-tight": lambda: IpcSteps("TightInclusionCCD", 0.8),
}
# Those that check configurations of robots.
ROBOT_MAKERS: dict[str, Callable[[], RobotPeer]] = {
    "pinocchio-meshes": lambda: PinocchioRobots(hulls=False, broad_phase=True),
    "pinocchio-hulls": lambda: PinocchioRobots(hulls=True, broad_phase=True),
    "pinocchio-meshes-pairs": lambda: PinocchioRobots(hulls=False, broad_phase=False),
}
INSTALL = 'pip install "tumble[bench]"'
INSTALL_RIVALS = 'pip install "tumble[bench,rivals]"'
AnyPeer = TypeVar("AnyPeer", Peer, PointPeer, MovingPeer, StepPeer, RobotPeer)
Makers = dict[str, Callable[[], AnyPeer]]


@dataclass(frozen=True)
class Field:
    """The competitors, and a sentence on each that is missing."""

    peers: Sequence[Peer]
    notes: Sequence[str]
    apart: Sequence[Peer] = ()
    """those that are asked for distances, clearances and relations"""
    points: Sequence[PointPeer] = ()
    moving: Sequence[MovingPeer] = ()
    steps: Sequence[StepPeer] = ()
    robots: Sequence[RobotPeer] = ()

    @property
    def judged(self) -> dict[str, bool]:
        """By name, whether ratios are taken against it."""
        groups: tuple[Sequence[Any], ...]
        groups = self.robots, self.points, self.moving, self.steps, self.apart, self.peers
        return {peer.name: peer.judged for peers in groups for peer in peers}


def installed(makers: Makers[AnyPeer], install: str = INSTALL_RIVALS) -> tuple[list[AnyPeer], list[str]]:
    """Import every library that is installed, and say which are not."""
    peers, notes = [], []
    for name, make in makers.items():
        try:
            peers.append(make())
        except (ImportError, OSError) as error:
            notes.append(f"`{name}` did not compete: {error}. Install it with `{install}`.")
    return peers, notes


def find_peers(makers: dict[str, Callable[[], Peer]] | None = None) -> Field:
    """Import every library that is installed; without FCL and Coal there is nothing to compare with."""
    peers, notes = installed(MAKERS if makers is None else makers, INSTALL)
    if not any(peer.judged for peer in peers):
        raise MissingDependencyError(
            f"the benchmark needs python-fcl or coal to compare with, and neither is installed: {INSTALL}"
        )
    return Field(peers, notes)


class Entrants:
    """Each library's prepared pair, by name; libraries for which the objects are too large are left out."""

    def __init__(self, duo: Duo, peers: Sequence[Peer]) -> None:
        self.duo = duo
        self.peers = [peer for peer in peers if duo.faces <= peer.most_faces]
        self.solids = {peer.name: self._prepare(peer) for peer in self.peers}
        self.pairs: dict[str, Pair] = {peer.name: peer.pair(*self.solids[peer.name]) for peer in self.peers}

    @property
    def context(self) -> list[str]:
        """The names of those that run for context."""
        return [peer.name for peer in self.peers if not peer.judged]

    def _prepare(self, peer: Peer) -> tuple[Any, Any]:
        a = peer.prepare(*arrays(self.duo.a))
        return a, a if self.duo.b is self.duo.a else peer.prepare(*arrays(self.duo.b))

    @property
    def brief(self) -> list[str]:
        """The names of those that run a few rounds."""
        return [peer.name for peer in self.peers if peer.brief]

    def asks(self, question: str, poses: Poses, *arguments: Any) -> dict[str, Callable[[], Any]]:
        """Asks those that answer it a question of `contract`, for each pose."""
        able = [(peer.name, self.pairs[peer.name]) for peer in self.peers if question in peer.questions]
        return {name: partial(getattr(pair, question), pair.native(poses), *arguments) for name, pair in able}

    def first_hits(self, poses: Poses) -> dict[str, Callable[[], list[bool]]]:
        """Asks each library whether the two touch, for each pose."""
        return {name: partial(pair.first_hits, pair.native(poses)) for name, pair in self.pairs.items()}

    def all_pairs(self, poses: Poses) -> dict[str, Callable[[], list[Any]]]:
        """Asks each library for the touching triangles, for each pose."""
        return {name: partial(pair.all_pairs, pair.native(poses)) for name, pair in self.pairs.items()}

    def first_hits_on(self, threads: ThreadPoolExecutor, count: int, poses: Poses) -> dict[str, Callable[[], Any]]:
        """Asks each library as `first_hits` does, from so many Python threads that share the poses."""
        judged = [peer for peer in self.peers if peer.judged]
        return {peer.name: self._shared_out(peer, threads, count, poses) for peer in judged}

    def _shared_out(self, peer: Peer, threads: ThreadPoolExecutor, count: int, poses: Poses) -> Callable[[], Any]:
        # Every thread has its own objects: those of some libraries keep the pose of the last call.
        shares = [part for part in np.array_split(poses, count) if len(part)]
        pairs = [peer.pair(*self.solids[peer.name]) for _ in shares]
        work = [(pair.first_hits, pair.native(share)) for pair, share in zip(pairs, shares, strict=True)]

        def run() -> NDArray[np.bool_]:
            futures = [threads.submit(ask, share) for ask, share in work]
            return np.array([hit for future in futures for hit in future.result()])

        return run
