"""Table 1, after Section 5: one of two equal objects rotates, and every pose is counted and timed.

Nodes visited come from the list traversal of sibling pairs, which does in software what the chip does; the chip's time
from them by Equation 5, and on a few poses by the cycle model. The software's time is that of the recursive traversal.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble import chip
from tumble.bench.framework.answers import counted
from tumble.bench.framework.table import Study, Value
from tumble.bench.framework.timing import SHORTEST_TIMER
from tumble.bench.leaf_pairs import of_leaf_pairs
from tumble.bench.papers.chip.published import BEST_K
from tumble.bench.papers.chip.reached import nodes_reached
from tumble.chip.cost import cycles_of_reads, seconds
from tumble.chip.dotadd import UNIT as DOTADD
from tumble.chip.image import MATRIX_WORDS, POINTER_WORD, TRIANGLE_WORD, VERTEX_WORDS
from tumble.chip.sweep import equation_cycles, run_twice
from tumble.mesh import Mesh, compose, rotation, shapes, translation
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import Poses, tumbling_poses
from tumble.traversal.every import prepare
from tumble.traversal.query import Query

Steps = NDArray[np.float64]
Pose = NDArray[np.float64]

# Studies, and the contestants of the first two.
ROTATION, CYCLE_MODEL, LAYOUT = "rotation", "cycle model", "layout"
CHIP, AS_IT_IS, WITHOUT = "chip", "as it is", "without triangles"
# Times of software that stops at pairs of leaves: what Equation 5 describes of the chip.
BARE_TIME = "time without triangles"
# Pass by pass: the mean over the poses, and the longest pose.
PASS_MEAN, PASS_LONGEST = "{}, mean of a pass", "{}, longest of a pass"

VOLUME = f"kdop{BEST_K}"
RECURSIVE, LISTED = "stack", "lists-pairs"
# Every pose is timed in each pass, and its quickest counts: what takes the processor for a while does not do so again
# and again. Nine passes decide by all but the first and the last of them.
PASSES = 9
MOST_REPETITIONS = 50
# The cycle model does some ten thousand cycles per second; a pair of triangles takes up to about 150 on the chip.
MOST_CYCLES, CYCLES_PER_CHECK = 150_000, 150
# In lengths of the cube around each object.
BOX_SIDE = 0.06
SOUP, SOUP_SIDE, SOUP_SEED = "polygon soup", 0.06, 7
# An entry of a list is a word of 36 bits.
ENTRY_BYTES = 36 / 8
# What the study calls the columns of `Stats`.
COUNTED = {"aligned": "tests", "reads": "iterations", "tumbled": "moves", "checks": "triangle_tests", "hits": "hits"}


def chip_tree(mesh: Mesh, volume: str = VOLUME) -> Any:
    """The tree that chip and software both walk: by surface, one triangle per leaf."""
    return tumble.build(mesh, volume, split="sah", leaf_size=1)


def image_for(mesh: Mesh, design: chip.Design) -> chip.Memory:
    """What a design's memory holds of a mesh."""
    return chip.load(chip_tree(mesh, f"kdop{design.k}"), design.k, design.leaf_dops)


def rotate(duo: Duo, what: str, distance: float, steps: int, study: Study) -> Steps:
    """Write one row of the table, pose by pose; returns about how many cycles each pose takes on the chip."""
    trees, poses = (chip_tree(duo.a), chip_tree(duo.b)), tumbling_poses(distance, steps)
    listing = prepared(*trees, poses, LISTED)
    stats = [counted(query)[1] for query in listing]
    columns = {name: np.array([getattr(one, field) for one in stats], float) for name, field in COUNTED.items()}
    cycles = hardware_cycles(columns["reads"], columns["tumbled"])
    touching = sum(one.hits > 0 for one in stats)
    facts: dict[str, Value] = {"what": what, "triangles": duo.faces, "distance": distance}
    study.add_values(duo.name, "", {**facts, "steps": steps, "touching": touching})
    for name, values in columns.items():
        study.add_series(duo.name, CHIP, name, values)
    study.add_series(duo.name, CHIP, "reached", [nodes_reached(query) for query in listing])
    study.add_series(duo.name, CHIP, "time", seconds(1) * cycles, "s")
    for method, queries in ((RECURSIVE, prepared(*trees, poses, RECURSIVE)), (LISTED, listing)):
        _add_times(study, duo.name, method, "time", _timed(queries))
        _add_times(study, duo.name, method, BARE_TIME, _timed([of_leaf_pairs(query) for query in queries]))
    return cycles + CYCLES_PER_CHECK * columns["checks"]


def hardware_cycles(reads: Steps, tumbled: Steps) -> Steps:
    """Cycles by Equation 5, which leaves out triangles: one list per two tumbled nodes."""
    return np.array([cycles_of_reads(read, node, node / 2) for read, node in zip(reads, tumbled, strict=True)])


def prepared(tree_a: Any, tree_b: Any, poses: Poses, method: str) -> list[Query]:
    """A query for each pose, ready to be repeated; there is one unless a mesh is empty."""
    queries = [prepare(tree_a, tree_b, None, pose, method=method) for pose in poses]
    return [query for query in queries if query is not None]


def _add_times(study: Study, name: str, method: str, quantity: str, times: Steps) -> None:
    """Write the quickest of each pose, and the mean and the longest of each pass."""
    study.add_series(name, method, quantity, times.min(axis=0), "s")
    study.add_series(name, method, PASS_MEAN.format(quantity), times.mean(axis=1), "s")
    study.add_series(name, method, PASS_LONGEST.format(quantity), times.max(axis=1), "s")


