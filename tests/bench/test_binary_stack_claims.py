"""The paper `binary-stack`: every claim put to a table made by hand in which it holds, and to tables that break it."""

import pytest
from binary_stack_table import (
    GPU,
    KERNELS,
    KNOT,
    LARGE_KNOT,
    QUICK_COLLISION,
    TIMES,
    add_stepping,
    add_walks,
    changed,
    good_table,
    moments_only,
    with_phases,
)

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN, check_claims
from tumble.bench.framework.table import PUBLISHED, Table
from tumble.bench.papers.binary_stack.claims import CLAIMS
from tumble.bench.papers.binary_stack.device_walks import BY_PARENTS, DEVICE_WALKS, WITH_STACK, on_device
from tumble.bench.papers.binary_stack.fall import FALL, SIMULATOR
from tumble.bench.papers.binary_stack.measure import DEVICES
from tumble.bench.papers.binary_stack.memory import MEMORY, NODE_SIZES, PAPERS_BINARY
from tumble.bench.papers.binary_stack.published import CPU, add_published, at_step
from tumble.bench.papers.binary_stack.races import (
    BINARY,
    COLLISIONS,
    LEAVES,
    NUMBERED,
    PARENTS,
    SPEEDUPS,
    STACK,
    TRAVERSALS,
    by_rule,
    one_each,
)
from tumble.bench.papers.binary_stack.slots import IN_SLOTS, SLOTS_STUDY, by_way
from tumble.bench.papers.binary_stack.stepping import CONTACTS, STEPPING, THERE, points
from tumble.traversal.rules import RULES

CERTAIN = {"same-walk", "same-answers", "bound-2", "same-ascent", "numbering"}
# What the paper's own Table 1 contradicts, whatever is measured.
CONTRADICTED = {"overall", "copy-grows"}
ABOUT_GPUS = {"stack-slow", "parents-slow", "overall-here", "kernel", "with-copies", "pool", "contacts-there"}
MADE_OF_DEVICES = (DEVICES, SPEEDUPS, DEVICE_WALKS, CONTACTS, SLOTS_STUDY)
AT_100 = at_step(100)


def results(table):
    return {result.claim.name: result for result in check_claims(CLAIMS, table)}


def words(table):
    return {name: result.verdict.word for name, result in results(table).items()}


def several(study, case, names, quantity, value):
    """The good table with one quantity of several contestants changed."""
    table = good_table()
    for name in names:
        table.study(study).add(case, name, quantity, value)
    return table


def with_printed(quantity, processor, factor, base, of=None):
    """The good table with one column of Table 1 as a multiple of another."""
    table = good_table()
    paper = table.study(PUBLISHED)
    for case in paper.cases():
        paper.add(case, processor, quantity, factor * paper.value(case, base, of or quantity))
    return table


def with_parents(low, median, high):
    """The good table with other times of the ascent by parents, the one by numbering being 1."""
    table, ratio = good_table(), f"time / {by_rule(BINARY, 'volume')}"
    values = {ratio: median, f"{ratio}, from": low, f"{ratio}, to": high}
    table.study(TRAVERSALS).add_values(AT_100, PARENTS, values)
    return table


def with_times(**times):
    """One moment with other times, by name with blanks as underscores."""
    return moments_only(100, times={**TIMES, **{name.replace("_", " "): value for name, value in times.items()}})


def with_walks(**seconds):
    """Other kernel times, by method."""
    table = good_table()
    add_walks(table.study(DEVICE_WALKS), {**KERNELS, **seconds})
    return table


def with_steps(**times):
    """Other times of steps and contact points."""
    table = good_table()
    add_stepping(table, **times)
    return table


def trees(bits=None, used=None):
    """Other bits in use, and bytes in use, of the larger knot."""
    table = good_table()
    if bits is not None:
        table.study(MEMORY).add(LARGE_KNOT, BINARY, "bits in use", bits)
    if used is not None:
        table.study(MEMORY).add(LARGE_KNOT, STACK, "in use", used)
    return table


def both_knots(contestant, quantity, value, table=None):
    table = good_table() if table is None else table
    for case in (KNOT, LARGE_KNOT):
        table.study(MEMORY).add(case, contestant, quantity, value)
    return table


