"""A document is a list of blocks, each as Markdown and as HTML; the page is one file, without script or network."""

import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tumble.errors import FileError
from tumble.report.tables import Table, to_html


class Block(NamedTuple):
    """A part of a document in both outputs."""

    markdown: str
    html: str


class Document:
    """A report under construction: add blocks in reading order, then `write` it."""

    def __init__(self, title: str, lead: str = "") -> None:
        self.title = title
        self.lead = lead
        self.blocks: list[Block] = []
        self._contents: list[str] = []

    def heading(self, text: str, level: int = 2) -> None:
        """A heading; level 2 headings make the table of contents."""
        anchor = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
        if level == 2:
            self._contents.append(f'<a href="#{escape(anchor)}">{escape(text)}</a>')
        self.blocks.append(Block(f"{'#' * level} {text}", f'<h{level} id="{anchor}">{to_html(text)}</h{level}>'))

    def text(self, text: str) -> None:
        """A paragraph."""
        self.blocks.append(Block(text, f"<p>{to_html(text)}</p>"))

    def items(self, items: Sequence[str]) -> None:
        """A bulleted list."""
        listed = "".join(f"<li>{to_html(item)}</li>" for item in items)
        self.blocks.append(Block("\n".join(f"- {item}" for item in items), f"<ul>{listed}</ul>"))

    def table(self, table: Table) -> None:
        """A table."""
        self.blocks.append(Block(table.markdown(), table.html()))

    def folded(self, summary: str, table: Table) -> None:
        """A table that the reader unfolds."""
        opening = f"<details><summary>{escape(summary)}</summary>\n"
        markdown, html = f"{opening}\n{table.markdown()}\n\n</details>", f"{opening}{table.html()}\n</details>"
        self.blocks.append(Block(markdown, html))

    def figure(self, svg: str, file: str, caption: str) -> None:
        """A picture: its SVG goes into the HTML page, Markdown points to the file beside it."""
        picture = svg[svg.index("<svg") :]  # an XML prologue and a doctype have no place inside an HTML body
        html = f"<figure>{picture}<figcaption>{to_html(caption)}</figcaption></figure>"
        self.blocks.append(Block(f"![{caption}]({file})\n\n*{caption}*", html))

    def markdown(self) -> str:
        """The whole document in Markdown."""
        lead = [self.lead] if self.lead else []
        return "\n\n".join([f"# {self.title}", *lead, *(block.markdown for block in self.blocks)]) + "\n"

    def html(self) -> str:
        """The whole document as one self-contained HTML file, which follows the reader's light or dark mode."""
        style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
        navigation = f'<nav aria-label="Contents">{"".join(self._contents)}</nav>' if self._contents else ""
        lead = f'<p class="lead">{to_html(self.lead)}</p>' if self.lead else ""
        body = "\n".join(block.html for block in self.blocks)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
            f"<h1>{escape(self.title)}</h1>\n{lead}\n{navigation}\n{body}\n</main>\n</body>\n</html>\n"
        )

    def write(self, folder: Path, stem: str = "index") -> list[Path]:
        """Write the document as `stem`.md and `stem`.html into a folder; returns the two paths."""
        paths = [folder / f"{stem}.md", folder / f"{stem}.html"]
        paths[0].write_text(self.markdown(), encoding="utf-8")
        paths[1].write_text(self.html(), encoding="utf-8")
        return paths


def output_folder(out_dir: str | Path) -> Path:
    """Return the folder for a document and its figures, made if need be, or say why it cannot be."""
    folder = Path(out_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {folder}: {error.strerror}; name a folder to write to") from error
    return folder
