"""A thinned matrix has every value, or every two values, together; and the whole one is the sum of both runs."""

from itertools import combinations, product

import pytest

from covering import cover, crossed, thinned, without_slow_cases

SIZES = ([1], [4], [2, 3], [3, 3, 3], [13, 5, 7], [2, 2, 2, 5, 6])


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("strength", [1, 2, 3])
def test_what_is_promised_stands_together(sizes: list[int], strength: int) -> None:
    rows = cover(sizes, strength)
    assert len(set(rows)) == len(rows)
    for places in combinations(range(len(sizes)), min(strength, len(sizes))):
        together = {tuple(row[k] for k in places) for row in rows}
        assert together == set(product(*(range(sizes[k]) for k in places)))


def test_a_cover_is_not_much_larger_than_it_must_be() -> None:
    assert len(cover([13, 5, 7], 1)) == 13
    assert len(cover([13, 5, 7], 2)) <= 1.2 * 13 * 7
    assert len(cover([2, 3], 2)) == 6


def test_every_combination_is_a_case_and_those_outside_the_cover_are_slow() -> None:
    cases = crossed(1, letter="abc", number=[1, 2]).args[1]
    assert sorted(case.values for case in cases) == sorted(product("abc", [1, 2]))
    fast = [case.values for case in cases if not case.marks]
    assert len(fast) == 3
    assert {letter for letter, _ in fast} == set("abc")
    assert {number for _, number in fast} == {1, 2}


def test_marked_values_are_for_slow_runs_alone() -> None:
    cases = crossed(1, letter=["a", pytest.param("b", marks=pytest.mark.slow), "c"], number=[1, 2]).args[1]
    assert sorted(case.values for case in cases) == sorted(product("abc", [1, 2]))
    assert {case.values[0] for case in cases if not case.marks} == {"a", "c"}


def test_one_of_so_many_values_is_quick() -> None:
    cases = thinned("abcdefg", 3)
    assert [case.values[0] for case in cases] == list("abcdefg")
    assert [case.values[0] for case in cases if not case.marks] == ["a", "d", "g"]


def test_slow_cases_are_left_out_but_never_all_of_them() -> None:
    slow = pytest.param(2, marks=pytest.mark.slow)
    mark = pytest.mark.parametrize("number", [1, slow, pytest.param(3, marks=pytest.mark.xfail)], indirect=True).mark
    assert [getattr(each, "values", each) for each in without_slow_cases(mark).args[1]] == [1, (3,)]
    assert without_slow_cases(mark).kwargs == {"indirect": True}
    assert len(mark.args[1]) == 3
    for kept in ([slow], [1, 3]):
        assert without_slow_cases(pytest.mark.parametrize("number", kept).mark).args[1] == kept
    named = pytest.mark.parametrize("number", [1, slow], ids=["one", "two"]).mark
    assert without_slow_cases(named) is named
