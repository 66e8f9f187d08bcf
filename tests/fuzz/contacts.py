"""Contacts of pairs: on both triangles, parting them, the same when exchanged, mirrored or asked of a device."""

from __future__ import annotations

import numpy as np

import tumble
from oracle import pose_points, triangles_touch
from triangle_distance import brought_near, distances

from . import meshes
from .bodies import devices
from .poses import awkward_poses
from .questions import Question, built_to_touch

Random = np.random.Generator
CLOSE = 1e-9
"""of the size of two triangles: what points may be off"""
LITTLE = 1e-7
"""of the size of two triangles: farther than the depth, that they may need to part"""
PARTED = 12
"""pairs of a case that the rational judge looks at"""
MIRROR = np.diag([-1.0, 1.0, 1.0])


def ways(rng: Random) -> str:
    """Return what a case needs compiled."""
    return devices(rng)


def case(rng: Random) -> None:
    """Judge the contacts of one question."""
    device = devices(rng)
    asked = contact_question(rng)
    found = tumble.collide(asked.a, asked.b, asked.pose_a, asked.pose_b, contacts=True)
    if len(found) == 0:
        return
    check_rows(asked, found)
    check_parted(rng, asked, found)
    check_swapped(asked, found)
    check_mirrored(asked, found)
    if device != "cpu":
        there = tumble.collide(asked.a, asked.b, asked.pose_a, asked.pose_b, contacts=True, device=device)
        compare("on a device", there, found, exactly=True)


def contact_question(rng: Random) -> Question:
    """Return two meshes of ordinary size that mostly touch."""
    if rng.random() < 0.2:
        return Question(*built_to_touch(rng, 60), None, None)
    kinds = (meshes.grid_soup, meshes.blocks, meshes.shape, meshes.scattered, meshes.flat, meshes.degenerate)
    a, b = (kinds[rng.integers(len(kinds))](rng, int(rng.integers(1, 30))) for _ in range(2))
    poses = awkward_poses(rng, a, b) if rng.random() < 0.7 else (None, None)
    if any(pose is not None and np.abs(pose).max() > 1e6 for pose in poses):
        poses = (None, None)
    return Question(a, b, *poses)


def corners(asked: Question, found: tumble.Collision) -> tuple[np.ndarray, np.ndarray]:
    """Return the posed triangles of each pair."""
    a = pose_points(asked.a.vertices, asked.pose_a)[asked.a.faces[found.pairs[:, 0]]]
    b = pose_points(asked.b.vertices, asked.pose_b)[asked.b.faces[found.pairs[:, 1]]]
    return a, b


def check_rows(asked: Question, found: tumble.Collision) -> None:
    """Judge segments, normals and depths row by row."""
    contacts = found.contacts
    a, b = corners(asked, found)
    for name in ("segments", "points", "normals", "depths"):
        if not np.isfinite(getattr(contacts, name)).all():
            raise AssertionError(f"{name} are not all finite")
    if (contacts.depths < 0).any() or (np.abs(np.linalg.norm(contacts.normals, axis=1) - 1) > CLOSE).any():
        raise AssertionError("a depth is negative, or a normal not a unit vector")
    with np.errstate(all="ignore"):  # of denormal triangles the grid of float64 is everything
        near_a, near_b, *ends = brought_near(a, b, contacts.segments[:, 0], contacts.segments[:, 1])
        size = np.abs(np.concatenate([a - b[:, :1], b - b[:, :1]], axis=1)).max(axis=(1, 2))
        grid = np.ldexp(8 * np.spacing(np.abs(a).max(axis=(1, 2))), 1 - np.frexp(size)[1])
        for end in ends:
            for name, side in (("a", near_a), ("b", near_b)):
                off = distances(end, side)
                far = np.flatnonzero(off > CLOSE + grid)
                if len(far):
                    pair = found.pairs[far[0]].tolist()
                    raise AssertionError(f"the segment of pair {pair} is {off[far[0]]:.3g} of its size off {name}")


