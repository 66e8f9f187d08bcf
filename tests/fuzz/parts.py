"""Assemblies: `touching_parts` and the stand-in for trimesh's CollisionManager against the judge."""

from __future__ import annotations

import numpy as np

import tumble
from oracle import pose_points
from tumble.compat.trimesh import CollisionManager

from .bodies import questions_of, some_bodies

Random = np.random.Generator


def case(rng: Random) -> None:
    """Compare which parts touch, and in how many pairs of triangles."""
    meshes, poses = some_bodies(rng, 6)
    placed = [
        tumble.Mesh(pose_points(mesh.vertices, pose), mesh.faces) for mesh, pose in zip(meshes, poses, strict=True)
    ]
    expected = {key: len(asked.expected) for key, asked in questions_of(meshes, poses).items()}
    parts = [tumble.Part(f"part {k % 2}", mesh) for k, mesh in enumerate(placed)]  # names need not differ
    found = {(each.index_a, each.index_b): each.triangle_pairs for each in tumble.touching_parts(parts)}
    if found != expected:
        raise AssertionError(f"touching_parts: {found}, expected {expected}")
    manager = CollisionManager(solid=False)  # the judge knows surfaces
    for k, (mesh, pose) in enumerate(zip(meshes, poses, strict=True)):
        manager.add_object(k, mesh, pose)
    hit, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
    counts = {tuple(sorted(pair)): 0 for pair in names}
    for contact in contacts:
        counts[tuple(sorted(contact.names))] += 1
    if counts != expected or hit != bool(expected):
        raise AssertionError(f"in_collision_internal: {counts}, expected {expected}")
