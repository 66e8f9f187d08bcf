"""Contacts of simulations, made on the device of candidates that are there: the host's, to the last bit."""

import null_kernels
import numpy as np
import pytest
from device_cases import needs_device
from null_device import NullDevice

import forest
import tumble
from covering import sized
from pairs import touching_float_pairs
from tumble.api.ask import ask
from tumble.core.linear import cross, dot, minus, normal_of
from tumble.device.host import binary_stack
from tumble.dynamics import World
from tumble.dynamics.manifold import gather, manifold
from tumble.dynamics.manifold.manifolds import manifold_of_curves
from tumble.errors import InputError
from tumble.mesh import apply_pose, random_pose
from tumble.narrow.contact.segment import POLYGON_SHAPE, meeting_segment
from tumble.query.answer import CURVE_NUMBERS
from tumble.query.bodies import Bodies
from tumble.query.engine import TOUCHING, Request
from tumble.query.plan import Options
from tumble.query.settings import DeviceSettings

needs_float64 = pytest.mark.skipif(
    not any(device.fp64 for device in tumble.devices()), reason="no OpenCL device with float64 (cl_khr_fp64)"
)


def by_host(a, b, pairs):
    """Return the rows of triangles of two posed meshes."""
    rows, scratch = np.empty((len(pairs), CURVE_NUMBERS)), np.empty(POLYGON_SHAPE)
    for row, (i, j) in zip(rows, pairs, strict=True):
        first, second = ([tuple(corner) for corner in mesh.triangles[k]] for mesh, k in ((a, i), (b, j)))
        n, m = normal_of(*first), normal_of(*second)
        x, y, e, f = meeting_segment(*first, n, *second, m, scratch)
        if dot.py_func(cross.py_func(n, m), minus.py_func(y, x)) < 0.0:
            x, y, e, f = y, x, f, e
        row[:] = *x, *y, *n, *m, e + 8 * f
    return rows


def ask_curves(sides, poses, pairs, **options):
    a, b = (Bodies(meshes, np.arange(len(meshes)), where) for meshes, where in zip(sides, poses, strict=True))
    return ask(TOUCHING, a, b, pairs, Options(device="opencl", **options), curves=True)


@needs_device
@needs_float64
def test_meshes_in_many_poses():
    meshes = [tumble.shapes.torus(segments=24, sides=12), forest.soup(3, 80), tumble.shapes.box()]
    poses = np.array([random_pose(seed, 0.8) for seed in range(len(meshes))])
    pairs = np.array([(i, j) for i in range(3) for j in range(3)])
    table = ask_curves((meshes, meshes), (poses, poses[::-1].copy()), pairs)
    assert len(table.curves) == len(table.triangles) > 200
    for k, (i, j) in enumerate(pairs):
        placed = [
            tumble.Mesh(apply_pose(pose, mesh.vertices), mesh.faces)
            for pose, mesh in ((poses[i], meshes[i]), (poses[::-1][j], meshes[j]))
        ]
        rows = table.rows(k)
        np.testing.assert_array_equal(table.curves[rows], by_host(*placed, table.triangles[rows]))


@needs_device
@needs_float64
@sized(150, 300)
def test_every_kind_of_contact(count):
    cases = touching_float_pairs(count, seed=4)
    sides = [[tumble.Mesh(corners, [[0, 1, 2]]) for corners in side] for side in (cases.a, cases.b)]
    poses = np.broadcast_to(np.eye(4), (len(cases.a), 4, 4)).copy()
    pairs = np.repeat(np.arange(len(cases.a))[:, None], 2, axis=1)
    table = ask_curves(sides, (poses, poses), pairs)
    edges = set()
    for k in np.flatnonzero(table.hit).tolist():
        expected = by_host(sides[0][k], sides[1][k], [[0, 0]])
        np.testing.assert_array_equal(table.curves[table.rows(k)], expected)
        edges.add(int(expected[0, 12]))
    assert len(edges) > 10  # of a and of b, and none


