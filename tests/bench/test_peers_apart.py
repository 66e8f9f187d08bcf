"""The rows of `tumble bench peers` about distances, relations and points, with Tumble in disguise as the rivals."""

import numpy as np
import pytest
from fake_peers import FakePeer, FakePoints, forgetful
from test_peers import TINY, empty_table, goals, timed

from covering import sized
from points_oracle import winding_number
from tumble import Mesh, shapes
from tumble.bench.framework.answers import Difference, add_difference, compare_values, differences
from tumble.bench.framework.benchmark import Run
from tumble.bench.framework.goals import MET, MISSED
from tumble.bench.framework.table import Study, Table
from tumble.bench.framework.timing import Effort, both_clocks, race
from tumble.bench.peers import apart
from tumble.bench.peers.apart import compare_words, has_clearance
from tumble.bench.peers.entrants import APART_MAKERS, MAKERS, POINT_MAKERS, Field, installed
from tumble.bench.peers.measure import FULL, LIBRARIES, QUERIES, QUICK, tasks
from tumble.bench.peers.points.judge import INSIDE, ON_SURFACE, OUTSIDE, sides
from tumble.bench.peers.points.races import IN_BOX, ON_IT, add_signs, points_of
from tumble.scenario.objects import shape_duo


def measured(only, apart=(), points=(), threads=1):
    run = Run(TINY, {"field": Field((), (), apart, points), "only": [only], "threads": threads}, Table())
    for task in tasks(run):
        task.work(lambda label, done=0.0: None)
    return run.table


def differing(table, query):
    return {name for (_, name), found in differences(table.study(query)).items() if found.differ}


def farther(distances):
    return distances + 1e-3


def test_distances_are_raced_and_compared():
    fakes = FakePeer("fcl", spoil=farther), FakePeer("coal-obbrss", spoil=lambda found: found.astype(np.float32))
    table = measured("distance", fakes)
    study = table.study("distance")
    assert study.cases() == [
        f"{kind} 200 at {place:g}" for kind in ("torus", "knot", "gear", "bowl") for place in (1.5, 0.8)
    ]
    assert set(study.contestants()) == {"tumble", "fcl", "coal-obbrss"}
    assert differing(table, "distance") == {"fcl"}
    assert study.value("torus 200 at 1.5", "fcl", "missing") == 3  # as if something nearer was missed
    assert any("of 3 touch" in study.text(case, "", "answer") for case in study.cases())
    assert table.study(LIBRARIES).cases() == ["fcl", "coal-obbrss"]
    assert table.study("tried").text("ifcopenshell", "", "outcome").startswith("installs")


def test_a_motion_on_one_thread_and_on_two():
    table = measured("distance-many", [FakePeer("fcl")], threads=2)
    for query in ("distance-many", "distance-many-threads"):
        study = table.study(query)
        assert study.cases("fcl", "tumble") == ["torus 200 draws near", "torus 200 turns"]
        assert set(study.contestants()) >= {"fcl", "tumble"}
        assert not differing(table, query)
    assert not measured("distance-many", [FakePeer("fcl")]).study("distance-many-threads")


def test_signed_distances_of_meshes():
    table = measured("signed-meshes", [FakePeer("meshlib", spoil=np.abs)])
    study = table.study("signed-meshes")
    inside = [case for case in study.cases() if case.endswith("in a ball")]
    assert len(inside) == 4
    assert {study.value(case, "meshlib", "differ") for case in inside} == {2}
    assert {study.value(case, "meshlib", "differ") for case in study.cases() if case not in inside} == {0}


def test_relations():
    table = measured("relation", [FakePeer("manifold", spoil=lambda word: "apart" if word == "touching" else word)])
    study = table.study("relation")
    answers = {case: study.text(case, "", "answer") for case in study.cases()}
    assert answers["torus 200 in a ball, inside"] == "b_inside_a"
    assert answers["torus 200 in a ball, beside"] == "apart"
    assert answers["torus 200 in a ball, across"] == "crossing"
    assert answers["boxes side by side"] == "touching"
    assert answers["a box in a box"] == "b_inside_a"
    assert answers["a box in the void of a box"] == "apart"
    assert answers["the same box"] == "equal"
    assert differing(table, "relation") == {"manifold"}
    assert study.value("boxes side by side", "manifold", "missing") == 4


