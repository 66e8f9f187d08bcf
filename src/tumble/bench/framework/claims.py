"""What a paper claims and what a run says about it.

The claims stand in a Markdown file beside their tests, `claims.md`, in tables under the headings of the page:

    | name | claim | in | paper | holds if | test |
    |---|---|---|---|---|---|
    | same-walk | • Both stacks visit the same node pairs. | Section 2 | by construction | equal on every scene | |
    | leaf-slowest | Apart, leaf is slowest. | Table 3 | {slowest_there} | all others are faster | slowest: leaf |

`holds if` names the threshold and the reason for it. A claim marked • follows from the algorithms and is certain: where
it fails, something is wrong with the program. The test is a function, with arguments after the colon; where the last
cell is empty, it has the name of the claim. It reads the table and returns a `Verdict`, or None where nothing was
measured. What the paper prints may be read by a function, too.

Claims about counts are tested on counts. Claims about times are tested on ratios within rounds, as intervals
(`Study.interval`): where the interval contains the limit, noise is larger than the difference, and the claim is not
decided.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby
from math import isinf
from typing import Any, NamedTuple

from tumble.bench.framework.statistics import Interval
from tumble.bench.framework.table import Table
from tumble.report import Column, Document, significant
from tumble.report import Table as PageTable
from tumble.report import ratio as times

HOLDS = "holds"
PARTLY = "holds in part"
FAILS = "does not hold"
UNDECIDED = "not decided"
UNKNOWN = "not measured"
MARKS = {HOLDS: "✓", PARTLY: "≈", FAILS: "✗", UNDECIDED: "?", UNKNOWN: "–"}

Kept = bool | None
"""whether a claim is kept in one case; None where noise is larger than the difference"""


class Verdict(NamedTuple):
    """One of the five words above, and the numbers behind it."""

    word: str
    numbers: str


NOT_MEASURED = Verdict(UNKNOWN, "–")


def graded(holds: Kept, partly: Kept, numbers: str) -> Verdict:
    """The verdict on a claim with a weaker form; what is not decided about either may leave it open."""
    for kept, word in ((holds, HOLDS), (partly, PARTLY)):
        if kept is None:
            return Verdict(UNDECIDED, numbers)
        if kept:
            return Verdict(word, numbers)
    return Verdict(FAILS, numbers)


def verdict(kept: int, total: int, numbers: str) -> Verdict:
    """The verdict on a claim that is kept in some of all cases."""
    return graded(kept == total, kept > 0, numbers) if total else NOT_MEASURED


def all_alike(wrong: Sequence[str], total: int, where: str) -> Verdict:
    """The verdict on answers that must be the same: those that differ are named."""
    numbers = f"differ: {', '.join(dict.fromkeys(wrong))}" if wrong else where
    return verdict(total - len(wrong), total, numbers)


def over_cases(outcomes: Iterable[tuple[Kept, str]], title: str = "", between: str = ", ") -> Verdict:
    """A verdict from one outcome per case: whether the claim is kept there, and the number to show.

    A case that is not decided leaves the claim open, unless another case breaks it: then it holds in part or not at
    all, whatever the open ones would say.
    """
    found = [(kept, f"{text} (not decided)" if kept is None else text) for kept, text in outcomes]
    numbers = title + between.join(text for _, text in found)
    kept = [each for each, _ in found]
    if None in kept and False not in kept:
        return Verdict(UNDECIDED, numbers)
    return verdict(kept.count(True), len(kept), numbers)


def interval(ratio: Interval) -> str:
    """A ratio with what it lies between, where that is more than a point: "1.2× (1.1 to 1.3)"."""
    if ratio.low == ratio.high:
        return times(ratio.value)
    if isinf(ratio.high):
        return f"{times(ratio.value)} (too few rounds)"
    return f"{times(ratio.value)} ({significant(ratio.low)} to {significant(ratio.high)})"


def exceptions(cases: Sequence[str], broken: Callable[[str], str | None], what: str = "cases") -> Verdict:
    """A verdict from what is wrong with each case (None: nothing); the numbers name the cases that are wrong."""
    wrong = [(case, reason) for case in cases if (reason := broken(case))]
    numbers = "; ".join(f"{case}: {reason}" for case, reason in wrong) or f"all {len(cases)} {what}"
    return verdict(len(cases) - len(wrong), len(cases), numbers)


@dataclass(frozen=True)
class Claim:
    """One sentence of a paper, where it stands there, what it prints, and how a table is put to the test."""

    name: str
    statement: str
    source: str
    published: str | Callable[[Table], str]
    """the paper's own number, or how to read it from the published values"""
    test: Callable[[Table], Verdict | None]
    certain: bool = False
    group: str = ""
    """the heading under which it stands on the page; claims of a group follow each other"""
    holds_if: str = ""
    """the threshold of the test, and the reason for it"""


