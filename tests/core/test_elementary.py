"""Elementary functions of our own: accurate, and the same bits in kernels as in NumPy."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest

from tumble.core.elementary import ACCURATE, arctangent, exponential, logarithm, sines_cosines
from tumble.core.elementary_kernels import sine_cosine
from tumble.core.jit import kernel

getcontext().prec = 60
HALF_PI = Decimal("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267")


def exact_sine(x: float, ahead: int) -> Decimal:
    """sin(x + ahead · π/2) by its Taylor series, about the nearest multiple of π/2."""
    turns = (Decimal(x) / HALF_PI).to_integral_value()
    rest, quarter = Decimal(x) - turns * HALF_PI, int(turns + ahead) % 4
    term, total, k = (Decimal(1), Decimal(0), 0) if quarter % 2 else (rest, Decimal(0), 1)
    while abs(term) > Decimal(10) ** -55 or k < 3:
        total += term
        term = -term * rest * rest / ((k + 1) * (k + 2))
        k += 2
    return -total if quarter >= 2 else total


def angles():
    rng = np.random.default_rng(0)
    multiples = np.pi / 2 * np.arange(-60, 60)
    tiny = 10.0 ** rng.uniform(-18, 0, 60)
    return np.concatenate([rng.uniform(-4, 4, 300), rng.uniform(-ACCURATE, ACCURATE, 300), multiples, tiny, [0.0]])


def test_sines_and_cosines_are_right_to_two_units_in_the_last_place():
    found = sines_cosines(angles())
    for ahead in (0, 1):
        for x, value in zip(angles().tolist(), found[ahead].tolist(), strict=True):
            assert abs(exact_sine(x, ahead) - Decimal(value)) <= 2 * Decimal(math.ulp(value)), (x, value)


@kernel
def fill(x, sine, cosine):
    for i in range(len(x)):
        sine[i], cosine[i] = sine_cosine(x[i])


def test_kernels_and_numpy_have_the_same_bits():
    x = np.concatenate([angles(), [np.inf, np.nan, 1e12]])
    sine, cosine = np.empty((2, len(x)))
    fill(x, sine, cosine)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(sines_cosines(x), (sine, cosine))
    assert np.isnan([sine[-3], cosine[-2]]).all()


@pytest.mark.parametrize("own, library, low, high", [(exponential, np.exp, -60, 5), (logarithm, np.log, 1e-12, 50)])
def test_exponential_and_logarithm(own, library, low, high):
    x = np.linspace(low, high, 1001)
    np.testing.assert_allclose(own(x), library(x), rtol=3e-13, atol=3e-13)
    assert own(0.25) == own(np.array([0.25]))[0]


def test_arctangent():
    for x in (0.0, 1e-9, 0.3, 1.0, -2.5, 40.0):
        assert arctangent(x) == pytest.approx(math.atan(x), rel=1e-13, abs=0)
