"""Signals at random moments of public calls: `interrupt_randomly` is what the tests and the fuzzer run.

A call is interrupted by one, two or three signals shortly after each other, whose handler raises. Afterwards the same
call, on the same objects, must give the answer that it gives undisturbed. Memory that threads still write into when it
is freed shows as a crash of the process, so this is to be run in a process of its own.
"""

from __future__ import annotations

import hashlib
import signal
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import tumble
from interrupting_robots import robot_calls
from tumble.dynamics import World
from tumble.mesh import random_pose, shapes

LONGEST_GAP = 0.004
"""seconds between two signals of one burst"""
RETRY = 0.0002
"""seconds until a signal comes again that Python would have dropped"""
PATIENCE = 20.0
"""seconds after which a call counts as hanging; a whole core is rarely free where tests run"""

Call = Callable[[], bytes]


class Interruption(Exception):
    """What the handler raises: not KeyboardInterrupt, to see that any exception comes through."""


def digest(*arrays: Any) -> bytes:
    """Return a fingerprint of an answer."""
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.digest()


def _soup(seed: int, count: int, size: float) -> tumble.Mesh:
    rng = np.random.default_rng(seed)
    corners = rng.random((count, 1, 3)) + size * rng.normal(size=(count, 3, 3))
    return tumble.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def _fresh(mesh: tumble.Mesh) -> tumble.Mesh:
    """The same mesh without any tree."""
    return tumble.Mesh(mesh.vertices, mesh.faces)


def _collide_calls(share: float = 1.0) -> dict[str, Call]:
    a, b = _soup(1, round(3000 * share), 0.05), _soup(2, round(3000 * share), 0.05)
    small, other = _soup(3, 700, 0.1), _soup(4, 700, 0.1)
    apart = shapes.icosphere(6), shapes.icosphere(6, 0.9999)
    calls: dict[str, Call] = {
        "collides": lambda: digest(tumble.collides(*apart)),
        "collide": lambda: digest(tumble.collide(a, b).pairs),
        "collide contacts": lambda: digest(tumble.collide(a, b, contacts=True).contacts.depths),
        "collide boxtree": lambda: digest(tumble.collide(a, b, tree="boxtree").pairs),
        "collide bulk": lambda: digest(tumble.collide(a, b, method="bulk").pairs),
        "collide front": lambda: digest(tumble.collide(a, b, method="front").pairs),
        "collide brute": lambda: digest(tumble.collide(small, other, method="brute").pairs),
    }
    for method in ("leaf", "stack", "stackless", "lists", "lists-pairs", "binary-stack", "stack-ahead"):
        calls[f"collide {method}"] = lambda method=method: digest(tumble.collide(a, b, method=method).pairs)
    return calls


