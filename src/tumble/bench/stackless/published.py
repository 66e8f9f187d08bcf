"""The tables of the paper `stackless` as printed (Tables 2 to 8), read from `published.csv`.

Tables 7 and 8 print no number of repetitions. Their times fit 1000: at that number an overlap test without
contact costs what it costs in Table 6 (about 0.05 µs), and a leaf overlap what it costs in Table 2 (1.7 µs).
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from tumble.bench.stackless.rows import Results, Row

UNPRINTED_REPETITIONS = 1000
ROUNDS = 100
MACHINE = "Intel Centrino Duo, 2 GHz, 2 MB cache, gcc -O2"
FACES = 796


@cache
def published() -> Results:
    """Every row of Tables 2 to 8."""
    text = files(__package__).joinpath("published.csv").read_text(encoding="utf-8")
    return Results(_row(record) for record in csv.DictReader(text.splitlines()))


def faces_of(scene: str) -> tuple[int, int]:
    """The number of triangles of the two objects of a scene in the paper."""
    if scene.startswith("scalability-"):
        faces = FACES * 4 ** int(scene.removeprefix("scalability-"))
        return faces, faces
    many = FACES * 4**4
    unequal = {
        "different-counts-largest-first": (many, FACES),
        "different-counts-smallest-first": (FACES, many),
    }
    return unequal.get(scene, (FACES, FACES))


def _row(record: dict[str, str]) -> Row:
    faces_a, faces_b = faces_of(record["scene"])
    mean = float(record["mean"])
    return Row(
        table=int(record["table"]),
        scene=record["scene"],
        algorithm=record["algorithm"],
        faces_a=faces_a,
        faces_b=faces_b,
        repetitions=int(record["repetitions"] or UNPRINTED_REPETITIONS),
        rounds=ROUNDS,
        min=float(record["min"]),
        max=float(record["max"]),
        mean=mean,
        deviation=float(record["deviation"]),
        # The paper prints no median; its deviations are so small that the mean stands in for it.
        median=mean,
        iterations=int(record["iterations"]),
        overlaps=int(record["overlaps"]),
        leaf_overlaps=int(record["leaf_overlaps"]),
        geometry_overlaps=int(record["geometry_overlaps"]),
    )
