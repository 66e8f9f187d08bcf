"""docs/papers.md: which parts of the papers it must name, and its tables of claims from the runs that are kept.

python -m tests.papers              write the tables of claims anew
python -m tests.papers chip bsp     those of some papers
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from tumble.bench import load
from tumble.bench.framework.claims import (
    MARKS,
    NOT_MEASURED,
    UNDECIDED,
    UNKNOWN,
    ClaimResult,
    Verdict,
    check_claims,
)
from tumble.bench.framework.table import Table

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "papers.md"
CLAIMS = re.compile(r"(?P<start><!-- claims of (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end of claims -->)", re.DOTALL)

# What the papers print, by their own numbers: how many of each kind.
PARTS = {
    "stackless": {"Section": 11, "Algorithm": 4, "Equation": 2, "Table": 8, "Figure": 33},
    "boxtree": {"Section": 6, "Equation": 6, "Table": 1, "Figure": 10},
    "bsp": {"Section": 7, "Algorithm": 2, "Equation": 4, "Table": 1, "Figure": 9},
    "binary-stack": {"Section": 6, "Equation": 7, "Table": 1, "Figure": 10},
    "chip": {"Section": 6, "Equation": 5, "Table": 1, "Figure": 5},
}
# The sections below sections.
SUBSECTIONS = {
    "stackless": "6.1 6.2 6.3 7.1 7.2 8.1 8.2 8.3 9.1 9.2 9.3 9.4",
    "boxtree": "3.1 3.2 3.2.1 3.2.2 3.2.3 3.2.4 3.2.5 4.1 4.2 4.3 6.1",
    "bsp": "5.1 5.2 5.3 6.1 6.2",
    "binary-stack": "",
    "chip": "3.1 3.2 3.3 4.1",
}
NUMBER = r"\d+(?:\.\d+)*"


def chapters(text: str) -> dict[str, str]:
    """The text about each paper, by its short name."""
    parts = re.split(r"^## `([\w-]+)`.*$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def named(kind: str, text: str) -> set[str]:
    """The numbers of sections, tables and so on that a text names: "Figures 27–32 and 33", "Section 4.2".

    Who names a subsection names the sections around it.
    """
    lists = re.findall(rf"{kind}s? ((?:{NUMBER}(?:–{NUMBER})?(?:, | and )?)+)", text)
    found: set[str] = set()
    for first, last in re.findall(rf"({NUMBER})(?:–({NUMBER}))?", " ".join(lists)):
        *around, start = first.split(".")
        stop = (last or first).split(".")[-1]
        found.update(".".join([*around, str(k)]) for k in range(int(start), int(stop) + 1))
        found.update(".".join(around[:k]) for k in range(1, len(around) + 1))
    return found


def due(paper: str, kind: str) -> set[str]:
    """The numbers that a chapter must name."""
    below = SUBSECTIONS[paper].split() if kind == "Section" else []
    return {*map(str, range(1, PARTS[paper][kind] + 1)), *below}


def items(chapter: str) -> str:
    """The first cells of a chapter's table of items, line by line; what only a claim names is not an item."""
    return "\n".join(cells[0] for cells in rows(CLAIMS.sub("", chapter)))


def rows(text: str) -> Iterator[list[str]]:
    """The cells of all rows of tables, heads and rules left out."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and not cells[0].startswith("---") and cells[0] not in ("item", "claim"):
            yield cells


@cache
def verdicts(name: str) -> list[list[ClaimResult]]:
    """The verdicts on the claims of a paper: in the run that is kept, and in the second one beside it."""
    (folder,) = sorted((ROOT / "benchmarks" / name).iterdir())[:1]
    paths = [path for path in (folder / "results.csv", folder / "second-run" / "results.csv") if path.exists()]
    return [check_claims(load(name).claims, Table.read(path)) for path in paths]


def verdict_text(verdict: Verdict) -> str:
    """A verdict in a word; of what was not measured, also the reason."""
    reason = f": {verdict.numbers}" if verdict.word == UNKNOWN and verdict.numbers != NOT_MEASURED.numbers else ""
    return f"{MARKS[verdict.word]} {verdict.word}{reason}"


def claims_table(name: str) -> str:
    """The claims of a paper with the verdicts of its kept runs."""
    heads = ["claim", "in", "verdict", "second run"][: 2 + len(verdicts(name))]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for results in zip(*verdicts(name), strict=True):
        words = [verdict_text(result.verdict) for result in results]
        claim = results[0].claim
        cells = [cell.replace("|", "\\|") for cell in (claim.statement, claim.source, *words)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def changed_verdicts(name: str) -> list[str]:
    """The claims on which two runs contradict each other; one that says "not decided" contradicts nothing."""
    return [
        results[0].claim.name
        for results in zip(*verdicts(name), strict=True)
        if len({result.verdict.word for result in results} - {UNDECIDED}) > 1
    ]


def rewritten(text: str, names: Collection[str] = tuple(PARTS)) -> str:
    """The page with the tables of claims of some papers made anew."""

    def table(found: re.Match[str]) -> str:
        return f"{found['start']}{claims_table(found['name'])}{found['end']}" if found["name"] in names else found[0]

    return CLAIMS.sub(table, text)


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8"), sys.argv[1:] or tuple(PARTS)), encoding="utf-8")