def _many_calls(share: float = 1.0) -> dict[str, Call]:
    a, b = shapes.torus(segments=60, sides=40), shapes.knot()
    poses = np.stack([random_pose(seed, 1.0) for seed in range(round(2000 * share))])
    few, small = poses[: round(150 * share)], shapes.icosphere(3)
    fine = 5 if share == 1.0 else 4
    apart, shells = poses[: round(300 * share)].copy(), (shapes.icosphere(fine), shapes.icosphere(fine, 0.98))
    apart[:, 0, 3] += 5.0
    # rings that turn close to each other
    rings = shapes.torus(2.0, 0.5, 48, 24), shapes.torus(1.07, 0.4, 48, 24)
    spins = [tumble.Motion.screw(angle=0.2 + 0.01 * k) for k in range(round(100 * share))]
    rng = np.random.default_rng(5)
    origins, ways = rng.normal(size=(2, round(60_000 * share), 3)) * [[[3.0]], [[1.0]]]
    soup = _soup(6, round(6000 * share), 0.03)
    ball = shapes.icosphere(5)
    soups = [_soup(seed, round(500 * share), 0.1) for seed in (7, 8)]
    planes = np.array([[1.0, 0.2, 0.1, 0.3], [-1.0, 0.1, 0.0, 0.6]])
    meshes = [_soup(seed, 600, 0.05) for seed in range(6)]
    parts = [tumble.Part(str(seed), mesh) for seed, mesh in enumerate(meshes)]
    return {
        "collide_many": lambda: digest(tumble.collide_many(a, b, poses).hit),
        "collide_many all": lambda: digest(tumble.collide_many(a, b, few, first=False).triangles),
        "collide_many boxtree": lambda: digest(tumble.collide_many(small, a, few, first=False, tree="boxtree").counts),
        "clearance": lambda: digest(tumble.clearance(*shells, 0.05).distances),
        "clearance brute": lambda: digest(tumble.clearance(soups[0], soups[1], 0.4, method="brute").pairs),
        "distance": lambda: digest(tumble.distance(*shells).distance),
        "distance stack": lambda: digest(tumble.distance(*shells, method="stack").distance),
        "distance_many": lambda: digest(tumble.distance_many(a, b, apart).points),
        "time_of_impact_many": lambda: digest(tumble.time_of_impact_many(*rings, spins).times),
        "build slabs": lambda: digest(tumble.distance(_fresh(shells[0]), _fresh(shells[1])).points),
        "cast_rays": lambda: digest(tumble.cast_rays(ball, origins, ways).triangles),
        "cast_rays boxtree": lambda: digest(tumble.cast_rays(ball, origins, ways, tree="boxtree").distances),
        "inside_frustum": lambda: digest(tumble.inside_frustum(ball, planes)),
        "self_collide": lambda: digest(tumble.self_collide(soup).pairs),
        "candidates": lambda: digest(tumble.candidates(soup).edge_edge),
        "time_of_impact": lambda: digest(tumble.Deformable(soup).time_of_impact(1.01 * soup.vertices, every=True).time),
        "collide_all": lambda: digest(tumble.collide_all(meshes, within=True).counts),
        "touching_parts": lambda: digest([contact.triangle_pairs for contact in tumble.touching_parts(parts)]),
    }


def _solid_calls(share: float = 1.0) -> dict[str, Call]:
    """Points, solids and clearances."""
    knot, ball = shapes.knot(), shapes.icosphere(4)
    points = np.random.default_rng(9).normal(size=(round(30_000 * share), 3))
    far = points[:20] * 1e9  # where all triangles are compared
    cut = tumble.Mesh(ball.vertices, ball.faces[40:])
    poses = np.stack([random_pose(seed, 0.2) for seed in range(round(60 * share))])
    shells = shapes.icosphere(5), shapes.icosphere(5, 0.97)
    sides = shapes.box(), tumble.subdivide(tumble.subdivide(shapes.box()))  # equal, and all of their triangles meet
    scene = tumble.Scene()
    for k in range(round(40 * share)):
        scene.add(str(k), shapes.icosphere(2, 0.3 + 0.1 * k), tumble.translation(0.01 * k, 0.0, 0.0))
    parts = [tumble.Part(name, scene.mesh(name)) for name in scene.names[:12]]

    def placed(mesh: tumble.Mesh, **options: Any) -> bytes:
        found = tumble.contains(mesh, points, **options)
        return digest(found.inside, found.on_surface)

    return {
        "closest_points": lambda: digest(tumble.closest_points(knot, points).points),
        "closest_points far": lambda: digest(tumble.closest_points(ball, far).distances),
        "signed_distance": lambda: digest(tumble.signed_distance(knot, points).distances),
        "contains": lambda: placed(knot),
        "contains winding": lambda: placed(cut, rule="winding"),
        "relation": lambda: digest(str(tumble.relation(*sides).relation)),
        "relation_many": lambda: digest([str(each.relation) for each in tumble.relation_many(*sides, poses)]),
        "collide_many solid": lambda: digest(tumble.collide_many(*shells, poses, solid=True).buried),
        "collide_many clearance": lambda: digest(tumble.collide_many(*shells, poses, clearance=0.02).hit),
        "touching_parts solid": lambda: digest(
            [str(each.relation) for each in tumble.touching_parts(parts, solid=True, clearance=0.1)]
        ),
        "Scene.relations": lambda: digest([str(each.relation) for each in scene.relations()]),
        "Scene.collisions clearance": lambda: digest(scene.collisions(clearance=0.05, solid=True).triangles),
    }


