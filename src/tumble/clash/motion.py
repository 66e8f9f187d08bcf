"""The same check over a track of poses: which parts clash in which frames.

    {"tracks": {"piston": [[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], …], "crank": […]}}

Each part named moves by one rigid 4×4 pose per frame, from where it stands in the assembly; all others rest. All tracks
are as long. Pairs of parts at rest are checked once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.clash.assembly import Assembly
from tumble.clash.check import Checked, Report, findings_of
from tumble.clash.finding import Finding, worst_first
from tumble.clash.rules import BoundRules, Rule
from tumble.clash.settings import CheckSettings
from tumble.clash.texts import read_text
from tumble.errors import FileError, InputError, PoseError
from tumble.mesh import Part
from tumble.mesh.rigid import as_poses
from tumble.query.bodies import checked_deviations

Tracks = Mapping[str, NDArray[np.float64]]


def load_tracks(path: Path) -> Tracks:
    """Read tracks of poses; what is wrong is a FileError."""
    text = read_text(path)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path} is not JSON: {error}") from error
    try:
        return tracks_of(content)
    except InputError as error:
        raise FileError(f"{path}: {error}") from error


def tracks_of(content: Any) -> Tracks:
    """Return (frames, 4, 4) poses by the names of parts."""
    tracks = content.get("tracks") if isinstance(content, dict) else None
    if not isinstance(tracks, dict) or not tracks:
        raise InputError('expected {"tracks": {"name of a part": [4×4 poses, one for each frame]}}')
    found = {name: as_poses(poses, f"the track of {name!r}") for name, poses in tracks.items()}
    for name, poses in found.items():
        checked_deviations(poses, lambda k, name=name: f"the track of {name!r}, pose {k}")  # type: ignore[misc]
    lengths = {name: len(poses) for name, poses in found.items()}
    if min(lengths.values()) == 0 or len(set(lengths.values())) > 1:
        raise PoseError(f"all tracks must have as many poses, at least one; found {lengths}")
    return found


def check_motion(
    parts: Sequence[Part],
    tracks: Tracks,
    settings: CheckSettings | None = None,
    rules: Sequence[Rule] = (),
    report: Report | None = None,
) -> Checked:
    """Return what `check_parts` does for all frames: one finding for each two parts, sizes from the worst frame."""
    settings, at_rest = settings or CheckSettings(), Assembly(parts)
    bound = BoundRules(rules, at_rest.parts, settings.clearance)
    moved = _moved(at_rest.parts, tracks)
    moving, count = np.zeros(len(at_rest.parts), bool), len(next(iter(tracks.values())))
    moving[list(moved)] = True
    frames: dict[str, set[int]] = {}
    rested: list[Finding] = []
    worst: dict[str, Finding] = {}
    looked_at, ignored = 0, dict.fromkeys((rule.name for rule in rules), 0)
    for frame in range(count):
        say = _in_frame(report, frame, count)
        poses = np.tile(np.eye(4), (len(at_rest.parts), 1, 1))
        for part, track in moved.items():
            poses[part] = track[frame]
        only = (moving, rested) if frame else None
        found, looked, left_out = findings_of(at_rest.at(poses), settings, bound, say, only)
        rested = rested or [one for one in found if not moving[[one.a, one.b]].any()]
        looked_at += looked
        ignored = {name: max(ignored.get(name, 0), number) for name, number in left_out.items()}
        for finding in found:
            always = not moving[[finding.a, finding.b]].any()
            frames.setdefault(finding.id, set()).update(range(count) if always else [frame])
            best = worst.get(finding.id)
            if best is None or worst_first([best, finding])[0] is finding:
                worst[finding.id] = replace(finding, frame=frame)
    found = [replace(finding, frames=tuple(sorted(frames[finding.id]))) for finding in worst.values()]
    return Checked(
        at_rest.parts, worst_first(found), settings, looked_at, ignored, tuple(bound.unused), at_rest.open_parts, count
    )


def _moved(parts: Sequence[Part], tracks: Tracks) -> dict[int, NDArray[np.float64]]:
    """Return tracks by the places of their parts."""
    places = {part.name: k for k, part in enumerate(parts)}
    missing = [name for name in tracks if name not in places]
    if missing:
        some = ", ".join(map(repr, list(places)[:5]))
        raise InputError(f"there is no part {missing[0]!r} to move; there are {len(places)}, such as {some}")
    return {places[name]: track for name, track in tracks.items()}


def _in_frame(report: Report | None, frame: int, count: int) -> Report:
    def say(label: str, done: int, total: int | None) -> None:
        if report is not None:
            report(f"frame {frame + 1} of {count}: {label}", done, total)

    return say
