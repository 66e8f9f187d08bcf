"""What a run measures, and how much of it: the paper's simulation, or a look within two minutes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import tumble
from tumble.bench.framework.benchmark import NO_DEVICE, Run, Say, Task
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.binary_stack import races
from tumble.bench.papers.binary_stack.device_walks import DEVICE_WALKS, race_walks
from tumble.bench.papers.binary_stack.fall import FALL, Fall, Moment, Recording, simulate
from tumble.bench.papers.binary_stack.frames import FRAMES, add_frames
from tumble.bench.papers.binary_stack.memory import MEMORY, NODE_SIZES, add_node_sizes, measure_memory
from tumble.bench.papers.binary_stack.obb_race import OBB_RACE, race_obb
from tumble.bench.papers.binary_stack.published import BODIES, STEPS
from tumble.bench.papers.binary_stack.slots import SLOTS_STUDY, copy_moment
from tumble.bench.papers.binary_stack.stepping import CONTACTS, STEPPING, Heap, race_heap
from tumble.device import Device, devices
from tumble.mesh import Mesh, shapes
from tumble.report import count
from tumble.scenario.objects import SHAPES, Duo, default_data_folder, in_unit_cube, shape_duo

DEVICES = "devices"
COW = "cgal-data/Data/data/meshes/cow.off"
NO_COW = (
    "The real cow was not at hand, an animal made by code fell in its place: name a closed mesh with `--mesh FILE`."
)

THE_FALL = Fall(bodies=BODIES, steps=STEPS, every=25, patience=2600)
# Six rounds at least: fewer decide nothing.
EFFORT = Effort(6.0, least_rounds=6, most_rounds=7)
COMPARED_EFFORT, OBB_EFFORT = Effort(20.0, least_rounds=6, most_rounds=7), Effort(2.0, least_rounds=6, most_rounds=25)
COPY_EFFORT, HEAP_EFFORT = Effort(2.0, least_rounds=6, most_rounds=15), Effort(3.0, least_rounds=6, most_rounds=15)
THE_HEAP = Heap(64, (60, 100, 150), HEAP_EFFORT)


@dataclass(frozen=True)
class Sizes:
    """Sizes and times of a run; those of a full one unless told otherwise."""

    fall: Fall = THE_FALL
    # Triangles of the animal made by code where no mesh is named; None: the real cow where its folder is at hand.
    animal: int | None = None
    # Table 1: how long the contestants of a moment race.
    effort: Effort = EFFORT
    # Recorded moments at which traversals and descent rules are compared, and for how long.
    compared: Sequence[int] = (100, 250, 400)
    compared_effort: Effort = COMPARED_EFFORT
    # At the same moments: how long copies of slots race, and how often walks on devices are timed.
    copy_effort: Effort = COPY_EFFORT
    walk_rounds: int = 12
    # The heap that `World(device=…)` and the CPU step in turn.
    heap: Heap = THE_HEAP
    # Memory: triangles of a knot, and children of a node over the smallest of them.
    memory_sizes: Sequence[int] = (1_000, 10_000, 100_000, 1_000_000)
    memory_children: Sequence[int] = (2, 4, 8, 16)
    # Turned boxes beside Coal's: shapes, their triangles, poses of a turn, distances.
    obb_shapes: Sequence[str] = ("torus", "knot", "gear", "bowl")
    obb_faces: int = 20_000
    obb_poses: int = 12
    obb_distances: Sequence[float] = (0.8, 0.6)
    obb_effort: Effort = OBB_EFFORT


FULL = Sizes()
QUICK = Sizes(
    fall=Fall(bodies=64, steps=150, every=25, patience=1000),
    animal=2_000,
    effort=Effort(0.5, least_rounds=6, most_rounds=7),
    compared=(100,),
    compared_effort=Effort(2.0, least_rounds=6, most_rounds=7),
    copy_effort=Effort(0.3, least_rounds=6, most_rounds=7),
    walk_rounds=6,
    heap=Heap(27, (60, 100), Effort(0.3, least_rounds=6, most_rounds=7)),
    memory_sizes=(1_000, 10_000, 100_000),
    obb_shapes=("torus", "knot", "gear"),
    obb_faces=5_000,
    obb_poses=8,
    obb_distances=(0.8,),
    obb_effort=Effort(0.3, least_rounds=6, most_rounds=15),
)


@dataclass
class _Work:
    """A run, what falls in it, and what its tasks hand on to each other."""

    run: Run[Sizes]
    mesh: Mesh
    what: str
    real: bool
    devices: list[Device]
    recording: Recording = field(default_factory=Recording)

    def moment(self, step: int) -> tuple[Mesh, Moment]:
        assert self.recording.body is not None, "the simulation comes first"
        return self.recording.body, self.recording.moments[step]


def tasks(run: Run[Sizes]) -> list[Task]:
    """All tasks of a run; moments are raced as soon as the simulation has recorded them."""
    sizes, work = run.sizes, _Work(run, *_body(run), devices())
    for device in work.devices:
        facts = {"device": device.device, "platform": device.platform, "kind": device.kind}
        run.study(DEVICES).add_values(device.name, "", {**facts, "units": device.units})
    if not work.devices:
        run.table.note(NO_DEVICE)
    recorded = range(0, sizes.fall.steps + 1, sizes.fall.every)
    found = _memory(work)
    found.append(Task("Simulation", partial(_simulate, work)))
    found += [Task(f"Table 1: step {step}", partial(_race, work, step)) for step in recorded]
    found.append(Task("World(device=…) beside the CPU", partial(_step, work)))
    found += [Task(f"Traversals: step {step}", partial(_compare, work, step)) for step in sizes.compared]
    names = (*sizes.obb_shapes, work.what)
    return found + [Task(f"Coal's OBB tree: {name}", partial(_race_obb, work, name)) for name in names]


def _body(run: Run[Sizes]) -> tuple[Mesh, str, bool]:
    """What falls, as it is before the scene scales and turns it, what it is called, and whether it was read."""
    mesh, sizes = run.options.get("mesh"), run.sizes
    if mesh is not None:
        return tumble.load(mesh), Path(mesh).stem, True
    folder = default_data_folder() if sizes.animal is None else None
    if folder is not None and (folder / COW).is_file():
        return tumble.load(folder / COW), "cow", True
    if sizes.animal is None:
        run.table.note(NO_COW)
    return shapes.blob(faces=sizes.animal or 5_800), "animal", False


def _memory(work: _Work) -> list[Task]:
    """The memory of knots, and of the body that falls: what makes a mesh, children of a node, split rule."""
    sizes, what, study = work.run.sizes, work.what, work.run.study(MEMORY)
    trees: list[tuple[str, Callable[[], Mesh], int, str]]
    trees = [(f"knot {count(n)}", partial(SHAPES["knot"], n), 2, "median") for n in sizes.memory_sizes]
    trees += [(what, lambda: work.mesh, children, "median") for children in sizes.memory_children]
    trees.append((f"{what}, by surface", lambda: work.mesh, 2, "sah"))
    sizes_of_nodes = partial(add_node_sizes, work.run.study(NODE_SIZES), work.mesh, what)
    tasks_of_trees = [Task(f"Memory: {tree[0]}", partial(measure_memory, study, *tree)) for tree in trees]
    return [*tasks_of_trees, Task("Memory: nodes", sizes_of_nodes)]


def _simulate(work: _Work, say: Say) -> None:
    fall, study = work.run.sizes.fall, work.run.study(FALL)
    work.recording = simulate(work.mesh, work.what, work.real, fall, study, say)
    add_frames(work.recording, work.run.study(FRAMES))


def _race(work: _Work, step: int, say: Say) -> None:
    study = work.run.study(races.COLLISIONS)
    sizes, moment = work.run.sizes, work.moment(step)
    truth = races.race_moment(*moment, work.devices, sizes.effort, study)
    races.add_speedups(study, work.devices, work.run.study(races.SPEEDUPS))
    if step in sizes.compared:
        copy_moment(*moment, truth, work.devices, sizes.copy_effort, work.run.study(SLOTS_STUDY))
        race_walks(*moment, truth, work.devices, sizes.walk_rounds, work.run.study(DEVICE_WALKS))


def _step(work: _Work, say: Say) -> None:
    studies = work.run.study(STEPPING), work.run.study(CONTACTS)
    race_heap(work.mesh, work.devices, work.run.sizes.heap, *studies, say)


def _compare(work: _Work, step: int, say: Say) -> None:
    races.compare_moment(*work.moment(step), work.run.sizes.compared_effort, work.run.study(races.TRAVERSALS))


def _race_obb(work: _Work, name: str, say: Say) -> None:
    sizes, body = work.run.sizes, in_unit_cube(work.mesh)
    duo = shape_duo(name, sizes.obb_faces) if name in sizes.obb_shapes else Duo(name, "body", body, body)
    try:
        for distance in sizes.obb_distances:
            say(f"Coal's OBB tree: {duo.name} at {distance:g}")
            race_obb(duo, distance, sizes.obb_poses, sizes.obb_effort, work.run.study(OBB_RACE))
    except ImportError as error:
        work.run.table.note(f'Coal did not compete: {error}. Install it with `pip install "tumble[bench]"`.')
