"""What a run measures, and how much of it: everything within twelve minutes, or a look within two."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

import tumble
from tumble.bench.framework.answers import counted, wrong_answers
from tumble.bench.framework.benchmark import Run, Say, Task
from tumble.bench.framework.statistics import Interval, geometric_mean
from tumble.bench.framework.table import Study, Table, Value
from tumble.bench.framework.timing import Effort, race
from tumble.bench.papers.chip import rotation
from tumble.bench.papers.chip.marks import LIST_MARKS, run_marks
from tumble.bench.papers.chip.published import BEST_K
from tumble.bench.papers.chip.reached import nodes_reached
from tumble.bench.papers.chip.startup import START_UP, add_start_up
from tumble.bench.papers.chip.swept import SWEEP, points_of, run_sweep
from tumble.bench.papers.chip.variants import VARIANTS, run_variants
from tumble.bench.triangle_operations import triangle_operations
from tumble.report import count
from tumble.scenario.objects import REAL_PAIRS, Duo, RealPair
from tumble.scenario.paper_chip import SELDOM, STAND_INS, StandIn, close_distance
from tumble.scenario.tumbling import tumbling_poses
from tumble.traversal.query import Query
from tumble.volume.kinds import KINDS

LISTS, TRIANGLE_TESTS, MEANS_BY_K = "lists", "triangle tests", "k"
METHODS = ("stack", "stack-ahead", "lists", "lists-pairs")
LIST_METHODS = METHODS[2:]
VOLUMES = tuple(KINDS)
# The pose whose triangle pairs are counted.
TRIANGLE_STEPS, TRIANGLE_STEP = 7, 2

EFFORT = Effort(12.0, least_rounds=6, most_rounds=15)
REAL = tuple(pair for pair in REAL_PAIRS if pair.name in ("cow", "fandisk", "turbine", "nefertiti", "koala"))


@dataclass(frozen=True)
class Sizes:
    """Objects, poses and times of a run; those of a full one unless told otherwise."""

    # Table 1: the paper's objects by their stand-ins, with its polygons divided by `shrink`, and real meshes.
    stand_ins: Sequence[StandIn] = STAND_INS
    shrink: int = 1
    real: Sequence[RealPair] = REAL
    # Poses of the rotation, and how many of them run on the cycle model: for the stand-ins, and for real meshes.
    steps: int = 96
    samples: int = 4
    real_samples: int = 2
    # Long lists: the paper's polygons divided by this.
    long_shrink: int = 1
    # Rounds in which a mesh is read and its tree is built.
    start_up_rounds: int = 6
    # Triangles of a polygon soup; the paper's chip: its polygons divided by this.
    soup: int = 400
    variant_shrink: int = 8
    # List traversal in software: polygons divided by this, kinds of volumes, poses, seconds for a race.
    list_shrink: int = 4
    volumes: Sequence[str] = VOLUMES
    list_steps: int = 12
    effort: Effort = EFFORT
    # The sweep: an object, and its polygons divided by this; operations of triangle tests: triangle pairs.
    sweep_of: str = "Frontlight"
    sweep_shrink: int = 4
    triangle_pairs: int = 2000


FULL = Sizes()
QUICK = Sizes(
    shrink=8,
    real=[pair for pair in REAL if pair.name == "cow"],
    steps=24,
    samples=2,
    real_samples=1,
    soup=100,
    variant_shrink=32,
    list_shrink=16,
    volumes=("sphere", "aabb", "kdop14", "kdop24"),
    list_steps=6,
    effort=Effort(1.5, least_rounds=3, most_rounds=7),
    sweep_shrink=16,
    triangle_pairs=300,
)


# What makes two objects, if they can be had; what they are; poses that touch; poses on the cycle model.
Rotating = tuple[Callable[[], Duo | None], str, float, int]


def tasks(run: Run[Sizes]) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    sizes = run.sizes
    rotating: dict[str, Rotating] = {
        one.name: (partial(one.duo, sizes.shrink), one.why, one.touching, sizes.samples) for one in sizes.stand_ins
    }
    real = run.real_duos(sizes.real)
    rotating |= {name: (read, "real", SELDOM, sizes.real_samples) for name, read in real.items()}
    return [
        *(Task(f"Table 1: {name}", partial(_rotate, run, *how)) for name, how in rotating.items()),
        Task("Long lists", partial(_long_lists, run)),
        *(Task(f"The paper's chip: {one.name}", partial(_variants, run, one)) for one in sizes.stand_ins),
        *(Task(f"Lists: {one.name}", partial(_race_lists, run, one)) for one in sizes.stand_ins),
        Task("Triangle tests", partial(_triangle_tests, run)),
        Task("Sweep", partial(run_sweep, run)),
    ]


def _rotate(
    run: Run[Sizes], make: Callable[[], Duo | None], what: str, touching: float, samples: int, say: Say
) -> None:
    duo, steps = make(), run.sizes.steps
    if duo is None:
        return
    distance = close_distance(duo, touching, steps)
    add_start_up(duo.name, duo.a, run.sizes.start_up_rounds, run.study(START_UP))
    cycles = rotation.rotate(duo, what, distance, steps, run.study(rotation.ROTATION))
    rotation.run_model(duo, distance, steps, rotation.chosen_steps(cycles, samples), run.study(rotation.CYCLE_MODEL))


def _long_lists(run: Run[Sizes], say: Say) -> None:
    for one in run.sizes.stand_ins:
        rotation.run_long_lists(one.duo(run.sizes.long_shrink), run.study(rotation.CYCLE_MODEL))
    rotation.run_soup(run.sizes.soup, run.study(rotation.CYCLE_MODEL))
    rotation.add_layout(run.study(rotation.LAYOUT))
    run_marks(run.sizes.soup, run.study(LIST_MARKS))


def _variants(run: Run[Sizes], one: StandIn, say: Say) -> None:
    """The same query on the paper's chip and on ours."""
    sizes, duo = run.sizes, one.duo(run.sizes.variant_shrink)
    poses = tumbling_poses(close_distance(duo, one.touching, sizes.list_steps), sizes.list_steps)
    listing = rotation.prepared(rotation.chip_tree(duo.a), rotation.chip_tree(duo.b), poses, rotation.LISTED)
    run_variants(duo, poses, [counted(query)[1].triangle_tests for query in listing], run.study(VARIANTS))


