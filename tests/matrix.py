"""Methods and volumes by name, from the registries, and which of their combinations the quick tests run.

Every combination is a kernel to compile. What depends on the method is tested with one volume, what depends on the
volume with two methods: one compares volumes where they are, the other in a's frame. k-DOPs are one implementation
with k as a constant, so one of them stands for all; one method does for the second kind of oriented boxes, which are
compared as those of the first. The rest is for `-m slow`.

A kernel with counters is another one than without: tests ask with `stats=True` unless it is about that.
"""

import pytest

from tumble.traversal.every import METHODS
from tumble.volume.kinds import KINDS

ONE_VOLUME = "aabb"
TWO_METHODS = ("stack", "lists")
SLOW_KS = (6, 14, 18, 26)
ONE_METHOD = {"obb-covariance": "stack"}
QUICK_VOLUMES = tuple(name for name in KINDS if name not in {f"kdop{k}" for k in SLOW_KS})


def tree_methods():
    """The methods that walk trees."""
    return [name for name, method in METHODS.items() if method.layout is not None]


def combinations(methods=None, volumes=None):
    """(method, volume) of all that the quick tests run."""
    methods = tree_methods() if methods is None else methods
    volumes = list(KINDS) if volumes is None else volumes
    return [(m, v) for v in volumes for m in methods if v == ONE_VOLUME or m in TWO_METHODS]


def volume_cases(names=tuple(KINDS)):
    """Volumes as parameters of a test, those that others stand for marked slow."""
    return [name if name in QUICK_VOLUMES else pytest.param(name, marks=pytest.mark.slow) for name in names]


def k_cases(ks):
    """The same of k-DOPs, by k."""
    return [pytest.param(k, marks=pytest.mark.slow) if k in SLOW_KS else k for k in ks]


def quick_methods(methods=None):
    """All methods as parameters of a test with another volume than the one: two quick, the others slow."""
    names = tree_methods() if methods is None else methods
    return [name if name in TWO_METHODS else pytest.param(name, marks=pytest.mark.slow) for name in names]


def methods_with(volume):
    """The methods that the quick tests run with a volume."""
    if volume == ONE_VOLUME:
        return tree_methods()
    return (ONE_METHOD[volume],) if volume in ONE_METHOD else TWO_METHODS


def method_cases(volumes, methods=None):
    """(method, volume) as parameters of a test, with all methods, slow where the quick tests do not run them."""
    methods = tree_methods() if methods is None else methods
    return [
        pytest.param(m, v, marks=() if v in QUICK_VOLUMES and m in methods_with(v) else pytest.mark.slow)
        for v in volumes
        for m in methods
    ]


def other_combinations():
    """(method, volume) of all that the quick tests leave out."""
    return sorted({(m, v) for v in KINDS for m in tree_methods()} - set(combinations()))
