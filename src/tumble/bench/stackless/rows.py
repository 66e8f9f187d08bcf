"""One row of the paper's tables, the same for the published figures and for ours."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

# Tumble's name of each algorithm and the paper's, in the order of its tables.
PAPER_LABELS = {
    "stack": "stack",
    "alternating": "alternately",
    "stackless": "stackless",
    "stackless-post": "stackless (post)",
    "leaf": "stackless (leaf)",
}
METHODS = tuple(PAPER_LABELS)


@dataclass(frozen=True)
class Row:
    """One algorithm on one scene; times are seconds for all the repetitions of one round together."""

    table: int
    scene: str
    algorithm: str
    faces_a: int
    faces_b: int
    repetitions: int
    rounds: int
    min: float
    max: float
    mean: float
    deviation: float
    median: float
    iterations: int
    overlaps: int
    leaf_overlaps: int
    geometry_overlaps: int

    @property
    def seconds_per_query(self) -> float:
        """The time of one query in the median round."""
        return self.median / self.repetitions


class Results:
    """Rows by scene and algorithm; a scene counts as present when all five algorithms ran on it."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: Sequence[Row] = tuple(rows)
        self._by_key = {(row.scene, row.algorithm): row for row in self.rows}

    def __getitem__(self, key: tuple[str, str]) -> Row:
        return self._by_key[key]

    def scenes(self, prefix: str = "") -> list[str]:
        """The scenes present whose name starts so, in the order of the rows."""
        names = dict.fromkeys(row.scene for row in self.rows if row.scene.startswith(prefix))
        return [name for name in names if all((name, method) in self._by_key for method in METHODS)]

    def time_ratio(self, scene: str, method: str, other: str) -> float:
        """The time of one algorithm over that of another on one scene."""
        return self[scene, method].seconds_per_query / self[scene, other].seconds_per_query


def write_csv(rows: Sequence[Row], path: Path) -> None:
    """Write rows with a header, one column per field."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
