"""`relation` of bodies whose relation is known: by cells and faces of a grid, or by separating axes of convex ones."""

from __future__ import annotations

import numpy as np

import solid_cases
import solid_oracle
import solid_sheets
import tumble

from .poses import QUARTER_TURNS, as_matrix


def case(rng: np.random.Generator) -> None:
    """Compare a relation, and that of the two in exchange."""
    kind = str(rng.choice([*solid_cases.KINDS, "sheets"]))
    if kind == "sheets":
        (one, of_one), (other, of_other) = solid_sheets.random_sheet(rng), solid_sheets.random_sheet(rng)
        expected = solid_sheets.sheet_relation(of_one, of_other)
    else:
        one, other, expected = solid_cases.random_case(kind, rng)
    solid = False if kind == "sheets" else None
    a, b = tumble.Mesh(*one), tumble.Mesh(*other)
    pose = as_matrix(QUARTER_TURNS[rng.integers(24)], rng.integers(-2, 3, 3))  # exact
    found = tumble.relation(a, b, pose, pose, solid=solid).relation
    if found != expected:
        raise AssertionError(f"relation: {found}, expected {expected}")
    found = tumble.relation(b, a, pose, pose, solid=solid).relation
    if found != solid_oracle.mirrored(expected):
        raise AssertionError(f"relation exchanged: {found}, expected {solid_oracle.mirrored(expected)}")
