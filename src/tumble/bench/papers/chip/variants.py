"""The paper's chip beside ours: a buffer of one pair, leaves without DOPs, over trees of both kinds of depth.

With leaves at different levels, a leaf without a DOP meets every leaf below an inner node. Trees by median have all
their leaves on two levels, those by surface do not: both are run.
"""

from collections.abc import Sequence

import numpy as np

import tumble
from tumble import chip
from tumble.bench.framework.table import Study, Value
from tumble.bench.papers.chip.published import BEST_K
from tumble.chip.sweep import equation_cycles, run_twice
from tumble.mesh import Mesh
from tumble.scenario.objects import Duo
from tumble.scenario.tumbling import Poses

VARIANTS = "variants"
USUAL, ONE_PAIR, BARE = "as it is", "one pair in the buffer", "leaves without DOPs"
DESIGNS = {USUAL: chip.Design(), ONE_PAIR: chip.Design(buffer_pairs=1), BARE: chip.Design(leaf_dops=False)}
TREES = {"by surface": "sah", "by median": "median"}
# Checks of a pose at most: without leaf DOPs there are up to four times as many, of some 120 cycles each.
MOST_CHECKS = 400


def case_of(name: str, tree: str) -> str:
    """How an object over one kind of tree is called."""
    return f"{name}, {tree}"


def chosen_step(checks: Sequence[float]) -> int:
    """The pose with the most checks that is not too long; where only such have any, the one with the fewest."""
    steps = range(len(checks))
    short = [step for step in steps if 0 < checks[step] <= MOST_CHECKS]
    if short:
        return max(short, key=lambda step: checks[step])
    return min(steps, key=lambda step: checks[step] or float("inf"))


def run_variants(duo: Duo, poses: Poses, checks: Sequence[float], study: Study) -> None:
    """Run the pose with the most checks that is not too long, on every design, over both kinds of trees."""
    step = chosen_step(checks)
    truth = tumble.collide(duo.a, duo.b, None, poses[step]).pairs
    for tree, split in TREES.items():
        for name, design in DESIGNS.items():
            images = _image(duo.a, split, design), _image(duo.b, split, design)
            _run(study, case_of(duo.name, tree), name, design, images, poses[step], truth)


def _image(mesh: Mesh, split: str, design: chip.Design) -> chip.Memory:
    return chip.load(tumble.build(mesh, f"kdop{BEST_K}", split=split, leaf_size=1), BEST_K, design.leaf_dops)


def _run(
    study: Study,
    case: str,
    name: str,
    design: chip.Design,
    images: tuple[chip.Memory, chip.Memory],
    pose: object,
    truth: np.ndarray,
) -> None:
    run, plain = run_twice(*images, None, pose, design)
    values: dict[str, Value] = {
        "cycles": run.cycles,
        "without triangles": plain.cycles,
        "Equation 5": equation_cycles(plain),
        "polygon checks": run.polygon_checks,
        "bytes": sum(map(len, images)),
        "same pairs": bool(np.array_equal(run.pairs, truth)),
    }
    study.add_values(case, name, values)
