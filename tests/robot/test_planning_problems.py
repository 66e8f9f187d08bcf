"""The reader of planning problems itself: shapes, frames and pairs are those of the files."""

from xml.etree import ElementTree

import numpy as np
import pytest
from planning_problems import PANDA, SETS, available, planning_problem, planning_problems, prism

pytestmark = pytest.mark.skipif(not available(), reason="the folder of real meshes is not here")


def test_a_problem_is_what_its_files_say():
    problem = planning_problem("box_panda/0072")
    assert len(problem.objects) == 7
    can, base = problem.objects[:2]
    assert (can.name, can.kind, can.dimensions) == ("Can1", "cylinder", (0.14, 0.03))
    assert base.mesh.bounds.tolist() == [[-0.35, -0.35, -0.02], [0.35, 0.35, 0.02]]
    assert can.pose[:3, 3].tolist() == [0.446452173627481, -0.3093765657118838, -0.4495966796140821]
    turn = 2 * np.arctan2(-0.3816883853664889, 0.924291066967718)
    assert np.allclose(can.pose[:2, 0], [np.cos(turn), np.sin(turn)], atol=1e-12)
    assert problem.start["panda_joint4"] == -2.356
    assert problem.goal["panda_joint2"] == 1.7628
    assert problem.goal["panda_finger_joint1"] == problem.start["panda_finger_joint1"] == 0.065


def test_pairs_that_may_touch_are_those_of_the_srdf():
    root = ElementTree.parse(PANDA / "panda.srdf").getroot()
    stated = {tuple(sorted((each.get("link1"), each.get("link2")))) for each in root.findall("disable_collisions")}
    assert {problem.allowed for problem in planning_problems("cage_panda")} == {frozenset(stated)}


@pytest.mark.slow
def test_all_problems_are_read():
    names = [problem.name for problem in planning_problems()]
    assert len(names) == len(set(names)) == 100 * len(SETS)


def test_prisms_are_around_cylinders_or_in_them():
    for outside in (True, False):
        mesh = prism(0.4, 0.1, outside)
        assert mesh.bounds[:, 2].tolist() == [-0.2, 0.2]
        away = np.linalg.norm(mesh.vertices[:, :2], axis=1)
        assert away.max() == pytest.approx(0.1, rel=4e-4)
        assert (away.max() >= 0.1 / np.cos(np.pi / 128)) == outside
