"""`contains`: exact against the judges on and around every vertex, edge and plane; rules, refusals, threads."""

import numpy as np
import pytest

import tumble
from covering import crossed, sized
from oracle import pose_points
from points_oracle import ON_SURFACE, grid_places, winding_number
from tumble import shapes
from tumble.api import contains as module
from tumble.api.point_batches import batches, posed_mesh
from tumble.hierarchy.packed import packed
from tumble.mesh import random_pose
from tumble.mesh.edges import edges_of


def on_grid(mesh, steps=200):
    """A mesh with whole coordinates of at most so many steps; it stays closed."""
    return tumble.Mesh(np.round(mesh.vertices * (steps / mesh.extent)), mesh.faces)


def joined(*meshes):
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return tumble.Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def moved(mesh, *shift):
    return tumble.Mesh(mesh.vertices + np.array(shift), mesh.faces)


def turned_out(mesh):
    return tumble.Mesh(mesh.vertices, mesh.faces[:, ::-1])


def cube(low, high):
    box = shapes.box(1.0)
    return tumble.Mesh(np.where(box.vertices > 0, high, low).astype(float), box.faces)


HOLLOW = joined(cube(0, 20), turned_out(cube(4, 16)))
CLOSED = {
    "cube": cube(0, 20),
    "inside out": turned_out(cube(0, 20)),
    "hollow cube": HOLLOW,
    "cube in a hollow cube": joined(HOLLOW, cube(7, 12)),
    "shells, all outward": joined(cube(0, 20), cube(4, 16)),
    "two that overlap": joined(cube(0, 20), cube(10, 30)),
    "two that share a face": joined(cube(0, 20), moved(cube(0, 20), 20, 0, 0)),
    "two that share an edge": joined(cube(0, 20), moved(cube(0, 20), 20, 20, 0)),
    "twice the same": joined(cube(0, 20), cube(0, 20)),
    "one and the same inside out": joined(cube(0, 20), turned_out(cube(0, 20))),
    "torus": on_grid(shapes.torus(segments=16, sides=9)),
    "knot": on_grid(shapes.knot(segments=60, sides=7)),
    "sphere": on_grid(shapes.icosphere(2), 40),
    "gear": on_grid(shapes.gear(teeth=9)),
    "coarse torus": on_grid(shapes.torus(segments=12, sides=8), 6),  # many triangles are segments and points
}


def awkward_points(mesh, count, rng):
    """Whole points: corners, on edges and faces, in the planes of faces, along axes from all of these, and anywhere."""
    corners = mesh.vertices[mesh.faces[rng.integers(0, len(mesh), count)]]
    weights = rng.integers(0, 4, (count, 3, 1))
    weights[:, 0] += ~weights.any(axis=1)
    points = (weights * corners).sum(axis=1) // weights.sum(axis=1)
    kind = rng.integers(0, 6, count)
    across = corners[:, 0] + rng.integers(-2, 3, (count, 1)) * (corners[:, 1] - corners[:, 0])
    across += rng.integers(-2, 3, (count, 1)) * (corners[:, 2] - corners[:, 0])
    points = np.where((kind == 1)[:, None], across, points)
    points = np.where((kind == 2)[:, None], corners[:, 0], points)
    axis = np.eye(3)[rng.integers(0, 3, count)]
    points += (kind == 3)[:, None] * axis * rng.integers(-30, 31, (count, 1))
    low, high = (int(x) for x in (mesh.vertices.min() - 2, mesh.vertices.max() + 3))
    return np.clip(np.where((kind == 4)[:, None], rng.integers(low, high, (count, 3)), points), -400, 400)


def judged(places, parity=False):
    on = places == ON_SURFACE
    inside = (places % 2 != 0 if parity else places != 0) & ~on
    return inside, on


def assert_places(found, inside, on_surface):
    np.testing.assert_array_equal(found.on_surface, on_surface)
    np.testing.assert_array_equal(found.inside, inside)
    np.testing.assert_array_equal(found.outside, ~(inside | on_surface))


