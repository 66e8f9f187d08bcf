"""Moving elements whose answer is known by construction: whole numbers, so that nothing is rounded.

Each family returns starts and ends, (n, 4, 3) int64, whether they touch, and a time until which they do so (infinity
for those that do not). Then `disguised` shears, permutes and moves them, which changes neither, and `scaled` multiplies
by a power of two.
"""

import numpy as np

EIGHTHS = 8
"""parts in which contacts divide edges"""
PARTS = 24
"""parts of the step at which they come: thirds are not binary fractions"""


def directed(moments, velocities, when):
    """Starts and ends of points that are in a place at a time, in parts; velocities are multiples of PARTS."""
    return moments - velocities * when // PARTS, moments + velocities * (PARTS - when) // PARTS


def any_of(rng, count, size, *shape):
    return rng.integers(-size, size + 1, (count, *shape))


def slowed(rng, velocities):
    """Velocities of which some are zero, or the same for all points."""
    kind = rng.integers(0, 4, (len(velocities), 1, 1))
    return np.where(kind == 0, 0, np.where(kind == 1, velocities[:, :1], velocities))


def met(rng, count, edges, size):
    """A contact at a known time: inside, on an edge, at a corner; also degenerate, also all in one plane."""
    when = rng.integers(0, PARTS + 1, (count, 1, 1))
    corners = EIGHTHS * any_of(rng, count, size, 3, 3)
    repeated = rng.integers(0, 8, count)
    corners[repeated == 0, 1] = corners[repeated == 0, 0]
    corners[repeated == 1, 1:] = corners[repeated == 1, :1]
    if edges:
        first, second = (rng.integers(0, EIGHTHS + 1, (count, 1)) for _ in range(2))
        touched = ((EIGHTHS - first) * corners[:, 0] + first * corners[:, 1]) // EIGHTHS
        way = corners[:, 2] // EIGHTHS
        way[repeated == 2] = (corners[:, 1] - corners[:, 0])[repeated == 2]  # parallel
        way[repeated == 3] = 0
        ends = [touched - second * way, touched + (EIGHTHS - second) * way]
        moments = np.stack([corners[:, 0], corners[:, 1], *ends], axis=1)
    else:
        weights = np.sort(rng.integers(0, EIGHTHS + 1, (count, 2)), axis=1)
        parts = np.diff(weights, axis=1, prepend=0, append=EIGHTHS)
        moments = np.concatenate([(parts[:, :, None] * corners).sum(axis=1, keepdims=True) // EIGHTHS, corners], axis=1)
    velocities = PARTS * slowed(rng, any_of(rng, count, size, 4, 3))
    flat = rng.random(count) < 0.3
    moments[flat, :, 2] = velocities[flat, :, 2] = 0
    return (*directed(moments, velocities, when), np.ones(count, bool), when.ravel() / PARTS)


def kept_apart(rng, count, edges, size):
    """One element stays at least one unit above the other: a plane between them, at all times."""
    points = any_of(rng, 2 * count, size, 4, 3).reshape(2, count, 4, 3)
    above, below = (points[:, :, :2], points[:, :, 2:]) if edges else (points[:, :, :1], points[:, :, 1:])
    above[..., 2] += 1 + below[..., 2].max(axis=2, keepdims=True) - above[..., 2].min(axis=2, keepdims=True)
    still = rng.random(count) < 0.2
    points[1][still] = points[0][still]
    return points[0], points[1], np.zeros(count, bool), np.full(count, np.inf)


def passed_beside(rng, count, edges, size):
    """An element passes the plane of the other at one time, just at its border or one unit outside of it."""
    when = rng.integers(0, PARTS + 1, (count, 1, 1))
    outside = rng.integers(0, 2, count)
    moments = np.zeros((count, 4, 3), np.int64)
    length = rng.integers(2, size + 1, (2, count))
    velocities = np.zeros((count, 4, 3), np.int64)
    drift = PARTS * any_of(rng, count, size, 1, 3)
    if edges:  # along x until `length`, and along y, which passes through the end
        moments[:, 1, 0] = length[0]
        moments[:, 2:, 0] = (length[0] + outside)[:, None]
        moments[:, 2, 1], moments[:, 3, 1] = -length[1], length[1]
        moving = slice(2, 4)
    else:  # a triangle with an edge along x
        moments[:, 2, 0], moments[:, 3, 1] = length
        moments[:, 3, 0] = any_of(rng, count, size)
        moments[:, 0, 0], moments[:, 0, 1] = length[0] // 2, -outside
        moving = slice(0, 1)
    drift[:, 0, 2] += PARTS * (drift[:, 0, 2] == 0)
    velocities[:, moving] = drift
    found = (outside == 0), np.where(outside == 0, when.ravel() / PARTS, np.inf)
    return (*directed(moments, velocities, when), *found)


def grazed(rng, count, edges, size):
    """A double root: an edge turns until it touches and turns back, or stops one unit before; or dips in."""
    when = rng.integers(2, PARTS - 1, (count, 1, 1))
    lift = rng.integers(-1, 2, count)
    length = 2 * PARTS * rng.integers(1, size + 1, count)
    # y = -+ length + a s and z = +- b s + lift, seen along x: the cross product is -2 (a b s² + length lift), whose
    # roots for lift = -1 are at s = -+ (2 / b)**(1 / 2), less than two parts of the step from where they touch
    a, b = length // 2, 16 * PARTS * rng.integers(1, 9, count)
    moments, velocities = np.zeros((count, 4, 3), np.int64), np.zeros((count, 4, 3), np.int64)
    turning = slice(2, 4) if edges else slice(1, 3)
    moments[:, turning, 1] = np.stack([-length, length], axis=1)
    moments[:, turning, 2] = lift[:, None]
    velocities[:, turning, 1] = a[:, None]
    velocities[:, turning, 2] = np.stack([b, -b], axis=1)
    if edges:
        moments[:, 0, 0], moments[:, 1, 0] = -length, length
    else:
        moments[:, 3, 0] = length
    hits = lift <= 0
    return (*directed(moments, velocities, when), hits, np.where(hits, when.ravel() / PARTS, np.inf))


def lined_up(rng, count, edges, size):
    """All on one line all the time: one element ahead of the other, by a unit or by nothing at one end of the step."""
    both = any_of(rng, 2 * count, size, 4).reshape(2, count, 4)
    split = 2 if edges else 1
    front = both[..., split:].max(axis=2) - both[..., :split].min(axis=2)
    at_end, gap = rng.integers(0, 2, count), rng.integers(0, 2, count)
    both[..., :split] += (front + np.where(np.arange(2)[:, None] == at_end, gap, 1))[..., None]
    points = np.zeros((2, count, 4, 3), np.int64)
    points[..., 0] = both
    return *points, gap == 0, np.where(gap == 0, at_end, np.inf)


FAMILIES = {each.__name__: each for each in (met, kept_apart, passed_beside, grazed, lined_up)}


def disguised(rng, starts, ends):
    """Shear by whole numbers, permute axes, mirror, and add a common place: none of which changes an answer."""
    both = np.stack([starts, ends])
    for _ in range(2):
        axis, other = rng.permutation(3)[:2]
        both[..., axis] += rng.integers(-2, 3, len(starts))[:, None] * both[..., other]
    both = both[..., rng.permutation(3)] * rng.choice([-1, 1], 3)
    return both + any_of(rng, len(starts), 1 << 20, 1, 3)


def cases(rng, name, count, edges, bits=20):
    """Return float64 starts and ends, (n, 4, 3), whether they touch, and until when, of one family."""
    size = 1 << int(bits)
    starts, ends, hits, until = FAMILIES[name](rng, count, edges, size)
    both = disguised(rng, starts, ends)
    assert np.abs(both).max() < 1 << 53
    scale = 2.0 ** rng.choice([0, 0, 0, -40, -1074, 250], (count, 1, 1))
    return *(both.astype(np.float64) * scale), hits, until
