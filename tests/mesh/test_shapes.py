import numpy as np
import pytest
from mesh_topology import areas, component_count, euler_characteristic, is_closed, volume

from tumble.errors import OptionError
from tumble.mesh import shapes

CLOSED = [
    (shapes.box, {}, 12, 2),
    (shapes.box, {"size": (1, 2, 3)}, 12, 2),
    (shapes.icosphere, {"subdivisions": 0}, 20, 2),
    (shapes.icosphere, {"subdivisions": 3, "radius": 2.5}, 1280, 2),
    (shapes.torus, {}, 2304, 0),
    (shapes.torus, {"segments": 3, "sides": 3}, 18, 0),
    (shapes.gear, {}, 16 * 80, 0),
    (shapes.gear, {"teeth": 6, "bore": 0.1}, 6 * 80, 0),
    (shapes.gear, {"teeth": 60, "bore": 0}, 60 * 32, 2),
    (shapes.knot, {}, 4608, 0),
    (shapes.knot, {"p": 3, "q": 7, "thickness": 0.05}, 4608, 0),
    (shapes.spring, {}, 161 * 24, 2),
    (shapes.spring, {"turns": 0.05, "sides": 3}, 18, 2),
    (shapes.bowl, {}, 792, 2),
    (shapes.bowl, {"segments": 3, "rings": 2}, 12, 2),
    (shapes.closed_object, {}, 796, 2),
    (shapes.closed_object, {"faces": 24}, 24, 2),
    (shapes.closed_object, {"faces": 1234}, 1234, 2),
    (shapes.blob, {}, None, 2),
]


@pytest.mark.parametrize("make, options, faces, euler", CLOSED)
def test_closed_shapes(make, options, faces, euler):
    mesh = make(**options)
    assert faces is None or len(mesh) == faces
    assert is_closed(mesh)
    assert component_count(mesh) == 1
    assert euler_characteristic(mesh) == euler
    assert volume(mesh) > 0
    assert areas(mesh).min() > 1e-6 * mesh.extent**2
    assert len(np.unique(mesh.faces)) == len(mesh.vertices)


@pytest.mark.parametrize("make, options, faces, euler", CLOSED)
def test_the_same_arguments_give_the_same_mesh(make, options, faces, euler):
    first, second = make(**options), make(**options)
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.faces, second.faces)


def test_volumes_are_those_of_the_solids():
    assert volume(shapes.box((1, 2, 3))) == pytest.approx(6)
    assert volume(shapes.icosphere(5, radius=2)) == pytest.approx(4 / 3 * np.pi * 8, rel=2e-3)
    assert volume(shapes.torus(2, 0.5, 200, 100)) == pytest.approx(2 * np.pi**2 * 2 * 0.25, rel=2e-3)
    bowl = shapes.bowl(1, 0.2, segments=200, rings=160)
    assert volume(bowl) == pytest.approx(2 / 3 * np.pi * (1 - 0.8**3), rel=2e-3)
    turns = 4 * np.hypot(2 * np.pi, 0.5)
    assert volume(shapes.spring(4, segments=100, sides=50)) == pytest.approx(np.pi * 0.12**2 * turns, rel=1e-2)


def test_a_sphere_is_round():
    assert np.allclose(np.linalg.norm(shapes.icosphere(4, 3.0).vertices, axis=1), 3)


def test_gear_reaches_from_root_to_tip():
    radii = np.hypot(*shapes.gear(teeth=20, module=0.1, bore=0.2).vertices[:, :2].T)
    assert radii.max() == pytest.approx(1.1)
    assert radii.min() == pytest.approx(0.2)
    assert radii[radii > 0.21].min() == pytest.approx(0.875)


def test_the_cloth_is_an_open_sheet_that_faces_up():
    sheet = shapes.cloth(7, 5, size=2.0)
    assert len(sheet) == 70
    assert euler_characteristic(sheet) == 1
    a, b, c = sheet.triangles.transpose(1, 0, 2)
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert sheet.bounds[:, :2].tolist() == [[-1, -1], [1, 1]]
    assert 0 < np.abs(sheet.vertices[:, 2]).max() <= 0.1
    assert not shapes.cloth(wave=0).vertices[:, 2].any()
    assert not np.array_equal(shapes.cloth(seed=1).vertices, shapes.cloth(seed=2).vertices)


