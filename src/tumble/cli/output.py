"""What goes to stdout: never cut short, plain when it is not a terminal; a closed pipe is not an error."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tumble import __version__
from tumble.core.text import amount, printable
from tumble.errors import FileError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["amount", "json_object", "printable", "styled", "table", "write_out"]
# Goes up when a field of the JSON changes its meaning or goes away; new fields may appear without notice.
SCHEMA_VERSION = 1
GAP = "  "
# Wider than any line: rich folds at the console's width, and a pipe has none.
UNLIMITED = 1_000_000
STYLED_ANYWAY = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""variables that make rich style what no terminal shows"""


def write_out(text: str) -> None:
    """Write to stdout at once."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        write_out(text.encode(encoding, "backslashreplace").decode(encoding))
    except OSError as error:
        # The interpreter will flush once more at the end: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # that only means that the reader has seen enough, as in `| head`
            raise FileError(f"the output cannot be written: {error.strerror}") from error


def json_object(fields: dict[str, Any]) -> str:
    """Return the one JSON object of a command, with the version of its fields and that of Tumble."""
    return json.dumps({"schema_version": SCHEMA_VERSION, "tumble": __version__, **fields}, indent=2) + "\n"


def styled(text: str, style: str = "") -> str:
    """Return lines of text, in a style of rich's on a terminal, folded to its width."""
    return text + "\n" if _stays_as_it_is(text) else _styled(text, style)


def _styled(text: str, style: str) -> str:
    from rich.text import Text

    return _rendered(Text(text, style=style))


def _stays_as_it_is(text: str) -> bool:
    """Tell whether rich, which takes long to load, would change nothing."""
    plain = not sys.stdout.isatty() and not any(name in os.environ for name in STYLED_ANYWAY)
    return plain and len(text) < UNLIMITED // 2 and all(line.isprintable() for line in text.split("\n"))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> str:
    """Return a table under a header; the columns named as `numbers` stand to the right.

    On a terminal that is too narrow cells are folded; nothing is ever cut.
    """
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip(columns, *rows, strict=True)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > _width():
        return _folded(columns, rows, numbers)

    def line(cells: Sequence[str]) -> str:
        spaces = [" " * (width - cell_len(cell)) for width, cell in zip(widths, cells, strict=True)]
        aligned = zip(columns, cells, spaces, strict=True)
        return GAP.join(pad + cell if name in numbers else cell + pad for name, cell, pad in aligned).rstrip()

    return styled(line(columns), "bold") + "".join(line(row) + "\n" for row in rows)


def _folded(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str]) -> str:
    from rich.table import Table
    from rich.text import Text

    folded = Table(box=None, pad_edge=False, padding=(0, len(GAP), 0, 0), header_style="bold")
    for name in columns:
        is_number = name in numbers
        folded.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        folded.add_row(*map(Text, row))
    return _rendered(folded)


def _width() -> int:
    """Return how many cells a line may have."""
    return _console().width if sys.stdout.isatty() else UNLIMITED


def _rendered(content: Any) -> str:
    console = _console()
    console.print(content)
    return console.file.getvalue()  # type: ignore[attr-defined]


def _console() -> Console:
    """Return a console that writes to memory as it would to stdout."""
    from rich.console import Console

    on_terminal = sys.stdout.isatty()
    return Console(
        file=io.StringIO(),
        force_terminal=True if on_terminal else None,
        width=None if on_terminal else UNLIMITED,
        highlight=False,
    )
