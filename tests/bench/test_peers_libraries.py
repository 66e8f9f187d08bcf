"""The real libraries, where they are installed: the same answers as Tumble's where triangles clearly cross or miss."""

import subprocess
import sys

import numpy as np
import pytest

from tumble.bench.framework.answers import compare_values
from tumble.bench.peers.apart import solid_duo
from tumble.bench.peers.contract import Touching
from tumble.bench.peers.entrants import APART_MAKERS, MAKERS, POINT_MAKERS, Entrants
from tumble.bench.peers.ours import TumblePeer
from tumble.bench.peers.points.ours import TumblePoints
from tumble.scenario.objects import arrays, shape_duo
from tumble.scenario.tumbling import crowd_poses, tumbling_poses

PAIRWISE = [name for name in MAKERS if name != "trimesh"]


def made(name):
    try:
        return MAKERS[name]()
    except ImportError as error:
        pytest.skip(f"{name}: {error}")


def answers(peer, poses):
    solid = peer.prepare(*arrays(shape_duo("knot", 500).a))
    pair = peer.pair(solid, solid)
    native = pair.native(poses)
    return pair.first_hits(native), [{tuple(row) for row in pairs.tolist()} for pairs in pair.all_pairs(native)]


@pytest.mark.parametrize("name", PAIRWISE)
def test_answers_agree(name):
    # Off every symmetry, so that nothing only just touches: there the libraries err.
    poses = tumbling_poses(0.63, 7)
    poses[:, :3, 3] += [0.013, 0.027, -0.031]
    hits, pairs = answers(made(name), poses)
    assert (hits, pairs) == answers(TumblePeer(), poses)
    assert sum(hits) > 0
    assert answers(made(name), tumbling_poses(3.0, 2)) == ([False, False], [set(), set()])


@pytest.mark.parametrize("name", MAKERS)
def test_scenes_agree(name):
    vertices, faces = arrays(shape_duo("torus", 200).a)
    poses = [crowd_poses(27, 0.8, seed) for seed in (0, 1)]

    def touching(peer):
        crowd = peer.crowd(peer.prepare(vertices, faces), 27)
        return crowd and [crowd.as_touching(crowd.touching(crowd.native(matrices))) for matrices in poses]

    found, ours = touching(made(name)), touching(TumblePeer())
    assert all(len(one.bodies) > 3 for one in ours)
    if name == "vtk":
        assert found is None
    elif name == "trimesh":
        assert [one.bodies for one in found] == [one.bodies for one in ours]
    else:
        assert found == [Touching(None, one.triangle_pairs) for one in ours]


@pytest.mark.parametrize("name", PAIRWISE)
@pytest.mark.process
def test_first_use_is_a_program(name):
    program = made(name).first_use
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_poses_of_one_thread_do_not_disturb_another():
    peer = made("fcl")
    solid = peer.prepare(*arrays(shape_duo("torus", 200).a))
    near, far = peer.pair(solid, solid), peer.pair(solid, solid)
    close, apart = near.native(np.eye(4)[None]), far.native(tumbling_poses(3.0, 1))
    assert (near.first_hits(close), far.first_hits(apart)) == ([True], [False])
    assert near.first_hits(close) == [True]


def test_distances_agree():
    poses = tumbling_poses(1.1, 3)
    vertices, faces = arrays(shape_duo("knot", 500).a)

    def distances(peer):
        solid = peer.prepare(vertices, faces)
        pair = peer.pair(solid, solid)
        return pair.distances(pair.native(poses))

    ours = distances(TumblePeer())
    assert (ours > 0.1).all()
    for name in ("fcl", "coal-obbrss"):
        np.testing.assert_allclose(distances(made(name)), ours, rtol=0, atol=1e-9)


def asked(make):
    """A library that is installed, or the reason why it is left out."""
    try:
        return make()
    except (ImportError, OSError) as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("name", APART_MAKERS)
def test_rivals_answer_what_they_say_they_answer(name):
    peer, duo = asked(APART_MAKERS[name]), solid_duo("knot", 500)
    entrants = Entrants(duo, [TumblePeer(), peer])
    for place, relation in ((0.1, "b_inside_a"), (1.0, "apart"), (0.5, "crossing")):
        poses = tumbling_poses(place, 3)
        for question in ("distances", "signed_distances", "relations"):
            if question in peer.questions and (place, question) != (0.5, "signed_distances"):
                ours, theirs = (ask() for ask in entrants.asks(question, poses).values())
                if question == "relations":
                    assert list(theirs) == list(ours) == [relation] * 3
                else:
                    assert compare_values(ours, theirs).differ == 0
        if "within" in peer.questions:
            near = entrants.pairs["tumble"].distances(poses) < 0.3
            pair = entrants.pairs[name]
            assert pair.within(pair.native(poses), 0.3) == near.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", POINT_MAKERS)
def test_rivals_find_the_nearest_points(name):
    peer, mesh = asked(POINT_MAKERS[name]), shape_duo("torus", 500).a
    points = np.random.default_rng(1).uniform(-0.6, 0.6, (200, 3))
    ours, scene = TumblePoints().scene(*arrays(mesh)), peer.scene(*arrays(mesh))
    for question in peer.answers:
        right = ours.distances(getattr(ours, question)(points, 1))
        found = scene.distances(getattr(scene, question)(scene.native(points), 1))
        assert found.shape == right.shape
        assert ((found < 0) == (right < 0)).all()
        off = 0.05 if "winding" in name or name == "point-cloud-utils" else 1e-6
        np.testing.assert_allclose(np.abs(found), np.abs(right), rtol=0, atol=off)
