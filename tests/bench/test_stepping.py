"""`World(device=…)` beside the CPU, and walks on devices: what is raced does the same."""

import numpy as np
import pytest

import tumble
from tumble.bench.framework.table import Table
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.binary_stack import stepping as stepping_module
from tumble.bench.papers.binary_stack.device_walks import DEVICE_WALKS, WALKS, on_device, race_walks
from tumble.bench.papers.binary_stack.fall import Moment
from tumble.bench.papers.binary_stack.stepping import (
    ALL_CORES,
    CONTACTS,
    HERE,
    ONE_CORE,
    STEP,
    STEPPING,
    THERE,
    Heap,
    points,
    race_heap,
)
from tumble.device import devices
from tumble.dynamics import World
from tumble.mesh import shapes, translation

SIX = Effort(0.0, least_rounds=6, most_rounds=6)


@pytest.fixture(scope="module")
def found():
    all_devices = devices()
    if not all_devices:
        pytest.skip("no OpenCL device")
    return all_devices[:1]


def pile(name, *, mesh, count, threads=None, device="cpu"):
    """Boxes on each other, a little askew and a little too deep: they touch from the first step on."""
    world = World(threads=threads, device=device)
    world.add_plane()
    for number in range(count):
        world.add_body(mesh, translation(0.1 * number, 0.05 * number, 0.499 + 0.995 * number))
    return world


def test_worlds_make_the_same_step_in_turn(found, monkeypatch):
    monkeypatch.setattr(stepping_module, "build", pile)
    table = Table()
    studies = table.study(STEPPING), table.study(CONTACTS)
    race_heap(shapes.box(), found, Heap(3, (1,), SIX), *studies, lambda *said: None)
    stepping, contacts = studies
    (case,) = stepping.cases()
    assert set(stepping.contestants(case)) == {ONE_CORE, ALL_CORES, found[0].name}
    assert stepping.value(case, "", "touching") > 0
    assert {stepping.value(case, name, "other states") for name in stepping.contestants(case)} == {0}
    assert stepping.count(case, found[0].name, "rounds") == 6
    assert stepping.interval(case, ONE_CORE, found[0].name, STEP).low > 0
    if found[0].fp64:
        there, here = (points(found[0].name, where) for where in (THERE, HERE))
        assert contacts.value(case, there, "wrong answers") == 0
        assert contacts.interval(case, here, there).low > 0


def test_walks_on_a_device_answer_alike_and_take_the_same_turns(found):
    body, poses = shapes.icosphere(1), np.array([translation(1.8 * k, 0.1, 0.0) for k in range(3)])
    moment = Moment(7, poses, np.array([[0, 1], [1, 2]]))
    truth = [tumble.collide(body, body, poses[i], poses[j]).pairs for i, j in moment.pairs.tolist()]
    study = Table().study(DEVICE_WALKS)
    race_walks(body, moment, truth, found, 6, study)
    names = [on_device(found[0].name, method) for method in WALKS]
    assert [study.value("step 7", name, "wrong answers") for name in names] == [0] * 4
    assert len({study.count("step 7", name, "turns") for name in names[:3]}) == 1
    assert {study.count("step 7", name, "rounds") for name in names} == {6}