def _build_calls(share: float = 1.0) -> dict[str, Call]:
    ball = shapes.icosphere(6 if share == 1.0 else 5)
    middle = shapes.icosphere(4 if share == 1.0 else 3)
    calls: dict[str, Call] = {
        "build packed": lambda: digest(tumble.cast_rays(_fresh(ball), [[3.0, 0, 0]], [[-1.0, 0, 0]]).distances),
        "build boxtree": lambda: digest(tumble.build(_fresh(ball), "boxtree").nodes),
    }
    for volume, mesh in (("aabb", ball), ("obb", middle), ("sphere", middle), ("kdop18", middle)):
        calls[f"build {volume}"] = lambda volume=volume, mesh=mesh: digest(tumble.build(_fresh(mesh), volume).order)
    return calls


def _stateful_calls(share: float = 1.0) -> dict[str, Call]:
    cloth = shapes.cloth(round(120 * share), 120)
    deformable, tracker = tumble.Deformable(cloth), tumble.Tracker(cloth, shapes.icosphere(4, 0.3))
    raised = cloth.vertices + np.array([0.0, 0.0, 0.01])
    scene = tumble.Scene()
    for k in range(30):
        scene.add(str(k), shapes.torus(), random_pose(k, 1.5))
    spread = tumble.Scene()
    for k in range(60):
        spread.add(str(k), shapes.torus(), random_pose(k, 30.0))
    world = World()
    world.add_plane((0.0, 0.0, 1.0), 0.0)
    for k in range(12):
        world.add_body(shapes.icosphere(2, 0.5), tumble.translation(0.1 * k, 0.0, 0.45 + 0.9 * k))
    start = world.snapshot()

    def update() -> bytes:
        deformable.update(raised, rebuild=True)
        return digest(deformable.self_collide(candidates=True).pairs)

    def track() -> bytes:
        tracker.collide(None, tumble.translation(0.02, 0.0, 0.0), vertices_a=raised)
        return digest(tracker.collide(vertices_a=cloth.vertices).pairs)

    def move() -> bytes:
        scene.move_many({str(k): random_pose(k, 1.5) for k in range(30)})
        return digest(scene.collisions().triangles)

    def nearest() -> bytes:
        return digest(spread.distance().points)

    def add_and_remove() -> bytes:
        if "guest" in scene:
            scene.remove("guest")
        scene.add("guest", shapes.icosphere(3))
        found = digest(scene.collisions_with("guest").triangles)
        scene.remove("guest")
        return found

    def step() -> bytes:
        world.restore(start)
        world.step(3)
        return digest(world.positions())

    return {
        "Deformable.update": update, "Tracker.collide": track, "Scene.collisions": move, "Scene.add": add_and_remove,
        "Scene.distance": nearest,
        "World.step": step,
    }  # fmt: skip


def _device_calls(share: float = 1.0) -> dict[str, Call]:
    if not tumble.devices():
        return {}
    a, b = _soup(1, round(3000 * share), 0.05), _soup(2, round(3000 * share), 0.05)
    poses = np.stack([random_pose(seed, 1.0) for seed in range(round(64 * share))])
    tracker = tumble.Tracker(a, b, device="opencl")

    def track() -> bytes:
        tracker.collide(tumble.translation(0.01, 0.0, 0.0))
        return digest(tracker.collide().pairs)

    return {
        "collide opencl": lambda: digest(tumble.collide(a, b, device="opencl").pairs),
        "collide opencl bulk": lambda: digest(tumble.collide(a, b, device="opencl", method="bulk").pairs),
        "collide opencl front": lambda: digest(tumble.collide(a, b, device="opencl", method="front").pairs),
        "collide_many opencl": lambda: digest(tumble.collide_many(a, b, poses, first=False, device="opencl").triangles),
        "Tracker opencl": track,
    }


def _robot_calls(share: float = 1.0) -> dict[str, Call]:
    return {name: lambda ask=ask: digest(*ask()) for name, ask in robot_calls(share).items()}


GROUPS: dict[str, Callable[..., dict[str, Call]]] = {
    "collide": _collide_calls,
    "many": _many_calls,
    "solid": _solid_calls,
    "build": _build_calls,
    "stateful": _stateful_calls,
    "device": _device_calls,
    "robot": _robot_calls,
}
"""public calls that take longer than some microseconds, by name, with all that they need; `share` makes it smaller"""


def _watched(call: Call) -> None:
    """Make a call; signals raise while this is on Python's stack, and at no other time."""
    call()


