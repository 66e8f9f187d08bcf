"""Tables that tests spoil are made once and copied: medians and intervals of all their races take longer."""

import pickle
from functools import cache, wraps


def made_once(make):
    """Let a function without arguments return a copy of what it returned first."""
    first = cache(lambda: pickle.dumps(make(), pickle.HIGHEST_PROTOCOL))
    return wraps(make)(lambda: pickle.loads(first()))
