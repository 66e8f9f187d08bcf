"""Random designs find the pairs of `collide`; those that cannot work are refused when they are made."""

import numpy as np
import pytest
from random_designs import check_random_design, random_design

from covering import sized
from tumble.chip import Design
from tumble.chip.design import LIMITS


@sized(3, 20)
@pytest.mark.parametrize("first", [0, 40, 100, *(pytest.param(k, marks=pytest.mark.slow) for k in (20, 60, 80))])
def test_random_designs(first, count):
    for seed in range(first, first + count):
        check_random_design(np.random.default_rng(seed))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 5000, 100))
def test_many_random_designs(first):
    for seed in range(first, first + 100):
        check_random_design(np.random.default_rng(seed))


def test_random_designs_reach_every_limit():
    drawn = [random_design(np.random.default_rng(seed), extreme=True) for seed in range(300)]
    for name, limits in LIMITS.items():
        values = {getattr(design, name) for design in drawn}
        assert set(limits) - {2} <= values, name  # a queue of 2 has room for one tumbled node only
    assert {design.triangle_unit for design in drawn} == {True, False}


@pytest.mark.parametrize("name", LIMITS)
def test_a_measure_outside_of_its_limits_is_refused(name):
    least, most = LIMITS[name]
    for value in (least - 1, most + 1, float(least), str(least), None, 2 * most, -most):
        with pytest.raises(ValueError, match=rf"Design\({name}="):
            Design(**{name: value})
