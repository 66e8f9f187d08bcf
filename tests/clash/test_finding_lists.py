"""Lists of findings: order, ids, threads, many parts, groups."""

import numpy as np
from clash_parts import LEFT, PLATE, beside, parts, rod

from covering import sized
from solid_forms import SMALL, moved
from tumble import Part
from tumble.clash import CheckSettings, Kind, check_parts
from tumble.clash.finding import keys_of, pair_id
from tumble.clash.groups import grouped

MIXED = parts(
    left=LEFT,
    flush=beside(0.0),
    deep=moved(beside(20.0), 0, 0, 200),
    under=moved(LEFT, 0, 0, 200),
    shallow=moved(beside(1.0), 0, 200, 0),
    beneath=moved(LEFT, 0, 200, 0),
    pin=moved(SMALL, 50, 30, 25),
    copy=beside(0.0),
    near=moved(LEFT, -100.25, 0, 0),
)


def test_worst_first():
    found = check_parts(MIXED, CheckSettings(clearance=0.5)).findings
    names = [(str(one.kind), one.name_a, one.name_b) for one in found]
    assert names[:3] == [("inside", "pin", "left"), ("crossing", "deep", "under"), ("crossing", "shallow", "beneath")]
    assert [one[0] for one in names[3:]] == ["duplicate", "too_close", "touching", "touching"]
    assert [one.fails for one in found] == [True] * 5 + [False] * 2


def test_threads_do_not_matter():
    both = [check_parts(MIXED, CheckSettings(clearance=0.5, threads=threads)).findings for threads in (1, 4)]
    assert both[0] == both[1]


def test_ids_are_those_of_the_pair():
    before = {frozenset((one.name_a, one.name_b)): one.id for one in check_parts(MIXED).findings}
    after = {frozenset((one.name_a, one.name_b)): one.id for one in check_parts(MIXED[::-1]).findings}
    shared = set(before) & set(after)
    assert len(shared) >= 5
    assert all(before[pair] == after[pair] for pair in shared)
    assert len(set(before.values())) == len(before)
    # another class, the same id
    one, other = (check_parts(parts(a=LEFT, b=beside(overlap))).findings[0] for overlap in (0.0, 20.0))
    assert (one.kind, other.kind) == (Kind.TOUCHING, Kind.CROSSING)
    assert one.id == other.id


def test_ids_tell_parts_of_one_name_apart():
    keys = keys_of([Part(name, SMALL) for name in ("bolt", "bolt", 'bolt", 2', "bolt\n")])
    assert len(set(keys)) == 4
    assert pair_id("a", "b") == pair_id("b", "a") != pair_id("a", "c")
    three = [Part("bolt", moved(SMALL, 0.9 * k, 0, 0)) for k in range(3)]
    found = check_parts(three).findings
    assert len({one.id for one in found}) == 2


@sized(2_000, 10_000)
def test_thousands_of_parts(count):
    grid = [Part(f"p{k}", moved(SMALL, 2 * (k % 100), 2 * (k // 100), 0)) for k in range(count - 2)]
    grid += [Part("across", moved(SMALL, 0.5, 0, 0)), Part("on", moved(SMALL, 4, 0, 1))]
    checked = check_parts(grid)
    found = {(one.name_a, one.name_b): one.kind for one in checked.findings}
    assert found == {("p0", "across"): Kind.CROSSING, ("p2", "on"): Kind.TOUCHING}
    assert checked.looked_at == 2


def test_groups():
    many = [Part(f"bolt-{k}", moved(rod(3.0, -10.0, 20.0), 10 * k - 10, 0, 0)) for k in range(3)]
    checked = check_parts([Part("plate", PLATE), *many, *(Part(f"lid#{k}", beside(20.0 * k)) for k in (2, 3))])
    assert [(group.name, len(group.findings)) for group in grouped(checked, "part")] == [("lid#2", 1), ("plate", 3)]
    assert [(group.name, len(group.findings)) for group in grouped(checked, "names")] == [
        ("lid × lid", 1),
        ("bolt × plate", 3),
    ]
    assert [len(group.findings) for group in grouped(checked, "place")] == [1, 1, 1, 1]
    assert [group.name for group in grouped(checked, "types")] == ["no type × no type"]
    close = check_parts([*MIXED[:1], Part("a", moved(SMALL, 50, 30, 25)), Part("b", moved(SMALL, 52, 30, 25))])
    assert [len(group.findings) for group in grouped(close, "place")] == [2]


def test_parts_without_triangles_are_nothing():
    empty = Part("empty", type(LEFT)(np.empty((0, 3)), np.empty((0, 3), int)))
    assert check_parts([empty, *MIXED[:1], empty]).findings == []
    assert check_parts([]).findings == []
