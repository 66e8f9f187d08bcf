"""The options that every public call takes, as one record, checked once."""

from __future__ import annotations

from typing import Any, NamedTuple

from tumble.core.options import refuse_arrays


class Options(NamedTuple):
    """How a question is to be answered, and which columns the answer has; the pairs depend on `first` alone."""

    method: str = "auto"
    """the traversal"""
    tree: str = "auto"
    """the kind of tree that it walks"""
    device: str = "cpu"
    """where: cpu, opencl, opencl:0, …"""
    threads: int | None = None
    """how many threads share the work, at most; None: as many as there are cores"""
    first: bool = False
    """stop at the first pair of each query"""
    contacts: bool = False
    """also where and how deep each pair meets"""
    stats: bool = False
    """also what the traversal did"""
    settings: Any = None
    """the parameters of the method: see `tumble.query.settings`"""

    def checked(self) -> Options:
        """Refuse arrays, which compare element by element, and return the record with plain truth values."""
        words, flags = (self.method, self.tree, self.device), (self.first, self.contacts, self.stats)
        if set(map(type, words)) == {str} and set(map(type, flags)) == {bool}:
            return self
        named = self._asdict()
        refuse_arrays(**{name: named[name] for name in ("method", "tree", "device", "first", "contacts", "stats")})
        return self._replace(first=bool(self.first), contacts=bool(self.contacts), stats=bool(self.stats))