def kind(device):
    return changed(DEVICES, GPU.name, "", "kind", device)


def without_devices():
    """A run on a machine that has no OpenCL."""
    kept = Table(row for row in good_table().rows() if row.study not in MADE_OF_DEVICES)
    return Table(row for row in kept.rows() if not (row.study == STEPPING and row.contestant == GPU.name))


RULED = [by_rule(BINARY, rule) for rule in RULES]
NOISY = (0.01, 0.03, 0.05, 0.01, 0.03, 0.05)
BROKEN = [
    ("bottleneck", with_phases(QUICK_COLLISION), FAILS),
    ("bottleneck", with_phases({**QUICK_COLLISION, "contacts": 0.7}), PARTLY),
    ("same-walk", changed(TRAVERSALS, AT_100, by_rule(BINARY, "a-first"), "counted alike", 9), PARTLY),
    ("same-walk", several(TRAVERSALS, AT_100, RULED, "counted alike", 0), FAILS),
    ("memory", both_knots(BINARY, "bound", 80.0), FAILS),
    ("memory", both_knots(BINARY, "given", 60), FAILS),
    ("scales", trees(used=240), FAILS),
    ("bound-1", both_knots(STACK, "in use", 168), FAILS),
    ("bound-1", trees(used=168), PARTLY),
    ("bound-2", both_knots(BINARY, "bits in use", 41), FAILS),
    ("one-integer", trees(bits=32), PARTLY),
    ("one-integer", both_knots("", "height", 17, both_knots(BINARY, "bits in use", 30)), FAILS),
    ("two-integers", both_knots("", "height", 33), FAILS),
    ("stack-slow", with_walks(alternating=0.0205), FAILS),
    ("stack-slow", with_walks(alternating=NOISY), UNDECIDED),
    ("parents-slow", with_walks(stackless=0.0205), FAILS),
    ("numbering", changed(MEMORY, KNOT, "", "numbered", 1998), PARTLY),
    ("numbering", both_knots("", "numbered", 0), FAILS),
    ("same-ascent", changed(TRAVERSALS, AT_100, PARENTS, "counted alike", 0), FAILS),
    ("ascent-reads", changed(TRAVERSALS, AT_100, PARENTS, "read on ways up", 30), PARTLY),
    ("ascent-reads", changed(TRAVERSALS, AT_100, PARENTS, "read on ways up", 0), FAILS),
    ("ascent-reads", changed(TRAVERSALS, AT_100, NUMBERED, "read on ways up", 1), FAILS),
    ("ascent-costly", with_parents(1.0, 1.02, 1.04), FAILS),
    ("ascent-costly", with_parents(0.9, 1.2, 1.3), UNDECIDED),
    ("node-size", changed(NODE_SIZES, "cow", PAPERS_BINARY, "link bytes", 16), FAILS),
    ("node-size", changed(NODE_SIZES, "cow", "", "walks alike", 1), FAILS),
    ("same-answers", changed(COLLISIONS, at_step(0), BINARY, "wrong answers", 1), FAILS),
    ("same-answers", changed(COLLISIONS, at_step(0), LEAVES, "wrong answers", 1), FAILS),
    ("same-answers", changed(TRAVERSALS, AT_100, by_rule(STACK, "volume"), "wrong answers", 1), FAILS),
    ("same-answers", changed(DEVICE_WALKS, AT_100, on_device(GPU.name, BY_PARENTS), "wrong answers", 1), FAILS),
    ("same-answers", changed(STEPPING, AT_100, GPU.name, "other states", 1), FAILS),
    ("same-answers", changed(CONTACTS, AT_100, points(GPU.name, THERE), "wrong answers", 1), FAILS),
    ("same-answers", changed(COLLISIONS, at_step(0), "", "faces", 41), FAILS),
    ("same-answers", changed(FALL, "cow", SIMULATOR, "broad pairs", 11, 100), FAILS),
    ("overall", with_printed("simulation", CPU, 4.5, "GPU"), HOLDS),
    ("overall", good_table(), FAILS),
    ("overall-here", with_steps(one_core=0.39), FAILS),
    ("kernel", with_times(binary_stack=0.05), FAILS),
    ("with-copies", with_times(**{one_each(GPU.name): 0.06}), FAILS),
    ("slots", changed(SLOTS_STUDY, AT_100, by_way(GPU.name, IN_SLOTS), "dense bytes", 40_000), FAILS),
    ("slots", changed(SLOTS_STUDY, AT_100, by_way(GPU.name, IN_SLOTS), "wrong answers", 1), FAILS),
    ("copy-grows", with_printed("copy", "GPU", 1e-4, "GPU", "broad"), HOLDS),
    ("copy-grows", good_table(), FAILS),
    ("compact", moments_only(100, copy=0.02), FAILS),
    ("waiting", changed(TRAVERSALS, AT_100, "", "idle", 0.1), FAILS),
    ("pool", with_times(**{GPU.name: 0.04}), FAILS),
    ("contacts-there", with_steps(here=0.0205), FAILS),
]


