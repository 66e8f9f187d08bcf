"""The rows of `tumble bench peers` about robots, with Tumble in disguise and a robot that the test writes."""

from dataclasses import replace

import numpy as np
import pytest
from test_peers import TINY, goals
from test_peers_moving import run_of

from tumble.bench.framework.goals import MET, MISSED
from tumble.bench.peers.entrants import ROBOT_MAKERS, installed
from tumble.bench.peers.goals import timed
from tumble.bench.peers.ours import OURS
from tumble.bench.peers.page import rows_of
from tumble.bench.peers.robots.contract import RobotFiles
from tumble.bench.peers.robots.ours import TumbleRobots, robot_of
from tumble.bench.peers.robots.spheres import sphere_hits, spheres_of
from tumble.bench.peers.robots.tasks import SPHERES, RobotSizes
from tumble.scenario.shelves import FURNITURE

LINK = """<link name="{0}"><collision><origin xyz="0 0 {1}"/><geometry>{2}</geometry></collision></link>"""
JOINT = """<joint name="j{0}" type="revolute"><parent link="l{0}"/><child link="l{1}"/><origin xyz="0 0 {2}"/>
<axis xyz="{3}"/><limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>"""
BOX, SPHERE = '<box size="0.1 0.1 {}"/>', '<sphere radius="{}"/>'
SRDF = """<robot name="rods"><disable_collisions link1="l0" link2="l1" reason="Adjacent"/>
<disable_collisions link1="l1" link2="l2" reason="Adjacent"/></robot>"""
SIZES = replace(TINY, robots=RobotSizes(configurations=300, judged=300))


def urdf(shape):
    lengths = (0.3, 0.6, 0.6)
    links = "".join(LINK.format(f"l{k}", size / 2, shape.format(size)) for k, size in enumerate(lengths))
    joints = "".join(JOINT.format(k, k + 1, lengths[k], axis) for k, axis in enumerate(("0 0 1", "1 0 0")))
    return f'<robot name="rods">{links}{joints}</robot>'


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "motion-planning" / "panda"
    folder.mkdir(parents=True)
    (folder / "panda.urdf").write_text(urdf(BOX))
    (folder / "panda_spherized.urdf").write_text(urdf(SPHERE).replace('radius="0.3"', 'radius="0.1"'))
    (folder / "panda.srdf").write_text(SRDF)
    return tmp_path


class FakeRobots(TumbleRobots):
    """Answers as Tumble does, except that `spoil` has the last word."""

    def __init__(self, name, spoil=None):
        self.name, self.spoil = name, spoil or (lambda hit: hit)

    def checker(self, files, obstacles):
        honest, spoil = super().checker(files, obstacles), self.spoil

        class Checker:
            def hits(self, Q, threads):
                return spoil(honest.hits(Q, threads))

        return Checker()


def test_robots_are_raced_and_answers_compared(data):
    rivals = FakeRobots("pinocchio-hulls"), FakeRobots("pinocchio-meshes", lambda hit: ~hit)
    table = run_of("robots", SIZES, threads=2, data=str(data), robots=rivals)
    for query, count in (("robots", 3), ("robots-threads", 5)):
        for name in FURNITURE:
            assert len(timed(table.study(query), f"Panda, {name}")) == count
    study = table.study("robots")
    answers = [study.count(f"Panda, {name}", "pinocchio-meshes", "differ") for name in FURNITURE]
    assert answers == [300, 300]
    assert study.count("Panda, table", "pinocchio-hulls", "differ") == 0
    of_robots = [name for name in goals(table) if "of a robot" in name or "convex hulls" in name]
    assert len(of_robots) == 4
    assert {goals(table)[name].verdict for name in of_robots} <= {MET, MISSED}


def test_goals_are_judged_against_the_same_meshes_and_hulls_beside(data):
    table = run_of("robots", SIZES, threads=2, data=str(data), robots=(FakeRobots("pinocchio-hulls"),))
    for how in ("per core", "with threads"):
        assert goals(table)[f"configurations of a robot, {how}"].verdict not in (MET, MISSED)
    for how in ("", " with threads"):
        assert goals(table)[f"the same{how}, against convex hulls"].verdict in (MET, MISSED)
    titles = [title for title, _, _ in rows_of(table)]
    assert titles.count("the same, than convex hulls") == 2
    assert not [title for title in titles if "robot" in title]


def test_spheres_are_judged(data):
    table = run_of("robots", SIZES, data=str(data))
    study = table.study(SPHERES)
    missed = [study.value(f"{name}, all contacts: missed, of all", "spheres", "value") for name in FURNITURE]
    invented = [study.value(f"{name}, all contacts: invented, of all", "spheres", "value") for name in FURNITURE]
    assert all(0.0 <= share <= 100.0 for share in missed)
    assert max(invented) > 0.0  # they are thicker than the rods


def test_sphere_hits_are_those_of_spheres(data):
    folder = data / "motion-planning" / "panda"
    robot = robot_of(RobotFiles(folder / "panda.urdf", folder / "panda.srdf", folder))
    ball = robot_of(RobotFiles(folder / "panda_spherized.urdf", folder / "panda.srdf", folder))
    spheres = spheres_of(robot, folder / "panda_spherized.urdf")
    assert spheres.radii.tolist() == [0.1, 0.6, 0.6]
    Q, obstacles = robot.random(200, seed=1), FURNITURE["bookshelf"]()
    found = sphere_hits(robot, spheres, obstacles, Q)
    meshes = TumbleRobots().checker(RobotFiles(folder / "panda.urdf", folder / "panda.srdf", folder), obstacles)
    touching = ball.collides(Q, meshes.scene).hit  # polyhedra around the spheres, and surfaces
    assert np.mean(found != touching) < 0.05


def test_without_the_folder_a_note_says_so(tmp_path, monkeypatch):
    monkeypatch.delenv("TUMBLE_MESHES", raising=False)
    table = run_of("robots", SIZES)
    assert any("panda.urdf" in note for note in table.notes)


def test_pinocchio_agrees_where_it_is_installed(data):
    peers, notes = installed(ROBOT_MAKERS)
    if not peers:
        assert len(notes) == len(ROBOT_MAKERS)
        pytest.skip("pinocchio is not installed")
    folder = data / "motion-planning" / "panda"
    files = RobotFiles(folder / "panda.urdf", folder / "panda.srdf", folder)
    for make in FURNITURE.values():
        ours = TumbleRobots().checker(files, make())
        Q = ours.robot.random(300, seed=2)
        for peer in peers:
            assert np.mean(peer.checker(files, make()).hits(Q, 1) != ours.hits(Q, 1)) < 0.02, (OURS, peer.name)