def _timed(queries: Sequence[Any]) -> Steps:
    """Seconds of each query in each pass under its own clock, the way into the kernel not counted."""
    queries[0].repeat(1)
    repetitions = [repetitions_for([query]) for query in queries]
    times = np.empty((PASSES, len(queries)))
    for measured in times:
        for step, query in enumerate(queries):
            start = perf_counter()
            query.repeat(repetitions[step])
            measured[step] = (perf_counter() - start) / repetitions[step]
    return times


def repetitions_for(queries: Sequence[Any]) -> int:
    """How often to repeat queries inside one call, on average, so that the call itself is a few per cent."""
    start = perf_counter()
    for query in queries:
        query.repeat(1)
    cost = (perf_counter() - start) / len(queries)
    return max(1, min(MOST_REPETITIONS, round(SHORTEST_TIMER / cost)))


def chosen_steps(cycles: Steps, samples: int) -> list[int]:
    """Steps for the cycle model: the most expensive that is not too long, then others spread evenly by their cost."""
    order = [int(step) for step in np.argsort(cycles, kind="stable")[::-1] if cycles[step] <= MOST_CYCLES]
    return order[:: max(1, -(-len(order) // samples))]


def run_model(duo: Duo, distance: float, steps: int, chosen: Sequence[int], study: Study) -> None:
    """Run some poses of a rotation on the cycle model."""
    trees, poses = (chip_tree(duo.a), chip_tree(duo.b)), tumbling_poses(distance, steps)
    for step in chosen:
        study.add_values(f"{duo.name}, step {step + 1}", "", {"object": duo.name, "step": step})
        _run_pose(f"{duo.name}, step {step + 1}", *trees, duo, poses[step], study)


def run_soup(triangles: int, study: Study) -> None:
    """Run triangles that have nothing to do with each other: no surface, no inside, no shared corners."""
    duo, pose = soup_query(triangles)
    study.add_values(SOUP, "", {"object": SOUP, "step": 0})
    _run_pose(SOUP, chip_tree(duo.a), chip_tree(duo.b), duo, pose, study)


def soup_query(triangles: int) -> tuple[Duo, Pose]:
    """Two equal soups, and where the second one is."""
    rng = np.random.default_rng(SOUP_SEED)
    corners = rng.uniform(-0.5, 0.5, (triangles, 1, 3)) + rng.normal(0.0, SOUP_SIDE, (triangles, 3, 3))
    soup = Mesh(corners.reshape(-1, 3), np.arange(3 * triangles).reshape(-1, 3))
    pose = compose(translation(0.2, 0.1, 0.05), rotation("z", 0.4), rotation("x", 0.9))
    return Duo("", "", soup, soup), pose


def run_long_lists(duo: Duo, study: Study) -> None:
    """Run a box, a dozen triangles, in the wall of the first object: few lists, and each of them long."""
    box = shapes.box(BOX_SIDE)
    low, high = duo.a.bounds if duo.a.bounds is not None else np.zeros((2, 3))
    corner = duo.a.vertices[np.argmin(np.abs(duo.a.vertices - (low + high) / 2 - (high - low) / 4).sum(axis=1))]
    pose = compose(translation(*corner), rotation("z", 0.4), rotation("x", 0.9))
    name = f"{duo.name} and a box"
    study.add_values(name, "", {"object": name, "step": 0})
    _run_pose(name, chip_tree(duo.a), chip_tree(box), Duo("", "", duo.a, box), pose, study)


def _run_pose(name: str, tree_a: Any, tree_b: Any, duo: Duo, pose: Any, study: Study) -> None:
    """Write one pose on the cycle model, as it is and with its triangles left to the host, beside Equation 5."""
    images = chip.load(tree_a), chip.load(tree_b)
    run, plain = run_twice(*images, None, pose, chip.Design())
    same = np.array_equal(run.pairs, tumble.collide(duo.a, duo.b, None, pose).pairs)
    with_triangles: dict[str, Value] = {
        "cycles": run.cycles,
        "tumbled": run.tumbled_nodes,
        "different tumbled": run.different_tumbled_nodes,
        "polygon checks": run.polygon_checks,
        "unsure": run.unsure,
        "busiest unit": run.bottleneck,
        "same pairs": same,
        "touching": len(run.pairs),
        "list bytes": run.most_list_words * ENTRY_BYTES,
        "image bytes": len(images[0]) + len(images[1]),
    }
    without: dict[str, Value] = {
        "cycles": plain.cycles,
        "Equation 5": equation_cycles(plain),
        "lists": plain.lists,
        "pairs per list": plain.aligned_nodes / 2 / plain.lists if plain.lists else 0.0,
        "busiest unit": plain.bottleneck,
        "DOTADD lines per node": plain.busy.get(DOTADD, 0) / plain.tumbled_nodes if plain.tumbled_nodes else 0.0,
    }
    study.add_values(name, AS_IT_IS, with_triangles)
    study.add_values(name, WITHOUT, without)


def apart(model: Study, case: str) -> float:
    """How much longer the model took without triangles than Equation 5 says, as a share of the equation's."""
    expected = model.value(case, WITHOUT, "Equation 5")
    return model.value(case, WITHOUT, "cycles") / expected - 1 if expected else 0.0


def add_layout(study: Study) -> None:
    """Write how many words of a line a DOP, a triangle record and the rest of a node take."""
    record = sum(words.stop - words.start for words in (MATRIX_WORDS, VERTEX_WORDS))
    words = {"DOP": BEST_K, "record": record, "other words": TRIANGLE_WORD + 1 - POINTER_WORD}
    study.add_values(VOLUME, "", words)
