"""The frame of an HTML report: one file, no script, no network; follows the reader's light or dark mode."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files


def page(title: str, lead: str, contents: Sequence[tuple[str, str]], body: str) -> str:
    """A whole HTML page; `lead` and `body` are HTML already, `contents` are pairs of anchor and heading."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="#{escape(anchor)}">{escape(text)}</a>' for anchor, text in contents)
    navigation = f'<nav aria-label="Contents">{links}</nav>' if links else ""
    opening = f'<p class="lead">{lead}</p>' if lead else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{opening}\n{navigation}\n{body}\n</main>\n</body>\n</html>\n"
    )
