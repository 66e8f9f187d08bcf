"""Methods and volumes by name, from the registries, and which of their combinations the quick tests run.

Every combination is a kernel to compile. What depends on the method is tested with one volume, what depends on the
volume with two methods: one compares volumes where they are, the other in a's frame. The rest is for `-m slow`.
"""

import pytest

from tumble.traversal import METHODS
from tumble.volume import KINDS

ONE_VOLUME = "aabb"
TWO_METHODS = ("stack", "lists")


def tree_methods():
    """The methods that walk trees."""
    return [name for name, method in METHODS.items() if method.layout is not None]


def combinations(methods=None, volumes=None):
    """(method, volume) of all that the quick tests run."""
    methods = tree_methods() if methods is None else methods
    volumes = list(KINDS) if volumes is None else volumes
    return [(m, v) for v in volumes for m in methods if v == ONE_VOLUME or m in TWO_METHODS]


def quick_methods(methods=None):
    """All methods as parameters of a test with another volume than the one: two quick, the others slow."""
    names = tree_methods() if methods is None else methods
    return [name if name in TWO_METHODS else pytest.param(name, marks=pytest.mark.slow) for name in names]


def other_combinations():
    """(method, volume) of all that the quick tests leave out."""
    return sorted({(m, v) for v in KINDS for m in tree_methods()} - set(combinations()))
