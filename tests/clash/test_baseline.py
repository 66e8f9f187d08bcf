"""States from run to run: new, persistent, resolved, approved; an approval does not cover what has become worse."""

import json

import pytest
from clash_parts import LEFT, beside, parts

from solid_forms import SMALL, moved
from tumble import FileError, OptionError
from tumble.clash import CheckSettings, State, check_parts
from tumble.clash.baseline import approved, as_baseline, compared, load_baseline


def found(overlap, *more, **settings):
    extra = {name: moved(SMALL, 50, 30, 25 + 3 * k) for k, name in enumerate(more)}
    return check_parts(parts(left=LEFT, right=beside(overlap), **extra), CheckSettings(**settings)).findings


def run(path, findings, approve=(), reason=None):
    """What a command does: compare, approve, save."""
    known = load_baseline(path)
    findings, resolved = compared(findings, known)
    findings = approved(findings, approve, reason)
    path.write_bytes(as_baseline(findings, known))
    return {one.name_b if one.name_a == "left" else one.name_a: one for one in findings}, resolved


def test_states_from_run_to_run(tmp_path):
    path = tmp_path / "baseline.json"
    now, gone = run(path, found(20.0, "pin"))
    assert ({name: one.state for name, one in now.items()}, gone) == ({"right": State.NEW, "pin": State.NEW}, [])
    now, gone = run(path, found(20.0, "nail"))
    assert {name: one.state for name, one in now.items()} == {"right": State.PERSISTENT, "nail": State.NEW}
    assert [(one.a, one.state) for one in gone] == [("pin", State.RESOLVED)]
    now, gone = run(path, found(20.0, "nail"))
    assert ({one.state for one in now.values()}, gone) == ({State.PERSISTENT}, [])
    assert all(one.fails for one in now.values())


def test_approved_until_it_is_worse(tmp_path):
    path = tmp_path / "baseline.json"
    now, _ = run(path, found(1.0))
    now, _ = run(path, found(1.0), [now["right"].id[:6]], "a press fit")
    assert (now["right"].state, now["right"].fails) == (State.APPROVED, False)
    for overlap in (1.0, 0.5, 1.05, 1.09, 0.0, 1.09):
        now, _ = run(path, found(overlap))
        assert (now["right"].state, now["right"].reason, now["right"].fails) == (State.APPROVED, "a press fit", False)
    # resolved and back again
    run(path, found(-5.0))
    assert run(path, found(1.0))[0]["right"].state is State.APPROVED
    now, _ = run(path, found(1.2))
    assert (now["right"].state, now["right"].fails) == (State.NEW, True)
    assert "a press fit" in now["right"].reason
    assert run(path, found(1.2))[0]["right"].state is State.PERSISTENT


def test_an_approved_contact_does_not_cover_a_crossing(tmp_path):
    path = tmp_path / "baseline.json"
    now, _ = run(path, found(0.0))
    run(path, found(0.0), [now["right"].id])
    assert run(path, found(0.0))[0]["right"].state is State.APPROVED
    assert run(path, found(20.0))[0]["right"].fails


@pytest.mark.parametrize("given", ["", "no such id"])
def test_unknown_ids_are_refused(given):
    with pytest.raises(OptionError, match="must begin the id of one finding"):
        approved(found(20.0), [given], None)


def test_an_ambiguous_id_is_refused():
    ids = [one.id for one in found(20.0, *(f"p{k}" for k in range(17)))]
    letter = next(one[0] for one in ids if sum(other[0] == one[0] for other in ids) > 1)
    with pytest.raises(OptionError, match="must begin the id of one finding"):
        approved(found(20.0, *(f"p{k}" for k in range(17))), [letter], None)


GOOD = {"id": "x", "a": "a", "b": "b", "kind": "crossing", "state": "approved"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "3",
        '{"format": "tumble baseline", "version": 2, "findings": []}',
        '{"format": "tumble baseline", "version": 1}',
        *(
            json.dumps({"format": "tumble baseline", "version": 1, "findings": [one]})
            for one in (3, GOOD | {"kind": "odd"}, GOOD | {"state": "odd"}, GOOD | {"reason": 3}, GOOD | {"depth": "x"})
        ),
        "[" * 100_000,
    ],
)
def test_damaged_files_are_refused(tmp_path, content):
    path = tmp_path / "baseline.json"
    path.write_text(content)
    with pytest.raises(FileError, match=r"baseline.json is not a baseline"):
        load_baseline(path)
    path.write_text(json.dumps({"format": "tumble baseline", "version": 1, "findings": [GOOD]}))
    assert load_baseline(path)[0].state is State.APPROVED
