"""Findings as plain values for JSON: docs/check.md lists the fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tumble.clash.baseline import Known
from tumble.clash.check import Checked
from tumble.clash.finding import Finding, Kind

SCHEMA_VERSION = 2
"""goes up when a field changes its meaning or goes away"""


def fields_of(checked: Checked, resolved: Sequence[Known] = ()) -> dict[str, Any]:
    """Return everything that a check has found."""
    open_parts = set(checked.open_parts)
    settings = checked.settings
    return {
        "schema_version": SCHEMA_VERSION,
        "settings": {
            "tolerance": settings.tolerance,
            "clearance": settings.clearance,
            "duplicate_offset": settings.duplicate_offset,
            "fails": sorted(map(str, settings.fails)),
        },
        "parts": [
            {
                "name": part.name,
                "triangles": len(part.mesh),
                "bounds": None if part.mesh.bounds is None else part.mesh.bounds.tolist(),
                "units": part.units,
                "type": part.kind,
                "guid": part.guid,
                "group": part.group,
                "closed": k not in open_parts,
            }
            for k, part in enumerate(checked.parts)
        ],
        "findings": [finding_fields(finding) for finding in checked.findings],
        "resolved": [{"id": one.id, "a": one.a, "b": one.b, "kind": str(one.kind)} for one in resolved],
        "counts": _counts(checked),
        "ignored": checked.ignored,
        "unused_rules": list(checked.unused_rules),
        "frames": checked.frames,
    }


def finding_fields(finding: Finding) -> dict[str, Any]:
    """Return one finding."""
    fields = {name: str(value) if isinstance(value, Kind) else value for name, value in vars(finding).items()}
    return fields | {"state": str(finding.state), "depth_is_exact": finding.depth_is_exact}


def _counts(checked: Checked) -> dict[str, Any]:
    kinds = Counter(finding.kind for finding in checked.findings)
    return {
        "parts": len(checked.parts),
        "triangles": sum(len(part.mesh) for part in checked.parts),
        "part_pairs": checked.part_pairs,
        "looked_at": checked.looked_at,
        "findings": len(checked.findings),
        "faults": len(checked.faults),
        "kinds": {str(kind): kinds[kind] for kind in Kind},
        "triangle_pairs": sum(finding.triangle_pairs for finding in checked.findings),
        "open_parts": len(checked.open_parts),
    }
