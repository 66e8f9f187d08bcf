"""Random configurations of a robot beside furniture: which collide, with the robot itself or with obstacles?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.bench.framework.answers import compare_hits
from tumble.bench.framework.benchmark import Say, Task
from tumble.bench.framework.timing import both_clocks, race
from tumble.bench.peers.competition import Competition
from tumble.bench.peers.once import add_fact
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.races import Facts, Recorder, add_times, compared, threaded
from tumble.bench.peers.robots.contract import RobotFiles
from tumble.bench.peers.robots.ours import TumbleChecker, robot_of
from tumble.bench.peers.robots.spheres import sphere_hits, spheres_of
from tumble.scenario.objects import chosen_data_folder
from tumble.scenario.shelves import FURNITURE

ROBOT_QUERIES = ("robots",)
SPHERES = "robot-spheres"
WARMING = 100_000
"""configurations: what a robot makes once it was asked often, it has made before the clock starts"""
FOLDER = "motion-planning/panda"
NO_FOLDER = "no folder of meshes was named, with `--data` or TUMBLE_MESHES"


@dataclass(frozen=True)
class RobotSizes:
    """Sizes of a run; those of a full one unless told otherwise."""

    configurations: int = 10_000
    # Of the comparison with spheres, which is no race.
    judged: int = 20_000
    furniture: Sequence[str] = tuple(FURNITURE)


def robot_tasks(both: Competition) -> list[Task]:
    """The tasks about robots."""
    if "robots" not in both.queries:
        return []
    sizes: RobotSizes = both.run.sizes.robots
    races = [Task(f"Panda, {name}", partial(_race, both, name)) for name in sizes.furniture]
    return [*races, *(Task(f"spheres, {name}", partial(_spheres, both, name)) for name in sizes.furniture)]


def _files(both: Competition, urdf: str) -> RobotFiles | None:
    """Where the robot is; None where it cannot be had, which a note says."""
    folder: Path | None = chosen_data_folder(both.run.options.get("data"))
    where = None if folder is None else folder / FOLDER
    if where is None or not (where / urdf).is_file():
        found = NO_FOLDER if where is None else f"there is no {FOLDER}/{urdf}"
        both.run.table.note(f"`{urdf}` was left out: {found}.")
        return None
    return RobotFiles(where / urdf, where / "panda.srdf", where)


def _race(both: Competition, name: str, say: Say) -> None:
    files = _files(both, "panda.urdf")
    if files is None:
        return
    say(name)
    sizes: RobotSizes = both.run.sizes.robots
    obstacles, robot = FURNITURE[name](), robot_of(files)
    Q = robot.random(sizes.configurations, seed=1)
    checkers = {peer.name: peer.checker(files, obstacles) for peer in both.robots}
    asks = {each: partial(checker.hits, Q, 1) for each, checker in checkers.items()}
    checkers[OURS].hits(robot.random(WARMING, seed=2), both.threads)
    recorder = Recorder(both.run.table, both.run.sizes.long_effort)
    case = f"Panda, {name}"
    hit = compared(recorder.table.study("robots"), case, asks, compare_hits)
    triangles = sum(len(mesh) for mesh in robot.meshes if mesh) + sum(len(each.mesh) for each in obstacles)
    facts: dict[str, float | str] = {"case": case, "object": "Panda", "triangles": triangles, "items": len(Q)}
    facts["answer"] = f"{np.mean(hit):.0%} collide"
    # apart from those on several threads: the threads of OpenMP go on spinning in the turn of the next contestant
    rounds: Any = race(asks, recorder.effort, (), both_clocks)
    processor = {each: [times[1] for times in taken] for each, taken in rounds.items()}
    add_times(recorder.table.study("robots"), facts, processor)
    if both.threads > 1:
        _race_threads(recorder, facts, checkers, Q, both.threads)


def _race_threads(
    recorder: Recorder, facts: Facts, checkers: Mapping[str, Any], Q: NDArray[np.float64], threads: int
) -> None:
    """Tumble on several threads beside the others on one and on several."""
    asks = {threaded(each, threads): partial(checker.hits, Q, threads) for each, checker in checkers.items()}
    asks |= {each: partial(checker.hits, Q, 1) for each, checker in checkers.items() if each != OURS}
    study = recorder.table.study("robots-threads")
    asks[OURS] = asks.pop(threaded(OURS, threads))
    compared(study, str(facts["case"]), asks, compare_hits)
    add_times(study, facts, race(asks, recorder.effort))


def _spheres(both: Competition, name: str, say: Say) -> None:
    """How many collisions of the meshes are missed, and invented, by the spheres that planners put in their place."""
    files = _files(both, "panda.urdf")
    if files is None or _files(both, "panda_spherized.urdf") is None:
        return
    say(name)
    robot, obstacles = robot_of(files), FURNITURE[name]()
    Q = robot.random(both.run.sizes.robots.judged, seed=3)
    spheres = spheres_of(robot, files.urdf.parent / "panda_spherized.urdf")
    study, alone = both.run.table.study(SPHERES), robot.with_allowed(combinations(robot.links, 2))
    for what, asked in (("all contacts", robot), ("with furniture", alone)):
        right = TumbleChecker(asked, obstacles).hits(Q, both.threads)
        found = sphere_hits(asked, spheres, obstacles, Q)
        missed, invented = int((right & ~found).sum()), int((found & ~right).sum())
        how = f"{int(right.sum())} of {len(Q)} collide"
        shares = {"missed, of those that collide": missed / max(1, int(right.sum())), "missed, of all": missed / len(Q)}
        for text, share in {**shares, "invented, of all": invented / len(Q)}.items():
            add_fact(study, "spheres", f"{name}, {what}: {text}", 100.0 * share, "%", how)
