"""What a run measures, and how much of it: everything within half an hour, or a look within four minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from tumble.bench.framework.benchmark import Run, Say, Task
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree import contestants
from tumble.bench.papers.boxtree.box_overlap import BOX_OVERLAP, add_box_overlap
from tumble.bench.papers.boxtree.builds import BUILT, add_builds
from tumble.bench.papers.boxtree.contestants import Contestant
from tumble.bench.papers.boxtree.criterion import CRITERION, add_estimates
from tumble.bench.papers.boxtree.dop_walk import DOP_WALK, add_dop_walk
from tumble.bench.papers.boxtree.nodes import EMPTINESS, NODES, add_emptiness, add_moves, add_node_costs
from tumble.bench.papers.boxtree.outlook import (
    DEFORMATION,
    OCCLUSION,
    RAYS,
    add_deformation,
    add_occlusion,
    add_rays,
)
from tumble.bench.papers.boxtree.published import STEPS, TURN_SIZES
from tumble.bench.papers.boxtree.races import (
    AHEAD,
    BYTES,
    MORE_CHILDREN,
    PRINTED_TESTS,
    PRINTED_TREES,
    TESTS,
    TREES,
    TURN,
    PreparedTrees,
    add_turn,
)
from tumble.bench.papers.boxtree.splits import SPLITS, add_splits
from tumble.bench.papers.boxtree.startup import STARTUP, add_startup
from tumble.bench.papers.boxtree.tightness import DOPS, TIGHTNESS, add_tightness
from tumble.scenario.objects import REAL_PAIRS, SHAPES, Duo, RealPair, shape_duo
from tumble.scenario.tumbling import tumbling_poses

# Makes or reads two objects; None where they cannot be had.
Read = Callable[[], Duo | None]
# The object of Table 1.
TYPICAL = "knot"


@dataclass(frozen=True)
class Sizes:
    """Sizes, distances and times of a run."""

    # Shapes made by code that take part everywhere, and real meshes.
    kinds: Sequence[str] = tuple(SHAPES)
    real: Sequence[RealPair] = REAL_PAIRS
    # Figure 1, Table 1, Sections 3.1 and 4.1: triangles of each shape. Section 4.2: the same.
    node_faces: int = 20_000
    split_faces: int = 2_000
    # Figure 6: triangles of each shape, and of the one that the rate is taken of.
    build_sizes: Sequence[int] = (2_000, 8_000, 32_000, 125_000, 500_000)
    large: tuple[str, int] = ("knot", 500_000)
    build_effort: Effort = field(default=Effort(1.5, least_rounds=6, most_rounds=15))
    # Sections 1 and 6, builds at the start of a program: triangles of each shape.
    startup_faces: int = 32_000
    startup_effort: Effort = field(default=Effort(1.5, least_rounds=6, most_rounds=9))
    # Figure 8: triangles of each shape, and the paper's numbers of triangles; distances between the middles in box
    # lengths, steps of the turn.
    turn_faces: int = 5_000
    turn_large: Sequence[tuple[str, int]] = tuple(zip(("gear", "knot"), TURN_SIZES, strict=True))
    turn_distances: Sequence[float] = tuple(round(0.5 + 0.1 * step, 1) for step in range(9))
    turn_steps: int = STEPS
    # The large objects in the paper's own setting, which takes its time: fewer steps.
    printed_turn_steps: int = 200
    # Figures 9 and 10: distances, poses of a turn for meshes up to so many triangles, seconds for a race.
    distances: Sequence[float] = (1.0, 0.8, 0.6)
    steps: Sequence[tuple[int, int]] = ((30_000, 48), (10**9, 16))
    effort: Effort = field(default=Effort(1.0, least_rounds=6, most_rounds=40))
    test_kinds: Sequence[str] = ("knot", "gear", "torus", "bowl")
    test_sizes: Sequence[int] = (250, 1_000, 4_000, 16_000, 64_000)
    printed_sizes: Sequence[int] = (250, 1_000, 4_000, 16_000)
    tree_sizes: Sequence[int] = (1_000, 4_000, 16_000, 64_000)
    printed_tree_sizes: Sequence[int] = (1_000, 4_000, 16_000, 64_000)
    printed_steps: Sequence[tuple[int, int]] = ((6_000, 48), (10**9, 16))
    # Section 6.1: objects, and seconds for a race.
    outlook: Sequence[tuple[str, int]] = (("knot", 16_000), ("bowl", 16_000))
    outlook_effort: Effort = field(default=Effort(0.5, least_rounds=7, most_rounds=25))

    def steps_for(self, faces: int, kind: str = "") -> int:
        """Poses of a turn: fewer for large meshes, and for races in the paper's setting, so that a run ends."""
        limits = self.printed_steps if kind in (PRINTED_TESTS, PRINTED_TREES) else self.steps
        return next(steps for most, steps in limits if faces <= most)


