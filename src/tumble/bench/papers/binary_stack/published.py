"""What the paper prints: Table 1, from `data/binary_stack.csv`, and the numbers of its text."""

from tumble.bench.framework.published import published_rows
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.report import count

MACHINE = "Athlon 64 X2 6000+ (one core of it) and an Nvidia 8800 GTX"
CPU, GPU = "CPU", "GPU"
BODIES, STEPS = 512, 400
# The abstract: what collision detection may take of a simulation.
SHARE = (0.80, 0.90)
# The abstract: what the GPU gains at least.
OVERALL = 4.0
# Section 5: triangle pairs for which each pair of bodies has room, all of them copied back.
SLOTS_PER_PAIR = 4095
SLOTS = count(SLOTS_PER_PAIR + 1)
COUNTS = ("broad", "narrow", "faces")
TIMES = ("simulation", "contact", "collision", "copy", "kernel")


def add_published(table: Table) -> None:
    """Write Table 1: a case for each printed step, with the rows of its CPU and its GPU."""
    study = table.study(PUBLISHED)
    for row in published_rows("binary_stack"):
        case = at_step(int(row["step"]))
        study.add(case, "", "step", int(row["step"]))
        study.add_values(case, row["processor"], {name: int(row[name]) for name in COUNTS})
        study.add_values(case, row["processor"], {name: float(row[name]) for name in TIMES if row[name]}, "s")


def at_step(step: int) -> str:
    """How the moment before a step is called in every study."""
    return f"step {step}"
