"""`collides_any`: what `collide_many` says of any pose, after a few of them where many hit."""

import numpy as np
import pytest

import tumble
from solid_forms import BOX, SMALL
from tumble import MeshError, OptionError, PoseError, translation
from tumble.api import collides_any as module

KNOT = tumble.shapes.knot()
RING = tumble.shapes.torus(segments=32, sides=16)


def path(count, low, high):
    return np.array([translation(x, 0, 0) for x in np.linspace(low, high, count)])


@pytest.mark.parametrize("count", [0, 1, 2, 3, 63, 64, 65, 300, 1000])
def test_one_hit_is_found_wherever_it_is(count):
    apart = path(count, 10.0, 11.0)
    assert not tumble.collides_any(KNOT, RING, apart)
    for k in {0, count // 3, count - 1} if count else ():
        poses = apart.copy()
        poses[k] = np.eye(4)
        assert tumble.collides_any(KNOT, RING, poses, threads=1)
        assert tumble.collides_any(KNOT, RING, np.tile(np.eye(4), (count, 1, 1)), np.linalg.inv(poses))


def test_every_pose_is_asked_for_once_and_few_where_many_hit(monkeypatch):
    asked, ask = [], module.ask

    def counted(question, a, b, pairs, options, **more):
        asked.append(pairs[:, 1].tolist())
        return ask(question, a, b, pairs, options, **more)

    monkeypatch.setattr(module, "ask", counted)
    assert not tumble.collides_any(KNOT, RING, path(1000, 10.0, 11.0))
    assert sorted(k for part in asked for k in part) == list(range(1000))
    assert all(part == sorted(part) for part in asked)
    asked.clear()
    assert tumble.collides_any(KNOT, RING, path(1000, 20.0, 0.0))  # the last poses hit, and one in the first part
    assert [len(part) for part in asked] == [64]


@pytest.mark.parametrize("options", [{"method": "stack"}, {"tree": "boxtree"}, {"method": "bulk"}, {"threads": 2}])
def test_every_option_of_collide_many(options):
    far, near = path(70, 10.0, 11.0), path(70, 10.0, 0.0)
    assert not tumble.collides_any(KNOT, RING, far, **options)
    assert tumble.collides_any(KNOT, RING, near, **options)


def test_clearances_and_solids():
    poses = [translation(4.0, 0, 0), translation(2.0, 0, 0)]
    gap = tumble.distance(BOX, SMALL, pose_b=poses[1]).distance
    assert not tumble.collides_any(BOX, SMALL, poses)
    assert tumble.collides_any(BOX, SMALL, poses, clearance=1.01 * gap)
    assert tumble.collides_any(BOX, SMALL, poses, clearance=[0.0, 1.01 * gap])
    assert not tumble.collides_any(BOX, SMALL, poses, clearance=[1.01 * gap, 0.0])
    inside = [translation(4.0, 0, 0), None, translation(3.0, 0, 0)]
    inside[1] = np.eye(4)
    assert not tumble.collides_any(BOX, SMALL, inside)
    assert tumble.collides_any(BOX, SMALL, inside, solid=True)
    assert not tumble.collides_any(BOX, SMALL, poses, solid=True)


def test_what_makes_no_sense_is_refused_without_poses_too():
    none = np.empty((0, 4, 4))
    with pytest.raises(OptionError, match="unknown method"):
        tumble.collides_any(BOX, SMALL, none, method="magic")
    with pytest.raises(MeshError, match="mesh a has 3 open edges"):
        tumble.collides_any(tumble.Mesh(BOX.vertices, BOX.faces[1:]), SMALL, none, solid=True)
    with pytest.raises(PoseError, match="poses_a holds 2 poses"):
        tumble.collides_any(BOX, SMALL, none, [np.eye(4)] * 2)