@sized(100, 100_000)
@pytest.mark.parametrize("name", CLOSED)
def test_awkward_points_against_whole_numbers(name, count):
    """By all rules."""
    mesh, rng = CLOSED[name], np.random.default_rng(1)
    points = awkward_points(mesh, min(count, 20_000_000 // len(mesh)), rng)  # the judge takes each with each
    places = grid_places(points, mesh.triangles, rng)
    assert 0 < (places == ON_SURFACE).sum() < len(places)
    assert_places(tumble.contains(mesh, points), *judged(places))
    assert_places(tumble.contains(mesh, points, rule="parity"), *judged(places, parity=True))
    assert_places(tumble.contains(mesh, points, rule="winding"), *judged(places))


@pytest.mark.parametrize("direction", [0, 4, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2, 3, 5))])
@sized(120, 500)
def test_every_direction_decides_alike(direction, count, monkeypatch):
    """With bounds that make one side the nearest for all points."""
    bounds = np.array([[-1e9] * 3, [1e9] * 3])
    bounds[1 - direction % 2, direction // 2] = 0
    monkeypatch.setattr(module, "_rough_bounds", lambda posed: bounds)
    for name in ("cube in a hollow cube", "torus", "coarse torus", "gear"):
        mesh, rng = CLOSED[name], np.random.default_rng(2)
        points = awkward_points(mesh, count, rng)
        assert_places(tumble.contains(mesh, points), *judged(grid_places(points, mesh.triangles, rng)))


@sized(20, 1000)
@crossed(1, posed=[False, True], scale=[1.0, 1e-100, 1e99, 2.0**-1060])
def test_rounded_points_against_rationals(posed, scale, count):
    """Points computed to be on vertices, edges, faces and planes: many are, the others are next to them."""
    rng = np.random.default_rng([8, posed])
    mesh = joined(shapes.torus(segments=7, sides=5), turned_out(shapes.torus(tube=0.2, segments=5, sides=4)))
    mesh = tumble.Mesh(mesh.vertices * scale, mesh.faces)
    pose = random_pose(rng) if posed else None
    if posed:
        pose[:3, 3] *= scale
    triangles = pose_points(mesh.vertices, pose)[mesh.faces]
    corners = triangles[rng.integers(0, len(mesh), count)]
    weights = rng.choice([0.0, 1.0, 2.0, 3.0, -1.0], (count, 3, 1))
    weights[:, 0] += 1.0
    total = weights.sum(axis=1)
    points = (weights * corners).sum(axis=1) / np.where(total == 0, 1, total)
    points += (rng.random((count, 1)) < 0.3) * rng.normal(size=(count, 3)) * scale
    found = tumble.contains(mesh, points, pose)
    for k, point in enumerate(points):
        turns = winding_number(point, triangles, rng)
        assert found.on_surface[k] == (turns is None), k
        assert found.inside[k] == (turns is not None and turns != 0), k
    assert 0 < found.on_surface.sum() < count
    assert found.inside.any()


def twisted_prism(sides=24, length=256):
    """Long thin slanted triangles from end to end, which the builder cuts into slabs; coordinates are whole."""
    k = np.arange(sides)
    after = (k + 1) % sides
    angles = 2 * np.pi * k / sides
    ends = []
    for x, turn in ((-length, 0.0), (length, 2.0)):
        ring = np.round(200 * np.stack([np.cos(angles + turn), np.sin(angles + turn)], axis=1))
        ends.append(np.column_stack([np.full(sides, x), ring]))
    walls = [np.stack([k, after, after + sides], 1), np.stack([k, after + sides, k + sides], 1)]
    cap = np.stack([np.zeros(sides - 2, int), k[1:-1], k[2:]], 1)
    return tumble.Mesh(np.concatenate(ends), np.concatenate([*walls, cap[:, ::-1], cap + sides]))


@pytest.mark.parametrize("copies", [1, 99])
def test_triangles_of_many_boxes_are_counted_once(copies):
    """Leaves name a triangle twice, and rays along the plane between its halves find it in both.

    With many copies there are more crossings than the list of crossed triangles holds.
    """
    mesh = joined(*[twisted_prism()] * copies)
    assert packed(mesh).repeats
    rng = np.random.default_rng(4)
    points = np.column_stack([np.zeros(200), rng.integers(-220, 221, (200, 2))])[:: 1 if copies == 1 else 10]
    inside, on = judged(grid_places(points, twisted_prism().triangles, rng))
    assert inside.any()
    assert_places(tumble.contains(mesh, points, rule="parity"), inside, on)


def test_closed_but_not_oriented_is_parity():
    mesh = cube(0, 20)
    faces = mesh.faces.copy()
    faces[3] = faces[3, ::-1]
    mixed = tumble.Mesh(mesh.vertices, faces)
    points = np.random.default_rng(5).uniform(-5, 25, (500, 3))
    found = tumble.contains(mixed, points)
    assert "odd number of crossings" in found.rule
    assert_places(found, ((points > 0) & (points < 20)).all(axis=1), np.zeros(500, bool))
    assert "generalised" in tumble.contains(mixed, points, rule="winding").rule


def test_vertices_in_the_same_place_count_as_one():
    mesh = CLOSED["torus"]
    loose = tumble.Mesh(mesh.triangles.reshape(-1, 3), np.arange(3 * len(mesh)).reshape(-1, 3))
    points = np.random.default_rng(6).uniform(-200, 200, (500, 3))
    np.testing.assert_array_equal(tumble.contains(loose, points).inside, tumble.contains(mesh, points).inside)
    assert edges_of(loose).oriented


def solid_angles(triangles, point):
    """The winding number as the sum of all solid angles."""
    a, b, c = (triangles[:, k].astype(np.longdouble) - point for k in range(3))
    la, lb, lc = (np.sqrt((x * x).sum(axis=1)) for x in (a, b, c))
    volume = (np.cross(a, b) * c).sum(axis=1)
    below = la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
    return float(np.arctan2(volume, below).sum() / (2 * np.pi))


def winding_numbers(mesh, points, pose=None):
    """The numbers that `contains` compares with 1/2."""
    test = module._Test(posed_mesh(mesh, pose, 1, "contains"), "winding", "contains")
    (batch,) = batches(points)
    return test._windings(batch)


@sized(75, 300)
@pytest.mark.parametrize("posed", [False, True])
@pytest.mark.parametrize("name", ["cube", "hollow cube", "torus", "knot", "sphere"])
def test_winding_numbers_of_open_meshes(name, posed, count):
    rng = np.random.default_rng(7)
    whole = CLOSED[name]
    mesh = tumble.Mesh(whole.vertices, whole.faces[rng.random(len(whole)) < 0.7])
    pose = random_pose(rng) if posed else None
    triangles = pose_points(mesh.vertices, pose)[mesh.faces]
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    points = rng.uniform(low - 5, high + 5, (count, 3))
    points[::3] = np.round(points[::3])
    found = winding_numbers(mesh, points, pose)
    clear = np.isfinite(found)
    expected = np.array([solid_angles(triangles, point) for point in points[clear]])
    np.testing.assert_allclose(found[clear], expected, atol=1e-11, rtol=0)
    result = tumble.contains(mesh, points, pose, rule="winding")
    np.testing.assert_array_equal(result.inside[clear], np.abs(expected) > 0.5)
    np.testing.assert_array_equal(result.on_surface, ~clear)
    assert "generalised" in result.rule


def test_winding_numbers_with_vertices_behind_on_all_axes():
    """A boundary vertex on each axis on both sides of the point: no strips are good, and all triangles are summed."""
    triangles = [
        [[7, 0, 0], [9, 3, 1], [9, 1, 4]],
        [[-5, 0, 0], [-6, 1, 1], [-6, -1, 2]],
        [[0, 4, 0], [1, 6, 2], [3, 5, 1]],
        [[0, -4, 0], [1, -6, 2], [3, -5, 1]],
        [[0, 0, 3], [1, 1, 5], [2, -1, 5]],
        [[0, 0, -3], [2, 1, -5], [1, 3, -7]],
    ]
    corners = np.array(triangles, float)
    mesh = tumble.Mesh(corners.reshape(-1, 3), np.arange(18).reshape(-1, 3))
    found = winding_numbers(mesh, np.zeros((1, 3)))
    np.testing.assert_allclose(found, solid_angles(corners, np.zeros(3)), atol=1e-14)


@pytest.mark.parametrize("call", [tumble.contains, tumble.signed_distance])
def test_open_meshes_are_refused(call):
    mesh = cube(0, 20)
    opened = tumble.Mesh(mesh.vertices, mesh.faces[1:])
    with pytest.raises(tumble.MeshError, match=r"3 open edges .* vertex \d+ at \(.* vertex \d+ at .*rule=\"winding\""):
        call(opened, [[1, 2, 3]])
    with pytest.raises(tumble.MeshError, match="closed mesh"):
        tumble.contains(opened, [[1, 2, 3]], rule="parity")
    assert tumble.contains(opened, [[10, 10, 10]], rule="winding").inside.tolist() == [True]


def test_threads_change_nothing():
    mesh, rng = CLOSED["knot"], np.random.default_rng(8)
    points = awkward_points(mesh, 5000, rng)
    opened = tumble.Mesh(mesh.vertices, mesh.faces[5:])
    for given, rule in ((mesh, "auto"), (opened, "winding")):
        first, *others = (tumble.contains(given, points, rule=rule, threads=threads) for threads in (1, 2, 5, None))
        for other in others:
            assert_places(other, first.inside, first.on_surface)


def test_what_is_returned():
    found = tumble.contains(cube(0, 20), [[10, 10, 10], [0, 5, 5], [-1, 0, 0]])
    assert [found.inside.tolist(), found.on_surface.tolist()] == [[True, False, False], [False, True, False]]
    assert found.outside.tolist() == [False, False, True]
    assert len(found) == 3
    assert "1 inside, 1 on the surface" in repr(found)
    assert "exact" in found.rule
    with pytest.raises(ValueError, match="read-only"):
        found.inside[0] = False
    assert len(tumble.contains(cube(0, 20), [])) == 0


def test_what_makes_no_sense_is_refused():
    mesh = cube(0, 20)
    with pytest.raises(tumble.OptionError, match=r"unknown rule 'odd'.*parity"):
        tumble.contains(mesh, [[0, 0, 0]], rule="odd")
    for rule in ("auto", "winding"):
        given = mesh if rule == "auto" else tumble.Mesh(mesh.vertices, mesh.faces[1:])
        with pytest.raises(tumble.PointError, match=r"points\[1\].*nan.*finite"):
            tumble.contains(given, [[0, 0, 0], [0, np.nan, 0]], rule=rule)
        with pytest.raises(tumble.PointError, match=r"points\[0\].*beyond"):
            tumble.contains(given, [[0, 1e101, 0]], rule=rule)
    with pytest.raises(tumble.MeshError, match="contains needs a mesh with triangles"):
        tumble.contains(tumble.Mesh([], []), [[0, 0, 0]])