def contestant(volume: str, method: str) -> str:
    """How a traversal over a kind of volume is called in a race."""
    return f"{volume} {method}"


def _race_lists(run: Run[Sizes], one: StandIn, say: Say) -> None:
    """One object: every method over every volume, all pairs counted, with queries prepared beforehand.

    Each query is repeated inside one call: the way into a kernel takes as long as a hundred node pairs.
    """
    sizes, duo, study = run.sizes, one.duo(run.sizes.list_shrink), run.study(LISTS)
    distance = close_distance(duo, one.touching, sizes.list_steps)
    poses, case = tumbling_poses(distance, sizes.list_steps), f"{duo.name} at {distance:.2f}"
    truth = [tumble.collide(duo.a, duo.b, None, pose).pairs for pose in poses]
    pairs = round(float(np.mean([len(found) for found in truth])))
    facts: dict[str, Value] = {"triangles": duo.faces, "distance": distance, "answer": f"{count(pairs)} pairs per pose"}
    study.add_values(case, "", {"object": duo.name, **facts})
    queries: dict[str, list[Query]] = {}
    for volume in sizes.volumes:
        trees = rotation.chip_tree(duo.a, volume), rotation.chip_tree(duo.b, volume)
        for method in METHODS:
            name = contestant(volume, method)
            queries[name] = rotation.prepared(*trees, poses, method)
            _add_counts(queries[name], truth, case, name, study)
    for prepared_queries in queries.values():
        prepared_queries[0].repeat(1)
    repetitions = rotation.repetitions_for(queries[contestant(sizes.volumes[-1], rotation.RECURSIVE)])
    runs = {name: _repeated(several, repetitions) for name, several in queries.items()}
    study.add_race(case, race(runs, sizes.effort), _pairs(sizes.volumes), sizes.list_steps * repetitions)


def _add_counts(queries: Sequence[Query], truth: Sequence[np.ndarray], case: str, name: str, study: Study) -> None:
    """Write what a contestant does per query on average, and how many of its answers are wrong."""
    answers, stats = zip(*(counted(query) for query in queries), strict=True)
    means = {column: float(np.mean([getattr(one, column) for one in stats])) for column in vars(stats[0])}
    if name.split(" ")[1] in LIST_METHODS:
        means["reached"] = float(np.mean([nodes_reached(query) for query in queries]))
    study.add_values(case, name, means, "per query")
    study.add_values(case, name, {"poses": len(truth), "wrong answers": wrong_answers(answers, truth)})