FULL = Sizes()
QUICK = Sizes(
    real=REAL_PAIRS[:4],
    node_faces=4_000,
    split_faces=1_000,
    build_sizes=(2_000, 8_000, 32_000, 128_000),
    build_effort=Effort(0.1, least_rounds=3, most_rounds=5),
    startup_faces=8_000,
    startup_effort=Effort(0.2, least_rounds=6, most_rounds=6),
    turn_faces=4_000,
    turn_large=(("gear", TURN_SIZES[0]),),
    turn_distances=(0.4, 0.6, 0.8, 1.0, 1.2),
    turn_steps=200,
    printed_turn_steps=20,
    distances=(0.9, 0.7),
    steps=((10**9, 12),),
    printed_steps=((10**9, 12),),
    effort=Effort(0.3, least_rounds=5, most_rounds=25),
    test_kinds=("knot", "gear"),
    test_sizes=(250, 1_000, 4_000, 16_000),
    printed_sizes=(250, 1_000),
    tree_sizes=(1_000, 8_000),
    printed_tree_sizes=(1_000, 8_000),
    outlook=(("knot", 4_000),),
    outlook_effort=Effort(0.1, least_rounds=7, most_rounds=10),
)


def tasks(run: Run[Sizes]) -> list[Task]:
    """All tasks of a run, in the order of the page."""
    sizes, (trees, missing) = run.sizes, contestants.trees()
    for note in missing:
        run.table.note(note)
    real = run.real_duos(sizes.real)
    built = [(kind, faces) for faces in sizes.build_sizes for kind in sizes.kinds]
    built += [sizes.large] if sizes.large not in built else []
    objects: list[tuple[str, Read]] = [(kind, partial(shape_duo, kind, sizes.node_faces)) for kind in sizes.kinds]
    found = [Task("Table 1", partial(_table_1, run))]
    found += [
        Task(f"Figure 1: {name}", partial(_about_nodes, run, name, read)) for name, read in (*objects, *real.items())
    ]
    found += [Task(f"Sections 3.2.3 and 4.2: {kind}", partial(_counts, run, kind)) for kind in sizes.kinds]
    found += [
        Task(f"Figure 6: {kind} {faces}", partial(add_builds, run.study(BUILT), sizes.build_effort, kind, faces))
        for kind, faces in built
    ]
    found += [Task(f"Start-up: {kind}", partial(_startup, run, kind)) for kind in sizes.kinds]
    turns = [*((kind, sizes.turn_faces, False) for kind in sizes.kinds)]
    turns += [(*large, printed) for printed in (False, True) for large in sizes.turn_large]
    found += [Task(f"Figure 8: {turn[0]} {turn[1]}", partial(_turn, run, *turn)) for turn in turns]
    tests, ahead = contestants.overlap_tests(), contestants.ahead_elsewhere()
    found += _races(run, "Figure 9", TESTS, tests, [(k, n) for n in sizes.test_sizes for k in sizes.test_kinds])
    printed = contestants.printed_tests()
    cases = [(k, n) for n in sizes.printed_sizes for k in sizes.test_kinds]
    found += _races(run, "Figure 9 as printed", PRINTED_TESTS, printed, cases)
    found += _races(run, "Figure 10", TREES, trees, [(k, n) for n in sizes.tree_sizes for k in sizes.kinds])
    found += [Task(f"Figure 10: {name}", partial(_race, run, TREES, trees, read, None)) for name, read in real.items()]
    cases = [(k, n) for n in sizes.printed_tree_sizes for k in sizes.kinds]
    found += _races(run, "Figure 10 as printed", PRINTED_TREES, contestants.printed_trees(), cases)
    children = contestants.arities()
    found += _races(run, "Arities", MORE_CHILDREN, children, [(kind, sizes.turn_faces) for kind in sizes.kinds])
    found += _races(run, "Work ahead", AHEAD, ahead, [(kind, sizes.turn_faces) for kind in sizes.kinds])
    return found + [
        Task(f"Section 6.1: {kind} {faces}", partial(_outlook, run, kind, faces)) for kind, faces in sizes.outlook
    ]


