"""Polynomials with integer coefficients and their real roots in [0, 1], exactly.

A polynomial is a tuple of Python integers, the constant term first, the last one not zero; () is the zero polynomial.
Places are dyadic: n / 2**k. A root is a place, or an open interval between two places that contains no other root of
its square-free polynomial; it can be made smaller at will. Signs of other polynomials at a root follow without any
approximation: zero where the greatest common divisor has this root, else the sign on a small enough interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from math import comb, gcd, lcm

Polynomial = tuple[int, ...]


def trimmed(coefficients: list[int]) -> Polynomial:
    """Return a polynomial without zeros at its end."""
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return tuple(coefficients)


def plus(p: Polynomial, q: Polynomial, factor: int = 1) -> Polynomial:
    """Return p + factor · q."""
    size = max(len(p), len(q))
    one, other = p + (0,) * (size - len(p)), q + (0,) * (size - len(q))
    return trimmed([x + factor * y for x, y in zip(one, other, strict=True)])


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the product."""
    if not p or not q:
        return ()
    found = [0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            found[i + j] += x * y
    return trimmed(found)


def primitive(p: Polynomial) -> Polynomial:
    """Return p divided by the greatest common divisor of its coefficients."""
    content = reduce(gcd, p, 0)
    return tuple(x // content for x in p) if content > 1 else p


def _divided(p: Polynomial, q: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Return quotient and remainder of a multiple of p, by a power of the leading coefficient of q."""
    rest, lead = p, q[-1]
    quotient: Polynomial = ()
    while len(rest) >= len(q):
        term = (0,) * (len(rest) - len(q)) + (rest[-1],)
        rest = plus(tuple(lead * x for x in rest), times(term, q), -1)
        quotient = plus(tuple(lead * x for x in quotient), term)
    return quotient, rest


def common_divisor(p: Polynomial, q: Polynomial) -> Polynomial:
    """Return the greatest common divisor, up to a factor."""
    while q:
        p, q = q, primitive(_divided(p, q)[1])
    return primitive(p)


def square_free(p: Polynomial) -> Polynomial:
    """Return a polynomial with the same roots, each of them simple."""
    shared = common_divisor(p, trimmed([k * x for k, x in enumerate(p)][1:]))
    return primitive(_divided(p, shared)[0]) if len(shared) > 1 else primitive(p)


def sign_at(p: Polynomial, n: int, k: int) -> int:
    """Return the sign at n / 2**k."""
    total = 0
    for index, x in enumerate(reversed(p)):
        total = total * n + (x << (k * index))
    return (total > 0) - (total < 0)


def bernstein(p: Polynomial, low: int, high: int, k: int) -> list[int]:
    """Return a positive multiple of the Bernstein coefficients between low / 2**k and high / 2**k."""
    degree = len(p) - 1
    shifted = [x << (k * (degree - i)) for i, x in enumerate(p)]
    for i in range(degree):  # Taylor's shift to `low`, by Horner's rule
        for j in range(degree - 1, i - 1, -1):
            shifted[j] += low * shifted[j + 1]
    common = lcm(*(comb(degree, i) for i in range(degree + 1)))
    terms = [x * (high - low) ** i * (common // comb(degree, i)) for i, x in enumerate(shifted)]
    return [sum(comb(j, i) * terms[i] for i in range(j + 1)) for j in range(degree + 1)]


def _variations(values: list[int]) -> int:
    """Return how often the sign changes, zeros left out."""
    signs = [value > 0 for value in values if value]
    return sum(one != other for one, other in pairwise(signs))


@dataclass
class Root:
    """A root of a square-free polynomial: at low / 2**k if low == high, else inside of low / 2**k to high / 2**k."""

    polynomial: Polynomial
    low: int
    high: int
    k: int
    rising: int = 0
    """the sign of the polynomial behind the root, for intervals"""

    @property
    def exact(self) -> bool:
        """Whether the root is a known place."""
        return self.low == self.high

    def refine(self) -> None:
        """Halve the interval."""
        if self.exact:
            return
        middle, self.k = self.low + self.high, self.k + 1
        sign = sign_at(self.polynomial, middle, self.k)
        self.low, self.high = 2 * self.low, 2 * self.high
        if sign * self.rising >= 0:
            self.high = middle
        if sign * self.rising <= 0:
            self.low = middle

    def sign_of(self, q: Polynomial) -> int:
        """Return the sign of another polynomial at the root."""
        if len(q) < 2:
            return sign_at(q, 0, 0)
        asked = False
        while not self.exact:
            values = bernstein(q, self.low, self.high, self.k)
            if min(values) > 0 or max(values) < 0:
                return 1 if values[0] > 0 else -1
            # the divisor takes longer than a look at signs, which decides nearly always; then it is asked for once
            if not asked and self._vanishes(q):
                return 0
            asked = True
            self.refine()
        return sign_at(q, self.low, self.k)

    def _vanishes(self, q: Polynomial) -> bool:
        """Tell whether another polynomial is zero at the root, which is known as an interval."""
        shared = common_divisor(self.polynomial, q)
        # its roots are roots of the square-free polynomial, so simple, none of them at an end of the interval
        return len(shared) > 1 and sign_at(shared, self.low, self.k) * sign_at(shared, self.high, self.k) < 0


def roots_in_unit_interval(p: Polynomial) -> list[Root]:
    """Return the different roots in [0, 1] of a polynomial that is not zero, in ascending order."""
    values = bernstein(p, 0, 1, 0)
    if min(values) > 0 or max(values) < 0:  # most have none, and need no divisor
        return []
    free = square_free(p)
    found = [Root(free, 0, 0, 0)] if sign_at(free, 0, 0) == 0 else []
    found += _inner_roots(free, 0, 0)
    return found + ([Root(free, 1, 1, 0)] if sign_at(free, 1, 0) == 0 else [])


def _inner_roots(free: Polynomial, low: int, k: int) -> list[Root]:
    """Return the roots strictly between low / 2**k and (low + 1) / 2**k: Descartes' rule, and bisection.

    A list of what waits, not recursion: roots may agree in a thousand bits.
    """
    found: list[Root] = []
    waiting = [(low, k, False)]
    while waiting:
        low, k, at_low = waiting.pop()
        if at_low:
            found.append(Root(free, low, low, k))
            continue
        values = bernstein(free, low, low + 1, k)
        variations = _variations(values)
        if variations == 1:
            found.append(_single_root(free, low, k, values))
        elif variations > 1:
            middle = 2 * low + 1, k + 1
            waiting.append((*middle, False))
            if sign_at(free, *middle) == 0:
                waiting.append((*middle, True))
            waiting.append((2 * low, k + 1, False))
    return found


def _single_root(free: Polynomial, low: int, k: int, values: list[int]) -> Root:
    """Return the only root between low / 2**k and (low + 1) / 2**k."""
    root = Root(free, low, low + 1, k, 1 if next(x for x in reversed(values) if x) > 0 else -1)
    while not root.exact and 0 in (sign_at(free, root.low, root.k), sign_at(free, root.high, root.k)):
        root.refine()  # another root is at an end
    return root