def test_a_good_table_holds():
    found = words(good_table())
    assert {name for name, word in found.items() if word == FAILS} == CONTRADICTED
    assert {word for name, word in found.items() if name not in CONTRADICTED} == {HOLDS}
    assert {claim.name for claim in CLAIMS if claim.certain} == CERTAIN
    assert all(claim.holds_if for claim in CLAIMS)


def test_every_claim_has_a_table_in_which_it_does_not_hold():
    assert {name for name, _, word in BROKEN if word == FAILS} == {claim.name for claim in CLAIMS}


def test_nothing_measured_is_not_a_verdict():
    table = Table()
    add_published(table)
    found = words(table)
    assert {found.pop(name) for name in CONTRADICTED} == {FAILS}  # those are about the published table
    assert set(found.values()) == {UNKNOWN}


@pytest.mark.parametrize(("name", "table", "expected"), BROKEN, ids=[f"{name} {word}" for name, _, word in BROKEN])
def test_what_fails_is_noticed(name, table, expected):
    found = results(table)
    assert found[name].verdict.word == expected
    broken = {other for other, result in found.items() if result.broken}
    assert broken == ({name} & CERTAIN if expected in (FAILS, PARTLY) else set())


def test_the_first_steps_are_not_the_heap():
    """A slow start does not spoil what the paper says about step 100 and later."""
    table = good_table()
    for end in ("", ", from", ", to"):
        table.study(COLLISIONS).add(at_step(0), one_each(GPU.name), f"copy / time{end}", 0.9)
    assert words(table)["compact"] == HOLDS


def test_a_device_that_is_not_a_gpu_decides_nothing_and_is_shown():
    found = results(kind("cpu"))
    assert {name for name, result in found.items() if result.verdict.word == UNKNOWN} == ABOUT_GPUS
    shown = {name: found[name].verdict.numbers for name in ABOUT_GPUS}
    device = "no GPU here; opencl:0 (CPU, 16 units)"
    assert shown == {
        "kernel": f"{device} 5.00×",
        "with-copies": f"{device} 2.50×",
        "pool": f"{device} 1.33×",
        "overall-here": f"{device} 5.00×",
        "stack-slow": f"{device} 1.50× at step 100",
        "parents-slow": f"{device} 1.25× at step 100",
        "contacts-there": f"{device} 1.50× at step 100",
    }


def test_a_machine_without_opencl_says_so():
    found = results(without_devices())
    unknown = {name: result.verdict.numbers for name, result in found.items() if result.verdict.word == UNKNOWN}
    assert unknown == dict.fromkeys({*ABOUT_GPUS, "slots", "compact"}, "no OpenCL device here")


def test_an_older_run_lacks_what_it_did_not_measure():
    added = (DEVICE_WALKS, STEPPING, CONTACTS, SLOTS_STUDY)
    found = results(Table(row for row in good_table().rows() if row.study not in added))
    for name in ("stack-slow", "parents-slow", "slots"):
        assert found[name].verdict == (UNKNOWN, "not in this run")
    assert found["overall-here"].verdict.word == found["contacts-there"].verdict.word == UNKNOWN
    assert found["kernel"].verdict.word == HOLDS


def test_too_few_rounds_decide_nothing():
    table = with_walks(alternating=(0.03,) * 5, **{"stackless-post": (0.02,) * 5})
    assert words(table)["stack-slow"] == UNDECIDED
    assert on_device(GPU.name, WITH_STACK) in table.study(DEVICE_WALKS).contestants()
