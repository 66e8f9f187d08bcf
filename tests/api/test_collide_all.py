"""The doors of the bulk-synchronous traversal: options, errors, settings, and real scenes with known counts."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import forest
import tumble
from tumble import BulkSettings, WalkSettings, shapes
from tumble.errors import MeshError, OptionError, PoseError
from tumble.hierarchy.implicit import implicit_trees

MESHES = Path(os.environ.get("TUMBLE_MESHES", Path(__file__).resolve().parents[3] / "shared" / "meshes"))
REFERENCE = MESHES / "reference.json"
ANSWERS = json.loads(REFERENCE.read_text()) if REFERENCE.exists() else {}
FRAMES = [key for key in ANSWERS if key.startswith("self:")]
# beside the touching pairs of the reference: boxes of triangles that share no vertex, and of all
CANDIDATES = {"cloth_ball92": (773566, 1337359)}

a, b = forest.soup(1, 30, 0.3), forest.soup(2, 30, 0.3)


@pytest.mark.parametrize("key", [*FRAMES[::2], *(pytest.param(key, marks=pytest.mark.slow) for key in FRAMES[1::2])])
def test_real_frames(key):
    folder, frame = key.removeprefix("self:").split("/")
    mesh = tumble.load(MESHES / "scalable-ccd-data" / folder / "frames" / f"{frame}.ply")
    found = tumble.collide_all([mesh], within=True)
    assert len(found.triangles) == ANSWERS[key]["tri_pairs"]
    np.testing.assert_array_equal(found.pairs(0, 0), tumble.self_collide(mesh).pairs)
    if frame in CANDIDATES:
        counts = [len(tumble.collide_all([mesh], within=True, candidates=True, neighbours=n).triangles) for n in (0, 1)]
        assert tuple(counts) == CANDIDATES[frame]


def test_between_and_within():
    meshes = [a, b, forest.soup(3, 30, 0.3)]
    every = tumble.collide_all(meshes, within=True).meshes.tolist()
    assert every == [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]
    assert tumble.collide_all(meshes).meshes.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert tumble.collide_all(meshes, between=False, within=[1, 1]).meshes.tolist() == [[1, 1]]
    assert tumble.collide_all(meshes, between=[[2, 0], [0, 2]]).meshes.tolist() == [[0, 2]]
    assert tumble.collide_all(meshes, between=np.empty((0, 2), int), within=[]).meshes.tolist() == []
    assert not tumble.collide_all([])
    assert not tumble.collide_all([tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))] * 2, within=True)


def test_one_pair_by_method_bulk():
    found = tumble.collide(a, b, method="bulk", stats=True, contacts=True)
    np.testing.assert_array_equal(found.pairs, tumble.collide(a, b).pairs)
    assert found.stats.hits == len(found) == len(found.contacts) > 1
    assert found.stats.triangle_tests == found.stats.leaf_overlaps >= found.stats.hits
    first = tumble.collide(a, b, method="bulk", first=True, stats=True)
    np.testing.assert_array_equal(first.pairs, found.pairs[:1])
    assert first.stats.hits == 1
    assert tumble.collide(a, b, method="bulk").stats is None
    empty = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert len(tumble.collide(a, empty, method="bulk")) == len(tumble.collide(empty, b, method="bulk")) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tree": "obb"}, r"tree='obb' cannot be used with method='bulk'; tree= can be: auto, implicit$"),
        ({"settings": WalkSettings()}, r"with method='bulk'; settings= can be: None, tumble.BulkSettings\(...\)$"),
        ({"settings": 3}, r"settings=3 cannot be used .* tumble.BulkSettings"),
        ({"method": "stack", "settings": BulkSettings()}, r"with method='stack'.* tumble.WalkSettings"),
    ],
)
def test_options_that_do_not_fit(options, message):
    with pytest.raises(OptionError, match=message):
        tumble.collide(a, b, **{"method": "bulk", **options})


def test_trees_of_other_kinds_are_refused():
    with pytest.raises(OptionError, match="cannot be used with method='bulk'; pass the mesh instead"):
        tumble.collide(tumble.build(a), b, method="bulk")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"between": [[0, 2]]}, OptionError, "between= names mesh 2, but there are 2"),
        ({"between": [[1, 1]]}, OptionError, "name it in within="),
        ({"between": [0, 1]}, OptionError, r"between= takes True, False or pairs .* not \[0, 1\]"),
        ({"between": [(0, 1), (1,)]}, OptionError, r"pairs of numbers of meshes, \(n, 2\), not"),
        ({"within": [-1]}, OptionError, "within= names mesh -1"),
        ({"within": [0.5]}, OptionError, r"a list of numbers of meshes, not \[0.5\]"),
        ({"neighbours": True}, OptionError, "for candidates=True"),
        ({"device": np.eye(4)}, OptionError, "device= must be one word"),
        ({"poses": np.array(3.0)}, PoseError, "poses must be a list"),
        ({"poses": [None]}, PoseError, "2 meshes, but 1 poses"),
        ({"poses": 3}, PoseError, "poses must be a list, .* not 3"),
        ({"threads": 0}, OptionError, "threads must be"),
        ({"settings": {}}, OptionError, "settings={}"),
    ],
)
def test_errors_name_what_is_wrong(options, error, message):
    with pytest.raises(error, match=message):
        tumble.collide_all([a, b], **options)


def test_trees_have_their_own_poses():
    with pytest.raises(OptionError, match="trees have poses and a device of their own"):
        tumble.collide_all(implicit_trees([a, b]), poses=[None, None])
    with pytest.raises(MeshError):
        tumble.collide_all([([[0, 0, np.nan]] * 3, [[0, 1, 2]])])


@pytest.mark.parametrize(
    ("meshes", "message"),
    [
        (np.array(3.0), "a list of meshes is wanted"),
        (a, r"a list of meshes is wanted, not <Mesh .*pass \[mesh\]"),
        (None, "a list of meshes is wanted, not None"),
        ([a, None], r"meshes\[1\]: expected"),
        ([a, b, ([[0, 0, 0]], [[0, 1, 2]])], r"meshes\[2\]: face 0"),
        ([a, tumble.Deformable(shapes.box())], r"meshes\[1\]: .* not a Deformable; pass its .mesh"),
    ],
)
def test_the_mesh_at_fault_is_named(meshes, message):
    with pytest.raises(MeshError, match=message):
        tumble.collide_all(meshes)


def test_anything_that_can_be_gone_through_is_a_list():
    poses = [None, tumble.translation(0.1, 0, 0)]
    expected = tumble.collide_all([a, b], poses).triangles
    assert len(expected)
    np.testing.assert_array_equal(tumble.collide_all(iter([a, b]), iter(poses)).triangles, expected)


def test_a_million_threads_are_no_more_than_there_are(monkeypatch):
    import tumble.traversal.bulk.rounds as rounds

    monkeypatch.setattr(rounds, "leaf_pairs", real := Recorder(rounds.leaf_pairs))
    found = tumble.collide_all([a, b], threads=10**30)
    np.testing.assert_array_equal(found.triangles, tumble.collide_all([a, b]).triangles)
    assert 1 < real.options[0]["threads"] < 10_000


class Recorder:
    """A function, and the options that it was called with."""

    def __init__(self, function):
        self.function, self.options = function, []

    def __call__(self, *arguments, **options):
        self.options.append(options)
        return self.function(*arguments, **options)


def test_answers_are_frozen():
    found = tumble.collide_all([a, b])
    for array in (found.meshes, found.counts, found.triangles, found.offsets, found.pairs(0, 1), found.pairs(1, 0)):
        assert len(array)
        assert not array.flags.writeable
    turned = found.pairs(0, 1)[:, ::-1]
    np.testing.assert_array_equal(found.pairs(1, 0), turned[np.lexsort((turned[:, 1], turned[:, 0]))])


@pytest.mark.parametrize(
    ("queue", "writers", "step"),
    [
        (1, None, 1),
        (4, 1, 1),
        (16, 1, 2),
        (15, 1, 1),
        (64, None, 2),
        (64, 1, 3),
        (1024, None, 3),
        (256, 4, 3),
        (256, 3, 3),
    ],
)
def test_equation_4(queue, writers, step):
    """µ = ⌊log4(κ / α)⌋, at least 1; α at most the fourth root of κ."""
    assert BulkSettings(queue=queue, writers=writers).step == step
    assert BulkSettings(queue=queue, writers=writers, depth_step=4).step == 4


@pytest.mark.parametrize(
    "options",
    [
        {"entry_level": -1}, {"entry_level": 21}, {"depth_step": 0}, {"depth_step": 9}, {"queue": 0}, {"group": 0},
        {"group": 1.5}, {"writers": 0}, {"queue": 64, "writers": 3}, {"first_capacity": 0}, {"most_pairs": 0},
        {"queue": True}, {"queue": None}, {"queue": np.array([4, 8])},
    ],
)  # fmt: skip
def test_settings_out_of_range(options):
    name, value = list(options.items())[-1]
    with pytest.raises(OptionError, match=f"{name} must be a whole number from .*, not {re.escape(repr(value))}"):
        BulkSettings(**options)


def test_numbers_of_numpy_do_not_overflow():
    given = BulkSettings(entry_level=np.uint8(2), depth_step=np.int8(5), queue=np.int16(64), most_pairs=np.int32(10))
    assert given == BulkSettings(entry_level=2, depth_step=5, queue=64, most_pairs=10)
    assert given.most == 4**5
    with pytest.raises(OptionError, match="padded must be True or False, not 'no'"):
        BulkSettings(padded="no")
    with pytest.raises(OptionError, match="tested must be True or False, not 'no'"):
        BulkSettings(tested="no")


def test_a_frontier_holds_what_one_pair_makes():
    assert BulkSettings(most_pairs=1, depth_step=3).most == 64
    assert BulkSettings(most_pairs=100, depth_step=3).most == 100


@pytest.mark.parametrize("wrong", [(-1, 0), (0, -1), (0.5, 1), ("a", "b"), (None, 1)])
def test_pairs_of_meshes_that_cannot_be(wrong):
    found = tumble.collide_all([tumble.shapes.box(), tumble.shapes.box()])
    assert len(found.pairs(np.int64(0), 1)) > 0
    with pytest.raises(IndexError, match="numbered from 0"):
        found.pairs(*wrong)
