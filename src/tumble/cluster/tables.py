"""Tables of pairs as named arrays, which files can keep, and back."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.cluster.job import Arrays
from tumble.core.records import frozen_record
from tumble.query.answer import PairContacts, PairDistances, PairImpacts, PairTable, Stats

COLUMNS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "contacts": (PairContacts, ("segments", "points", "normals", "depths")),
    "distances": (PairDistances, ("distances", "points")),
    "impacts": (PairImpacts, ("times", "normals")),
}
"""the columns of a table that are records, and the arrays of these"""


def table_to_arrays(table: PairTable) -> dict[str, NDArray[Any]]:
    """Return the arrays of a table by name: counts, triangles, contacts.segments, …"""
    found: dict[str, NDArray[Any]] = {"counts": table.counts, "triangles": table.triangles}
    if table.stats is not None:
        found["stats"] = np.array(astuple(table.stats), np.int64)
    if table.curves is not None:
        found["curves"] = table.curves
    for column, (_, names) in COLUMNS.items():
        record = getattr(table, column)
        if record is not None:
            found |= {f"{column}.{name}": getattr(record, name) for name in names}
    return found


def table_of_arrays(arrays: Arrays) -> PairTable:
    """Return the table of these arrays."""
    stats = Stats(*arrays["stats"].tolist()) if "stats" in arrays else None
    records: dict[str, Any] = {
        column: frozen_record(kind, *(arrays[f"{column}.{name}"] for name in names))
        for column, (kind, names) in COLUMNS.items()
        if f"{column}.{names[0]}" in arrays
    }
    return PairTable(arrays["counts"], arrays["triangles"], stats, curves=arrays.get("curves"), **records)
