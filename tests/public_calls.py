"""Every public call that takes arrays: a plain value for each of these parameters, and an answer to compare.

All numbers are whole, so that integers and float32 hold the same ones. A mesh stands as (vertices, faces).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import oracle
import tumble
import tumble.chip
import tumble.compat.trimesh
from tumble import dynamics, mesh, shapes
from tumble.dynamics.manifold import gather, manifold
from tumble.hierarchy.implicit import implicit_trees
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot

BOX = shapes.box(2.0)
SMALL = BOX.vertices.copy(), BOX.faces.copy()
# two boxes that cross, as one mesh: it collides with itself too
LARGE = (
    np.concatenate([BOX.vertices * 2, BOX.vertices * 2 + 1]),
    np.concatenate([BOX.faces, BOX.faces + len(BOX.vertices)]),
)
CROSS = tumble.Mesh(*LARGE)
# for the chip, which is simulated cycle by cycle: a corner of each, which cross
FEW = {"a": (LARGE[0], LARGE[1][:2]), "b": (SMALL[0], SMALL[1][:2])}
POSE = np.array([[0.0, -1.0, 0.0, 2.0], [1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
HERE = mesh.translation(1, 0, 0)
SCALE = np.diag([3.0, 3.0, 3.0, 1.0]) @ POSE
POSES = np.stack([POSE, mesh.translation(1, 1, 1), mesh.translation(50, 0, 0)])
POINTS = np.array([[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [9.0, 9.0, 9.0]])
WAYS = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
NEAR = np.array([0.0, 2.0, 3.0])
LONGEST = np.array([8.0, 2.0, 9.0])
PLACES = np.array([[0.0, 0.0, 9.0], [1.0, 0.0, 0.0], [2.0, 2.0, 2.0], [3.0, 1.0, -2.0]])
PLANES = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 5.0]])
VECTOR = np.array([1.0, 2.0, 3.0])
TREE = tumble.build(CROSS, "aabb")
BOXTREE = tumble.build(CROSS, "boxtree")
LEAVES = np.repeat([1, 2], len(CROSS) // 2)
# by the oracle, as nothing is to be compiled when this is imported
TOUCHING = oracle.touching_pairs(*LARGE, *SMALL, HERE, POSE)


class Call(NamedTuple):
    """A public call."""

    ask: Callable[..., Any]
    """takes the arguments by name and returns arrays and numbers"""
    arguments: dict[str, Any]
    """a plain value for each parameter that takes arrays"""
    strict: bool = False
    """whether another dtype may be refused: tables that are made by other functions of Tumble"""
    times: int = 1
    """how many questions `ask` asks"""


def made(meshed):
    return [meshed.vertices, meshed.faces]


def sunk(found):
    return [str(found.relation), found.depth, found.volume, found.box, found.pairs]


def walked(tree):
    return tumble.collide(tree, tumble.build(BOX, tree.volume), None, POSE).pairs


def updated(vertices):
    deformable = tumble.Deformable(CROSS)
    deformable.update(vertices)
    return [deformable.vertices, deformable.collide(BOX, None, POSE).pairs, deformable.self_collide().pairs]


def in_scene(change):
    """An answer of a scene that a call changes."""

    def ask(**given):
        scene = tumble.Scene()
        scene.add("cross", CROSS)
        scene.add("box", BOX, POSE)
        change(scene, **given)
        found = scene.collisions()
        return [scene.pose("box"), found.counts, found.triangles]

    return ask


def nearest_in_scene(**given):
    scene = tumble.Scene()
    scene.add("cross", CROSS)
    scene.add("box", BOX, POSE)
    found = scene.nearest(**given)
    return [found.b, *answer_of(found)]


def moved_twice(scene, names, poses):
    scene.move_many(["cross", "box", "box"], poses)
    scene.move_many({"box": names})


def managed(change):
    """An answer of trimesh's stand-in that a call changes, and that call's own."""

    def ask(**given):
        manager = tumble.compat.trimesh.CollisionManager()
        manager.add_object("cross", CROSS)
        manager.add_object("box", BOX, POSE)
        own = change(manager, **given)
        _, names, contacts = manager.in_collision_internal(return_names=True, return_data=True)
        return [sorted(names), len(contacts), own]

    return ask


def in_world(change):
    """The motion of a world that a call changes."""

    def ask(**given):
        world = dynamics.World()
        world.add_body(CROSS, name="cross")
        change(world, **given)
        world.step(3)
        return [world.positions(), world.velocities(), world.spins(), world.poses()]

    return ask


def added(world, **given):
    world.add_body(hull=True, **given)


def jointed(kind):
    """The motion of a body with a joint to the world."""
    return in_world(lambda world, **given: world.add_joint(kind("cross", None, **given)))


def under_gravity(gravity):
    world = dynamics.World(gravity)
    world.add_body(BOX)
    world.step(3)
    return world.positions()


def tracked(a=CROSS, b=BOX, **given):
    tracker = tumble.Tracker(a, b)
    return [tracker.collide(pose_b=POSE).pairs, tracker.collide(**given).pairs]


def moved_trees(**given):
    trees = implicit_trees([CROSS, BOX])
    trees.move(**given)
    return all_of(tumble.collide_all(trees))


def all_of(found):
    return [found.meshes, found.counts, found.triangles]


def many_of(found):
    return [found.counts, found.triangles]


def contact_points(**given):
    found = manifold(gather([CROSS, BOX]), **given)
    return [found.offsets, found.pairs, found.points, found.normals, found.depths, found.keys]


def named_contacts(**given):
    found = tumble.collide(**given, contacts=True)
    return [found.pairs, found.contacts.segments, found.contacts.normals, found.contacts.depths]


def in_every_way(**given):
    """The pairs of all engines that poses go to by ways of their own."""
    ways = ({}, {"tree": "boxtree"}, {"method": "stack"}, {"method": "bulk"}, {"method": "front"}, {"first": True})
    found = [tumble.collide(**given, **way).pairs for way in ways]
    return [*found, *named_contacts(**given)]


def in_bulk(**given):
    found = [tumble.collide_many(**given, first=False, method=method) for method in ("auto", "stack")]
    return [*many_of(found[0]), *many_of(found[1]), found[0].distances.distances]


def in_chunks(**given):
    return [array for _, found in tumble.collide_chunks(**given, rows=2) for array in many_of(found)]


def cast(**given):
    found = [tumble.cast_rays(**given, tree=tree) for tree in ("auto", "boxtree")]
    return [array for hits in found for array in (hits.triangles, hits.distances, hits.points)]


def seen(**given):
    return [tumble.inside_frustum(**given, tree=tree) for tree in ("auto", "boxtree")]


def prepared(**given):
    found = tumble.prepare(**given)
    return found.vertices, found.faces


def closest(**given):
    found = tumble.closest_points(**given)
    return [found.points, found.distances, found.triangles]


def placed(**given):
    found = [tumble.contains(**given, rule=rule) for rule in ("auto", "parity", "winding")]
    return [array for each in found for array in (each.inside, each.on_surface, each.outside)]


def signed(**given):
    found = tumble.signed_distance(**given)
    return [found.points, found.distances, found.triangles]


def near(**given):
    found = tumble.candidates(**given)
    return [found.edges, found.face_vertex, found.edge_edge]


def impacts(ask):
    """Whether and when queries about moving elements meet, and how sure that is."""

    def answer(**given):
        found = [ask(**given, exact=exact) for exact in (False, True)]
        return [array for each in found for array in (each.hits, each.times, each.latest)]

    return answer


def first_impact(**given):
    found = tumble.Deformable(CROSS).time_of_impact(**given, every=True)
    return [found.time, found.kind, found.contacts.elements, found.contacts.times]


def gathered(meshes):
    return list(gather(meshes))


def inertia(found):
    return [found.mass, found.centre, found.inertia]


def answer_of(found):
    return [found.distance, found.pair, found.points]


def near_of(found):
    return [found.pairs, found.distances, found.points]


def many_nearest(found):
    return [found.distances, found.pairs, found.points]


CONFIGURATIONS = np.array([[1.0, 2.0], [-1.0, 0.0], [3.0, 9.0]])


def crane():
    """A robot that turns, and slides what it carries."""
    made = Kinematics.of(
        parents=[-1, 0, 1],
        kinds=[FIXED, TURNS, SLIDES],
        columns=[-1, 0, 1],
        factors=[1, 1, 1],
        offsets=[0, 0, 0],
        origins=[HERE, POSE, HERE],
        axes=[(1, 0, 0), (0, 0, 1), (0, 1, 0)],
    )
    limits = np.array([[-2.0, 2.0], [0.0, 5.0]])
    return Robot(["base", "arm", "hook"], [CROSS, None, BOX], made, ["turn", "slide"], limits)


QUERIES = {
    "start": np.array([[[1.0, 1, 4], [0, 0, 0], [4, 0, 0], [0, 4, 0]], [[9, 9, 9], [0, 0, 0], [4, 0, 0], [0, 4, 0]]]),
    "end": np.array([[[1.0, 1, -4], [0, 0, 0], [4, 0, 0], [0, 4, 0]], [[9, 9, 8], [0, 0, 0], [4, 0, 0], [0, 4, 0]]]),
}


def impact_of(found):
    return [found.time, found.pair, found.points, found.normal, found.distance]


def poses_of(motion):
    return [motion.at(time) for time in (0.0, 0.25, 0.75, 1.0)]


def impacts_between(a, b, motions_b, motions_a):
    found = tumble.time_of_impact_many(a, b, motions_b, motions_a)
    hit = tumble.swept_many(a, b, motions_b, motions_a)
    return [found.times, found.pairs, found.points, found.normals, found.distances, hit]


RESTING = {"a": LARGE, "b": SMALL, "motion_a": HERE, "motion_b": POSE}
AWAY = {"a": LARGE, "b": SMALL, "pose_a": mesh.translation(9, 0, 0), "pose_b": POSE}
TWO = {"a": LARGE, "b": SMALL, "pose_a": HERE, "pose_b": POSE}

CALLS = {
    "tumble.Mesh": Call(lambda **given: made(tumble.Mesh(**given)), {"vertices": LARGE[0], "faces": LARGE[1]}),
    "tumble.Tree": Call(
        lambda mesh, **given: walked(tumble.Tree(tumble.Mesh(*mesh), "aabb", **given)),
        {"mesh": LARGE, "nodes": TREE.nodes, "rows": TREE.rows, "order": TREE.order},
        strict=True,
    ),
    "tumble.Tree.from_parents": Call(
        lambda **given: walked(tumble.Tree.from_parents(**given)),
        {"mesh": LARGE, "parents": np.array([-1, 0, 0]), "leaf_of": LEAVES},
    ),
    "tumble.BoxTree": Call(
        lambda mesh, **given: walked(tumble.BoxTree(tumble.Mesh(*mesh), scale=BOXTREE.scale, **given)),
        {"mesh": LARGE, **{name: getattr(BOXTREE, name) for name in ("nodes", "order", "box", "origin")}},
        strict=True,
    ),
    "tumble.BoxTree.refit": Call(lambda mesh: walked(BOXTREE.refit(mesh)), {"mesh": LARGE}),
    "tumble.Deformable": Call(lambda mesh: tumble.Deformable(mesh).collide(BOX, None, POSE).pairs, {"mesh": LARGE}),
    "tumble.Deformable.update": Call(updated, {"vertices": LARGE[0]}),
    "tumble.Deformable.collide": Call(
        lambda **given: tumble.Deformable(CROSS).collide(**given).pairs,
        {"other": SMALL, "pose": HERE, "pose_other": POSE},
    ),
    "tumble.Deformable.clearance": Call(
        lambda **given: near_of(tumble.Deformable(CROSS).clearance(d=5, **given)),
        {"other": SMALL, "pose": mesh.translation(9, 0, 0), "pose_other": POSE},
    ),
    "tumble.Deformable.time_of_impact": Call(
        first_impact, {"new_vertices": LARGE[0] + 9, "other": SMALL, "other_vertices": SMALL[0] + 1}
    ),
    "tumble.Scene.add": Call(in_scene(lambda scene, **given: scene.add("new", **given)), {"mesh": SMALL, "pose": HERE}),
    "tumble.Scene.move": Call(in_scene(lambda scene, pose: scene.move("box", pose)), {"pose": HERE}),
    "tumble.Scene.move_many": Call(in_scene(moved_twice), {"names": HERE, "poses": POSES}),
    "tumble.Scene.collisions_with": Call(
        in_scene(lambda scene, **given: many_of(scene.collisions_with(**given))), {"mesh_or_name": SMALL, "pose": HERE}
    ),
    "tumble.Scene.nearest": Call(nearest_in_scene, {"mesh_or_name": SMALL, "pose": mesh.translation(20, 0, 0)}),
    "tumble.Motion.between": Call(
        lambda **given: poses_of(tumble.Motion.between(**given)), {"start": HERE, "end": POSE, "point": VECTOR}
    ),
    "tumble.Motion.path": Call(
        lambda **given: poses_of(tumble.Motion.path(**given)),
        {"poses": POSES, "times": np.array([0.0, 0.5, 1.0]), "point": VECTOR},
        strict=True,
    ),
    "tumble.Motion.screw": Call(
        lambda **given: poses_of(tumble.Motion.screw(angle=7.0, **given)),
        {"pose": POSE, "translation": VECTOR, "axis": VECTOR, "centre": VECTOR},
    ),
    "tumble.Motions": Call(lambda motions: poses_of(tumble.Motions(motions)[1]), {"motions": [HERE, POSE]}),
    "tumble.Motions.between": Call(
        lambda **given: poses_of(tumble.Motions.between(**given)[1]),
        {"starts": POSES, "ends": POSES[::-1], "point": VECTOR},
    ),
    "tumble.Scene.time_of_impact": Call(
        in_scene(lambda scene, motions: impact_of(scene.time_of_impact({"box": motions}))), {"motions": HERE}
    ),
    "tumble.Tracker": Call(lambda **given: tracked(**given, pose_b=POSE), {"a": LARGE, "b": SMALL}),
    "tumble.Tracker.collide": Call(
        tracked, {"pose_a": HERE, "pose_b": POSE, "vertices_a": LARGE[0] + 1, "vertices_b": SMALL[0] + 1}
    ),
    "tumble.build": Call(lambda mesh: walked(tumble.build(mesh)), {"mesh": LARGE}),
    "tumble.candidates": Call(near, {"mesh": LARGE, "vertices_end": LARGE[0] + 1}),
    "tumble.cast_rays": Call(
        cast, {"mesh": LARGE, "origins": POINTS, "directions": WAYS, "pose": HERE, "longest": LONGEST}, times=2
    ),
    "tumble.clearance": Call(
        lambda **given: [
            *near_of(tumble.clearance(**given, d=5)),
            *near_of(tumble.clearance(**given, d=9, method="stack", stats=True)),
        ],
        AWAY,
        times=2,
    ),
    "tumble.prepare": Call(prepared, {"mesh": LARGE}),
    "tumble.closest_points": Call(closest, {"mesh": LARGE, "points": PLACES, "pose": HERE}),
    "tumble.collide": Call(in_every_way, TWO, times=7),
    "tumble.collides": Call(tumble.collides, TWO),
    "tumble.collide_all": Call(
        lambda **given: all_of(tumble.collide_all(**given, within=True)),
        {"meshes": [LARGE, SMALL], "poses": [HERE, POSE], "between": np.array([[0, 1]])},
    ),
    "tumble.collide_chunks": Call(
        in_chunks, {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES, "clearance": NEAR}
    ),
    "tumble.collide_many": Call(
        in_bulk, {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES, "clearance": NEAR}, times=2
    ),
    "tumble.collides_any": Call(
        tumble.collides_any, {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES, "clearance": NEAR}
    ),
    "tumble.contains": Call(placed, {"mesh": LARGE, "points": PLACES, "pose": HERE}, times=3),
    "tumble.distance": Call(
        # with counters, as that kernel is there already
        lambda **given: [
            answer_of(tumble.distance(**given, method=way, stats=way == "stack")) for way in ("auto", "stack")
        ],
        AWAY,
        times=2,
    ),
    "tumble.distance_many": Call(
        lambda **given: many_nearest(tumble.distance_many(**given)),
        {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES[::-1]},
    ),
    "tumble.edge_edge_impacts": Call(impacts(tumble.edge_edge_impacts), QUERIES, times=2),
    "tumble.inside_frustum": Call(seen, {"mesh": LARGE, "frustum": PLANES, "pose": HERE}, times=2),
    "tumble.penetration": Call(lambda **given: sunk(tumble.penetration(**given)), TWO),
    "tumble.penetration_many": Call(
        lambda **given: [sunk(found) for found in tumble.penetration_many(**given)],
        {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES},
    ),
    "tumble.relation": Call(lambda **given: repr(tumble.relation(**given)), TWO),
    "tumble.relation_many": Call(
        lambda **given: repr(tumble.relation_many(**given)),
        {"a": LARGE, "b": SMALL, "poses_b": POSES, "poses_a": POSES},
    ),
    "tumble.rotation": Call(lambda **given: mesh.rotation(angle=0.5, **given), {"axis": VECTOR, "point": VECTOR}),
    "tumble.self_collide": Call(lambda mesh: tumble.self_collide(mesh).pairs, {"mesh": LARGE}),
    "tumble.signed_distance": Call(signed, {"mesh": LARGE, "points": PLACES, "pose": HERE}),
    "tumble.subdivide": Call(lambda mesh: made(tumble.subdivide(mesh)), {"mesh": LARGE}),
    "tumble.swept": Call(tumble.swept, RESTING),
    "tumble.swept_many": Call(
        lambda a, b, motions_b, motions_a: tumble.swept_many(a, b, motions_b, motions_a),
        {"a": LARGE, "b": SMALL, "motions_b": POSES, "motions_a": POSES},
    ),
    "tumble.time_of_impact": Call(lambda **given: impact_of(tumble.time_of_impact(**given)), RESTING),
    "tumble.time_of_impact_many": Call(
        impacts_between, {"a": LARGE, "b": SMALL, "motions_b": POSES, "motions_a": POSES}, times=2
    ),
    "tumble.touching_parts": Call(
        lambda parts: repr(tumble.touching_parts([tumble.Part("", each) for each in parts])), {"parts": [LARGE, SMALL]}
    ),
    "tumble.transformed": Call(lambda **given: made(tumble.transformed(**given)), {"mesh": LARGE, "matrix": SCALE}),
    "tumble.vertex_face_impacts": Call(impacts(tumble.vertex_face_impacts), QUERIES, times=2),
    "tumble.mesh.as_mesh": Call(lambda obj: made(mesh.as_mesh(obj)), {"obj": LARGE}),
    "tumble.mesh.as_pose": Call(mesh.as_pose, {"pose": POSE}),
    "tumble.mesh.compose": Call(lambda poses: mesh.compose(*poses), {"poses": [HERE, POSE]}),
    "tumble.robot.Robot.poses": Call(lambda Q: crane().poses(Q), {"Q": CONFIGURATIONS}),
    "tumble.robot.Robot.within_limits": Call(lambda Q: crane().within_limits(Q), {"Q": CONFIGURATIONS}),
    "tumble.robot.Robot.configurations": Call(lambda Q: crane().configurations(Q), {"Q": CONFIGURATIONS}),
    "tumble.robot.Robot.collides": Call(
        lambda **given: crane().collides(**given, links=True).rows, {"Q": CONFIGURATIONS, "scene": SMALL}
    ),
    "tumble.robot.Robot.distance": Call(
        lambda **given: crane().distance(**given).distance, {"Q": CONFIGURATIONS, "scene": SMALL}
    ),
    "tumble.robot.Robot.check_motion": Call(
        lambda **given: crane().check_motion(**given).time,
        {"q0": CONFIGURATIONS[0], "q1": CONFIGURATIONS[-1], "scene": SMALL},
    ),
    "tumble.robot.Robot.check_motions": Call(
        lambda **given: crane().check_motions(**given, times=True).times,
        {"Q0": CONFIGURATIONS, "Q1": CONFIGURATIONS[::-1].copy(), "scene": SMALL},
    ),
    "tumble.robot.Robot.with_attached": Call(
        lambda **given: crane().with_attached("box", link=crane().links[-1], **given).poses(CONFIGURATIONS),
        {"mesh": SMALL, "pose": HERE},
    ),
    "tumble.hierarchy.implicit.implicit_trees": Call(
        lambda **given: all_of(tumble.collide_all(implicit_trees(**given))),
        {"meshes": [LARGE, SMALL], "poses": [HERE, POSE]},
    ),
    "tumble.hierarchy.implicit.ImplicitTrees.move": Call(
        moved_trees, {"vertices": [LARGE[0] + 1, SMALL[0] + 1], "poses": [HERE, POSE]}
    ),
    "tumble.dynamics.World": Call(under_gravity, {"gravity": VECTOR}),
    "tumble.dynamics.World.add_body": Call(
        in_world(added),
        {"mesh": SMALL, "pose": mesh.translation(0, 0, 20), "velocity": VECTOR, "spin": VECTOR, "axle": VECTOR},
    ),
    "tumble.dynamics.World.add_plane": Call(
        in_world(lambda world, normal: world.add_plane(normal, -2.0)), {"normal": VECTOR}
    ),
    "tumble.dynamics.World.set_velocity": Call(
        in_world(lambda world, **given: world.set_velocity("cross", **given)), {"velocity": VECTOR, "spin": VECTOR}
    ),
    "tumble.dynamics.Ball": Call(jointed(dynamics.Ball), {"anchor": VECTOR}),
    "tumble.dynamics.Hinge": Call(jointed(dynamics.Hinge), {"anchor": VECTOR, "axis": VECTOR}),
    "tumble.dynamics.Slider": Call(jointed(dynamics.Slider), {"axis": VECTOR, "anchor": VECTOR}),
    "tumble.dynamics.Fixed": Call(jointed(dynamics.Fixed), {"anchor": VECTOR}),
    "tumble.dynamics.convex_hull": Call(lambda mesh: made(dynamics.convex_hull(mesh)), {"mesh": LARGE}),
    "tumble.dynamics.mass_properties": Call(lambda mesh: inertia(dynamics.mass_properties(mesh)), {"mesh": LARGE}),
    "tumble.dynamics.manifold.gather": Call(gathered, {"meshes": [LARGE, SMALL]}),
    "tumble.dynamics.manifold.manifold": Call(
        contact_points,
        {
            "mesh_of": np.array([0, 1]),
            "poses": np.stack([HERE, POSE]),
            "bodies": np.array([[0, 1]]),
            "offsets": np.array([0, len(TOUCHING)]),
            "triangles": TOUCHING,
        },
    ),
    "tumble.compat.trimesh.CollisionManager.add_object": Call(
        managed(lambda manager, **given: manager.add_object("new", **given)), {"mesh": SMALL, "transform": HERE}
    ),
    "tumble.compat.trimesh.CollisionManager.set_transform": Call(
        managed(lambda manager, transform: manager.set_transform("box", transform)), {"transform": HERE}
    ),
    "tumble.compat.trimesh.CollisionManager.in_collision_single": Call(
        managed(lambda manager, **given: sorted(manager.in_collision_single(**given, return_names=True)[1])),
        {"mesh": SMALL, "transform": HERE},
    ),
    "tumble.compat.trimesh.CollisionManager.min_distance_single": Call(
        managed(lambda manager, **given: manager.min_distance_single(**given, return_name=True)),
        {"mesh": SMALL, "transform": mesh.translation(20, 0, 0)},
    ),
    "tumble.chip.Memory.from_bytes": Call(
        lambda mesh: repr(tumble.chip.Memory.from_bytes(tumble.chip.load(CROSS).data, mesh)), {"mesh": LARGE}
    ),
    "tumble.chip.load": Call(lambda mesh: bytes(tumble.chip.load(mesh).data), {"mesh": LARGE}),
    "tumble.chip.run": Call(lambda **given: tumble.chip.run(**given).pairs, {**TWO, **FEW}),
}