def _pairs(volumes: Sequence[str]) -> list[tuple[str, str]]:
    """Whose time is set beside whose: each method's beside the recursive one's, each k-DOP's beside the 24-DOP's."""
    found = [(contestant(v, rotation.RECURSIVE), contestant(v, method)) for v in volumes for method in METHODS[1:]]
    dops = [volume for volume in volumes if volume.startswith("kdop")]
    return found + [(contestant(v, m), contestant(f"kdop{BEST_K}", m)) for v in dops for m in METHODS]


def _repeated(queries: Sequence[Query], repetitions: int) -> Callable[[], object]:
    return lambda: [query.repeat(repetitions) for query in queries]


def _triangle_tests(run: Run[Sizes], say: Say) -> None:
    """Section 3.3: operations of triangle tests. The object that reaches deep into its copy has the most pairs."""
    sizes, one, study = run.sizes, run.sizes.stand_ins[0], run.study(TRIANGLE_TESTS)
    duo = one.duo(sizes.list_shrink)
    distance = close_distance(duo, one.touching, sizes.list_steps)
    pose = tumbling_poses(distance, TRIANGLE_STEPS)[TRIANGLE_STEP]
    for found in triangle_operations(duo.a, duo.b, None, pose, sizes.triangle_pairs):
        values = {name: value for name, value in vars(found).items() if name != "name"}
        study.add_values(one.name, found.name, values, "per pair")


def volumes_of(lists: Study) -> list[str]:
    """The kinds of volumes that were raced."""
    return [volume for volume in VOLUMES if lists.cases(contestant(volume, rotation.RECURSIVE))]


def gain(lists: Study, volume: str, method: str) -> float:
    """How many times as fast as the recursive traversal a method is over one kind of volume: a geometric mean."""
    return lists.mean_ratio(contestant(volume, rotation.RECURSIVE), contestant(volume, method))


def less_work(lists: Study, quantity: str, volume: str, method: str, base: str = rotation.RECURSIVE) -> float:
    """How many times less of one count a method has than another: a geometric mean over the objects."""
    names = contestant(volume, base), contestant(volume, method)
    counts = [[lists.value(case, name, quantity) for name in names] for case in lists.cases(*names)]
    return geometric_mean([more / less for more, less in counts if less])


def gain_interval(lists: Study, volume: str, method: str) -> Interval:
    """The same, with what it lies between."""
    return lists.mean_of_intervals(contestant(volume, rotation.RECURSIVE), contestant(volume, method))


def times_by_k(table: Table, method: str) -> dict[int, Interval]:
    """Time over the half-spaces k of a DOP, that of k = 24 being 1: geometric means over the objects."""
    lists, base = table.study(LISTS), contestant(f"kdop{BEST_K}", method)
    dops = [volume for volume in volumes_of(lists) if volume.startswith("kdop")]
    times = {int(v.removeprefix("kdop")): lists.mean_of_intervals(contestant(v, method), base) for v in dops}
    times = {k: time for k, time in times.items() if not np.isnan(time.value)}
    if len(times) > 1:
        return times
    kept = table.study(MEANS_BY_K)  # of runs that wrote down means alone
    return {int(c.removeprefix("kdop")): Interval(*[kept.value(c, method, "time")] * 3) for c in kept.cases(method)}


def chip_times_by_k(table: Table) -> dict[int, Interval]:
    """The same on the cycle model, from the sweep over k."""
    times = {p.run.design.k: p.run.seconds for p in points_of(table.study(SWEEP)) if p.knob == "k"}
    if not times.get(BEST_K):
        return {}
    return {k: Interval(*[value / times[BEST_K]] * 3) for k, value in times.items()}


def series_by_k(table: Table) -> dict[str, dict[int, Interval]]:
    """Software and chip, those of them that were measured."""
    software = {f"software, {method}": times_by_k(table, method) for method in (rotation.RECURSIVE, rotation.LISTED)}
    series = {**software, "chip": chip_times_by_k(table)}
    return {name: times for name, times in series.items() if times}