@pytest.mark.parametrize(("faces", "count"), [(2000, 2), pytest.param(3000, 8, marks=pytest.mark.slow)])
def test_every_animal_is_one_closed_ball(faces, count):
    for seed in range(count):
        animal = shapes.blob(seed, faces)
        assert is_closed(animal)
        assert component_count(animal) == 1
        assert euler_characteristic(animal) == 2
        assert len(animal) == pytest.approx(faces, rel=0.15)


def test_an_animal_has_four_feet_and_two_ears():
    animal = shapes.blob(3, 5000)
    (_, _, low), (_, _, high) = animal.bounds
    feet = animal.vertices[animal.vertices[:, 2] < low + 0.15]
    ears = animal.vertices[animal.vertices[:, 2] > high - 0.06]
    assert {(x > 0, y > 0) for x, y in feet[:, :2]} == {(a, b) for a in (True, False) for b in (True, False)}
    assert {y > 0 for y in ears[:, 1]} == {True, False}
    assert not np.array_equal(shapes.blob(1, 2000).bounds, shapes.blob(2, 2000).bounds)


@pytest.mark.parametrize(
    "make, options, word",
    [
        (shapes.box, {"size": 0}, "size"),
        (shapes.box, {"size": (1, 2)}, "size"),
        (shapes.box, {"size": float("nan")}, "size"),
        (shapes.box, {"size": "big"}, "size"),
        (shapes.icosphere, {"subdivisions": -1}, "subdivisions"),
        (shapes.icosphere, {"subdivisions": 1.5}, "subdivisions"),
        (shapes.icosphere, {"radius": -1}, "radius"),
        (shapes.torus, {"radius": 1, "tube": 1}, "tube"),
        (shapes.torus, {"segments": 2}, "segments"),
        (shapes.gear, {"teeth": 3}, "teeth"),
        (shapes.gear, {"bore": 0.9}, "bore"),
        (shapes.gear, {"bore": -0.1}, "bore"),
        (shapes.gear, {"thickness": float("inf")}, "thickness"),
        (shapes.knot, {"p": 2, "q": 4}, "divisor 2"),
        (shapes.knot, {"segments": 8}, "segments"),
        (shapes.knot, {"hill": 1.0}, "hill"),
        (shapes.spring, {"pitch": 0.1}, "pitch"),
        (shapes.spring, {"wire": 2, "pitch": 5}, "wire"),
        (shapes.spring, {"turns": 0}, "turns"),
        (shapes.bowl, {"wall": 1.0}, "wall"),
        (shapes.bowl, {"rings": 1}, "rings"),
        (shapes.closed_object, {"faces": 797}, "even"),
        (shapes.closed_object, {"faces": 10}, "faces"),
        (shapes.cloth, {"nx": 0}, "nx"),
        (shapes.cloth, {"seed": -1}, "seed"),
        (shapes.cloth, {"wave": True}, "wave"),
        (shapes.blob, {"faces": 100}, "faces"),
        (shapes.blob, {"faces": 10**7}, "faces"),
        (shapes.box, {"size": ([1, 2], [3])}, "size"),
        (shapes.box, {"size": 10**400}, "size"),
        (shapes.torus, {"segments": 10**30}, "segments"),
        (shapes.torus, {"segments": 10**6, "sides": 10**6}, "2000000000000 triangles"),
        (shapes.knot, {"segments": 10**6, "sides": 10**6}, "2000000000000 triangles"),
        (shapes.bowl, {"segments": 10**6, "rings": 10**6}, "2000000000000 triangles"),
        (shapes.cloth, {"nx": 10**6, "ny": 10**6}, "2000000000000 triangles"),
        (shapes.cloth, {"nx": 10**30}, "nx"),
        (shapes.spring, {"turns": 1e90}, "triangles"),
        (shapes.spring, {"turns": 1e9, "segments": 10**9}, "triangles"),
        (shapes.gear, {"teeth": 10**9}, "triangles"),
        (shapes.gear, {"teeth": 10**400}, "teeth"),
        (shapes.closed_object, {"faces": 10**20}, "faces"),
        (shapes.torus, {"radius": 1e308}, "radius"),
        (shapes.torus, {"radius": 1e-200, "tube": 1e-201}, "radius"),
        (shapes.knot, {"radius": 1e101}, "radius"),
        (shapes.gear, {"module": 1e308}, "module"),
        (shapes.cloth, {"wave": -1e308}, "wave"),
        (shapes.spring, {"pitch": 1e308}, "pitch"),
        (shapes.spring, {"turns": 1e-308}, "turns"),
    ],
)
def test_parameters_are_checked(make, options, word):
    with pytest.raises(OptionError, match=word):
        make(**options)
