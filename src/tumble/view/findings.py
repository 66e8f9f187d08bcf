"""Findings of a report that `tumble check --json` wrote, to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.errors import FileError
from tumble.mesh import Part

SCHEMA_VERSION = 2
SIZES = ("depth", "local_depth", "gap")


@dataclass(frozen=True)
class ReportedFinding:
    """One finding, and the parts that it is about: None where the assembly has no part of that name."""

    kind: str
    names: tuple[str, str]
    parts: tuple[int | None, int | None]
    size: str
    """depth, gap or nothing, as text"""
    point: NDArray[np.float64] | None
    box: NDArray[np.float64] | None
    """(2, 3): its lowest and highest corner"""

    @property
    def title(self) -> str:
        """One line that tells it from others."""
        return f"{self.kind}: {self.names[0]} × {self.names[1]}{self.size}"


@dataclass(frozen=True)
class Report:
    """What a report says of the files that it is about."""

    files: list[Path]
    unit: str | None
    _findings: list[dict[str, Any]]

    def findings(self, parts: Sequence[Part]) -> list[ReportedFinding]:
        """Return the findings, with the numbers of the parts that have their names."""
        numbers = {part.name: number for number, part in enumerate(parts)}
        return [_finding(each, numbers, self.unit) for each in self._findings]


def load_report(path: Path) -> Report:
    """Read what `tumble check --json` printed."""
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise FileError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or content.get("schema_version") != SCHEMA_VERSION:
        raise FileError(f"{path} is not a report of this version of `tumble check --json`")
    try:
        files = [Path(str(file)) for file in content["files"]]
        report = Report(files, content["unit"], list(content["findings"]))
        report.findings([])  # refuses what lacks a field
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(f"{path} is not a report of `tumble check --json`: {error!r} is wrong or missing") from error
    return report


def _finding(fields: dict[str, Any], numbers: dict[str, int], unit: str | None) -> ReportedFinding:
    names = str(fields["name_a"]), str(fields["name_b"])
    sizes = [(name, fields.get(name)) for name in SIZES]
    size = next((f", {name.replace('_', ' ')} {value:.4g} {unit or ''}".rstrip() for name, value in sizes if value), "")
    return ReportedFinding(
        str(fields["kind"]), names, (numbers.get(names[0]), numbers.get(names[1])), size,
        _points(fields.get("point"), (3,)), _points(fields.get("box"), (2, 3)),
    )  # fmt: skip


def _points(value: Any, shape: tuple[int, ...]) -> NDArray[np.float64] | None:
    if value is None:
        return None
    points = np.asarray(value, np.float64).reshape(shape)
    return points if np.isfinite(points).all() else None
