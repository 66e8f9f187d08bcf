"""The inline markup of a report's text: a small part of Markdown, so that one text serves both outputs.

`code`, **stress** and [label](target). Everything else is plain text and is escaped.
"""

import re
from html import escape

_MARKUP = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<strong>.+?)\*\*"
    r"|\[(?P<label>[^\]]+)\]\((?P<target>[^)\s]+)\)"
)


def to_html(text: str) -> str:
    """The text as HTML: markup turned into tags, everything else escaped."""
    parts, end = [], 0
    for match in _MARKUP.finditer(text):
        parts += [escape(text[end : match.start()]), _tag(match)]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _tag(match: re.Match[str]) -> str:
    if match["code"] is not None:
        return f"<code>{escape(match['code'])}</code>"
    if match["strong"] is not None:
        return f"<strong>{to_html(match['strong'])}</strong>"
    return f'<a href="{escape(match["target"])}">{to_html(match["label"])}</a>'
