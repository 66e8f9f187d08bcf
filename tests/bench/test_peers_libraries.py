"""The real libraries, where they are installed: the same answers as Tumble's where triangles clearly cross or miss."""

import subprocess
import sys

import numpy as np
import pytest

from tumble.bench.peers.contract import Touching
from tumble.bench.peers.entrants import MAKERS
from tumble.bench.peers.ours import TumblePeer
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
