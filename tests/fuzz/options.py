"""All options of `collide` at once, drawn without regard to each other: a refusal, or the right answer."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

import bulk_cases
import front_cases
import tumble
from tumble.errors import DeviceError, OptionError
from tumble.traversal.boxtree.overlaps import OVERLAPS
from tumble.traversal.every import METHODS
from tumble.traversal.query import TESTS
from tumble.traversal.rules import RULES
from tumble.volume.kinds import KINDS

from .questions import question
from .ways import DEVICE, some, some_tree

Random = np.random.Generator
VALUES: dict[str, tuple[Any, ...]] = {
    "method": ("auto", "packed", "bulk", "front", *METHODS),
    "tree": ("auto", "packed", "implicit", "boxtree", *KINDS),
    "device": ("cpu", DEVICE),
    "settings": (
        None,
        *(tumble.WalkSettings(narrow, rule) for narrow in TESTS for rule in (None, *RULES)),
        *(tumble.BoxtreeSettings(overlap, ahead) for overlap in OVERLAPS for ahead in (True, False)),
        *bulk_cases.SETTINGS.values(),
        *front_cases.SETTINGS.values(),
        tumble.DeviceSettings(),
    ),
    "threads": (None, 1, 2),
    "contacts": (False, True),
    "stats": (False, True),
    "first": (False, True),
}
PLAIN = 0.65
"""how often an option keeps its default, which is the first value"""


def drawn(rng: Random) -> dict[str, Any]:
    """Draw all options; what decides about compiling first."""
    return {name: values[0] if rng.random() < PLAIN else some(rng, values) for name, values in VALUES.items()}


def ways(rng: Random) -> str:
    """Return what a case needs compiled."""
    options = drawn(rng)
    return "/".join(str(options[name]) for name in ("method", "tree", "settings", "device"))


def case(rng: Random) -> None:
    """Ask with options that may or may not fit together, about meshes or trees."""
    options = drawn(rng)
    asked = question(rng, 10)
    sides: list[Any] = [asked.a, asked.b]
    for k in range(2):
        if rng.random() < 0.2:
            volume = str(some(rng, ("boxtree", *KINDS)))
            mesh = sides[k]
            sides[k] = tumble.build(mesh, "boxtree") if volume == "boxtree" else some_tree(rng, mesh, volume)
    with contextlib.suppress(OptionError, DeviceError):
        found = tumble.collide(*sides, asked.pose_a, asked.pose_b, **options)
        (asked.check_first if options["first"] else asked.check)(found.pairs, f"{options} {sides}")
        if (found.stats is not None) != options["stats"] or (found.contacts is not None) != options["contacts"]:
            raise AssertionError(f"{options}: {found.stats}, {found.contacts}")
        if options["contacts"] and len(found.contacts) != len(found.pairs):
            raise AssertionError(f"{options}: {len(found.contacts)} contacts of {len(found.pairs)} pairs")
