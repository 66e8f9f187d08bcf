"""What settles most questions without triangles must never be wrong: balls, turned boxes and tables of gaps."""

import numpy as np
import pytest
from small_robots import arm, cluttered, configurations, rod

import tumble
from tumble.core.jit import kernel
from tumble.core.records import frozen
from tumble.mesh import apply_pose, random_pose, rotation, translation
from tumble.robot import TURNS, Kinematics, Robot
from tumble.robot.collisions.ball_walk import ball_is_away, gap_to_boxes
from tumble.robot.collisions.balls import BALLS, balls_of
from tumble.robot.collisions.gap_record import CELLS
from tumble.robot.collisions.gap_tables import gap_tables
from tumble.robot.collisions.turned_tree import best_turn, turned_tree
from tumble.robot.collisions.world import World

SHIFT = np.array([3.0, 0.0, 0.0])


@kernel
def ask_away(tree, x, y, z, radius):
    return ball_is_away(tree, x, y, z, radius)


@kernel
def ask_gap(tree, x, y, z):
    return gap_to_boxes(tree, x, y, z)


def inside(points, ball):
    return np.linalg.norm(points - ball[:3], axis=-1) <= ball[3]


@pytest.mark.parametrize("mesh", [rod(2.0, 0.1), tumble.shapes.torus(), tumble.shapes.knot(), tumble.shapes.box(0.3)])
def test_every_point_is_in_the_balls(mesh):
    balls = balls_of(mesh)
    assert balls.shape == (BALLS, 4)
    weights = np.random.default_rng(1).dirichlet([0.5, 0.5, 0.5], 40)
    points = np.einsum("kw,twc->tkc", weights, mesh.triangles).reshape(-1, 3)
    points = np.concatenate([points, mesh.vertices])
    assert inside(points, balls[0]).all()
    assert np.any([inside(points, ball) for ball in balls[1:]], axis=0).all()
    assert balls[1:, 3].max() < 0.75 * balls[0, 3] or len(mesh) == 12


def test_a_point_and_a_triangle_have_balls():
    for vertices in (np.full((3, 3), 7.0), np.diag([1e-9, 2.0, 3e6])):
        balls = balls_of(tumble.Mesh(vertices, [[0, 1, 2]]))
        assert all(inside(vertices, balls[0]))


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e5])
def test_a_ball_that_is_away_is_farther_than_its_radius(size):
    rng, mesh = np.random.default_rng(2), tumble.shapes.torus()
    mesh = tumble.Mesh((mesh.vertices + SHIFT) * size, mesh.faces)
    world = World(["torus"], [mesh], np.eye(4)[None])
    points = (rng.normal(size=(400, 3)) + SHIFT) * size
    distances = tumble.closest_points(mesh, points).distances
    away, gaps = 0, []
    for point, distance in zip(points, distances, strict=True):
        assert not ask_away(world.obstacles.tree, *point, distance)
        assert not ask_away(world.obstacles.tree, *point, distance * (1 - 1e-7) + 1e-7 * size)
        away += ask_away(world.obstacles.tree, *point, 0.5 * distance)
        gaps.append(ask_gap(world.obstacles.tree, *point))
    assert away > 200
    assert (np.array(gaps) <= distances).all()
    far = distances > 0.3 * size
    assert np.median(np.array(gaps)[far] / distances[far]) > 0.8


def test_boxes_are_turned_like_the_furniture():
    rng = np.random.default_rng(3)
    turn = random_pose(rng)
    boxes = [tumble.shapes.box(1.0), rod(3.0), rod(2.0)]
    poses = np.array([turn @ translation(*rng.normal(size=3)) @ rotation("z", 0.5 * np.pi * k) for k in range(3)])
    world = World(["a", "b", "c"], boxes, poses)
    frame = best_turn(world.mesh, boxes, poses)
    assert np.allclose(np.abs(frame[:3, :3].T @ turn[:3, :3]).max(axis=0), 1.0)
    assert np.abs(frame[:3, :3].T @ frame[:3, :3] - np.eye(3)).max() < 1e-15
    tree = turned_tree(world.mesh, frame)
    local = (apply_pose(frame.T[:3], world.mesh.vertices) - tree.origin) * tree.scale
    root = tree.blocks[0].reshape(8, 8)[:6, 0].astype(float)
    assert (np.abs(local - root[:3]) <= root[3:6]).all()
    assert (np.ptp(local, axis=0) < 1.01 * 2 * root[3:6]).all()