def check_parted(rng: Random, asked: Question, found: tumble.Collision) -> None:
    """Move triangles of a along the normal, a little farther than the depth: they must not touch any more."""
    contacts = found.contacts
    a, b = corners(asked, found)
    for k in rng.permutation(len(found))[:PARTED]:
        size = max(np.ptp(a[k], axis=0).max(), np.ptp(b[k], axis=0).max())
        place = max(np.abs(a[k]).max(), np.abs(b[k]).max())
        if size < 1e-8 * place or size < 1e-290:  # there the grid of float64 is coarser than the push
            continue
        moved = a[k] + contacts.normals[k] * (contacts.depths[k] + LITTLE * place)
        if triangles_touch(moved, b[k]):
            told = f"depth {contacts.depths[k]:.6g} normal {contacts.normals[k].tolist()}"
            raise AssertionError(f"pair {found.pairs[k].tolist()} touches still when moved: {told}; {a[k]} {b[k]}")


def check_swapped(asked: Question, found: tumble.Collision) -> None:
    """Ask with a and b exchanged: normals turn round, all else stays to the last bit."""
    other = tumble.collide(asked.b, asked.a, asked.pose_b, asked.pose_a, contacts=True)
    order = np.lexsort((found.pairs[:, 0], found.pairs[:, 1]))
    if not np.array_equal(found.pairs[order][:, ::-1], other.pairs):
        raise AssertionError("exchanged meshes have other pairs")
    a, b = corners(asked, found)
    rows = order[(a != b).any(axis=(1, 2))[order]]  # of a triangle and itself, who is which?
    back = np.flatnonzero((a != b).any(axis=(1, 2))[order])
    for name, sign in (("segments", 1), ("normals", -1), ("depths", 1)):
        ours, theirs = getattr(found.contacts, name)[rows], sign * getattr(other.contacts, name)[back]
        if not np.array_equal(ours, theirs):
            raise AssertionError(f"exchanged meshes have other {name}")


def check_mirrored(asked: Question, found: tumble.Collision) -> None:
    """Ask about mirrored meshes: the same pairs, and the same depths up to rounding."""
    sides = []
    for mesh, pose in ((asked.a, asked.pose_a), (asked.b, asked.pose_b)):
        sides.append(tumble.Mesh(pose_points(mesh.vertices, pose) @ MIRROR, mesh.faces[:, [0, 2, 1]]))
    other = tumble.collide(*sides, contacts=True)
    if not np.array_equal(found.pairs, other.pairs):
        raise AssertionError("mirrored meshes have other pairs")
    a, b = corners(asked, found)
    sizes = np.concatenate([a - b[:, :1], b - b[:, :1]], axis=1)
    size = np.abs(sizes).max(axis=(1, 2)) + np.spacing(np.abs(a).max(axis=(1, 2)))
    off = np.abs(found.contacts.depths - other.contacts.depths)
    worst = int(np.argmax(off / np.where(size > 0, size, 1)))
    if off[worst] > 1e-6 * size[worst]:
        depths = f"{found.contacts.depths[worst]:.9g} and {other.contacts.depths[worst]:.9g}"
        raise AssertionError(f"pair {found.pairs[worst].tolist()} has depth {depths} mirrored; {a[worst]} {b[worst]}")


def compare(what: str, other: tumble.Collision, found: tumble.Collision, exactly: bool) -> None:
    """Compare two answers that should be the same."""
    if not np.array_equal(found.pairs, other.pairs):
        raise AssertionError(f"{what} there are other pairs")
    for name in ("segments", "points", "normals", "depths"):
        ours, theirs = getattr(found.contacts, name), getattr(other.contacts, name)
        if not (np.array_equal(ours, theirs) if exactly else np.allclose(ours, theirs)):
            k = int(np.argmax(np.abs(ours - theirs).reshape(len(ours), -1).max(axis=1)))
            raise AssertionError(f"{what} there are other {name}: {ours[k].tolist()} and {theirs[k].tolist()}")
