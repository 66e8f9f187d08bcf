"""docs/papers.md: which parts of the papers it must name, and its tables of claims from the runs that are kept.

python -m tests.papers          write the tables of claims anew
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tumble.bench import load
from tumble.bench.framework.claims import MARKS, UNDECIDED, ClaimResult, check_claims
from tumble.bench.framework.table import Table

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "papers.md"
CLAIMS = re.compile(r"(?P<start><!-- claims of (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end of claims -->)", re.DOTALL)

# What the papers print, by their own numbers.
PARTS = {
    "stackless": {"Section": range(1, 12), "Algorithm": range(1, 5), "Table": range(1, 9), "Figure": range(1, 34)},
    "boxtree": {"Section": range(1, 7), "Equation": range(1, 7), "Table": range(1, 2), "Figure": range(1, 11)},
    "bsp": {
        "Section": range(1, 8),
        "Algorithm": range(1, 3),
        "Equation": range(1, 5),
        "Table": range(1, 2),
        "Figure": range(1, 10),
    },
    "binary-stack": {"Section": range(1, 7), "Equation": range(1, 8), "Table": range(1, 2), "Figure": range(1, 11)},
    "chip": {"Section": range(1, 7), "Equation": range(1, 6), "Table": range(1, 2), "Figure": range(1, 6)},
}


def chapters(text: str) -> dict[str, str]:
    """The text about each paper, by its short name."""
    parts = re.split(r"^## `([\w-]+)`.*$", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def named(kind: str, text: str) -> set[int]:
    """The numbers of sections, tables and so on that a text names: "Figures 27–32 and 33", "Section 4.2"."""
    lists = re.findall(rf"{kind}s? ((?:\d+(?:\.\d+)*(?:–\d+)?(?:, | and )?)+)", text)
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:\.\d+)*(?:–(\d+))?", " ".join(lists)):
        found.update(range(int(first), int(last or first) + 1))
    return found


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


def claims_table(name: str) -> str:
    """The claims of a paper with the verdicts of its kept runs."""
    heads = ["claim", "in", "verdict", "second run"][: 2 + len(verdicts(name))]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for results in zip(*verdicts(name), strict=True):
        words = [f"{MARKS[result.verdict.word]} {result.verdict.word}" for result in results]
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


def rewritten(text: str) -> str:
    """The page with its tables of claims made anew."""
    return CLAIMS.sub(lambda found: f"{found['start']}{claims_table(found['name'])}{found['end']}", text)


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