@needs_device
@needs_float64
def test_contact_points_are_those_of_the_host():
    knot, ring = tumble.shapes.knot(), tumble.shapes.torus(segments=24, sides=12)
    poses = np.array([random_pose(k, 0.6) for k in range(4)])
    which, bodies = np.array([0, 1, 0, 1]), np.array([(i, j) for i in range(4) for j in range(i)])
    posed = Bodies([knot, ring], which, poses)
    table = ask(TOUCHING, posed, posed, bodies, Options(device="opencl"), curves=True)
    given = gather([knot, ring]), which, poses, bodies, table.offsets, table.triangles
    theirs, ours = manifold(*given), manifold_of_curves(*given, table.curves)
    assert len(ours) > 5
    for name in ("offsets", "points", "normals", "depths", "keys"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    off = table.curves.copy()
    off[:, :6] += 0.01  # they are used
    assert not np.array_equal(manifold_of_curves(*given, off).points, theirs.points)
    with pytest.raises(InputError, match=r"curves must be \d+ rows, one for each pair of triangles; found 3"):
        manifold_of_curves(*given, table.curves[:3])


def fallen(device, steps=40):
    world = World(device=device)
    world.add_plane()
    for k in range(4):
        mesh = tumble.shapes.torus(segments=16, sides=8) if k % 2 else tumble.shapes.box()
        world.add_body(mesh, random_pose(k, 0.2) @ tumble.translation(0.0, 0.0, 0.4 * k + 0.8), spin=(0.5, 0.0, k))
    for _ in range(steps):
        world.step()
    return world


@needs_device
@needs_float64
def test_a_world_takes_them_and_its_states_are_the_same(monkeypatch):
    made = []

    def noted(*given, threads):
        made.append(0 if given[-1] is None else len(given[-1]))
        return manifold_of_curves(*given, threads=threads)

    here = fallen("cpu")
    monkeypatch.setattr("tumble.dynamics.step.manifold_of_curves", noted)
    there = fallen("opencl")
    assert sum(made) > 100
    assert here.counts["triangle pairs"] > 0
    for name in ("position", "rotation", "velocity", "spin"):
        np.testing.assert_array_equal(getattr(there.state.bodies, name), getattr(here.state.bodies, name))


# The host's part, without a driver


def a_request(**options):
    one = forest.soup(1, 1)
    bodies = Bodies([tumble.build(one, "obb", leaf_size=1)], np.array([0]), np.eye(4)[None])
    return Request(TOUCHING, bodies, bodies, np.array([[0, 0]] * 5), "auto", "null", DeviceSettings(), **options)


def number_rows(launch):
    begin, count, made = launch.arguments[-3:]
    made.view(np.float64)[:] = np.nan
    rows = made.view(np.float64)[: count * 13].reshape(count, 13)
    rows[:] = begin + np.arange(count)[:, None]


def test_pairs_are_not_sent_back(monkeypatch):
    """The kernel of contacts takes the buffer into which the walk has written, in parts that a buffer can hold."""
    monkeypatch.setattr("tumble.device.host.contacts.AT_ONCE", 2)
    found = null_kernels.Finding([(1, 0, 0)])
    device = NullDevice({"binary_stack_pool": found, "contact_curve": number_rows})
    table = binary_stack.ask(device, a_request(curves=True))
    walk, *contacts = device.launches
    assert [launch.kernel for launch in contacts] == ["contact_curve"] * 3
    assert {id(launch.arguments[5]) for launch in contacts} == {id(walk.arguments[7])}
    assert [launch.arguments[6:8] for launch in contacts] == [(0, 2), (2, 2), (4, 1)]
    assert table.curves[:, 0].tolist() == [0, 1, 2, 3, 4]
    assert table.contacts is None


def test_each_row_is_that_of_its_candidate():
    """Whatever their order, and without those that do not touch."""
    a, b = forest.soup(1, 40, 3.0), forest.soup(2, 40, 3.0)
    pairs = tumble.collide(a, b).pairs
    sides = [Bodies([tumble.build(mesh, "obb", leaf_size=1)], np.array([0]), np.eye(4)[None]) for mesh in (a, b)]
    places = [np.argsort(side.shapes[0].order) for side in sides]
    apart = next((i, j) for i in range(40) for j in range(40) if [i, j] not in pairs.tolist())
    rng = np.random.default_rng(1)
    asked = rng.permutation(np.concatenate([pairs, [apart]]))
    rows = [(int(k % 2), *(place[t] for place, t in zip(places, each, strict=True))) for k, each in enumerate(asked)]
    rows = [(0, *row[1:]) if tuple(each) == apart else row for row, each in zip(rows, asked, strict=True)]
    device = NullDevice({"binary_stack_pool": null_kernels.Finding(rows), "contact_curve": number_rows})
    request = Request(TOUCHING, *sides, np.array([[0, 0]]), "auto", "null", DeviceSettings(), curves=True)
    table = binary_stack.ask(device, request)
    np.testing.assert_array_equal(table.triangles, pairs)
    np.testing.assert_array_equal(asked[table.curves[:, 0].astype(int)], pairs)


def test_a_device_without_float64_leaves_them_to_the_host():
    device = NullDevice({"binary_stack_pool": null_kernels.Finding([(1, 0, 0)])}, fp64=False)
    table = binary_stack.ask(device, a_request(curves=True, contacts=True))
    assert table.curves is table.contacts is None
