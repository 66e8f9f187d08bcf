"""The chip finds the pairs of `collide` and does just what the plain traversal of its image does."""

import numpy as np
import pytest
from chip_cases import POSE, assert_answers, random_binary_tree
from hypothesis import given, settings
from hypothesis import strategies as st

import forest
import tumble
from covering import crossed, sized
from tumble import chip, scenario

GROUPS = ("intersection", "separation", "close-proximity", "small-proximity", "different-sizes")
SMALL_SCENES = [name for group in GROUPS for name in scenario.pair_scene_names(group)]
SLOW = pytest.mark.slow
QUICK_SCENES = {scenario.pair_scene_names(group)[-1] for group in GROUPS[1:]} | {"intersection-1"}


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[SLOW] * (each not in QUICK_SCENES)) for each in SMALL_SCENES]
)
def test_scenes(name):
    scene = scenario.pair_scene(name)
    result = assert_answers(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b)
    assert result.unsure <= 0.1 * result.polygon_checks


@pytest.mark.slow
@pytest.mark.parametrize("name", ["scalability-1", "scalability-2"])
def test_larger_scenes(name):
    scene = scenario.pair_scene(name)
    assert_answers(scene.mesh_a, scene.mesh_b, scene.pose_a, scene.pose_b)


@pytest.mark.parametrize("k", [6, 14, 18, 24, 26])
def test_every_dop(k):
    result = assert_answers(forest.soup(1, 40), forest.soup(2, 35), None, POSE, chip.Design(k=k))
    assert len(result) > 0


@pytest.mark.parametrize("subdivisions", [0, pytest.param(1, marks=pytest.mark.slow)])
@crossed(
    1,
    k=[6, 14, *(pytest.param(k, marks=SLOW) for k in (18, 24, 26))],
    bus_bits=[8, 1024, *(pytest.param(bits, marks=SLOW) for bits in (16, 32, 64, 128))],
)
def test_every_bus(k, bus_bits, subdivisions):
    """A narrow bus brings the last number of a DOP late, and its flags later still."""
    a, b = tumble.shapes.icosphere(subdivisions), tumble.shapes.torus(segments=6 if subdivisions else 4, sides=3)
    result = assert_answers(a, b, None, POSE, chip.Design(k=k, bus_bits=bus_bits))
    assert len(result) > 10


@sized(25, 70)
@crossed(1, tumbled=[1, 2, 4, 8], triangle_unit=[True, False])
def test_every_number_of_comparators(tumbled, triangle_unit, count):
    design = chip.Design(tumbled=tumbled, triangle_unit=triangle_unit)
    result = assert_answers(forest.soup(3, count), forest.soup(4, count), POSE, None, design)
    assert len(result) > 0
    assert (result.unsure == result.polygon_checks) == (not triangle_unit)


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 4, 8]), st.sampled_from(forest.POSES[:4]))
@settings(max_examples=settings().max_examples // 4)
def test_trees_of_any_shape(seed, tumbled, pose):
    """Chains, only children, leaves at all levels; triangles on a grid, which touch in all degenerate ways."""
    rng = np.random.default_rng(seed)
    sizes, balance = rng.integers(1, 14, 2), rng.choice([0.1, 0.5, 0.9], 2)
    a, b = (random_binary_tree(rng, int(sizes[i]), "kdop14", balance=balance[i]) for i in (0, 1))
    assert_answers(a, b, None, pose, chip.Design(k=14, tumbled=tumbled))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=settings().max_examples // 4)
def test_random_soups_in_random_poses(seed):
    rng = np.random.default_rng(seed)
    a, b = (forest.soup(int(rng.integers(2**32)), int(rng.integers(1, 40)), 0.2) for _ in range(2))
    poses = [tumble.mesh.random_pose(rng, 0.4) for _ in range(2)]
    assert_answers(a, b, *poses)


@pytest.mark.parametrize("subdivisions", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_mesh_and_itself(subdivisions):
    mesh = tumble.shapes.icosphere(subdivisions)
    assert len(assert_answers(mesh, mesh)) > len(mesh)


def test_faces_that_just_touch():
    box = tumble.shapes.box()
    result = assert_answers(box, box, None, tumble.translation(*np.ptp(box.bounds, axis=0)[:1], 0.0, 0.0))
    assert len(result) > 0
    assert result.unsure > 0  # float32 cannot know


def test_one_inside_the_other():
    mesh = tumble.shapes.icosphere(2)
    inner = tumble.transformed(mesh, np.diag([0.5, 0.5, 0.5, 1.0]))
    assert len(assert_answers(mesh, inner)) == 0
    assert len(assert_answers(inner, mesh)) == 0


def test_one_triangle_each():
    triangle = forest.soup(7, 1)
    result = assert_answers(triangle, triangle)
    assert result.pairs.tolist() == [[0, 0]]
    assert result.lists == result.tumbled_nodes == result.aligned_nodes == 1


def test_one_triangle_against_many():
    many = forest.soup(8, 200)
    one = tumble.Mesh(many.triangles[17], [[0, 1, 2]])
    assert [17, 0] in assert_answers(many, one).pairs.tolist()
    assert [0, 17] in assert_answers(one, many).pairs.tolist()


@pytest.mark.parametrize("pose", [None, tumble.translation(1e9, -1e9, 1e9), POSE])
def test_far_from_the_origin_and_from_each_other(pose):
    mesh = forest.soup(9, 30)
    assert_answers(mesh, mesh, pose, pose)
    assert len(assert_answers(mesh, mesh, None, tumble.translation(1e9, 0.0, 0.0))) == 0


@pytest.mark.parametrize("scale", [1e-40, 1e-30, 1e-10, 1e10, 1e29])
def test_tiny_and_huge(scale):
    """Where float32 ends, more goes to the host, and nothing is lost."""
    a, b = (tumble.transformed(forest.soup(seed, 12, 0.3), np.diag([scale, scale, scale, 1.0])) for seed in (10, 11))
    assert len(assert_answers(a, b)) > 0


def test_nothing_touches_nothing():
    nothing = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    for a, b in ((nothing, tumble.shapes.box()), (tumble.shapes.box(), nothing), (nothing, nothing)):
        result = chip.run(a, b)
        assert result.pairs.shape == (0, 2)
        assert result.cycles == result.bus_bytes == 0
        assert result.bottleneck == "none"
        assert not result
