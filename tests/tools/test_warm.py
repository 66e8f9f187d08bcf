"""Kernels before they are needed: `tumble warm`, and the wheel of kernels."""

import os
import subprocess
import sys
import zipfile

import pytest
from typer.testing import CliRunner

from tumble.cli import app
from tumble.core.kernel_bundle import SWITCH
from tumble.errors import InternalError
from tumble.tools import warm, workloads

QUERY = """
import hashlib
import numpy as np, tumble
torus, places = tumble.shapes.torus(40, 20), np.random.default_rng(5).uniform(-2, 2, (500, 3))
signed = tumble.signed_distance(torus, places)
nearest = tumble.closest_points(torus, places)
inside = tumble.contains(torus, places)
hits = tumble.cast_rays(torus, places, -places)
columns = [signed.distances, nearest.points, nearest.triangles, nearest.distances, inside.inside, hits.distances]
from tumble.core import compile_notices
print(compile_notices.compiled(), *(hashlib.sha256(np.ascontiguousarray(each)).hexdigest() for each in columns))
"""

ROBOT_QUERY = """
import hashlib, pickle
import numpy as np, tumble
from tumble.robot import FIXED, SLIDES, TURNS, Kinematics, Robot
rod, kinds = tumble.shapes.box([0.1, 0.1, 1.6]), [FIXED, TURNS, TURNS, SLIDES, TURNS]
kinematics = Kinematics.of(
    parents=[-1, 0, 1, 2, 3], kinds=kinds, columns=[-1, 0, 1, 2, 3], factors=[1] * 5, offsets=[0] * 5,
    origins=[tumble.translation(0, 0, 0.7)] * 5, axes=[[0, 0, 1], [0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]],
)
robot = Robot("abcde", [rod, rod, rod, None, rod], kinematics, "wxyz", np.array([[-2.0, 2.0]] * 4))
robot = robot.with_attached("ball", tumble.shapes.icosphere(3, 0.3), "e", may_touch=["c"])
scene = tumble.Scene()
for k in range(6):
    scene.add(str(k), tumble.shapes.box([0.5, 1.0, 0.05]), tumble.rotation("x", k) @ tumble.translation(0, 0.3 * k, 1))
Q, columns = robot.random(300), []
for each in (robot, pickle.loads(pickle.dumps(robot))):
    near = each.distance(Q, scene, links=True)
    columns += [each.collides(Q, scene).hit, each.collides(Q, scene, clearance={"ball": 0.1}, links=True).rows]
    columns += [each.collides(Q, clearance=0.1, threads=1).hit, near.link_distances, near.link_points, each.poses(Q)]
    columns += [each.distance(Q, scene).points, each.check_motions(Q[:99], Q[99:198], scene, times=True).times]
columns += [each.hits for each in robot.find_allowed_pairs(500).pairs]
robot.collides(robot.random(100_000))  # makes tables
columns += [robot.collides(Q, scene).hit]
from tumble.core import compile_notices
print(compile_notices.compiled(), *(hashlib.sha256(np.ascontiguousarray(each)).hexdigest() for each in columns))
"""


def test_warm_says_how_many_kernels_there_are(monkeypatch):
    asked = []
    monkeypatch.setattr(warm, "_ask", lambda name, environment: asked.append(name))
    result = CliRunner().invoke(app, ["warm", "--jobs", "2"])
    assert result.exit_code == 0, result.output
    assert sorted(asked) == sorted(workloads.USUAL)
    assert "0 of them new." in result.stdout
    assert CliRunner().invoke(app, ["warm", "--all"]).exit_code == 0
    assert asked.count("methods") == 1


def test_what_cannot_be_compiled_is_named(monkeypatch):
    monkeypatch.setattr(warm, "_ask", lambda name, environment: "no memory" if name == "scene" else None)
    with pytest.raises(InternalError, match="scene could not be compiled: no memory"):
        warm.warm(list(workloads.USUAL), 2)


@pytest.mark.process
def test_a_workload_that_fails_says_why():
    assert "KeyError: 'nothing'" in (warm._ask("nothing", None) or "")


def test_every_workload_has_a_place_in_the_order():
    assert set(warm.LONGEST_FIRST) == set(workloads.ALL)


@pytest.mark.slow
@pytest.mark.parametrize("name, query", [("points", QUERY), ("robot", ROBOT_QUERY)])
def test_a_wheel_of_real_kernels_answers_without_the_compiler_and_alike(tmp_path, name, query):
    command = [sys.executable, "-m", "tumble.tools.kernels", str(tmp_path / "dist"), "--only", name]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "site")
    paths = [str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]

    def ask(cache, **others):
        own = {**os.environ, "TUMBLE_CACHE_DIR": str(tmp_path / cache), "PYTHONPATH": os.pathsep.join(paths), **others}
        done = subprocess.run([sys.executable, "-c", query], env=own, capture_output=True, text=True, check=True)
        compiled, *answers = done.stdout.split()
        return int(compiled), answers

    compiled, answers = ask("new")
    assert compiled == 0
    assert not list((tmp_path / "new").glob("*/*.nbc"))
    compiled_here, own_answers = ask("own", **{SWITCH: "0"})
    assert compiled_here > 0
    assert answers == own_answers
