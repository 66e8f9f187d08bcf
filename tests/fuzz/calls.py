"""Every public call by name, with arguments that make sense: what `garbage` spoils."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tumble
from tumble.compat.trimesh import CollisionManager

CUBE = tumble.shapes.box()
OTHER = tumble.shapes.icosphere(0)
POSE = tumble.translation(0.5, 0.25, 0.0)
RAY = {"origins": np.array([[0.0, 0.0, 2.0]]), "directions": np.array([[0.0, 0.0, -1.0]])}
PLANES = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.5]])


def in_scene(**options: Any) -> tumble.Scene:
    scene = tumble.Scene(**options)
    scene.add("a", CUBE)
    scene.add("b", OTHER, POSE)
    return scene


def deformed(**options: Any) -> Any:
    return tumble.Deformable(CUBE).update(**options)


def managed(**options: Any) -> Any:
    manager = CollisionManager()
    manager.add_object("a", CUBE)
    manager.add_object(**options)
    return manager.in_collision_internal(return_names=True)


BOTH = {"a": CUBE, "b": OTHER, "pose_a": None, "pose_b": POSE}
OPTIONS: dict[str, Any] = {
    "method": "auto",
    "tree": "auto",
    "device": "cpu",
    "threads": None,
    "first": False,
    "contacts": False,
    "stats": False,
    "settings": None,
}
TREE = tumble.build(CUBE)
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Mesh": (tumble.Mesh, {"vertices": CUBE.vertices, "faces": CUBE.faces}),
    "collides": (tumble.collides, BOTH),
    "collide": (tumble.collide, BOTH | OPTIONS),
    "collide stack": (tumble.collide, BOTH | {"method": "stack", "tree": "aabb",
        "settings": tumble.WalkSettings("exact", "volume")}),
    "collide boxtree": (tumble.collide, BOTH | {"tree": "boxtree", "settings": tumble.BoxtreeSettings("sat")}),
    "collide bulk": (tumble.collide, BOTH | {"method": "bulk", "settings": tumble.BulkSettings()}),
    "collide front": (tumble.collide, BOTH | {"method": "front", "settings": tumble.FrontSettings()}),
    "collide trees": (tumble.collide, BOTH | {"a": TREE, "b": tumble.build(OTHER), "contacts": True}),
    "collide_many": (tumble.collide_many, {"a": CUBE, "b": OTHER, "poses_b": POSE[None], "poses_a": None} | OPTIONS),
    "collide_all": (tumble.collide_all, {"meshes": [CUBE, OTHER], "poses": [None, POSE], "between": True,
        "within": False, "candidates": False, "neighbours": False} | OPTIONS),
    "self_collide": (tumble.self_collide, {"mesh": CUBE, "candidates": False} | OPTIONS),
    "candidates": (tumble.candidates, {"mesh": CUBE, "kinds": ("edge-edge",), "radius": 0.0, "vertices_end": None}
        | OPTIONS),
    "cast_rays": (tumble.cast_rays, RAY | {"mesh": CUBE, "pose": None, "any_hit": False, "longest": 3.0, "tree": "auto",
        "threads": None}),
    "inside_frustum": (tumble.inside_frustum, {"mesh": CUBE, "frustum": PLANES, "pose": None, "contained": False,
        "tree": "auto"}),
    "build": (tumble.build, {"mesh": CUBE, "volume": "aabb", "split": None, "leaf_size": None, "arity": 2,
        "planes": None}),
    "build boxtree": (tumble.build, {"mesh": CUBE, "volume": "boxtree", "split": "sah", "leaf_size": 2,
        "planes": "free"}),
    "Tree.from_parents": (tumble.Tree.from_parents, {"mesh": CUBE, "parents": [-1], "leaf_of": [0] * 12,
        "volume": "aabb"}),
    "Tree": (tumble.Tree, {"mesh": CUBE, "volume": "aabb", "nodes": TREE.nodes, "rows": TREE.rows,
        "order": TREE.order}),
    "load": (lambda path: tumble.load(path), {"path": "missing.stl"}),
    "load_parts": (lambda path: tumble.load_parts(path), {"path": "missing.stl"}),
    "load_tree": (lambda path: tumble.load_tree(path), {"path": "missing.npz"}),
    "Tree.save": (TREE.save, {"path": "tree.npz"}),
    "rotation": (tumble.rotation, {"axis": "x", "angle": 0.5, "point": None}),
    "translation": (tumble.translation, {"x": 1.0, "y": 2.0, "z": 3.0}),
    "transformed": (tumble.transformed, {"mesh": CUBE, "matrix": POSE}),
    "subdivide": (tumble.subdivide, {"mesh": CUBE, "times": 1}),
    "touching_parts": (tumble.touching_parts, {"parts": [tumble.Part("a", CUBE), tumble.Part("b", OTHER)]}),
    "Scene": (in_scene, {"broad_phase": "auto", "tree": "auto"}),
    "Scene.add": (lambda **o: in_scene().add(**o), {"name": "c", "mesh": CUBE, "pose": None, "group": 1, "mask": 1}),
    "Scene.move": (lambda **o: in_scene().move(**o), {"name": "a", "pose": POSE}),
    "Scene.move_many": (lambda **o: in_scene().move_many(**o), {"names": ["a", "b"], "poses": [POSE, POSE]}),
    "Scene.remove": (lambda **o: in_scene().remove(**o), {"name": "a"}),
    "Scene.pose": (lambda **o: in_scene().pose(**o), {"name": "a"}),
    "Scene.allow": (lambda **o: in_scene().allow(**o), {"a": "a", "b": "b"}),
    "Scene.disallow": (lambda **o: in_scene().disallow(**o), {"a": "a", "b": "b"}),
    "Scene.set_filter": (lambda **o: in_scene().set_filter(**o), {"name": "a", "group": 1, "mask": 2}),
    "Scene.collisions": (lambda **o: in_scene().collisions(**o), {"first": False, "threads": None, "device": "cpu"}),
    "Scene.collisions_with": (lambda **o: in_scene().collisions_with(**o), {"mesh_or_name": CUBE, "pose": None,
        "first": False, "threads": None}),
    "Scene.collisions_between": (lambda **o: in_scene().collisions_between(**o), {"other": in_scene(), "threads": 1}),
    "Deformable": (tumble.Deformable, {"mesh": CUBE, "threads": None}),
    "Deformable.update": (deformed, {"vertices": CUBE.vertices, "rebuild": None}),
    "Deformable.collide": (lambda **o: tumble.Deformable(CUBE).collide(**o), {"other": OTHER, "pose": None,
        "pose_other": POSE}),
    "Tracker": (tumble.Tracker, {"a": CUBE, "b": OTHER, "device": "cpu", "settings": None, "threads": None}),
    "Tracker.collide": (lambda **o: tumble.Tracker(CUBE, OTHER).collide(**o), {"pose_a": None, "pose_b": POSE,
        "vertices_a": None, "vertices_b": None, "first": False, "stats": False}),
    "BulkSettings": (tumble.BulkSettings, {"entry_level": 0, "depth_step": 1, "queue": 4, "group": 1, "writers": 1,
        "first_capacity": 1, "most_pairs": 1, "padded": True, "tested": True}),
    "FrontSettings": (tumble.FrontSettings, {"stack": 1, "steps": 1, "group": 1, "segments": 1, "queue": 1,
        "first_capacity": 1, "padded": True}),
    "CollisionManager": (managed, {"name": "b", "mesh": OTHER, "transform": POSE}),
    "box": (tumble.shapes.box, {"size": 1.0}),
    "icosphere": (tumble.shapes.icosphere, {"subdivisions": 1, "radius": 1.0}),
    "torus": (tumble.shapes.torus, {"radius": 1.0, "tube": 0.4, "segments": 8, "sides": 4}),
    "gear": (tumble.shapes.gear, {"teeth": 8, "module": 0.1, "bore": 0.1, "thickness": 0.2}),
    "knot": (tumble.shapes.knot, {"p": 2, "q": 3, "radius": 1.0, "hill": 0.4, "thickness": 0.1, "segments": 24,
        "sides": 3}),
    "spring": (tumble.shapes.spring, {"turns": 2.0, "radius": 1.0, "pitch": 0.5, "wire": 0.1, "segments": 8,
        "sides": 4}),
    "bowl": (tumble.shapes.bowl, {"radius": 1.0, "wall": 0.2, "segments": 6, "rings": 4}),
    "closed_object": (tumble.shapes.closed_object, {"faces": 24}),
    "cloth": (tumble.shapes.cloth, {"nx": 2, "ny": 2, "size": 1.0, "wave": 0.1, "seed": 0}),
    "blob": (tumble.shapes.blob, {"seed": 0, "faces": 2000}),
}  # fmt: skip
