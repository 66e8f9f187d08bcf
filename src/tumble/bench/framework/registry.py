"""The benchmarks by name. Nothing is imported before it is needed: the command line lists them at every start."""

import csv
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Entry:
    """What the command line needs to know about a benchmark before it is loaded."""

    module: str
    summary: str
    """what it reruns"""
    duration: str
    quick: str
    """what a quick run has less of"""
    quick_text: str
    """the same in a few words, for the page"""
    packages: tuple[str, ...]
    """whose versions belong to the results"""
    options: tuple[str, ...]
    """options beyond `quick` and `out`, by the names of `tumble.cli.bench`"""


EXIT_CODE = "The exit code is 1 when something that theory fixes came out wrong; it says nothing about timings."


def _read() -> dict[str, Entry]:
    text = files("tumble.bench.framework").joinpath("benchmarks.csv").read_text(encoding="utf-8")
    found = {}
    for row in csv.DictReader(text.splitlines()):
        options, packages = (tuple(row.pop(name).split()) for name in ("options", "packages"))
        name = row.pop("name")
        found[name] = Entry(options=options, packages=packages, **row)
    return found


BENCHMARKS = _read()
"""all that there are, from benchmarks.csv, in the order of the command line"""
