"""Distances beside python-fcl and Coal, if installed, in interleaved rounds on one thread, by processor time.

Run: python examples/distance_race.py
"""

import os
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import tumble
from tumble.scenario.objects import arrays, shape_duo
from tumble.scenario.tumbling import motion_poses, tumbling_poses

SMALL = os.environ.get("TUMBLE_EXAMPLE_SIZE") == "small"
SIZES = (200,) if SMALL else (1_000, 10_000, 40_000, 100_000, 500_000)
SHAPES = ("torus",) if SMALL else ("torus", "knot", "gear", "bowl")
PLACES = (1.5, 0.8) if SMALL else (1.5, 1.1, 1.0, 0.8)
POSES, ROUNDS = (4, 2) if SMALL else (8, 7)
MOTION = 20 if SMALL else 1_000

Ask = Callable[[], list[float]]


def fcl_ask(duo: Any, poses: np.ndarray) -> Ask:
    """Return what asks python-fcl, with everything made beforehand."""
    fcl = import_module("fcl")
    models = []
    for mesh in (duo.a, duo.b):
        vertices, faces = arrays(mesh)
        model = fcl.BVHModel()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(vertices, faces)
        model.endModel()
        models.append(model)
    a, b = (fcl.CollisionObject(model, fcl.Transform()) for model in models)
    request, places = (
        fcl.DistanceRequest(enable_nearest_points=True),
        [fcl.Transform(p[:3, :3], p[:3, 3]) for p in poses],
    )

    def ask() -> list[float]:
        found = []
        for place in places:
            b.setTransform(place)
            found.append(fcl.distance(a, b, request, fcl.DistanceResult()))
        return found

    return ask


def coal_ask(duo: Any, poses: np.ndarray) -> Ask:
    """Return what asks Coal, with everything made beforehand."""
    coal = import_module("coal")
    models = []
    for mesh in (duo.a, duo.b):
        vertices, faces = arrays(mesh)
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(faces)
        model.endModel()
        model.computeLocalAABB()
        models.append(model)
    functor, request, still = coal.ComputeDistance(*models), coal.DistanceRequest(), coal.Transform3s()
    request.enable_nearest_points = True
    places = [coal.Transform3s(p[:3, :3].copy(), p[:3, 3].copy()) for p in poses]
    # the functor only points to the models
    return lambda: [functor(still, place, request, coal.DistanceResult()) for place in places] if models else []


def rivals(duo: Any, poses: np.ndarray) -> dict[str, Ask]:
    """Return those that are installed."""
    found = {}
    for name, make in (("fcl", fcl_ask), ("coal", coal_ask)):
        try:
            found[name] = make(duo, poses)
        except ImportError:
            continue
    return found


def race(asks: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median seconds of processor time of each, in rounds in which all take their turn."""
    times: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(ROUNDS):
        for name, ask in asks.items():
            start = time.thread_time()
            ask()
            times[name].append(time.thread_time() - start)
    return {name: float(np.median(each)) for name, each in times.items()}


def main() -> None:
    """Race, and print."""
    ratios: list[float] = []
    for faces in SIZES:
        for kind in SHAPES:
            duo = shape_duo(kind, faces)
            for place in PLACES:
                poses = [pose.copy() for pose in tumbling_poses(place, POSES)]

                def ours(duo: Any = duo, poses: Any = poses) -> list[float]:
                    return [tumble.distance(duo.a, duo.b, None, pose).distance for pose in poses]

                asks = {"tumble": ours, **rivals(duo, np.array(poses))}
                answers = {name: np.maximum(ask(), 0.0) for name, ask in asks.items()}
                off = max(float(np.abs(each - answers["tumble"]).max()) for each in answers.values())
                seconds = race(asks)
                best = min((value for name, value in seconds.items() if name != "tumble"), default=np.nan)
                ratios.append(best / seconds["tumble"])
                each = ", ".join(f"{name} {1e6 * value / POSES:.1f}" for name, value in seconds.items())
                touching = int((answers["tumble"] == 0.0).sum())
                answer = f"{touching} of {POSES} touch, off by {off:.0e}"
                print(f"{duo.name} at {place:g}: {each} µs, {answer}: {ratios[-1]:.1f}×", flush=True)
    print(f"geometric mean {np.exp(np.mean(np.log(ratios))):.1f}×, least {min(ratios):.1f}×")
    duo = shape_duo("torus", SIZES[min(1, len(SIZES) - 1)])
    poses = motion_poses(MOTION)
    many: dict[str, Callable[[], Any]] = {"tumble": lambda: tumble.distance_many(duo.a, duo.b, poses, threads=1)}
    seconds = race({**many, **rivals(duo, poses)})
    each = ", ".join(f"{name} {1e6 * value / MOTION:.1f}" for name, value in seconds.items())
    print(f"{MOTION} poses of a motion of {duo.name}, one call of distance_many on one thread: {each} µs per pose")


if __name__ == "__main__":
    main()
