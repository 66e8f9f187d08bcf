"""The paper `binary-stack` rerun: 512 falling cows, Table 1, Figure 10, traversals side by side."""

from tumble.bench.framework.benchmark import Benchmark
from tumble.bench.framework.page_text import PageText
from tumble.bench.papers.binary_stack.claims import CLAIMS
from tumble.bench.papers.binary_stack.fall_page import collision_times, table_1
from tumble.bench.papers.binary_stack.goals import GOALS
from tumble.bench.papers.binary_stack.measure import FULL, QUICK, Sizes, tasks
from tumble.bench.papers.binary_stack.published import add_published
from tumble.bench.papers.binary_stack.walk_page import coal, memory, traversals

METHOD = (
    "**The simulation** ran once, with the default engine; the same states follow from every device and number of "
    "threads. Kernels were compiled and trees built beforehand. In the table in the form of the paper, the simulation "
    "time of the other ways is that of the step with its narrow phase replaced by theirs.",
    "**Collision times** are medians of rounds in which all ways take turns on the same recorded poses; ratios are "
    "taken within rounds. Kernel times are by the device's own clock.",
    "**Calls.** The traversals of turned boxes on the CPU are called from Python for each pair of bodies, which costs "
    "some microseconds per pair; the default engine and the devices take the whole list in one call.",
    "**The paper's scene** is not published: the grid, its distances, materials and time step are ours.",
    "**The paper's machine** was ten to twenty years older than today's: its absolute times compare with nothing here, "
    "the shares and ratios within a row do.",
)

BENCHMARK = Benchmark(
    name="binary-stack",
    page=PageText(
        "Falling cows and the binary stack: the paper, rerun",
        "Trees of turned boxes walked with one bit for each step down, on the CPU and in OpenCL, in the simulation "
        "that the paper `binary-stack` made them for.",
        (table_1, collision_times, traversals, memory, coal),
        METHOD,
    ),
    packages=("tumble", "coal", "pyopencl", "numpy", "numba", "matplotlib"),
    full=FULL,
    quick=QUICK,
    quick_text="fewer and simpler bodies",
    tasks=tasks,
    claims=CLAIMS,
    goals=GOALS,
    published=add_published,
)

__all__ = ["BENCHMARK", "FULL", "QUICK", "Sizes"]