def read_claims(package: str | None, tests: Mapping[str, Any]) -> list[Claim]:
    """Read claims.md of a package, with the tests by name."""
    text = files(package or "").joinpath("claims.md").read_text(encoding="utf-8")
    group, claims, heads = "", [], []
    for line in text.splitlines():
        group = line.removeprefix("## ") if line.startswith("## ") else group
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and cells[0] == "name":
            heads = cells
        elif cells and not cells[0].startswith("---"):
            claims.append(_claim(tests, group, dict(zip(heads, cells, strict=True))))
    return claims


def _claim(tests: Mapping[str, Any], group: str, cells: Mapping[str, str]) -> Claim:
    name, words, published = cells["name"], cells["claim"], cells["paper"]
    function, _, arguments = (cells["test"] or name.replace("-", "_")).partition(": ")
    found, given = tests[function], arguments.split(", ") if arguments else ()
    printed = tests[published[1:-1]] if published.startswith("{") else published
    certain, statement = words.startswith("• "), words.removeprefix("• ")
    return Claim(
        name,
        statement,
        cells["in"],
        printed,
        lambda table: found(table, *given),
        certain,
        group,
        cells.get("holds if", ""),
    )


@dataclass(frozen=True)
class ClaimResult:
    """A claim with its verdict."""

    claim: Claim
    published: str
    verdict: Verdict

    @property
    def broken(self) -> bool:
        """Whether a claim that cannot fail has failed."""
        return self.claim.certain and self.verdict.word in (FAILS, PARTLY)

    def as_dict(self) -> dict[str, Any]:
        """Plain values for a JSON file."""
        fields = {name: getattr(self.claim, name) for name in ("name", "statement", "source", "certain", "holds_if")}
        found = {"verdict": self.verdict.word, "numbers": self.verdict.numbers}
        return {**fields, "published": self.published, "broken": self.broken, **found}


def check_claims(claims: Sequence[Claim], table: Table) -> list[ClaimResult]:
    """Every claim with its verdict."""
    printed = [claim.published if isinstance(claim.published, str) else claim.published(table) for claim in claims]
    verdicts = [claim.test(table) or NOT_MEASURED for claim in claims]
    return list(map(ClaimResult, claims, printed, verdicts))


def tally(words: Iterable[str]) -> str:
    """How many claims hold, hold in part, and so on."""
    numbers = Counter(words)
    names = {HOLDS: "hold", PARTLY: "in part", FAILS: "not", UNDECIDED: "not decided", UNKNOWN: "not measured"}
    return ", ".join(f"{numbers[word]} {name}" for word, name in names.items() if numbers[word])


def claims_section(document: Document, results: Sequence[ClaimResult]) -> None:
    """The part of a page that shows them; those that are broken stand out."""
    document.heading("What the paper claims and what we found")
    broken = [result.claim.name for result in results if result.broken]
    if broken:
        document.text(
            f"**Something is wrong with this build: what theory fixes came out otherwise ({', '.join(broken)}).**"
        )
    document.text(
        f"Of {len(results)} claims, {tally(result.verdict.word for result in results)}. Claims marked • follow from "
        "the algorithms and must hold; the others depend on object, machine and compiler."
    )
    for group, members in groupby(results, key=lambda result: result.claim.group):
        if group:
            document.heading(group, level=3)
        document.table(_claims_table(list(members)))


def _claims_table(results: Sequence[ClaimResult]) -> PageTable:
    columns = [
        Column("claim"),
        Column("in"),
        Column("paper", faint=True),
        Column("holds if", faint=True),
        Column("ours"),
        Column("verdict", whole=True),
    ]
    rows = [
        [
            f"{'• ' if result.claim.certain else ''}{result.claim.statement}",
            result.claim.source,
            result.published,
            result.claim.holds_if,
            result.verdict.numbers,
            f"{MARKS[result.verdict.word]} {result.verdict.word}",
        ]
        for result in results
    ]
    return PageTable(columns, rows, flagged=[i for i, result in enumerate(results) if result.broken])
