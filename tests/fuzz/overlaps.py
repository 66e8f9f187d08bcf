"""`penetration`: solids whose common part is known, and rules that every answer must keep."""

from __future__ import annotations

import numpy as np

import overlap_cases
import overlap_oracle
import tumble
from oracle import pose_points
from tumble import Mesh

from .closed import closed_mesh, volume_of
from .distances import same
from .poses import QUARTER_TURNS, Pose, as_matrix, awkward_pose, touching_pose

Random = np.random.Generator
PARTED = ("apart", "touching")
MIRRORED = {"a_inside_b": "b_inside_a", "b_inside_a": "a_inside_b"}
FAR = 1e6
"""times the size: what is farther away is hardly a solid any more once it is rounded"""
ROUNDING = 1e-11
"""of areas times coordinates: what rounding may do to a volume"""


class Asked:
    """Two closed meshes and where they are."""

    def __init__(self, a: Mesh, b: Mesh, pose_a: Pose, pose_b: Pose) -> None:
        self.a, self.b, self.poses = a, b, (pose_a, pose_b)
        worlds = [pose_points(mesh.vertices, pose) for mesh, pose in ((a, pose_a), (b, pose_b))]
        self.low = np.max([points.min(axis=0) for points in worlds], axis=0)
        self.high = np.min([points.max(axis=0) for points in worlds], axis=0)
        self.size = max(float(np.ptp(points, axis=0).max()) for points in worlds)
        self.reach = max(float(np.abs(points).max()) for points in worlds)

    @property
    def slack(self) -> float:
        """What rounding may do to a volume."""
        return ROUNDING * self.size**2 * self.reach


def case(rng: Random) -> None:
    """Judge one answer."""
    kind = rng.random()
    if kind < 0.35:
        known(rng)
    elif kind < 0.5:
        known_hulls(rng)
    else:
        whatever(rng)


def known(rng: Random) -> None:
    """Unions of boxes and cells, counted cell by cell."""
    one, other, shared = overlap_cases.random_case(str(rng.choice(overlap_cases.KINDS)), rng)
    turn = as_matrix(QUARTER_TURNS[rng.integers(24)], [0, 0, 0]) if rng.random() < 0.5 else None
    asked = Asked(Mesh(*one), Mesh(*other), turn, turn)
    found = penetration_of(asked, depth=bool(rng.random() < 0.2))
    if shared is None:
        if not (found.volume == 0.0 or np.isnan(found.volume)):
            raise AssertionError(f"volume {found.volume!r} where nothing is shared")
        return
    check_shared(found, shared, turn)


def known_hulls(rng: Random) -> None:
    """Convex bodies, cut by planes, with the shortest shift in fractions."""
    one, other, shared, square = overlap_cases.random_hulls(rng)
    found = penetration_of(Asked(Mesh(*one), Mesh(*other), None, None))
    if shared is None:
        same("volume of hulls that touch at most", 0.0, found.volume)
    else:
        check_shared(found, shared, None)
    depth = 0.0 if square is None else float(square) ** 0.5
    for name in ("depth", "least_depth"):
        if abs(getattr(found, name) - depth) > 1e-12:
            raise AssertionError(f"{name} {getattr(found, name)!r}, not {depth!r}")


def check_shared(found: tumble.Penetration, shared: overlap_oracle.Shared, turn: Pose) -> None:
    """Compare with the judge's fractions, in a frame that is turned."""
    low, high, centroid = (
        pose_points(np.array([[float(x) for x in row]]), turn)[0] for row in (shared.low, shared.high, shared.centroid)
    )
    box = np.stack([np.minimum(low, high), np.maximum(low, high)])
    size = np.abs(box).max()
    for name, expected, error in (
        ("volume", float(shared.volume), 1e-12 * float(shared.volume)),
        ("centroid", centroid, 1e-12 * size),
        ("box", box, 1e-12 * size),
    ):
        given = getattr(found, name)
        if not (np.abs(given - expected) <= error).all():
            raise AssertionError(f"{name} {np.asarray(given).tolist()}, not {np.asarray(expected).tolist()}")


def whatever(rng: Random) -> None:
    """Any two closed meshes that are near each other."""
    (a, simple_a), (b, simple_b) = closed_mesh(rng), closed_mesh(rng)
    if rng.random() < 0.1:
        b, simple_b = a, simple_a
    pose_a = awkward_pose(rng) if rng.random() < 0.5 else None
    pose_b = touching_pose(rng, a, b, pose_a) if rng.random() < 0.4 else near_pose(rng, a, pose_a)
    if any(pose is not None and np.abs(pose).max() > FAR for pose in (pose_a, pose_b)):
        pose_a = pose_b = None
    asked = Asked(a, b, pose_a, pose_b)
    found = penetration_of(asked, depth=bool(rng.random() < 0.5))
    check_exchanged(asked, found)
    if any(found.crosses_itself) or not found.volume > 0.0:
        return
    least = min([volume_of(mesh) for mesh, simple in ((a, simple_a), (b, simple_b)) if simple], default=np.inf)
    if found.volume > least + asked.slack:
        raise AssertionError(f"volume {found.volume!r}, but one of the bodies has {least!r}")