def _table_1(run: Run[Sizes], say: Say) -> None:
    mesh = shape_duo(TYPICAL, run.sizes.node_faces).a
    add_node_costs(mesh, run.study(NODES))
    add_moves(mesh, run.study(NODES))


def _about_nodes(run: Run[Sizes], name: str, read: Read, say: Say) -> None:
    """Figure 1; Sections 3.1 and 4.1 for objects that are not larger than the shapes."""
    duo = read()
    if duo is None:
        return
    add_emptiness(name, duo.a, run.study(EMPTINESS))
    if 1 < len(duo.a) <= 1.1 * run.sizes.node_faces:
        add_tightness(name, duo.a, run.study(TIGHTNESS))
        add_estimates(name, duo.a, run.study(CRITERION))


def _counts(run: Run[Sizes], kind: str, say: Say) -> None:
    """What is counted on small objects: false positives, restricted DOPs, split rules."""
    mesh = shape_duo(kind, run.sizes.split_faces).a
    add_box_overlap(kind, mesh, run.study(BOX_OVERLAP))
    add_dop_walk(kind, mesh, DOPS, run.study(DOP_WALK))
    add_splits(kind, mesh, run.study(SPLITS))


def _startup(run: Run[Sizes], kind: str, say: Say) -> None:
    add_startup(kind, run.sizes.startup_faces, run.sizes.startup_effort, run.study(STARTUP))


def _turn(run: Run[Sizes], kind: str, faces: int, printed: bool, say: Say) -> None:
    duo, steps = shape_duo(kind, faces), run.sizes.printed_turn_steps if printed else run.sizes.turn_steps
    for distance in run.sizes.turn_distances:
        say(f"Figure 8: {duo.name} at {distance:g}")
        add_turn(duo, distance, steps, run.study(TURN), printed)


def _outlook(run: Run[Sizes], kind: str, faces: int, say: Say) -> None:
    effort = run.sizes.outlook_effort
    add_deformation(kind, faces, effort, run.study(DEFORMATION))
    add_rays(kind, faces, effort, run.study(RAYS))
    add_occlusion(kind, faces, effort, run.study(OCCLUSION))


def _races(
    run: Run[Sizes], label: str, kind: str, field: Sequence[Contestant], objects: Sequence[tuple[str, int]]
) -> list[Task]:
    return [
        Task(f"{label}: {shape} {size}", partial(_race, run, kind, field, partial(shape_duo, shape, size), size))
        for shape, size in objects
    ]


def _race(run: Run[Sizes], kind: str, field: Sequence[Contestant], read: Read, size: int | None, say: Say) -> None:
    """Race at all distances; an object without a nominal size has the number of its triangles."""
    duo = read()
    if duo is None:
        return
    prepared, steps = PreparedTrees(duo, field), run.sizes.steps_for(duo.faces, kind)
    if kind == TREES:
        prepared.add_bytes(run.study(BYTES))
    for distance in run.sizes.distances:
        say(f"{duo.name} at {distance:g}")
        poses = tumbling_poses(distance, steps)
        prepared.race_at(distance, poses, run.sizes.effort, run.table, kind, size or duo.faces)