def test_clearances_wait_for_a_tumble_that_has_them(monkeypatch):
    monkeypatch.setattr(apart, "has_clearance", lambda: False)
    table = measured("clearance", [FakePeer("fcl")])
    assert not table.study("clearance")
    assert any("Clearances were left out" in note for note in table.notes)


@pytest.mark.skipif(not has_clearance(), reason="this version has no clearance")
def test_clearances():
    table = measured("clearance", [FakePeer("fcl"), FakePeer("coal-obbrss", spoil=forgetful)])
    assert table.study("clearance").cases("fcl", "tumble")
    assert differing(table, "clearance") == {"coal-obbrss"}
    assert "pairs per pose" in table.study("clearance-pairs").text("torus 200 at 0.8", "", "answer")


def test_points_are_raced_by_two_clocks():
    rivals = FakePoints("fcpw", answers=("closest",)), FakePoints("trimesh", most_points=50, spoil=farther)
    table = measured("closest-points", points=rivals, threads=2)
    cases = ["torus 200, in the box", "torus 200, near the surface"]
    for query in ("closest-points", "closest-points-threads"):
        assert table.study(query).cases("fcpw", "trimesh", "tumble") == cases
    assert differing(table, "closest-points") == {"trimesh"}
    assert table.study("closest-points").value(cases[0], "trimesh", "answers") == 50
    assert table.study("closest-points").value(cases[0], "", "answers") == 200
    assert not measured("closest-points", points=rivals).study("closest-points-threads")


def test_signs_are_judged():
    rivals = FakePoints("fcpw", answers=("closest",)), FakePoints("libigl", spoil=np.abs)
    table = measured("signed-distance", points=rivals)
    assert set(table.study("signed-distance").contestants()) == {"tumble", "libigl"}
    assert table.study("signed-on-surface").cases() == ["torus 200, near and on the surface"]
    study = table.study("signs")
    assert sum(study.count(case, "tumble", "points") for case in study.cases("tumble")) == 3 * 200 + 2 * 200
    assert sum(study.count(case, "tumble", "on surface") for case in study.cases("tumble")) > 50
    assert not any(
        study.value(case, "tumble", name) for case in study.cases("tumble") for name in ("wrong", "on surface, wrong")
    )
    assert study.value("torus 200, in the box", "libigl", "wrong") > 10
    assert goals(table)["signs of 1 000 000 points"].verdict == MET
    assert goals(table)["signs of 1 000 000 points"].measured.startswith("0 wrong of 1\u202f000, of which")


def test_a_wrong_sign_misses_the_goal():
    table = empty_table()
    right, truth = np.array([1e-9, -0.5, 0.0, 0.25]), np.array([1, -1, 0, 1], np.int8)
    found = np.array([-1e-9, 0.5, 1e-12, 0.25])
    add_signs(table.study("signs"), "a", "tumble", found, truth, right)
    values = table.study("signs")
    assert [
        values.value("a", "tumble", name) for name in ("wrong", "wrong, far", "on surface", "on surface, wrong")
    ] == [2, 1, 1, 1]
    assert values.value("a", "tumble", "off") == pytest.approx(1e-12)
    assert goals(table)["signs of 1 000 000 points"].verdict == MISSED


def test_goals_about_distances_name_their_rivals():
    table = empty_table()
    for name in ("coal-obbrss", "klampt", "meshlib"):
        table.study(LIBRARIES).add(name, "", "judged", True)
    timed(table.study("distance"), "a", tumble=[1.0], fcl=[20.0], coal_obbrss=[11.0], klampt=[0.5])
    timed(table.study("signed-meshes"), "a", tumble=[1.0], meshlib=[51.0])
    found = goals(table)
    assert found["distance, one thread"].measured.startswith("11.0×")
    assert found["distance, every case"].verdict == MISSED  # Klampt counts there
    assert found["signed distance of two meshes"].verdict == MET


def test_numbers_differ_by_more_than_their_precision():
    right = [1.0, 2.0, 0.0, np.inf]
    assert compare_values(right, [1.0, 2.0, 1e-12, np.inf]) == Difference(4, 0, 0, 0)
    assert compare_values(right, [1.0 + 1e-6, 2.0 - 1e-6, 0.0, 3.0]) == Difference(4, 3, 1, 2)
    assert compare_values(right, np.array([1.0 + 1e-6, 2.0, np.nan, np.inf], np.float32)) == Difference(4, 1, 1, 0)


