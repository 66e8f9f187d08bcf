"""The rows of `tumble bench peers` about times of impact, steps and common volumes, with Tumble in disguise."""

import math
from dataclasses import replace

import numpy as np
import pytest
from fake_moving import FakeMoving, FakeStep
from fake_peers import FakePeer
from test_peers import TINY, empty_table, goals, timed

import tumble
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.goals import MET, MISSED, UNKNOWN
from tumble.bench.framework.table import Table
from tumble.bench.peers.entrants import MOVING_MAKERS, STEP_MAKERS, Field, installed
from tumble.bench.peers.measure import FULL, QUERIES, QUICK, tasks
from tumble.bench.peers.moving import volumes
from tumble.bench.peers.moving.contract import StepPeer
from tumble.bench.peers.moving.edges import made_duo, samples_of
from tumble.bench.peers.moving.judge import JUDGED, first_contact, verdict
from tumble.bench.peers.moving.ours import TumbleMoving, TumbleStep
from tumble.bench.peers.moving.steps import compare_step, sheet_step
from tumble.scenario.flights import flights_at_each_other, recorded_flights, short_flights
from tumble.scenario.objects import arrays, shape_duo

MODEL = """<MODEL><OBJECT id="1">
<GRID id="1" x="-0.5" y="-0.5" z="0.0"/><GRID id="2" x="0.5" y="-0.5" z="0.0"/><GRID id="3" x="0.0" y="0.5" z="0.0"/>
<TRIA id="1" g1="1" g2="2" g3="3"/></OBJECT><OBJECT id="2">
<GRID id="1" x="-0.5" y="-0.5" z="0.0"/><GRID id="2" x="0.5" y="-0.5" z="0.0"/><GRID id="3" x="0.0" y="0.5" z="0.0"/>
<TRIA id="1" g1="1" g2="2" g3="3"/></OBJECT></MODEL>
<MOTION>"""
FRAME = """<FRAME id="1" obj1_pos="0 0 0" obj2_pos="0 0 {}"
obj1_dc ="1 0 0 0 1 0 0 0 1" obj2_dc ="0.996 0.0893 0 -0.0893 0.996 0 0 0 1"/>"""


def run_of(only, sizes=TINY, threads=1, data=None, **field):
    options = {"field": Field((), (), **field), "only": [only], "threads": threads, "data": data}
    run = Run(sizes, options, Table())
    for task in tasks(run):
        task.work(lambda label, done=0.0: None)
    return run.table


def judged(table, name):
    study = table.study(JUDGED)
    columns = ("flights", "touching", "missed", "late", "early")
    return [sum(study.count(case, name, what) for case in study.cases(name)) for what in columns]


@pytest.fixture
def motion_file(tmp_path):
    heights = (2.0, 1.0, 0.5, -0.5, -1.0)
    (tmp_path / "motion.xml").write_text(MODEL + "".join(map(FRAME.format, heights)) + "</MOTION>")
    return tmp_path


def test_flights_are_raced_and_judged():
    rivals = FakeMoving("fcl", spoil=lambda times: times + 0.01), FakeMoving("rapier", spoil=lambda times: times * 0.5)
    table = run_of("time-of-impact", moving=rivals)
    study = table.study("time-of-impact")
    assert study.cases() == [f"torus 200 {kind} {k}" for kind in ("linear", "screw") for k in (1, 2)]
    assert set(study.contestants()) == {"tumble", "fcl", "rapier"}
    number, touching, *wrong = judged(table, "tumble")
    assert (number, wrong) == (4, [0, 0, 0])
    assert touching > 0
    assert judged(table, "fcl")[2:] == [0, touching, 0]
    assert judged(table, "rapier")[2:] == [0, 0, touching]
    found = goals(table)
    assert found["longest linear sweep of two tori"].verdict in (MET, MISSED)
    assert found["times of impact, judged by dense samples"].verdict == MET
    assert found["times of impact, judged by dense samples"].measured.startswith("0 wrong of 4; fcl: ")
    assert found["a motion from frame to frame"].verdict == UNKNOWN


def test_a_wrong_time_of_tumble_misses_the_goal():
    table = empty_table()
    table.study(JUDGED).add_values("a", "tumble", {"flights": 3, "touching": 1, "missed": 0, "late": 1, "early": 0})
    assert goals(table)["times of impact, judged by dense samples"].verdict == MISSED
    for name, seconds in (("linear", 0.51e-3), ("screw", 4.9e-3)):
        timed(table.study("time-of-impact"), name, tumble=[seconds])
        table.study("time-of-impact").add(name, "", "motion", name)
    found = goals(table)
    assert found["longest linear sweep of two tori"].verdict == MISSED
    assert found["longest screw of two tori"].verdict == MET


