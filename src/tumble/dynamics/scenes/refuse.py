"""Options that make no sense for a scene."""

from __future__ import annotations

from tumble.dynamics.scenes.kind import Options
from tumble.errors import OptionError


def refuse_mesh(options: Options, why: str) -> None:
    """Say so if a mesh is given to a scene that has no use for it."""
    if options.mesh is not None:
        raise OptionError(f"a mesh cannot be chosen here: {why}; the scenes that take one are cows and bowl")
