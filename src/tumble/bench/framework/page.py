"""The page of a run: one Markdown file beside the code, `page.md`, with slots that functions fill.

Goals and claims come first, then the sections of the benchmark, then how it was measured.

    # Title                                             then one paragraph, the lead, and what needs no heading
    ## A heading                                        also ###
    <!-- needs: fall; {raced} -->                       the section, with all below it, is left out where the study
                                                        is empty, or the function returns something false
    Text of {bodies} bodies, {share: narrow phase}.     a paragraph
    {times}                                             a table, or a paragraph that a function writes
    | step | ms: ours | ms: *paper* |                   the head of a table: columns in a group, a faint one; below,
    |:---|---:|---:|                                    text in whole lines, numbers; text that may break is |---|
    | {rows} |                                          the function that returns the rows
    <details> In the form of the paper {printed}        a table that the reader unfolds; its head may stand below
    ![Every step.](steps)                               the figure that `steps` or `draw_steps` draws, as steps.svg
    - An item                                           a list
    ## Goals                                            optional, the first section: one paragraph above the goals
    ## How it was measured                              the last section, a list: the run and the machine are added

A slot names a function of a module of the page: it is called with the `Page`, and with what follows the colon, split at
the commas. A constant of the module stands for itself. A function that returns None says that what it is about was not
measured: the paragraph, table or figure is left out. One that stands alone may also write to `page.document` itself.
Every page has `{fact: study, quantity}`, a number about the first case of a study, `{first_case: study}`,
`{number_of_cases: study}`, `{race_table: study}`, and `{measured: study}`, which is nothing to read, but None where the
study is empty.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tumble.bench.framework.table import TIME, Study
from tumble.bench.framework.table import Table as Results
from tumble.report import Column, Document, Table, count, number_columns, plots, ratio, significant

GOALS, METHOD = "Goals", "How it was measured"
TOP = 1

_NEEDS = re.compile(r"<!-- needs: (.*) -->")
_SLOT = re.compile(r"\{([^{}]+)\}")
_FIGURE = re.compile(r"!\[(.*)\]\(([\w-]+)\)")
_FOLDED = re.compile(r"<details> (.*) \{([^{}]+)\}")

Slots = Mapping[str, Any]
Rows = Sequence[Sequence[str]]

WHAT_IS_KEPT = (
    "The command writes everything on this page, the published values included, as one table to `results.csv`; "
    "`tumble bench NAME --from results.csv` makes the page of it. `results.json` holds the verdicts as well. Beside "
    "the pages that are kept in the repository there is only `results.csv`."
)


@dataclass(frozen=True)
class Page:
    """What a section needs: the document to write to, the table to read from, the folder for figures."""

    document: Document
    table: Results
    folder: Path

    def study(self, name: str) -> Study:
        """One study of the table."""
        return self.table.study(name)


@dataclass(frozen=True)
class PageText:
    """What a page says beyond goals and claims."""

    title: str
    lead: str
    """what the page is about; where it was measured is added"""
    goals: Callable[[Page], str | None]
    """what to know before the goals"""
    sections: Sequence[Callable[[Page], None]]
    method: Callable[[Page], list[str]]
    """how it was measured, for the end of the page"""


def parse_page(text: str, slots: Slots) -> PageText:
    """Split the text of a page; a slot that nothing fills is a KeyError now, not when the page is written."""
    slots = {**COMMON_SLOTS, **slots}
    (_, title, _, (lead, *opening)), *sections, (_, heading, _, method) = _split(text)
    if heading != METHOD:
        raise ValueError(f"the last section of {title!r} is {heading!r}: let it be {METHOD!r}")
    for block in [*opening, *method, *(block for section in sections for block in (*section[2], *section[3]))]:
        figure = _FIGURE.fullmatch(block)
        for slot in [*_SLOT.findall(block), *([figure[2]] if figure else [])]:
            _named(slots, slot)
    goals = " ".join(sections.pop(0)[3]) if sections and sections[0][1] == GOALS else ""
    written = [partial(_write, slots, *section) for section in [(TOP, "", (), opening), *sections]]
    return PageText(title, lead, partial(_fill, slots, goals), written, partial(_items, slots, "\n".join(method)))


def _split(text: str) -> Iterator[tuple[int, str, tuple[str, ...], list[str]]]:
    """Level, heading, needs and blocks of every section; one below another needs what that needs, too."""
    needs: dict[int, tuple[str, ...]] = {}
    for part in re.split(r"\n+(?=#+ )", text.strip()):
        first, *blocks = part.split("\n\n")
        heading, *rest = first.split("\n")
        marks, name = heading.split(" ", 1)
        level, found = len(marks), _NEEDS.fullmatch("".join(rest))
        if rest and not found:
            raise ValueError(
                f"below the heading {name!r} stands {rest[0]!r}: leave a line free, or write what it needs"
            )
        needs = {above: names for above, names in needs.items() if above < level}
        needs[level] = tuple(found[1].split("; ")) if found else ()
        every = tuple(need for names in needs.values() for need in names)
        yield (
            level,
            name,
            every,
            [block if re.search(r"^[-|] ", block, re.M) else block.replace("\n", " ") for block in blocks],
        )


def _items(slots: Slots, block: str, page: Page) -> list[str]:
    """The items of a list, those that were measured."""
    items = [" ".join(item.split()) for item in re.split(r"^- ", block, flags=re.MULTILINE)[1:]]
    return [filled for item in items if (filled := _fill(slots, item, page))]


def _write(slots: Slots, level: int, heading: str, needs: Sequence[str], blocks: Sequence[str], page: Page) -> None:
    """Add one section to a page."""
    for need in needs:
        named = _SLOT.fullmatch(need)
        if not (_value(slots, named[1], page) if named else page.study(need)):
            return
    if level > TOP:
        page.document.heading(heading, level)
    for block in blocks:
        _write_block(slots, block, page)


def _write_block(slots: Slots, block: str, page: Page) -> None:
    if block.startswith("- "):
        page.document.items(_items(slots, block, page))
    elif "| {" in block:
        _write_table(slots, block, page)
    elif found := _FIGURE.fullmatch(block):
        stem, canvas = found[2], _value(slots, found[2], page)
        if canvas is not None:
            page.document.figure(
                plots.save(canvas, page.folder, stem), f"{stem}.svg", _fill(slots, found[1], page) or ""
            )
    elif found := _FOLDED.fullmatch(block):
        summary, table = _fill(slots, found[1], page), _value(slots, found[2], page)
        if summary and table is not None:
            page.document.folded(summary, table)
    else:
        alone = _SLOT.fullmatch(block)
        content = _value(slots, alone[1], page) if alone else _fill(slots, block, page)
        if isinstance(content, Table):
            page.document.table(content)
        elif content:
            page.document.text(str(content))


class Flagged(list[str]):
    """A row that stands out."""


def _write_table(slots: Slots, block: str, page: Page) -> None:
    """A table whose head stands on the page; none without rows."""
    *folded, head, rules, below = block.split("\n")
    titles, kinds = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in (_fill(slots, head, page) or "", rules)
    )
    rows = _value(slots, below.strip("| {}"), page)
    if not rows:
        return
    columns = []
    for title, kind in zip(titles, kinds, strict=True):
        group, _, name = title.rpartition(": ")
        columns.append(Column(name.strip("*"), kind.endswith(":"), group, name.startswith("*"), kind.startswith(":")))
    table = Table(columns, rows, flagged=[i for i, row in enumerate(rows) if isinstance(row, Flagged)])
    if folded:
        page.document.folded((_fill(slots, folded[0], page) or "").removeprefix("<details> "), table)
    else:
        page.document.table(table)


def _fill(slots: Slots, text: str, page: Page) -> str | None:
    """Return the text with its slots filled; None where one of them is None."""
    values = {slot: _value(slots, slot, page) for slot in _SLOT.findall(text)}
    return None if None in values.values() else _SLOT.sub(lambda found: str(values[found[1]]), text)


def _value(slots: Slots, slot: str, page: Page) -> Any:
    found, arguments = _named(slots, slot)
    return found(page, *arguments) if callable(found) else found


def _named(slots: Slots, slot: str) -> tuple[Any, list[str]]:
    """What a slot names, with the arguments for it; a figure's file may have hyphens."""
    name, _, arguments = slot.partition(": ")
    name = name.replace("-", "_")
    return slots.get(f"draw_{name}") or slots[name], arguments.split(", ") if arguments else []


