"""What a run measures, and how much of it: everything within about half an hour, or a look within a few minutes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tumble.bench.framework.benchmark import Run, Say, Task
from tumble.bench.framework.timing import Effort
from tumble.bench.peers import once, races
from tumble.bench.peers.apart import ApartSizes
from tumble.bench.peers.apart_tasks import APART_QUERIES, POINT_QUERIES, apart_tasks, point_tasks
from tumble.bench.peers.competition import Competition
from tumble.bench.peers.entrants import (
    APART_MAKERS,
    MOVING_MAKERS,
    POINT_MAKERS,
    ROBOT_MAKERS,
    STEP_MAKERS,
    Entrants,
    Field,
    find_peers,
    installed,
)
from tumble.bench.peers.moving.edges import EdgePlan
from tumble.bench.peers.moving.ours import TumbleMoving, TumbleStep
from tumble.bench.peers.moving.tasks import MOVING_QUERIES, MovingSizes, moving_tasks
from tumble.bench.peers.ours import TumblePeer
from tumble.bench.peers.points.ours import TumblePoints
from tumble.bench.peers.points.races import PointSizes
from tumble.bench.peers.races import FAR_APART, Recorder
from tumble.bench.peers.robots.ours import TumbleRobots
from tumble.bench.peers.robots.tasks import ROBOT_QUERIES, RobotSizes, robot_tasks
from tumble.core.parallel import usable_cores
from tumble.errors import OptionError
from tumble.scenario.objects import REAL_PAIRS, SHAPES, Duo, RealPair, chosen_data_folder, shape_duo

# Asked at this distance when one is enough: some poses touch and some do not.
TYPICAL_DISTANCE = 0.8
SWEEP_OF = "knot"
ABOUT_PAIRS = {"first-hit", "all-pairs", "far-apart", "aligned", "python-threads"}
# Aligned objects touch in so many triangles that larger ones would take all the time.
ALIGNED_FACES = 12_000
LIBRARIES = "libraries"

# What can be asked for with --only.
TOUCHING_QUERIES = (
    *("first-hit", "all-pairs", "far-apart", "aligned", "sweep", "python-threads"),
    *("batch", "scene", "build", "memory", "start"),
)
QUERIES = (*TOUCHING_QUERIES, *APART_QUERIES, *POINT_QUERIES, *MOVING_QUERIES, *ROBOT_QUERIES)

LARGE = 30_000
CLOSEST_OF_LARGE = 0.6
PAIR_EFFORT, LONG_EFFORT = Effort(1.5, least_rounds=3), Effort(10.0, least_rounds=3)
MOVING_EFFORT = Effort(1.0, least_rounds=3)
FULL_APART, FULL_POINTS, FULL_MOVING, FULL_ROBOTS = ApartSizes(), PointSizes(), MovingSizes(), RobotSizes()
BATCHES = (("torus", 1_000), ("gear", 1_000), ("knot", 10_000), ("bowl", 10_000), ("torus", 100_000))


@dataclass(frozen=True)
class Sizes:
    """Sizes, distances and times of a run; those of a full one unless told otherwise."""

    # Triangles of each shape, and which real meshes.
    sizes: Sequence[int] = (1_000, 10_000, 100_000, 500_000)
    real: Sequence[RealPair] = REAL_PAIRS
    # Between the middles of the boxes, in lengths of the box; and poses of a turn for meshes up to so many triangles.
    distances: Sequence[float] = (1.0, 0.8, 0.6, 0.4)
    steps: Sequence[tuple[int, int]] = ((30_000, 24), (200_000, 8), (10**9, 4))
    pair_effort: Effort = PAIR_EFFORT
    # The curve of time over distance.
    sweep: Sequence[float] = tuple(round(0.2 + 0.1 * step, 1) for step in range(14))
    sweep_faces: int = 10_000
    # Objects of the other queries, by shape and triangles.
    batch_of: Sequence[tuple[str, int]] = BATCHES
    batch_poses: int = 10_000
    bodies: int = 1_000
    # Between neighbours in the scene, in box lengths: in a heap most bodies touch others, loose ones rarely.
    spacings: Sequence[float] = (0.85, 1.1)
    build_sizes: Sequence[int] = (1_000, 10_000, 100_000, 500_000)
    memory_faces: int = 100_000
    long_effort: Effort = LONG_EFFORT
    # Distances, clearances and relations; points.
    apart: ApartSizes = FULL_APART
    points: PointSizes = FULL_POINTS
    point_effort: Effort = LONG_EFFORT
    # Times of impact, steps and common volumes.
    moving: MovingSizes = FULL_MOVING
    moving_effort: Effort = MOVING_EFFORT
    robots: RobotSizes = FULL_ROBOTS

    def distances_for(self, faces: int) -> list[float]:
        """Distances of a pair: large meshes come less close, where a pose has 100 000 touching pairs."""
        return [distance for distance in self.distances if distance >= CLOSEST_OF_LARGE or faces <= LARGE]

    def steps_for(self, faces: int) -> int:
        """Poses of a turn: fewer for large meshes, so that a run ends."""
        return next(steps for most, steps in self.steps if faces <= most)


FULL = Sizes()
QUICK = Sizes(
    sizes=(1_000, 10_000),
    real=REAL_PAIRS[:4],
    distances=(0.9, 0.6),
    steps=((10**9, 8),),
    pair_effort=Effort(0.3, least_rounds=3),
    sweep=(0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4),
    sweep_faces=2_000,
    batch_of=(("torus", 1_000), ("knot", 10_000)),
    spacings=(1.0,),
    build_sizes=(1_000, 20_000),
    memory_faces=20_000,
    long_effort=Effort(2.0, least_rounds=3),
    apart=ApartSizes(
        sizes=(1_000, 10_000),
        poses=4,
        motion=200,
        motion_of=(("torus", 1_000), ("knot", 10_000)),
        solid_sizes=(1_000, 10_000),
    ),
    points=PointSizes(faces=20_000, points=10_000, judged=100_000),
    point_effort=Effort(0.5, least_rounds=3),
    moving=MovingSizes(
        flights=4,
        samples=500,
        between=9,
        edge_plan=EdgePlan(200, 101),
        scenes=FULL_MOVING.scenes[1:2],
        solids=(("torus", 2_000), ("gear", 2_000)),
        real=REAL_PAIRS[:4],
        poses=2,
    ),
    moving_effort=Effort(0.2, least_rounds=3),
    robots=RobotSizes(configurations=2_000, judged=2_000),
)


def chosen_queries(only: Sequence[str] | None) -> list[str]:
    """The queries to run, in the order of the page; an unknown name is refused."""
    strangers = [name for name in only or () if name not in QUERIES]
    if strangers or (only is not None and not only):
        wrong = f"unknown query {strangers[0]!r}" if strangers else "no query named"
        raise OptionError(f"{wrong}: choose from {', '.join(QUERIES)}")
    return [name for name in QUERIES if only is None or name in only]


def _chosen_threads(threads: int | None) -> int:
    if threads is not None and threads < 1:
        raise OptionError(f"threads={threads}: give 1 or more")
    return threads or usable_cores()


def tasks(run: Run[Sizes]) -> list[Task]:
    """All tasks of a run, in an order that prepares every object once.

    The option `field` replaces the libraries that are installed.
    """
    options, sizes = run.options, run.sizes
    queries, threads = chosen_queries(options.get("only")), _chosen_threads(options.get("threads"))
    chosen_data_folder(options.get("data"))  # a wrong one is refused before libraries are looked for
    field: Field = options.get("field") or _field(queries)
    short, long = (Recorder(run.table, effort) for effort in (sizes.pair_effort, sizes.long_effort))
    both = Competition(
        run,
        [TumblePeer(), *field.peers],
        [TumblePeer(), *field.apart],
        [TumblePoints(), *field.points],
        [TumbleMoving(), *field.moving],
        [TumbleStep(), *field.steps],
        [TumbleRobots(), *field.robots],
        queries,
        threads,
        short,
        long,
    )
    for name, judged in field.judged.items():
        run.study(LIBRARIES).add(name, "", "judged", judged)
    for note in (f"**Threads.** {threads} where a query says so.", *field.notes):
        run.table.note(note)
    made: dict[str, Callable[[], Duo | None]]
    made = {f"{kind} {n}": partial(shape_duo, kind, n) for n in sizes.sizes for kind in SHAPES}
    made |= run.real_duos(sizes.real)
    found: list[Task] = []
    if ABOUT_PAIRS & set(queries):
        found = [Task(name, partial(_tumble, both, make)) for name, make in made.items()]
    named = {
        "sweep": [Task("time over distance", partial(_sweep, both))],
        "batch": [Task(f"{sizes.batch_poses} poses: {k}", partial(_batch, both, k, n)) for k, n in sizes.batch_of],
        "build": [
            Task(f"build {k} {n}", partial(races.build, short, both.peers, k, n))
            for n in sizes.build_sizes
            for k in SHAPES
        ],
        "scene": [
            Task(f"scene of {sizes.bodies} bodies", partial(races.crowd, long, both.peers, sizes.bodies, gap, threads))
            for gap in sizes.spacings
        ],
        "memory": [Task("bytes per triangle", lambda say: once.memory(both.peers, sizes.memory_faces, run.table))],
        "start": [Task("cold and warm start", lambda say: once.start(both.peers, run.table))],
    }
    found += [task for query, group in named.items() if query in queries for task in group]
    return found + apart_tasks(both) + point_tasks(both) + moving_tasks(both) + robot_tasks(both)


def _field(queries: Sequence[str]) -> Field:
    """What is installed of the libraries that the queries need."""
    field = find_peers() if set(TOUCHING_QUERIES) & set(queries) else Field((), ())
    notes, wanted = list(field.notes), set(queries)

    def found(makers: Any, needed: Iterable[str]) -> list[Any]:
        peers, missing = installed(makers) if wanted & set(needed) else ([], [])
        notes.extend(note for note in missing if note.split(" ")[0] not in {one.split(" ")[0] for one in notes})
        return peers

    apart, points = found(APART_MAKERS, (*APART_QUERIES, "penetration")), found(POINT_MAKERS, POINT_QUERIES)
    moving, steps = found(MOVING_MAKERS, MOVING_QUERIES[:3]), found(STEP_MAKERS, ["ccd-step"])
    return Field(field.peers, notes, apart, points, moving, steps, found(ROBOT_MAKERS, ROBOT_QUERIES))


def _tumble(both: Competition, make: Callable[[], Duo | None], say: Say) -> None:
    """One pair of objects, if it can be had, through all distances and questions about pairs."""
    duo = make()
    if duo is None:
        return
    say(f"{duo.name}: build")
    entrants, sizes, queries = Entrants(duo, both.pair_peers), both.run.sizes, both.queries
    steps = sizes.steps_for(duo.faces)
    if "far-apart" in queries:
        say(f"{duo.name}: far apart")
        races.first_hits(both.short, entrants, FAR_APART, steps, "far-apart")
    if "aligned" in queries and duo.faces <= ALIGNED_FACES:
        say(f"{duo.name}: aligned")
        races.aligned(both.short, entrants)
    if "python-threads" in queries and both.threads > 1:
        say(f"{duo.name}: threads")
        races.on_threads(both.short, entrants, TYPICAL_DISTANCE, both.threads)
    for distance in sizes.distances_for(duo.faces):
        say(f"{duo.name} at {distance:g}")
        if "first-hit" in queries:
            races.first_hits(both.short, entrants, distance, steps)
        if "all-pairs" in queries:
            races.all_pairs(both.short, entrants, distance, steps)


def _sweep(both: Competition, say: Say) -> None:
    """Time over distance for one object, as the paper plots it; no part of the means."""
    duo = shape_duo(SWEEP_OF, both.run.sizes.sweep_faces)
    entrants, steps = Entrants(duo, both.pair_peers), both.run.sizes.steps_for(duo.faces)
    for distance in both.run.sizes.sweep:
        say(f"{duo.name} at {distance:g}")
        races.first_hits(both.short, entrants, distance, steps, "sweep-first-hit")
        races.all_pairs(both.short, entrants, distance, steps, "sweep-all-pairs")


def _batch(both: Competition, kind: str, faces: int, say: Say) -> None:
    entrants = Entrants(shape_duo(kind, faces), [peer for peer in both.pair_peers if peer.judged])
    races.batches(both.long, entrants, both.run.sizes.batch_poses, both.threads)