def near_pose(rng: Random, a: Mesh, pose_a: Pose) -> Pose:
    """Return a pose that brings a mesh near to a."""
    pose = awkward_pose(rng)
    pose = np.eye(4) if pose is None else np.array(pose)
    place = pose_points(a.vertices, pose_a)
    shift = rng.uniform(-0.7, 0.7, 3) * np.ptp(place, axis=0)
    pose[:3, 3] = place.mean(axis=0) + (shift if rng.random() < 0.6 else np.round(shift))
    return pose


def penetration_of(asked: Asked, depth: bool = True) -> tumble.Penetration:
    """Return an answer that keeps all rules that need no judge."""
    found = tumble.penetration(asked.a, asked.b, *asked.poses, depth=depth)
    same("relation", tumble.relation(asked.a, asked.b, *asked.poses).relation, found.relation)
    if any(not curve.closed for curve in found.curves):
        raise AssertionError("a curve is open")
    if found.relation in PARTED:
        same(f"{found.relation}: volume, depth, curves", (0.0, 0.0, 0), (found.volume, found.depth, len(found.curves)))
        return found
    check_volume(asked, found)
    if depth:
        check_depth(asked, found)
    return found


def check_volume(asked: Asked, found: tumble.Penetration) -> None:
    """Check that volume, centroid and box belong together, and that the box is in those of both bodies."""
    if found.volume < 0.0:
        raise AssertionError(f"volume {found.volume!r}")
    if not found.volume > 0.0:
        if not (np.isnan(found.box).all() and np.isnan(found.centroid).all()):
            raise AssertionError(f"volume {found.volume!r} with box {found.box.tolist()}")
        return
    low, high = found.box
    slack = 1e-12 * (asked.size + asked.reach)
    if not ((low <= found.centroid) & (found.centroid <= high)).all():
        raise AssertionError(f"centroid {found.centroid.tolist()} is not in the box {found.box.tolist()}")
    if not ((low >= asked.low - slack) & (high <= asked.high + slack)).all():
        raise AssertionError(f"the box {found.box.tolist()} is not in {[asked.low.tolist(), asked.high.tolist()]}")
    if not any(found.crosses_itself) and found.volume > float(np.prod(high - low)) + asked.slack:
        raise AssertionError(f"volume {found.volume!r} in a box of {float(np.prod(high - low))!r}")


def check_depth(asked: Asked, found: tumble.Penetration) -> None:
    """Check that the shift parts the bodies, and that depth, direction and shift are alike."""
    if not 0.0 <= found.least_depth <= found.depth:
        raise AssertionError(f"least depth {found.least_depth!r}, depth {found.depth!r}")
    pose = np.eye(4) if asked.poses[1] is None else asked.poses[1]
    moved = np.array(pose)
    moved[:3, 3] += found.translation
    after = tumble.relation(asked.a, asked.b, asked.poses[0], moved).relation
    if after not in PARTED:
        raise AssertionError(f"after the shift {found.translation.tolist()} the bodies are {after}")
    if abs(float(np.linalg.norm(found.direction)) - 1.0) > 1e-12:
        raise AssertionError(f"the direction {found.direction.tolist()} is not of unit length")
    off = float(np.abs(found.translation - found.depth * found.direction).max())
    if off > 1e-8 * found.depth + 1e-9 * (asked.size + asked.reach):
        raise AssertionError(f"the shift {found.translation.tolist()} is {off!r} off {found!r}")


def check_exchanged(asked: Asked, found: tumble.Penetration) -> None:
    """Ask with a and b exchanged."""
    other = tumble.penetration(asked.b, asked.a, *asked.poses[::-1], depth=False)
    same("relation exchanged", MIRRORED.get(found.relation, found.relation), other.relation)
    if np.isnan(found.volume) or np.isnan(other.volume):
        return
    if abs(found.volume - other.volume) > asked.slack:
        raise AssertionError(f"volume {found.volume!r}, exchanged {other.volume!r}")
    if found.volume > 1e3 * asked.slack:
        off = np.abs(found.box - other.box).max()
        if off > 1e-9 * (asked.size + asked.reach):
            raise AssertionError(f"box {found.box.tolist()}, exchanged {other.box.tolist()}")