def test_recorded_motions(motion_file):
    table = run_of("motion", threads=2, data=motion_file, moving=[FakeMoving("fcl", lambda times: times + np.inf)])
    for query in ("motion", "motion-threads", "motion-whole"):
        assert table.study(query).cases("fcl", "tumble") == ["motion, 5 frames"]
    assert table.study("motion").text("motion, 5 frames", "", "answer") == "1 of 4 touch"
    assert judged(table, "fcl") == [4, 1, 1, 0, 0]
    assert judged(table, "tumble") == judged(table, "tumble on 2 threads") == [4, 1, 0, 0, 0]
    assert table.study("motion-whole").value("motion, 5 frames", "tumble", "first contact") == pytest.approx(
        2.5, abs=1e-4
    )
    assert goals(table)["a motion from frame to frame"].verdict in (MET, MISSED)


def test_a_motion_that_is_missing_is_named(tmp_path):
    table = run_of("motion", data=tmp_path, moving=[FakeMoving()])
    assert not table.study("motion")
    assert any("`motion.xml` was left out: cannot read" in note for note in table.notes)
    (tmp_path / "motion.xml").write_text(MODEL + "<FRAME/></MOTION>")
    with pytest.raises(tumble.TumbleError, match="a frame has no obj1_pos"):
        recorded_flights(tmp_path / "motion.xml")


def test_recorded_poses_are_those_of_the_file(motion_file):
    duo, flights = recorded_flights(motion_file / "motion.xml")
    assert (len(duo.a), len(duo.b), len(flights)) == (1, 1, 4)
    np.testing.assert_allclose(flights[1][1].at(0.0)[:3, 3], (0, 0, 1.0))
    np.testing.assert_allclose(flights[1][1].at(1.0)[0, :3], (0.996, 0.0893, 0), atol=1e-4)
    np.testing.assert_array_equal(flights[0][0].at(1.0), np.eye(4))


def test_edges_are_raced_with_and_without_threads(tmp_path):
    deaf = FakeMoving("fcl", lambda times: times + np.inf)
    table = run_of("edge-check", threads=2, data=tmp_path, moving=[deaf])
    case = made_duo(200).name
    assert table.study("edge-check").cases("fcl", "tumble") == [case]
    assert set(table.study("edge-check-threads").contestants(case)) >= {"tumble", "fcl", "fcl on 2 threads"}
    number, touching, *wrong = judged(table, "tumble")
    assert (number, wrong) == (12, [0, 0, 0])
    assert judged(table, "fcl") == judged(table, "fcl on 2 threads") == [12, touching, touching, 0, 0]
    assert touching > 0
    assert any("`robot` was left out" in note for note in table.notes)


def test_a_planner_looks_at_more_poses_of_longer_edges():
    (_, short), (_, long) = short_flights(2, np.zeros((2, 3)), 1.0)
    assert samples_of((short, tumble.Motion.screw(translation=(1, 0, 0))), 1.0) == 101
    assert samples_of((short, tumble.Motion.screw(axis="z", angle=math.pi / 2)), 1.0) == 51
    assert samples_of((short, tumble.Motion.screw()), 1.0) == 2
    assert 2 < samples_of((short, long), 1.0) <= 101


def test_steps_are_raced_and_compared():
    peers = FakeStep(), FakeStep("ipctk-tight-0.8", 0.8, spoil=lambda time: time * 2.0)
    table = run_of("ccd-step", steps=peers)
    study = table.study("ccd-step")
    assert study.cases() == ["a sheet of 72 triangles"]
    assert set(study.contestants("a sheet of 72 triangles")) >= {"tumble", "tumble exact", "ipctk-tight-0.8"}
    assert study.value("a sheet of 72 triangles", "ipctk-additive-0.999", "differ") == 0
    assert study.value("a sheet of 72 triangles", "ipctk-tight-0.8", "missing") == 1
    assert goals(table)["first contact of a step"].verdict == MET
    study.add("a sheet of 72 triangles", "ipctk-additive-0.999", "first contact", 0.0)
    assert goals(table)["first contact of a step"].verdict == MISSED


def test_steps_that_are_late_or_far_too_early():
    peer = StepPeer()
    peer.share, peer.tolerance = 0.9, 1e-6
    assert compare_step((0.5, 0.5), 0.45, peer) == (1, 0, 0, 0)
    assert compare_step((0.5, 0.5), 0.51, peer) == (1, 1, 1, 0)
    assert compare_step((0.5, 0.5), 0.1, peer) == (1, 1, 0, 1)
    assert compare_step((math.inf, math.inf), 1.0, peer) == (1, 0, 0, 0)
    assert compare_step((1e-7, 1e-7), 0.0, peer) == (1, 0, 0, 0)