def test_a_pose_that_is_hardly_rigid_turns_nothing_wrong():
    rng = np.random.default_rng(4)
    robot, scene = arm(), tumble.Scene()
    tilted = rotation([1.0, 2.0, 3.0], 0.7)
    for k in range(20):
        pose = (tilted @ translation(*rng.normal(size=3))).astype(np.float32).astype(float)
        scene.add(f"box{k}", tumble.shapes.box([1.0, 0.5, 0.02]), pose)
    Q = configurations(rng, 300, robot)
    poses, hit = robot.poses(Q), robot.collides(Q, scene, self_collision=False).hit
    for k in range(len(Q)):
        touching = any(
            tumble.collides(mesh, scene.mesh(name), pose_a=poses[k, link], pose_b=scene.pose(name))
            for link, mesh in enumerate(robot.meshes)
            for name in (scene.names if mesh is not None else ())
        )
        assert touching == hit[k]


def wrist():
    """Three rods, of which the first and the last can touch; two joints stand between them."""
    kinematics = Kinematics.of(
        parents=[-1, 0, 1, 2], kinds=[0, TURNS, TURNS, TURNS], columns=[-1, 0, 1, 2], factors=[1, 1, -1, 1],
        offsets=[0, 0, 0.2, 0], axes=[[0, 0, 1], [0, 0, 1], [1, 0, 0], [0, 1, 0]],
        origins=[np.eye(4), translation(0, 0, 0.1), translation(0, 0, 1.0), translation(0, 0.05, 0.4)],
    )  # fmt: skip
    limits = np.array([[-3.0, 3.0], [-3.1, 3.1], [-2.0, 2.5]])
    links = ("foot", "arm", "hand", "tip")
    meshes = (tumble.shapes.box(0.2), rod(0.9), rod(0.3), rod(0.8, 0.05))
    return Robot(links, meshes, kinematics, ("a", "b", "c"), limits).with_allowed([("arm", "hand"), ("hand", "tip")])


def test_gaps_of_tables_hold_in_their_cells():
    robot = wrist()
    prepared, rng = robot._prepared, np.random.default_rng(5)
    tables = gap_tables(prepared, 1)
    pairs = [tuple(robot.links[k] for k in pair) for pair in robot.pairs]
    table = tables.number[pairs.index(("arm", "tip"))]
    assert table >= 0
    assert tables.number[pairs.index(("foot", "tip"))] == -1
    assert tables.columns[table].tolist() == [1, 2]
    share = (tables.gaps[table] > 0.0).mean()
    assert 0.2 < share < 0.95
    Q = configurations(rng, 3000, robot)
    cell = np.floor((Q[:, 1:] - tables.low[table]) * tables.scale[table]).astype(int)
    assert ((cell >= 0) & (cell < CELLS)).all()
    gaps = tables.gaps[table][tuple(cell.T)]
    poses = robot.poses(Q)
    for k in range(0, len(Q), 10):
        apart = tumble.distance(robot.meshes[1], robot.meshes[3], pose_a=poses[k, 1], pose_b=poses[k, 3]).distance
        assert apart > gaps[k]


def test_tables_change_no_answer(monkeypatch):
    monkeypatch.setattr("tumble.robot.collisions.gap_tables.MANY", 1)
    rng = np.random.default_rng(6)
    for make in (wrist, arm):
        plain, quick = make(), make()
        plain._prepared.has_tables = True  # and so it never makes them
        Q = configurations(rng, 500, plain)
        scene = cluttered(rng)
        assert np.array_equal(plain.collides(Q, scene).hit, quick.collides(Q, scene).hit)
        assert (quick._prepared.bodies.tables.number >= 0).any()
        near = [each.collides(Q, clearance=0.03).hit for each in (plain, quick)]
        assert np.array_equal(*near)
        assert np.array_equal(plain.distance(Q, scene).distance, quick.distance(Q, scene).distance)
        ends = Q + 0.3 * rng.normal(size=Q.shape)
        assert np.array_equal(plain.check_motions(Q, ends).free, quick.check_motions(Q, ends).free)
        assert np.array_equal(frozen(quick._prepared.bodies.pairs), plain._prepared.bodies.pairs)
