"""The text of a page: one Markdown file beside the code, `page.md`, with slots that functions fill.

    # Title                                             then one paragraph, the lead, and what needs no heading
    ## A heading                                        also ###
    <!-- needs: fall, collisions -->                    the section, with all below it, is left out where a study is
                                                        empty, or a function of that name returns something false
    Text of {bodies} bodies, {share: narrow phase}.     a paragraph
    {times}                                             a table, or a paragraph that a function writes
    <details> In the form of the paper {printed}        a table that the reader unfolds
    ![Every step.](steps)                               the figure that `steps` or `draw_steps` draws, as steps.svg
    - An item                                           a list
    ## Goals                                            optional, the first section: one paragraph above the goals
    ## How it was measured                              the last section, a list: the run and the machine are added

A slot names a function of a module of the page: it is called with the `Page`, and with what follows the colon, split at
the commas. A constant of the module stands for itself. A function that returns None says that what it is about was not
measured: the paragraph, table or figure is left out. One that stands alone may also write to `page.document` itself.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from inspect import isfunction
from types import ModuleType
from typing import Any

from tumble.bench.framework.page import Page
from tumble.report import Table

GOALS, METHOD = "Goals", "How it was measured"
TOP = 1

_NEEDS = re.compile(r"<!-- needs: (.*) -->")
_SLOT = re.compile(r"\{([^{}]+)\}")
_FIGURE = re.compile(r"!\[(.*)\]\(([\w-]+)\)")
_FOLDED = re.compile(r"<details> (.*) \{([^{}]+)\}")

Slots = Mapping[str, Any]


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


def read_page(package: str, *modules: ModuleType) -> PageText:
    """Read page.md of a package; its slots are the names of the modules, those of the first before those of others.

    Functions that a module imports from elsewhere are not among them: a study may have the name of one.
    """
    names = {name: found for module in reversed(modules) for name, found in vars(module).items()}
    imported = {name for name, found in names.items() if isfunction(found) and not found.__module__.startswith(package)}
    slots = {name: found for name, found in names.items() if name not in imported}
    return parse_page(files(package).joinpath("page.md").read_text(encoding="utf-8"), slots)


def parse_page(text: str, slots: Slots) -> PageText:
    """Split the text of a page; a slot that nothing fills is a KeyError now, not when the page is written."""
    (_, title, _, (lead, *opening)), *sections, (_, heading, _, method) = _split(text)
    if heading != METHOD:
        raise ValueError(f"the last section of {title!r} is {heading!r}: let it be {METHOD!r}")
    for block in [*opening, *method, *(block for section in sections for block in section[3])]:
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
        needs[level] = tuple(found[1].split(", ")) if found else ()
        every = tuple(need for names in needs.values() for need in names)
        yield level, name, every, [block if block.startswith("- ") else " ".join(block.split("\n")) for block in blocks]


def _items(slots: Slots, block: str, page: Page) -> list[str]:
    """The items of a list, those that were measured."""
    items = [" ".join(item.split()) for item in re.split(r"^- ", block, flags=re.MULTILINE)[1:]]
    return [filled for item in items if (filled := _fill(slots, item, page))]


def _write(slots: Slots, level: int, heading: str, needs: Sequence[str], blocks: Sequence[str], page: Page) -> None:
    """Add one section to a page."""
    if not all(slots[need](page) if callable(slots.get(need)) else page.study(need) for need in needs):
        return
    if level > TOP:
        page.document.heading(heading, level)
    for block in blocks:
        _write_block(slots, block, page)


def _write_block(slots: Slots, block: str, page: Page) -> None:
    if block.startswith("- "):
        page.document.items(_items(slots, block, page))
    elif found := _FIGURE.fullmatch(block):
        canvas = _value(slots, found[2], page)
        if canvas is not None:
            page.figure(found[2], canvas, _fill(slots, found[1], page) or "")
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
