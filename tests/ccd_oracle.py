"""Whether moving elements touch, by rational arithmetic that shares nothing with the library.

Barycentric coordinates come from scalar products with the normal, quartics in time, where the library takes signs of
cross products seen along axes; degenerate triangles and parallel edges are decided by points on segments. Times are
isolated by Sturm's theorem, and signs at them come from Tarski queries: the Sturm chain of p and p' q counts the roots
of p at which q is positive, less those at which it is negative. If all is in one plane all the time, a contact begins
at time 0 or at a root of one of the polynomials that decide.
"""

from fractions import Fraction
from itertools import pairwise

ZERO, ONE = Fraction(0), Fraction(1)
TIME, REST = [ZERO, ONE], [ONE, -ONE]
BEYOND = Fraction(-7, 5), Fraction(12, 5)
"""the span in which roots are looked for; those outside of [0, 1] are sorted out by the signs of t and 1 - t"""


def trim(p):
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def add(p, q, factor=1):
    size = max(len(p), len(q))
    return trim([(p[k] if k < len(p) else 0) + factor * (q[k] if k < len(q) else 0) for k in range(size)])


def mul(p, q):
    found = [ZERO] * max(len(p) + len(q) - 1, 0)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            found[i + j] += x * y
    return trim(found)


def value(p, t):
    found = ZERO
    for x in reversed(p):
        found = found * t + x
    return found


def remainder(p, q):
    p = list(p)
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        for k, x in enumerate(q):
            p[shift + k] -= factor * x
        p = trim(p[:-1])
    return p


def chain(p, q):
    """The Sturm chain that begins with p and q, each divided by a positive number to keep them small."""
    found = [p, q]
    while found[-1]:
        rest = remainder(found[-2], found[-1])
        size = max((abs(x) for x in rest), default=1)
        found.append([-x / size for x in rest])
    return found[:-1]


def variations(polynomials, t):
    signs = [v > 0 for v in (value(p, t) for p in polynomials) if v != 0]
    return sum(a != b for a, b in pairwise(signs))


def tarski(p, q, low, high):
    """The roots of p in a span at which q is positive, less those at which it is negative; p is not 0 at its ends."""
    derivative = trim([k * x for k, x in enumerate(p)][1:])
    polynomials = chain(p, mul(derivative, q))
    return variations(polynomials, low) - variations(polynomials, high)


def place_between(p, low, high):
    """A number between two others at which p is not zero."""
    parts = 2
    while True:
        for k in range(1, parts):
            t = low + (high - low) * k / parts
            if value(p, t) != 0:
                return t
        parts += 1


def isolated(p, low, high):
    """Spans with one root of p each."""
    count = tarski(p, [ONE], low, high) if len(p) > 1 else 0
    if count <= 1:
        return [(low, high)] * count
    middle = place_between(p, low, high)
    return isolated(p, low, middle) + isolated(p, middle, high)


def roots(p):
    low, high = BEYOND
    while value(p, low) == 0 or value(p, high) == 0:
        low, high = low - ONE / 7, high + ONE / 7
    found = [(lambda q, span=span: tarski(p, q, *span)) for span in isolated(p, low, high)]
    return [sign for sign in found if sign(TIME) >= 0 and sign(REST) >= 0]


def at(t):
    return lambda q: (value(q, t) > 0) - (value(q, t) < 0)


def minus(p, q):
    return [add(a, b, -1) for a, b in zip(p, q, strict=True)]


def dot(p, q):
    return add(add(mul(p[0], q[0]), mul(p[1], q[1])), mul(p[2], q[2]))


def cross(p, q):
    return [add(mul(p[i], q[j]), mul(p[j], q[i]), -1) for i, j in ((1, 2), (2, 0), (0, 1))]


def on_segment(p, a, b):
    """Conditions under which p is on the segment a b: these vanish, those are not negative."""
    e, r = minus(b, a), minus(p, a)
    # on the line, forwards, and no longer than the segment, which may be a point
    return cross(e, r), [dot(e, r), add(dot(e, e), dot(r, r), -1)]


def conditions(points, edges):
    """The volume, the normal, conditions for a contact where the normal is not zero, and segments with points."""
    p, q, r, s = points
    if edges:
        e, f, w = minus(q, p), minus(s, r), minus(p, r)
        normal = cross(e, f)
        first, second = dot(normal, cross(f, w)), dot(normal, cross(e, w))
        whole = dot(normal, normal)
        inside = [first, add(whole, first, -1), second, add(whole, second, -1)]
        return dot(normal, w), normal, inside, [(p, r, s), (q, r, s), (r, p, q), (s, p, q)]
    e, f, w = minus(r, q), minus(s, q), minus(p, q)
    normal = cross(e, f)
    first, second = dot(normal, cross(e, w)), dot(normal, cross(w, f))
    rest = add(add(dot(normal, normal), first, -1), second, -1)
    return dot(normal, w), normal, [first, second, rest], [(p, q, r), (p, r, s), (p, s, q)]


def touching(sign, normal, inside, segments):
    if any(sign(x) != 0 for x in normal):
        return all(sign(x) >= 0 for x in inside)
    return any(
        all(sign(x) == 0 for x in zero) and all(sign(x) >= 0 for x in low)
        for zero, low in (on_segment(*each) for each in segments)
    )


def meets(start, end, edges):
    """Whether a vertex and a face, or two edges, four points, touch at some time in [0, 1]."""
    exact = [[[Fraction(x) for x in point] for point in points] for points in (start, end)]
    points = [[trim([a, b - a]) for a, b in zip(p, q, strict=True)] for p, q in zip(exact[0], exact[1], strict=True)]
    volume, *rest = conditions(points, edges)
    if volume:
        return any(touching(sign, *rest) for sign in roots(volume))
    normal, inside, segments = rest
    involved = [*normal, *inside]
    for zero, low in (on_segment(*each) for each in segments):
        involved += [*zero, *low]
    return any(touching(sign, *rest) for sign in all_signs(involved)) or touching(at(ZERO), *rest)


def all_signs(polynomials):
    """The signs at each root in [0, 1] of each polynomial."""
    for p in polynomials:
        if len(p) > 1:
            yield from roots(p)


def part(start, end, low, high):
    """The places at two rational times of the step, as rational numbers."""
    low, high = Fraction(low), Fraction(high)
    exact = [[[Fraction(x) for x in point] for point in points] for points in (start, end)]
    return [
        [[(1 - t) * a + t * b for a, b in zip(p, q, strict=True)] for p, q in zip(*exact, strict=True)]
        for t in (low, high)
    ]
