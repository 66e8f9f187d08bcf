"""The tasks of a run that ask when and how deep; each reads or makes what it needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import tumble
from tumble.bench.framework.benchmark import Say, Task
from tumble.bench.peers.competition import Competition
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.moving import edges, steps, sweeps, volumes
from tumble.bench.peers.races import Recorder
from tumble.errors import FileError
from tumble.scenario.flights import recorded_flights
from tumble.scenario.objects import REAL_PAIRS, Duo, RealPair, chosen_data_folder, real_duo, shape_duo

MOVING_QUERIES = ("time-of-impact", "motion", "edge-check", "ccd-step", "penetration")
NO_FOLDER = "no folder of meshes was named, with `--data` or TUMBLE_MESHES"
Found = TypeVar("Found")
FULL_EDGES = edges.EdgePlan(1_000, 201)


@dataclass(frozen=True)
class MovingSizes:
    """Sizes of a run; those of a full one unless told otherwise. What is read comes from the folder of meshes."""

    # Tori that fly at each other, how many flights of each kind, and the poses that the judge looks at.
    faces: int = 10_000
    flights: int = 10
    samples: int = 2_000
    # Recorded motions, and the poses that the judge looks at between two frames.
    recorded: Sequence[str] = ("fcl/manyframes/Model_1.xml", "fcl/newdata/Model_1_Scenario_3.xml")
    between: int = 33
    # A planner's edges: triangles of what is made, and a robot and its surroundings that are read.
    edge_faces: int = 10_000
    edge_plan: edges.EdgePlan = FULL_EDGES
    robots: Sequence[RealPair] = (RealPair("FCL's robot", "fcl/env.obj", "fcl/rob.obj"),)
    # Steps of cloth: a sheet of so many squares per side, and scenes.
    sheet: int = 60
    scenes: Sequence[str] = tuple(steps.SCENES)
    # Common volumes: shapes, real meshes where both are closed, poses of a turn, and an assembly.
    solids: Sequence[tuple[str, int]] = (("torus", 10_000), ("knot", 10_000), ("gear", 10_000))
    real: Sequence[RealPair] = REAL_PAIRS
    poses: int = 4
    assemblies: Sequence[tuple[str, str]] = (("cycloidal gearbox", "trimesh-models/models/cycloidal.3DXML"),)


def moving_tasks(both: Competition) -> list[Task]:
    """The tasks about what moves, and about common volumes."""
    sizes: MovingSizes = both.run.sizes.moving
    groups: dict[str, Callable[[], list[Task]]] = {
        "time-of-impact": lambda: [Task("times of impact", partial(_sweeps, both, sizes))],
        "motion": lambda: [Task(f"motion: {Path(name).stem}", partial(_motion, both, name)) for name in sizes.recorded],
        "edge-check": lambda: _edge_tasks(both, sizes),
        "ccd-step": lambda: _step_tasks(both, sizes),
        "penetration": lambda: _volume_tasks(both, sizes),
    }
    return [task for query, make in groups.items() if query in both.queries for task in make()]


def _recorder(both: Competition) -> Recorder:
    return Recorder(both.run.table, both.run.sizes.moving_effort)


def _read(both: Competition, what: str, read: Callable[[Path], Found]) -> Found | None:
    """What is read from the folder of meshes; None where it cannot be had, which a note says."""
    folder = chosen_data_folder(both.run.options.get("data"))
    try:
        if folder is None:
            raise FileError(NO_FOLDER)
        return read(folder)
    except FileError as error:
        both.run.table.note(f"`{what}` was left out: {error}.")
        return None


def _sweeps(both: Competition, sizes: MovingSizes, say: Say) -> None:
    say(f"two tori of {sizes.faces} triangles")
    sweeps.sweeps(_recorder(both), both.moving, sizes.faces, sizes.flights, sizes.samples)


def _motion(both: Competition, name: str, say: Say) -> None:
    recorded = _read(both, name, lambda folder: recorded_flights(folder / name))
    if recorded is not None:
        say(f"{len(recorded[1])} motions from frame to frame")
        sweeps.motions(_recorder(both), both.moving, recorded, both.run.sizes.moving.between, both.threads)


def _edge_tasks(both: Competition, sizes: MovingSizes) -> list[Task]:
    made: dict[str, Callable[[], Duo | None]] = {"made by code": partial(edges.made_duo, sizes.edge_faces)}
    made |= {pair.name: partial(_read, both, pair.name, partial(_robot, pair)) for pair in sizes.robots}
    return [Task(f"edges: {name}", partial(_edges, both, make)) for name, make in made.items()]


def _robot(pair: RealPair, folder: Path) -> Duo:
    """A robot and its surroundings, as they are: not scaled, as they belong together."""
    return Duo(pair.name, "real", tumble.load(folder / pair.a), tumble.load(folder / pair.b))


def _edges(both: Competition, make: Callable[[], Duo | None], say: Say) -> None:
    duo = make()
    if duo is not None:
        say(duo.name)
        edges.edges(_recorder(both), both.moving, duo, both.run.sizes.moving.edge_plan, both.threads)


def _step_tasks(both: Competition, sizes: MovingSizes) -> list[Task]:
    found = [Task(f"step: {name}", partial(_scene, both, name)) for name in sizes.scenes]
    return [Task("a step of a sheet", partial(_sheet, both, sizes.sheet)), *found]


def _sheet(both: Competition, sides: int, say: Say) -> None:
    step = steps.sheet_step(sides)
    case = f"a sheet of {len(step[0])} triangles"
    say(case)
    steps.steps(_recorder(both), both.steps, case, step)


def _scene(both: Competition, name: str, say: Say) -> None:
    step = _read(both, name, partial(steps.scene_step, name))
    if step is not None:
        say(name)
        steps.steps(_recorder(both), both.steps, name, step)


def _volume_tasks(both: Competition, sizes: MovingSizes) -> list[Task]:
    made: dict[str, Callable[[], Duo | None]] = {
        f"{kind} {faces}": partial(shape_duo, kind, faces) for kind, faces in sizes.solids
    }
    made |= {pair.name: partial(_read, both, pair.name, partial(_real, pair)) for pair in sizes.real}
    found = [Task(f"volumes: {name}", partial(_volumes, both, make)) for name, make in made.items()]
    return found + [Task(f"penetrations: {each[0]}", partial(_assembly, both, *each)) for each in sizes.assemblies]


def _real(pair: RealPair, folder: Path) -> Duo:
    duo = real_duo(pair, folder)
    if isinstance(duo, str):
        raise FileError(duo)
    return duo


def _volumes(both: Competition, make: Callable[[], Duo | None], say: Say) -> None:
    duo = make()
    if duo is None or not volumes.closed(duo):
        return
    say(duo.name)
    able = [peer for peer in both.apart if "volumes" in peer.questions]
    volumes.volumes(_recorder(both), Entrants(duo, able), both.run.sizes.moving.poses)


def _assembly(both: Competition, name: str, path: str, say: Say) -> None:
    parts = _read(both, name, lambda folder: tumble.load_parts(folder / path))
    if parts is not None:
        say(name)
        volumes.assembly(_recorder(both), both.apart, name, parts)