def _fact(page: Page, study: str, quantity: str) -> str:
    found = page.study(study)
    return count(found.count(found.cases()[0], "", quantity))


def race_table(study: Study, base: str | None = None) -> Table:
    """Every case with its answer, the time of each contestant, and what it takes beside one of them."""
    names = study.contestants()
    others = [name for name in names if name != base] if base else []
    rows = [
        [
            *(case, study.text(case, "", "answer"), count(study.count(case, "", "triangles"))),
            *(significant(1e6 * study.value(case, name, TIME)) for name in names),
            *(ratio(study.ratio(case, name, base)) for name in others if base),
        ]
        for case in study.cases()
    ]
    columns = [Column("case", whole=True), Column("answer", whole=True), *number_columns("triangles")]
    columns += number_columns(*names, group="µs per query")
    return Table([*columns, *number_columns(*others, group=f"time, {base} = 1")], rows)


COMMON_SLOTS: Slots = {
    "fact": _fact,
    "first_case": lambda page, study: page.study(study).cases()[0],
    "number_of_cases": lambda page, study: count(len(page.study(study).cases())),
    "measured": lambda page, study: "" if page.study(study) else None,
    "race_table": lambda page, study: race_table(page.study(study)),
}


def run_items(page: Page) -> list[str]:
    """The last items of every page: the notes of the run, the machine, and what is kept."""
    run = page.study("run")
    versions = [f"{name} {run.text('versions', '', name)}" for name in run.quantities("versions")]
    minutes = run.value("run", "", "duration", 0.0)
    after = f", after {minutes:g} minutes" if minutes else ""
    return [
        *page.table.notes,
        f"**Machine.** {machine_text(page.table)}, {run.text('machine', '', 'system')}, "
        f"Python {run.text('machine', '', 'python')}, {', '.join(versions)}. "
        f"Finished {run.text('run', '', 'finished')}{after}.",
        WHAT_IS_KEPT,
    ]


def machine_text(table: Results) -> str:
    """Processor and cores in words."""
    run = table.study("run")
    return f"{run.text('machine', '', 'processor')}, {run.count('machine', '', 'cores')} cores"
