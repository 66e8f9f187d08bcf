"""Several meshes at once and meshes in motion: scenes, collide_all, trackers, deforming meshes; pair by pair."""

from __future__ import annotations

import pickle
from itertools import combinations

import numpy as np

import bulk_cases
import front_cases
import tumble
from tumble.broad.choice import BROAD_PHASES

from .meshes import awkward
from .poses import awkward_poses
from .questions import Question, question
from .ways import DEVICE, some

TREES = ("auto", "boxtree", "aabb")

Random = np.random.Generator


def devices(rng: Random) -> str:
    """Return the CPU or, where there is one, a device."""
    return DEVICE if tumble.devices() and rng.random() < 0.3 else "cpu"


def kind_and_device(rng: Random) -> tuple[str, str]:
    """Draw what a case is about."""
    return str(some(rng, KINDS)), devices(rng)


def ways(rng: Random) -> str:
    """Return what a case needs compiled."""
    return "/".join(kind_and_device(rng))


def case(rng: Random) -> None:
    """Ask about several bodies."""
    kind, device = kind_and_device(rng)
    KINDS[kind](rng, device)


def some_bodies(rng: Random, most: int = 4) -> tuple[list[tumble.Mesh], list[np.ndarray | None]]:
    """Return a few meshes, some of them twice, each placed to touch the one before."""
    first = question(rng, 14)
    meshes, poses = [first.a, first.b], [first.pose_a, first.pose_b]
    for _ in range(int(rng.integers(0, most - 1))):
        mesh = some(rng, meshes) if rng.random() < 0.3 else awkward(rng, 14)
        meshes.append(mesh)
        poses.append(None if first.pose_b is None else awkward_poses(rng, meshes[-2], mesh)[1])
    return meshes, poses


def questions_of(meshes: list[tumble.Mesh], poses: list[np.ndarray | None]) -> dict[tuple[int, int], Question]:
    """Return the questions about all pairs of bodies that touch."""
    all_pairs = combinations(range(len(meshes)), 2)
    asked = {(i, j): Question(meshes[i], meshes[j], poses[i], poses[j]) for i, j in all_pairs}
    return {key: each for key, each in asked.items() if len(each.expected)}


def ask_scene(rng: Random, device: str) -> None:
    """Add, remove and move bodies; then compare all pairs of bodies, and one body with all others."""
    meshes, poses = some_bodies(rng)
    scene = tumble.Scene(broad_phase=some(rng, BROAD_PHASES), tree="auto" if device != "cpu" else some(rng, TREES))
    for k, (mesh, pose) in enumerate(zip(meshes, poses, strict=True)):
        scene.add(str(k), mesh, some(rng, (None, pose)))
    if rng.random() < 0.3:
        scene.add("in between", awkward(rng, 5))
        scene.collides()
        scene.remove("in between")
    if rng.random() < 0.5:
        scene.collisions()
    scene.move_many({str(k): pose for k, pose in enumerate(poses)})
    if rng.random() < 0.3:
        scene = pickle.loads(pickle.dumps(scene))
    expected = questions_of(meshes, poses)
    first = bool(rng.integers(2))
    found = {(int(each.a), int(each.b)): each.pairs for each in scene.collisions(first=first, device=device)}
    compare_bodies(found, expected, first, f"Scene.collisions on {device}, first={first}")
    if scene.collides() != bool(expected):
        raise AssertionError(f"Scene.collides says {scene.collides()}, {list(expected)} touch")
    one = int(rng.integers(len(meshes)))
    found = {(one, int(each.b)): each.pairs for each in scene.collisions_with(str(one))}
    seen = {
        (one, j + i - one): each if i == one else each.swapped for (i, j), each in expected.items() if one in (i, j)
    }
    compare_bodies(found, seen, False, f"Scene.collisions_with({one})")


def compare_bodies(
    found: dict[tuple[int, int], np.ndarray], expected: dict[tuple[int, int], Question], first: bool, what: str
) -> None:
    """Compare which bodies touch, and their triangles."""
    if found.keys() != expected.keys():
        raise AssertionError(f"{what}: bodies {sorted(found)} touch, {sorted(expected)} expected")
    for key, asked in expected.items():
        (asked.check_first if first else asked.check)(found[key], f"{what}, bodies {key}")


def ask_all(rng: Random, device: str) -> None:
    """Compare `collide_all` between meshes, and its candidates with brute force."""
    meshes, poses = some_bodies(rng)
    settings = some(rng, (None, *bulk_cases.SETTINGS.values()))
    options = {"device": device, "settings": settings}
    found = tumble.collide_all(meshes, poses, **options)
    pairs = {(a, b): found.pairs(a, b) for a, b in found.meshes.tolist()}
    compare_bodies(pairs, questions_of(meshes, poses), False, f"collide_all {options}")
    boxes = tumble.collide_all(meshes, poses, candidates=True, **options)
    bulk_cases.assert_same(boxes, bulk_cases.brute_candidates(meshes, poses))


def ask_tracker(rng: Random, device: str) -> None:
    """Follow two meshes through a few frames, of which one deforms."""
    asked = question(rng, 14)
    settings = some(rng, (None, *front_cases.SETTINGS.values()))
    tracker = tumble.Tracker(asked.a, asked.b, device=device, settings=settings)
    for frame in range(int(rng.integers(1, 5))):
        vertices = None
        if rng.random() < 0.4 and len(asked.b.vertices):
            moved = asked.b.vertices[rng.permutation(len(asked.b.vertices))]
            vertices, asked = moved, Question(asked.a, tumble.Mesh(moved, asked.b.faces), asked.pose_a, asked.pose_b)
        found = tracker.collide(asked.pose_a, asked.pose_b, vertices_b=vertices)
        asked.check(found.pairs, f"Tracker on {device}, {settings}, frame {frame}")
        poses = awkward_poses(rng, asked.a, asked.b) if asked.pose_b is not None else (None, None)
        asked = Question(asked.a, asked.b, *poses)


def ask_deformable(rng: Random, device: str) -> None:
    """Deform a mesh into another one with the same faces, and back."""
    asked = question(rng, 14)
    kept = tumble.Deformable(asked.a)
    for _ in range(int(rng.integers(1, 4))):
        if len(asked.a.vertices):
            kept.update(
                asked.a.vertices[rng.permutation(len(asked.a.vertices))], rebuild=some(rng, (None, True, False))
            )
    kept.update(asked.a.vertices, rebuild=some(rng, (None, True, False)))
    asked.check(kept.collide(asked.b, asked.pose_a, asked.pose_b).pairs, "Deformable.collide")
    first = kept.collide(tumble.Deformable(asked.b), asked.pose_a, asked.pose_b, first=True)
    asked.check_first(first.pairs, "Deformable.collide with another, first")
    asked.check(
        tumble.collide(kept.mesh, asked.b, asked.pose_a, asked.pose_b).pairs, "collide with a Deformable's mesh"
    )


KINDS = {"scene": ask_scene, "all": ask_all, "tracker": ask_tracker, "deformable": ask_deformable}
