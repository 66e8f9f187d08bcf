"""Robots without files: an arm of rods, with a slide and a finger that follows a joint, and obstacles around it."""

import numpy as np

import tumble
from tumble.mesh import random_pose, rotation, translation
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot

JOINTS = ("turn", "lift", "elbow", "slide")
LIMITS = np.array([[-3.0, 3.0], [-3.0, 3.0], [-3.0, 3.0], [0.0, 0.4]])


def rod(length, width=0.1):
    """A box along z, from the joint on."""
    box = tumble.shapes.box(1.0)
    vertices = box.vertices * [width, width, length] + [0.0, 0.0, 0.5 * length]
    return tumble.Mesh(vertices, box.faces)


def arm(pose=None):
    """A base that stands still, three rods, a slide, a tool without joint, and two fingers, one of them mirrored."""
    links = ("base", "first", "second", "third", "slider", "tool", "left", "right", "frame")
    meshes = (
        tumble.shapes.box(0.3), rod(0.8, 0.2), rod(0.6, 0.15), rod(0.5, 0.2), rod(0.3, 0.15),
        tumble.shapes.icosphere(1, 0.06), rod(0.2, 0.03), rod(0.2, 0.03), None,
    )  # fmt: skip
    kinematics = Kinematics.of(
        parents=[-1, 0, 1, 2, 3, 4, 5, 5, 1],
        kinds=[FIXED, TURNS, TURNS, TURNS, SLIDES, FIXED, TURNS, TURNS, FIXED],
        columns=[-1, 0, 1, 2, 3, -1, 2, 2, -1],
        factors=[1, 1, 1, 1, 1, 1, 0.3, -0.3, 1],
        offsets=[0, 0, 0, 0, 0, 0, 0.1, -0.1, 0],
        origins=[
            np.eye(4) if pose is None else pose, translation(0, 0, 0.2), translation(0, 0.02, 0.5),
            translation(0, 0, 0.55), translation(0, 0, 0.5), translation(0, 0, 0.35) @ rotation("x", 0.4),
            translation(0.05, 0, 0.05), translation(-0.05, 0, 0.05), translation(0, 0, 0.1),
        ],
        axes=[[0, 0, 1], [0, 0, 1], [1, 0, 0], [0.6, 0.8, 0], [0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]],
    )  # fmt: skip
    close = [(a, b) for k, a in enumerate(links) for b in links[k + 1 : k + 2 + (k > 3)]]
    return Robot(links, meshes, kinematics, JOINTS, LIMITS).with_allowed([*close, ("tool", "right")])


def cluttered(rng, count=12):
    """A floor under the arm, and boxes, spheres and knots around it."""
    scene = tumble.Scene()
    scene.add("floor", tumble.shapes.box(4.0), translation(0, 0, -2.3))
    shapes = tumble.shapes.box(0.3), tumble.shapes.icosphere(2, 0.2), tumble.shapes.torus(0.25, 0.05)
    for k in range(count):
        pose = random_pose(rng)
        way = rng.normal(size=3)
        pose[:3, 3] = way / np.linalg.norm(way) * rng.uniform(1.0, 2.2) + [0, 0, 1.0]
        if np.linalg.norm(pose[:3, 3]) > 0.6:
            scene.add(f"thing{k}", shapes[k % len(shapes)], pose)
    return scene


def configurations(rng, count, robot):
    low, high = robot.limits.T
    return rng.uniform(low, high, (count, len(low)))


def touching_by_pairs(robot, q, scene, self_collision=True, clearance=None):
    """Who touches whom in a configuration, one `tumble.collides` after the other; `clearance` may be by link."""
    poses, found = robot.poses(q[None])[0], []

    def kept(link):
        return clearance.get(robot.links[link], 0.0) if isinstance(clearance, dict) else clearance

    for link, mesh in enumerate(robot.meshes):
        if mesh is None:
            continue
        for a, b in robot.pairs if self_collision else []:
            options = {} if clearance is None else {"clearance": max(kept(a), kept(b))}
            if a == link and tumble.collides(mesh, robot.meshes[b], pose_a=poses[a], pose_b=poses[b], **options):
                found.append((robot.links[a], robot.links[b]))
        for name in () if scene is None else scene.names:
            pose, options = scene.pose(name), {} if clearance is None else {"clearance": kept(link)}
            if tumble.collides(mesh, scene.mesh(name), pose_a=poses[link], pose_b=pose, **options):
                found.append((robot.links[link], name))
    return found
