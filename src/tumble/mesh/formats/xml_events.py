"""XML as events or as a tree: without DTDs and hence without entities, and nothing is fetched.

Names have the form `{namespace}name`, or `name` without a namespace.
"""

from collections.abc import Callable
from typing import IO, Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

MAX_DEPTH = 500
MAX_ELEMENTS = 1_000_000
# Expat looks at an unfinished token again with every chunk, so chunks are large.
_CHUNK = 2**20

Attributes = dict[str, str]


class _NoDoctype:
    def doctype(self, *_: object) -> None:
        raise ValueError("it has a document type declaration; this format has none")


class _Events(_NoDoctype):
    def __init__(self, start: Callable[[str, Attributes], None]) -> None:
        self.start = start


class _Tree(_NoDoctype, TreeBuilder):
    """Builds elements up to the limits: one takes a hundred bytes of memory, and four in the file."""

    depth = elements = 0

    def start(self, tag: str, attrs: Attributes, /) -> Element:
        self.depth += 1
        self.elements += 1
        if self.depth > MAX_DEPTH or self.elements > MAX_ELEMENTS:
            raise ValueError(f"it has more than {MAX_ELEMENTS} XML elements, or {MAX_DEPTH} inside each other")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self.depth -= 1
        return super().end(tag)


def parse_events(
    source: IO[bytes], start: Callable[[str, Attributes], None], declare: Callable[[str, str], None] | None = None
) -> None:
    """Call `start(name, attributes)` for every element and `declare(prefix, namespace)` for every declaration."""
    target: Any = _Events(start)
    if declare is not None:
        target.start_ns = declare
    _feed(target, source)


def parse_tree(source: IO[bytes]) -> Element:
    """Return the root element; more than MAX_ELEMENTS, or nested deeper than MAX_DEPTH, are refused."""
    root: Element = _feed(_Tree(), source)
    return root


def local_name(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition("}")[2]


def _feed(target: Any, source: IO[bytes]) -> Any:
    parser = XMLParser(target=target)
    try:
        while chunk := source.read(_CHUNK):
            parser.feed(chunk)
        return parser.close()
    except ParseError as error:
        raise ValueError(f"its XML is truncated or damaged: {error}") from error
