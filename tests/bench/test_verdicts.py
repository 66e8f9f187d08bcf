"""Verdicts from outcomes of cases, some of which may not be decided."""

import pytest

from tumble.bench.framework.claims import FAILS, HOLDS, PARTLY, UNDECIDED, UNKNOWN, exceptions, graded, over_cases


@pytest.mark.parametrize("kept, word", [((True, True), HOLDS), ((True, False), PARTLY), ((False, False), FAILS)])
def test_verdicts_over_cases(kept, word):
    verdict = over_cases([(one, str(i)) for i, one in enumerate(kept)], "n: ")
    assert verdict == (word, "n: 0, 1")
    wrong = {str(i): "no" for i, one in enumerate(kept) if not one}
    assert exceptions(["0", "1"], wrong.get).word == word
    assert over_cases([]).word == exceptions([], wrong.get).word == UNKNOWN


@pytest.mark.parametrize(
    "kept, word",
    [((None,), UNDECIDED), ((True, None), UNDECIDED), ((True, None, False), PARTLY), ((None, False), FAILS)],
)
def test_a_case_that_is_not_decided_leaves_the_claim_open_unless_another_breaks_it(kept, word):
    verdict = over_cases([(one, str(i)) for i, one in enumerate(kept)])
    assert verdict.word == word
    assert verdict.numbers.count("(not decided)") == kept.count(None)


@pytest.mark.parametrize(
    "holds, partly, word",
    [
        (True, None, HOLDS),
        (None, True, UNDECIDED),
        (False, None, UNDECIDED),
        (False, True, PARTLY),
        (False, False, FAILS),
    ],
)
def test_weaker_forms(holds, partly, word):
    assert graded(holds, partly, "").word == word


def test_exceptions_name_the_cases():
    assert exceptions(["a", "b"], {"b": "7"}.get, "scenes").numbers == "b: 7"
    assert exceptions(["a", "b"], {}.get, "scenes").numbers == "all 2 scenes"
