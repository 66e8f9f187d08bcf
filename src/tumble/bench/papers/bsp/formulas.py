"""What needs no scene: Equation 4 for every queue, and how long the kernels are."""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from math import isqrt

from tumble.bench.framework.table import Table
from tumble.query.settings import BulkSettings

EQUATION_4, CODE = "equation 4", "code"
LARGEST_QUEUE = 4096
BULK_FILES, STREAMS_FILES = "bulk.cl", "front.cl"


def add_formulas(table: Table) -> None:
    """Write both."""
    kept = [
        writers * 4**step <= queue < writers * 4 ** (step + 1)
        for queue in range(4, LARGEST_QUEUE + 1)
        for writers in range(1, isqrt(isqrt(queue)) + 1)
        if (step := BulkSettings(queue=queue, writers=writers).step)
    ]
    table.study(EQUATION_4).add_values("κ and α", "", {"kept": sum(kept), "all": len(kept)})
    for name in (BULK_FILES, STREAMS_FILES):
        table.study(CODE).add("kernels", name, "lines", code_lines(name))


def code_lines(name: str) -> int:
    """The lines of a kernel's file that are compiled by default, without counters, blank lines and comments."""
    text = files("tumble.device").joinpath("kernels").joinpath(name).read_text(encoding="utf-8")
    while "/*" in text:
        before, _, rest = text.partition("/*")
        text = before + rest.partition("*/")[2]
    return sum(bool(line.strip()) for line in _compiled(text.splitlines()))


def _compiled(lines: Iterable[str]) -> Iterator[str]:
    """The lines that the preprocessor leaves when every macro that a condition names is 0."""
    kept, taken = [True], [True]  # whether this branch is compiled, and whether this or one before it is
    for line in lines:
        word, _, condition = line.partition(" ")
        if word in ("#if", "#ifndef"):
            kept.append(word == "#if" and condition.endswith("== 0"))
            taken.append(kept[-1])
        elif word in ("#elif", "#else"):
            kept[-1] = not taken[-1] and (word == "#else" or condition.endswith("== 0"))
            taken[-1] |= kept[-1]
        elif word == "#endif":
            kept.pop(), taken.pop()
        elif all(kept):
            yield line