def test_volumes(tmp_path):
    table = run_of("penetration", data=tmp_path, apart=[FakePeer("manifold", spoil=lambda found: found * 1.01)])
    study = table.study("penetration")
    assert study.cases("manifold", "tumble") == ["torus 200"]
    assert study.value("torus 200", "manifold", "differ") == 2
    assert goals(table)["common volume of two meshes"].verdict in (MET, MISSED)


def test_an_assembly(monkeypatch):
    parts = [
        tumble.Part(str(k), tumble.transformed(tumble.shapes.box(), tumble.translation(0.75 * k, 0, 0)))
        for k in range(4)
    ]
    run = Run(TINY, {}, Table())
    volumes.assembly(volumes.Recorder(run.table, TINY.moving_effort), [], "boxes", parts)
    study = run.table.study("assembly-penetration")
    assert study.text("boxes", "", "answer") == "3 pairs of 4 parts, 3 of solids"
    assert set(study.contestants("boxes")) >= {"tumble", "tumble with depths"}
    assert goals(run.table)["all penetrations of a gearbox"].verdict == MET
    manifold, _ = installed({"manifold": volumes.ManifoldPeer})
    if manifold:
        volumes.assembly(volumes.Recorder(run.table, TINY.moving_effort), manifold, "boxes", parts)
        assert study.value("boxes", "manifold", "differ") == 0


def test_the_judge_knows_a_flight_by_hand():
    box = tumble.shapes.box()
    still, flight = tumble.Motion.screw(), tumble.Motion.screw(tumble.translation(3, 0, 0), (-5, 0, 0))
    past = tumble.Motion.screw(tumble.translation(3, 0, 0), (0, 5, 0))
    flights = [(still, flight), (still, flight), (still, flight), (still, past), (still, past)]
    truth = [first_contact(box, box, each, 11) for each in flights]
    assert truth[0] == pytest.approx(0.4, abs=1e-9)
    assert truth[0] >= 0.4
    assert truth[3] == math.inf
    assert first_contact(box, box, (still, tumble.Motion.screw()), 11) == 0.0
    found = verdict((box, box), flights, truth, [math.inf, 0.41, 0.39, math.inf, 0.5])
    assert found == {"flights": 5, "touching": 3, "missed": 1, "late": 1, "early": 2}
    assert verdict((box, box), flights[:2], truth[:2], [0.4, 0.39999])["early"] == 0


@pytest.mark.parametrize("turning", [False, True])
def test_flights_come_from_all_sides(turning):
    flights = flights_at_each_other(30, turning)
    duo = shape_duo("torus", 200)
    hits = [tumble.swept(duo.a, duo.b, *each) for each in flights]
    assert 10 < sum(hits) <= 30
    assert not any(tumble.collides(duo.a, duo.b, *(motion.at(0.0) for motion in each)) for each in flights)


def installed_or_skip(makers, name):
    peers, notes = installed({name: makers[name]})
    return peers[0] if peers else pytest.skip(notes[0])


@pytest.mark.parametrize("name", MOVING_MAKERS)
def test_real_rivals_find_a_contact(name):
    peer, duo = installed_or_skip(MOVING_MAKERS, name), shape_duo("gear", 200)
    flights = flights_at_each_other(6, False)
    times = {}
    for each in (TumbleMoving(), peer):
        solid = each.prepare(*arrays(duo.a))
        pair = each.pair(solid, solid)
        times[each.name] = pair.impacts(pair.native(flights))
    ours, theirs = times["tumble"], times[name]
    assert np.isfinite(ours).sum() >= 3
    if name == "fcl":  # which finds no contact by conservative advancement unless it is there at the start
        assert not np.isfinite(theirs).any()
        assert pair.impacts(pair.native([(tumble.Motion.screw(), tumble.Motion.screw())])) == [0.0]
    else:
        both = np.isfinite(ours) & np.isfinite(theirs)
        assert both.sum() >= 3
        np.testing.assert_allclose(theirs[both], ours[both], atol=0.02)


@pytest.mark.parametrize("name", STEP_MAKERS)
def test_real_rivals_stop_before_a_contact(name):
    peer, (mesh, end) = installed_or_skip(STEP_MAKERS, name), sheet_step(8)
    given = np.array(mesh.vertices), np.array(end), mesh.faces.astype(np.int32)
    ours, theirs = (each.step(*given)() for each in (TumbleStep(), peer))
    assert 0.5 * peer.share * ours <= theirs <= ours


def test_all_queries_have_a_full_and_a_quick_size():
    assert QUERIES[-6:-1] == ("time-of-impact", "motion", "edge-check", "ccd-step", "penetration")
    assert (FULL.moving.faces, FULL.moving.flights, FULL.moving.edge_plan.count) == (10_000, 10, 1_000)
    assert QUICK.moving.flights < FULL.moving.flights
    assert replace(FULL.moving, scenes=()).scenes == ()
