"""A part inside another: `solid=True`, and `Scene.relations`."""

import numpy as np
import pytest

import tumble
from solid_forms import BOX, FORMS, HOLLOW, SMALL
from tumble import Mesh, MeshError, translation


def test_a_buried_solid_collides():
    assert not tumble.collides(SMALL, BOX)
    for a, b, expected in ((SMALL, BOX, True), (BOX, SMALL, True), (SMALL, HOLLOW, False), (BOX, HOLLOW, True)):
        assert tumble.collides(a, b, solid=True) is expected
        assert tumble.collides(b, a, None, np.eye(4), solid=True) is expected
        assert tumble.collides(tumble.build(a), (b.vertices, b.faces), solid=True) is expected
    assert not tumble.collides(SMALL, BOX, translation(9, 0, 0), solid=True)
    with pytest.raises(MeshError, match=r"mesh a has 3 open edges .*solid=True needs closed"):
        tumble.collides(Mesh(BOX.vertices, BOX.faces[1:]), BOX, solid=True)


@pytest.mark.parametrize("name", FORMS)
def test_solids_collide_unless_they_are_apart(name):
    a, b, expected = FORMS[name]
    assert tumble.collides(a, b, solid=True) == (expected != "apart")


def test_buried_solids_among_many_poses():
    poses = [translation(x, 0, 0) for x in (0, 0.25, 0.5, 1, 1.5, 2)]
    found = tumble.collide_many(BOX, SMALL, poses, solid=True)
    assert found.buried.tolist() == [True, True, False, False, False, False]
    assert found.hit.tolist() == [True, True, True, True, True, False]
    assert found.counts[:2].tolist() == [0, 0]
    assert tumble.collide_many(BOX, SMALL, poses[:1], solid=True)
    assert tumble.collide_many(BOX, SMALL, poses).buried is None
    assert not tumble.collide_many(BOX, SMALL, poses[:1])


def test_a_scene():
    scene = tumble.Scene()
    scene.add("block", BOX)
    scene.add("pin", SMALL)
    scene.add("beside", BOX, translation(2, 0, 0))
    scene.add("far", BOX, translation(20, 0, 0))
    found = {(each.a, each.b): each for each in scene.relations()}
    assert {names: each.relation for names, each in found.items()} == {
        ("block", "pin"): "b_inside_a",
        ("block", "beside"): "touching",
    }
    assert found["block", "pin"].triangles is None
    assert scene.collides()
    scene.move("beside", translation(3, 0, 0))
    assert not scene.collides()
    assert scene.collides(solid=True)
    scene.move("pin", translation(0, 9, 0))
    assert not scene.collides(solid=True)
    scene.move_many({"pin": None, "beside": translation(2, 0, 0)})
    assert found["block", "beside"].triangles is not None
    scene.allow("block", "pin")
    assert [(each.a, each.b) for each in scene.relations(threads=1)] == [("block", "beside")]
    scene.add("open", Mesh(BOX.vertices, BOX.faces[1:]), translation(40, 0, 0))
    assert len(scene.relations()) == 1  # no question is about it
    scene.move("open", translation(1, 0, 0))
    with pytest.raises(MeshError, match="body 'open' has 3 open edges"):
        scene.relations(solid=True)
    found = {(each.a, each.b): (each.relation, each.rule) for each in scene.relations()}
    assert found["block", "open"] == ("crossing", "b_is_surface")
    assert found["block", "beside"] == ("touching", "solids")
    assert {each.rule for each in scene.relations(solid=False)} == {"surfaces"}
