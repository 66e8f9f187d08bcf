"""The weight of a patch by the sign of its volume is the one that a point of it has, in whole numbers."""

import numpy as np
import pytest

from solid_forms import BALL, BOX, HOLLOW, TORUS, box, inverted, joined, moved
from tumble import Mesh, shapes, transformed
from tumble.api.relation import self_pairs
from tumble.mesh.edges import edges_of
from tumble.solid.body import Body
from tumble.solid.overlap import faces
from tumble.solid.overlap.faces import plain_weights, weights_of
from tumble.solid.overlap.sheets import patches_of

TURN = np.array([[0.6, -0.8, 0.0, 5e3], [0.8, 0.6, 0.0, -1e3], [0.0, 0.0, 1.0, 30.0], [0.0, 0.0, 0.0, 1.0]])
FORMS = {
    "box": BOX,
    "ball": BALL,
    "torus": TORUS,
    "gear": shapes.gear(),
    "wall": box((0, 0, 0), (10, 3, 2.0**-12)),
    "far wall": transformed(box((0, 0, 0), (10, 3, 1e-9)), TURN),
    "two": joined(BOX, moved(BOX, 5, 0, 0)),
    "hollow": HOLLOW,
}


def body_of(mesh):
    return Body(mesh, edges_of(mesh), None, 1)


@pytest.mark.parametrize("way", ["outward", "inward"])
@pytest.mark.parametrize("name", FORMS)
def test_as_a_point_of_each_patch_says(name, way):
    body = body_of(inverted(FORMS[name]) if way == "inward" else FORMS[name])
    assert len(self_pairs(body)) == 0
    patches = patches_of(body.surface)
    found, expected = plain_weights(body, patches), weights_of(body, patches)
    assert found[0].tolist() == expected[0].tolist()
    assert found[1] == expected[1] is True


def test_what_rounding_may_have_turned_round_is_decided_exactly(monkeypatch):
    asked = []
    exact = faces.weights_of
    monkeypatch.setattr(faces, "weights_of", lambda *arguments: asked.append(1) or exact(*arguments))
    for thickness in (1.0, 2.0**-50):
        body = body_of(box((0, 0, 0), (1, 1, thickness)))
        assert plain_weights(body, patches_of(body.surface))[0].tolist() == [1]
    assert len(asked) == 1


def test_patches_are_numbered_by_their_first_face():
    three = joined(moved(BOX, 5, 0, 0), BOX, moved(BALL, -9, 0, 0))
    order = np.random.default_rng(4).permutation(len(three))
    edges = edges_of(Mesh(three.vertices, three.faces[order]))
    part = np.repeat([0, 1, 2], [12, 12, len(BALL)])[order]
    firsts = [int(part[k]) for k in sorted(np.unique(part, return_index=True)[1])]
    assert patches_of(edges).tolist() == [firsts.index(each) for each in part.tolist()]
