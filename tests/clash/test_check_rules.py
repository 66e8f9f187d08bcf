"""Rules: what is ignored, demanded and forbidden; what is wrong with a file is said with the place."""

import pytest
from clash_parts import LEFT, PLATE, beside, parts, rod

from solid_forms import moved
from tumble import FileError, InputError, Part
from tumble.clash import CheckSettings, Kind, check_parts
from tumble.clash.groups import grouped
from tumble.clash.rules import load_rules, rules_of

BOLTED = parts(**{"bolt-1": rod(3.0, -10.0, 20.0), "bolt-2": moved(rod(3.0, -10.0, 20.0), 10, 0, 0), "plate": PLATE})
FLUSH = parts(left=LEFT, right=beside(0.0))


def test_ignored_pairs_are_not_looked_at(monkeypatch):
    rules = rules_of({"ignore": [{"a": "bolt*", "b": ["plate", "nut*"], "name": "threads"}]})
    checked = check_parts(BOLTED, rules=rules)
    assert (checked.findings, checked.ignored, checked.looked_at) == ([], {"threads": 2}, 0)
    some = check_parts(BOLTED, rules=rules_of({"ignore": [{"a": "plate", "b": "bolt-1"}]}))
    assert [one.name_a for one in some.findings] == ["bolt-2"]
    copies = parts(a=LEFT, b=LEFT)
    assert check_parts(copies, rules=rules_of({"ignore": [{"a": "a", "b": "b"}]})).findings == []


def test_touching_may_be_forbidden():
    (found,) = check_parts(
        FLUSH, rules=rules_of({"must_not_touch": [{"a": "left", "b": "r*", "name": "apart"}]})
    ).findings
    assert (found.kind, found.rule, found.fails) == (Kind.TOUCHING, "apart", True)
    (found,) = check_parts(FLUSH, rules=rules_of({"must_not_touch": [{"a": "left", "b": "x*"}]})).findings
    assert (found.rule, found.fails) == (None, False)


def test_touching_may_be_demanded():
    rules = rules_of({"must_touch": [{"a": "left", "b": ["right", "far"], "name": "glued"}]})
    assert not any(one.fails for one in check_parts(FLUSH, rules=rules).findings)
    gap = parts(left=LEFT, far=moved(LEFT, 300, 0, 0), right=moved(beside(0.0), 0.75, 0, 0))
    (found,) = check_parts(gap, rules=rules).findings
    assert (found.kind, found.name_b, found.gap, found.rule, found.fails) == (Kind.APART, "right", 0.75, "glued", True)


def test_a_pair_that_is_ignored_may_touch_all_the_same():
    rules = {"must_touch": [{"a": "left", "b": "right", "name": "glued"}], "ignore": [{"a": "left", "b": "right"}]}
    assert not any(one.fails for one in check_parts(FLUSH, rules=rules_of(rules)).findings)
    gap = parts(left=LEFT, right=moved(beside(0.0), 0.75, 0, 0))
    (found,) = check_parts(gap, rules=rules_of(rules)).findings
    assert (found.kind, found.gap, found.rule) == (Kind.APART, 0.75, "glued")


def test_what_must_touch_a_part_that_is_not_there_is_an_error():
    rules = rules_of({"must_touch": [{"a": "left", "b": "rihgt", "name": "glued"}]})
    with pytest.raises(InputError, match="'glued' wants 'left' to touch a part that matches b, and no part does"):
        check_parts(FLUSH, rules=rules)
    assert check_parts(parts(other=LEFT), rules=rules).unused_rules == ("glued",)


def test_the_name_of_a_rule_steers_no_terminal():
    (rule,) = rules_of({"ignore": [{"a": "x", "name": "red \x1b[31m"}]})
    assert rule.name == "red \\x1b[31m"


def test_the_largest_clearance_counts():
    near = parts(cable=LEFT, pipe=moved(LEFT, 103, 0, 0), wall=moved(LEFT, 0, 0, 51))
    rules = rules_of(
        {
            "min_clearance": [
                {"a": "cable", "clearance": 2},
                {"a": "*", "b": "pipe", "clearance": "0.5cm", "name": "hot"},
            ]
        },
        "mm",
    )
    found = check_parts(near, CheckSettings(clearance=0.25), rules).findings
    assert [(one.name_b, one.gap, one.clearance, one.rule) for one in found] == [
        ("wall", 1.0, 2.0, "min_clearance number 1"),
        ("pipe", 3.0, 5.0, "hot"),
        ("wall", pytest.approx(10**0.5), 5.0, "hot"),
    ]
    (found,) = check_parts(FLUSH, rules=rules_of({"min_clearance": [{"a": "left", "clearance": 1}]})).findings
    assert (found.kind, found.fails) == (Kind.TOUCHING, True)


def test_rules_that_match_nothing_are_named():
    rules = rules_of({"ignore": [{"a": "blot*", "name": "typo"}, {"a": "left"}]})
    assert check_parts(FLUSH, rules=rules).unused_rules == ("typo",)


@pytest.mark.parametrize(
    "text, words",
    [
        ("[[ignore]]\na = 3", "[[ignore]] number 1: a must be a pattern or a list of patterns, not 3"),
        ("[[ignore]]\na = 'x'\n[[ignore]]\nc = 'x'", "[[ignore]] number 2 has the unknown key 'c'"),
        ("[[ignore]]\nname = 'x'", "[[ignore]] number 1 names no parts"),
        ("[[ignor]]\na = 'x'", "unknown table 'ignor'"),
        ("[ignore]\na = 'x'", "ignore must be a list of tables, each under [[ignore]]"),
        ("[[min_clearance]]\na = 'x'", "[[min_clearance]] number 1 has no clearance"),
        ("[[min_clearance]]\na = 'x'\nclearance = '1 foot'", "'foot' is not a unit"),
        ("[[min_clearance]]\na = 'x'\nclearance = -1", "must be a finite length from 0"),
        ("[[ignore]]\na = 'x'\nclearance = 1", "unknown key 'clearance'"),
        ("[[ignore]\na = 'x'", "line 1, column"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_the_place(tmp_path, text, words):
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(FileError) as raised:
        load_rules(path, "mm")
    assert str(path) in str(raised.value)
    assert words in str(raised.value)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        load_rules(tmp_path / "missing.toml", None)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="cannot be read"):
        load_rules(tmp_path / "bytes.toml", None)


def test_types_are_matched_where_parts_have_some():
    wall, pipe = Part("a", LEFT, kind="IfcWall"), Part("b", beside(20.0), kind="IfcPipeSegment")
    rules = rules_of({"ignore": [{"type_a": "IfcPipe*", "type_b": ["IfcWall", "IfcSlab"]}]})
    assert check_parts([wall, pipe], rules=rules).findings == []
    other = check_parts([wall, pipe._replace(kind="IfcBeam")], rules=rules)
    assert len(other.findings) == 1
    assert [group.name for group in grouped(other, "types")] == ["IfcBeam × IfcWall"]


def test_a_part_with_a_guid_is_known_by_it():
    known = [Part("wall", LEFT, guid="G1"), Part("pipe", beside(20.0), guid="G2")]
    renamed = [part._replace(name=f"new {part.name}") for part in known]
    one, other = (check_parts(each).findings[0].id for each in (known, renamed))
    assert one == other
    assert check_parts([renamed[0], renamed[1]._replace(guid="G3")]).findings[0].id != one