def test_words_differ():
    assert compare_words(["apart", "touching", "equal"], ["crossing", "apart", "equal"]) == (3, 2, 1, 1)


def test_a_library_that_is_asked_less_has_its_own_number_of_answers():
    study = Study("q")
    add_difference(study, "a", "all", Difference(10, 0, 0, 0))
    add_difference(study, "a", "few", Difference(3, 1, 1, 0))
    assert differences(study) == {("a", "all"): (10, 0, 0, 0), ("a", "few"): (3, 1, 1, 0)}


def test_two_clocks_at_once():
    rounds = race({"one": lambda: sum(range(1000))}, Effort(0.0, 2, 2), clock=both_clocks)
    assert np.shape(rounds["one"]) == (2, 2)
    assert (np.array(rounds["one"])[:, 0] > 0).all()


def test_what_is_not_installed_is_named():
    def missing():
        raise ImportError("No module named 'klampt'")

    peers, notes = installed({"klampt": missing, "fcl": FakePeer})
    assert [peer.name for peer in peers] == ["fcl"]
    assert notes == [
        "`klampt` did not compete: No module named 'klampt'. Install it with `pip install \"tumble[bench,rivals]\"`."
    ]


def test_only_what_a_query_needs_is_looked_for(monkeypatch):
    monkeypatch.setattr("tumble.bench.peers.measure.POINT_MAKERS", {"fcpw": FakePoints})
    for name in ("MAKERS", "APART_MAKERS"):
        monkeypatch.setattr(f"tumble.bench.peers.entrants.{name}", {"fcl": lambda: pytest.fail("not needed")})
    run = Run(TINY, {"only": ["closest-points"], "threads": 1})
    assert [task.label for task in tasks(run)] == ["closest points"]


def test_rivals_have_names_and_questions():
    assert {"distance", "clearance", "closest-points", "signed-distance", "signed-meshes", "relation"} <= set(QUERIES)
    assert set(APART_MAKERS) & set(MAKERS) == {"fcl", "coal-obbrss"}
    assert len(POINT_MAKERS) == 11


def judged_as(mesh, points):
    return sides(mesh, np.asarray(points, float)).tolist()


def test_the_judge_on_a_box():
    box = shapes.box(2.0)
    grid = np.stack(np.meshgrid(*[np.arange(-1.5, 1.75, 0.25)] * 3), axis=-1).reshape(-1, 3)
    largest = np.abs(grid).max(axis=1)
    assert judged_as(box, grid) == np.sign(largest - 1.0).astype(int).tolist()
    just = [np.nextafter(1.0, 2.0), 1.0, np.nextafter(1.0, 0.0)]
    for axis in range(3):
        points = np.full((3, 3), 0.25)
        points[:, axis] = just
        assert judged_as(box, points) == [OUTSIDE, ON_SURFACE, INSIDE]
    hollow = Mesh(
        np.concatenate([box.vertices * 2, box.vertices]),
        np.concatenate([box.faces, box.faces[:, ::-1] + len(box.vertices)]),
    )
    assert judged_as(hollow, [(0, 0, 0), (0, 0, 1.5), (0, 0, 3), (1, 1, 1)]) == [OUTSIDE, INSIDE, OUTSIDE, ON_SURFACE]


@sized(4, 16)
def test_the_judge_against_rational_arithmetic(count):
    rng = np.random.default_rng(4)
    wrong = 0
    for kind in ("torus", "gear"):
        mesh = shape_duo(kind, 60).a
        points = np.concatenate([points_of(mesh, where, count, seed=5) for where in (IN_BOX, ON_IT)])
        windings = [winding_number(point, mesh.triangles, rng) for point in points]
        truth = [ON_SURFACE if number is None else INSIDE if number else OUTSIDE for number in windings]
        wrong += sum(one != other for one, other in zip(judged_as(mesh, points), truth, strict=True))
        assert truth.count(ON_SURFACE) >= count / 4
        assert truth.count(INSIDE) >= count / 4
    assert wrong == 0


def test_quick_is_smaller_than_full():
    assert QUICK.points.points < FULL.points.points == 100_000
    assert max(QUICK.apart.sizes) < max(FULL.apart.sizes) == 500_000
    assert (FULL.points.faces, FULL.points.judged, FULL.apart.motion) == (100_000, 1_000_000, 1_000)