class _Signals:
    """A burst of signals."""

    def __init__(self) -> None:
        self.gaps: list[float] = []

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Have the next signal sent, and raise if a call is being made."""
        if self.gaps:
            signal.setitimer(signal.ITIMER_REAL, self.gaps.pop())
        if frame is not None and frame.f_code.co_filename == weakref.__file__:
            # Python prints and drops what is raised while it forgets the weak references to an object: try again later
            signal.setitimer(signal.ITIMER_REAL, RETRY)
            return
        while frame is not None:
            if frame.f_code is _watched.__code__:
                raise Interruption
            frame = frame.f_back


def comes_from_interruption(error: BaseException) -> bool:
    """Tell whether an error is an interruption, or what others made of one: NumPy catches any error of `int()`.

    What Tumble itself raises in place of an interruption is a fault.
    """
    place = traceback.extract_tb(error.__traceback__)[-1].filename
    if not isinstance(error, Interruption) and Path(place).is_relative_to(Path(tumble.__file__).parent):
        return False
    found: BaseException | None = error
    while found is not None and not isinstance(found, Interruption):
        found = found.__cause__ or found.__context__
    return found is not None


def interrupted(call: Call, delay: float, gaps: list[float], signals: _Signals) -> float:
    """Make a call and interrupt it after a delay, and again; return the seconds from the first signal to its end."""
    signals.gaps = list(gaps)
    due = time.perf_counter() + delay
    signal.setitimer(signal.ITIMER_REAL, max(delay, 1e-6))
    try:
        _watched(call)
    except Exception as error:
        if not comes_from_interruption(error):
            raise
    signals.gaps = []
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    return time.perf_counter() - due


def interrupt_randomly(
    rng: np.random.Generator,
    seconds: float,
    groups: tuple[str, ...] = tuple(GROUPS),
    least: int = 1,
    share: float = 1.0,
) -> dict[str, tuple[int, float]]:
    """Interrupt public calls for so many seconds, `least` times each at least; to be called in the main thread.

    Return for each call how often it was interrupted, and the longest time in seconds that it took to end after that.
    Raise AssertionError when a call answers otherwise afterwards than before, or hangs.
    """
    calls = {name: call for group in groups for name, call in GROUPS[group](share).items()}
    return interrupt_calls(rng, seconds, calls, least)


def interrupt_calls(
    rng: np.random.Generator, seconds: float, calls: dict[str, Call], least: int = 1
) -> dict[str, tuple[int, float]]:
    """Interrupt these calls, as `interrupt_randomly` does."""
    signals = _Signals()
    before = signal.signal(signal.SIGALRM, signals.handle)
    report: dict[str, tuple[int, float]] = {}
    try:
        known = {name: (call(), *_timed(call)) for name, call in calls.items()}
        end = time.perf_counter() + seconds
        for number, name in enumerate(_in_turn(rng, calls)):
            if number >= least * len(calls) and time.perf_counter() > end:
                return report
            call, (answer, again, usual) = calls[name], known[name]
            assert answer == again, f"{name} does not give the same answer twice"
            gaps = (rng.random(rng.integers(0, 3)) * LONGEST_GAP + 1e-5).tolist()
            took = interrupted(call, float(rng.random() * usual), gaps, signals)
            count, longest = report.get(name, (0, 0.0))
            report[name] = count + 1, max(longest, took)
            assert took < PATIENCE + 10 * usual, f"{name} took {took:.1f} s to end after a signal"
            assert call() == answer, f"{name} answers otherwise after it was interrupted"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    return report


def _in_turn(rng: np.random.Generator, calls: dict[str, Call]) -> Iterator[str]:
    while calls:
        yield from rng.permutation(list(calls)).tolist()


def _timed(call: Call) -> tuple[bytes, float]:
    """Return the answer of a call and its seconds."""
    start = time.perf_counter()
    return call(), time.perf_counter() - start


if __name__ == "__main__":
    import sys

    chosen = tuple(sys.argv[3].split(",")) if len(sys.argv) > 3 else tuple(GROUPS)
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    size = float(sys.argv[5]) if len(sys.argv) > 5 else 1.0
    for call_name, (times, slowest) in sorted(
        interrupt_randomly(np.random.default_rng(int(sys.argv[1])), float(sys.argv[2]), chosen, rounds, size).items()
    ):
        print(f"{call_name:24} {times:4} times, {slowest:.3f} s")
