"""Names of parts as users and other programs can take them: short, printable, and each only once.

Files hold names of any length and content. A name of a megabyte on thirty thousand nodes would take thirty gigabytes
once each copy has a number of its own; control characters and half surrogates can be written to neither XML nor UTF-8.
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from tumble.mesh.mesh import Part

MAX_LENGTH = 200
MAX_DEPTH = 8
"""names of a path that are kept, the innermost"""
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# names from the outside inwards
Names: TypeAlias = tuple[str, ...]


def clean(name: str) -> str:
    """Return a name of at most MAX_LENGTH characters, with U+FFFD for what cannot be printed or written."""
    if len(name) > MAX_LENGTH:
        name = name[: MAX_LENGTH - 1] + "…"
    return _UNPRINTABLE.sub("\ufffd", name)


def deeper(names: Names, name: str | None) -> Names:
    """Return the names around what is inside something called `name`."""
    return (*names, name)[-MAX_DEPTH:] if name else names


def joined(names: Iterable[str]) -> str | None:
    """Return names joined by slashes, None for none."""
    return "/".join(map(clean, names)) or None


def unique(parts: list[Part]) -> list[Part]:
    """Return the parts with names of their own: one that comes again gets #2, #3 and so on."""
    taken = {part.name for part in parts}
    used: Counter[str] = Counter()
    fresh_parts = []
    for part in parts:
        name = part.name
        used[name] += 1
        fresh = name
        while used[name] > 1 and (fresh := f"{name}#{used[name]}") in taken:
            used[name] += 1
        taken.add(fresh)
        fresh_parts.append(part._replace(name=fresh))
    return fresh_parts
