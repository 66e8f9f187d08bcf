"""XML as events or as a tree, from expat: without DTDs and hence without entities, and nothing is fetched.

Names have the form `namespace}name`, or `name` without a namespace.
"""

from collections.abc import Callable
from typing import IO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

SEPARATOR = "}"
MAX_DEPTH = 500
MAX_ELEMENTS = 1_000_000
# Expat looks at an unfinished token again with every chunk, so chunks are large.
_CHUNK = 2**20

Attributes = dict[str, str]


def parse_events(
    source: IO[bytes],
    start: Callable[[str, Attributes], None],
    declare: Callable[[str | None, str], None] | None = None,
) -> None:
    """Call `start(name, attributes)` for every element and `declare(prefix, namespace)` for every declaration."""
    parser = _parser()
    parser.StartElementHandler = start
    if declare is not None:
        parser.StartNamespaceDeclHandler = declare
    _feed(parser, source)


def parse_tree(source: IO[bytes]) -> Element:
    """Return the root element; more than MAX_ELEMENTS, or nested deeper than MAX_DEPTH, are refused.

    An element takes a hundred bytes of memory and four in the file.
    """
    builder = TreeBuilder()
    depth = elements = 0

    def start(name: str, attributes: Attributes) -> None:
        nonlocal depth, elements
        depth += 1
        elements += 1
        if depth > MAX_DEPTH or elements > MAX_ELEMENTS:
            raise ValueError(f"it has more than {MAX_ELEMENTS} XML elements, or {MAX_DEPTH} inside each other")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    parser = _parser()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    _feed(parser, source)
    return builder.close()


def local_name(name: str) -> str:
    """Return a name without its namespace."""
    return name.rpartition(SEPARATOR)[2]


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator=SEPARATOR)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(*_: object) -> None:
    raise ValueError("it has a document type declaration; this format has none")


def _feed(parser: expat.XMLParserType, source: IO[bytes]) -> None:
    try:
        while chunk := source.read(_CHUNK):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise ValueError(f"its XML is truncated or damaged: {error}") from error
