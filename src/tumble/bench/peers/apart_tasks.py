"""The tasks of a run that ask how far, how near, and on which side; each builds the trees that it needs."""

from collections.abc import Sequence
from csv import DictReader
from functools import partial
from importlib.resources import files
from typing import Any

from tumble.bench.framework.benchmark import Say, Task
from tumble.bench.framework.table import Table
from tumble.bench.peers import apart
from tumble.bench.peers.competition import Competition
from tumble.bench.peers.entrants import Entrants
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.points import races as point_races
from tumble.bench.peers.races import Recorder
from tumble.mesh import Mesh
from tumble.scenario.objects import SHAPES, Duo, shape_duo
from tumble.scenario.tumbling import Poses

APART_QUERIES = ("distance", "distance-many", "clearance", "signed-meshes", "relation")
POINT_QUERIES = ("closest-points", "signed-distance")
TRIED = "tried"
NO_CLEARANCE = "Clearances were left out: this version of Tumble does not answer them."


def apart_tasks(both: Competition) -> list[Task]:
    """The tasks about two meshes."""
    queries, sizes, found = set(both.queries), both.run.sizes.apart, []
    if set(APART_QUERIES + POINT_QUERIES) & queries:
        add_tried(both.run.table)
    if "clearance" in queries and not apart.has_clearance():
        both.run.table.note(NO_CLEARANCE)
        queries.discard("clearance")
    if {"distance", "clearance", "signed-meshes"} & queries:
        for faces in sizes.sizes:
            for kind in SHAPES:
                found.append(
                    Task(f"distances: {kind} {faces}", partial(_distances, both, sorted(queries), kind, faces))
                )
    if "distance-many" in queries:
        for kind, faces in sizes.motion_of:
            found.append(Task(f"{sizes.motion} distances: {kind} {faces}", partial(_motions, both, kind, faces)))
    if {"signed-meshes", "relation"} & queries:
        for faces in sizes.solid_sizes:
            for kind in SHAPES:
                found.append(Task(f"solids: {kind} {faces}", partial(_solids, both, kind, faces)))
    if "relation" in queries:
        for name, (a, b, poses) in apart.touching_duos(sizes.times).items():
            found.append(Task(f"relation: {name}", partial(_in_contact, both, name, (a, b), poses)))
    return found


def point_tasks(both: Competition) -> list[Task]:
    """The tasks about points."""
    run, threads, found = both.run, both.threads, []
    recorder, sizes = Recorder(run.table, run.sizes.point_effort), run.sizes.points
    if "closest-points" in both.queries:
        work = partial(point_races.closest, recorder, both.points, sizes, threads)
        found.append(Task("closest points", work))
    if "signed-distance" in both.queries:
        work = partial(point_races.signed, recorder, both.points, sizes, threads)
        found.append(Task("signed distances", work))
        found.append(Task("signs", partial(point_races.judged, recorder, sizes, threads)))
    return found


def add_tried(table: Table) -> None:
    """Write which libraries were tried, and what came of it."""
    with files(__package__).joinpath("rivals.csv").open(encoding="utf-8") as file:
        for row in DictReader(file):
            table.study(TRIED).add_values(row["library"], "", {"question": row["question"], "outcome": row["outcome"]})


def _entrants(both: Competition, duo: Duo, *questions: str) -> Entrants:
    """Two objects, built by those that answer one of the questions."""
    return Entrants(duo, [peer for peer in both.apart if set(questions) & set(peer.questions)])


def _asked(queries: Sequence[str]) -> list[str]:
    """What is asked of two objects that tumble beside each other."""
    questions = {"distance": "distances", "clearance": "within", "signed-meshes": "signed_distances"}
    return [question for query, question in questions.items() if query in queries]


def _distances(both: Competition, queries: Sequence[str], kind: str, faces: int, say: Say) -> None:
    entrants, sizes = _entrants(both, shape_duo(kind, faces), *_asked(queries)), both.run.sizes.apart
    _ready(entrants)
    for place in sizes.places:
        say(f"{entrants.duo.name} at {place:g}")
        if "distance" in queries:
            apart.distances(both.short, entrants, sizes, place)
        if "clearance" in queries:
            apart.clearances(both.short, entrants, sizes, place)
        if "signed-meshes" in queries and place >= apart.NOT_CROSSING:
            apart.signed_distances(both.short, entrants, place, sizes.poses, f" at {place:g}")


def _ready(entrants: Entrants) -> None:
    ours: Any = entrants.pairs[OURS]
    ours.ready_for_distances()


def _motions(both: Competition, kind: str, faces: int, say: Say) -> None:
    able = [peer for peer in both.apart if "distances" in peer.questions and not peer.brief]
    entrants = Entrants(shape_duo(kind, faces), able)
    _ready(entrants)
    say(entrants.duo.name)
    apart.motions(both.long, entrants, both.run.sizes.apart, both.threads)


def _solids(both: Competition, kind: str, faces: int, say: Say) -> None:
    entrants = _entrants(both, apart.solid_duo(kind, faces), "signed_distances", "relations")
    say(entrants.duo.name)
    apart.solids(both.short, entrants, both.run.sizes.apart, both.queries)


def _in_contact(both: Competition, name: str, meshes: tuple[Mesh, Mesh], poses: Poses, say: Say) -> None:
    say(name)
    apart.relations_in_contact(both.short, _entrants(both, Duo(name, "box", *meshes), "relations"), poses)
