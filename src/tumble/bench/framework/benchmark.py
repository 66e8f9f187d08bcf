"""What a benchmark is. To write one:

1. Put the paper's printed tables into `bench/data/NAME.csv`, in the paper's columns, and write a function that copies
   them into the study "published" of a table (`published`).
2. Write the measuring functions. Each takes what it measures and a `Study`, and adds values to it; timings come from
   `timing.race` and go in by `Study.add_race`, which keeps medians, deciles and the ratios within rounds.
3. Write how much to measure as a small frozen record (`sizes`), once in full and once quick, and a function that turns
   a `Run` (sizes, options, table) into a list of tasks, in the order of the page. A task says now and then what it is
   at. Options that make no sense are refused while the tasks are made, before anything is measured.
4. Write the claims of the paper as `claims.md`, and a test for each: it reads the table and returns a `Verdict`, or
   None where its study is empty (`claims`; `reads` in `table`). A test must be able to fail. `over_cases` and
   `exceptions` make verdicts of outcomes per case. Goals of our own are `Goal(name, words, reach)`.
5. Write the page as `page.md`, with slots for values, tables and figures, and the functions of a `Page` that fill them
   (`page`). A section whose study is empty is left out.
6. Collect it all in one `BENCHMARK = collected(...)`, and name its module in `benchmarks.csv`.

No section and no test may know more than the table: it is written to results.csv and read back before the page is
made, so that a kept results.csv gives the same page (`tumble bench NAME --from results.csv`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, Protocol, TypeVar

from tumble.bench.framework.claims import Claim
from tumble.bench.framework.goals import Goal
from tumble.bench.framework.page import PageText, parse_page
from tumble.bench.framework.registry import BENCHMARKS
from tumble.bench.framework.table import Study, Table
from tumble.scenario.objects import Duo, RealPair, chosen_data_folder, real_duo

Sizes = TypeVar("Sizes")

NO_DEVICE = (
    "No OpenCL device was measured, as there is none. `pip install tumble[gpu]` brings PyOpenCL and, on Linux, PoCL, "
    "which runs the kernels on the CPU."
)


class Say(Protocol):
    """Called by a task with what it is at, and how much of it is done, from 0 to 1."""

    def __call__(self, label: str, done: float = 0.0, /) -> None:
        """Show it."""


@dataclass(frozen=True)
class Task:
    """One thing to do."""

    label: str
    work: Callable[[Say], None]


@dataclass(frozen=True)
class Run(Generic[Sizes]):
    """What the tasks of a run share."""

    sizes: Sizes
    options: Mapping[str, Any] = field(default_factory=dict)
    """those that the registry names for the benchmark; None where not given"""
    table: Table = field(default_factory=Table)

    def study(self, name: str) -> Study:
        """One study of the table."""
        return self.table.study(name)

    def real_duos(self, pairs: Sequence[RealPair]) -> dict[str, Callable[[], Duo | None]]:
        """What reads each pair of real meshes, by name; notes say which cannot be had."""
        data = chosen_data_folder(self.options.get("data"))
        if data is None:
            self.table.note("Real meshes were left out: name their folder with `--data DIR`.")
            return {}
        return {pair.name: partial(self._real_duo, pair, data) for pair in pairs}

    def _real_duo(self, pair: RealPair, data: Path) -> Duo | None:
        duo = real_duo(pair, data)
        if isinstance(duo, str):
            self.table.note(duo)
            return None
        return duo


@dataclass(frozen=True)
class Benchmark(Generic[Sizes]):
    """A paper or a race: what to measure, what to make of it, and how to show it."""

    name: str
    page: PageText
    packages: Sequence[str]
    """whose versions belong to the results"""
    full: Sizes
    quick: Sizes
    quick_text: str
    """what a quick run has less of"""
    tasks: Callable[[Run[Sizes]], Sequence[Task]]
    claims: Sequence[Claim] = ()
    goals: Sequence[Goal] = ()
    published: Callable[[Table], None] = lambda table: None
    """writes what the paper prints"""
    remark: Callable[[Table], str] = lambda table: ""
    """a sentence for the terminal, beside claims and goals"""


def collected(name: str, *modules: ModuleType) -> Benchmark[Any]:
    """A benchmark of benchmarks.csv from the names of its modules, those of the first before those of others.

    These are `tasks`, `FULL` and `QUICK`, where there are any `CLAIMS`, `GOALS`, `add_published` and `remark`, and all
    that fills the slots of page.md, which lies beside the first module.
    """
    names = {key: found for module in reversed(modules) for key, found in vars(module).items()}
    wanted = {"claims": "CLAIMS", "goals": "GOALS", "published": "add_published", "remark": "remark"}
    optional = {field: names[key] for field, key in wanted.items() if key in names}
    page = parse_page(files(modules[0].__package__ or "").joinpath("page.md").read_text(encoding="utf-8"), names)
    packages, quick_text = BENCHMARKS[name].packages, BENCHMARKS[name].quick_text
    return Benchmark(name, page, packages, names["FULL"], names["QUICK"], quick_text, names["tasks"], **optional)
