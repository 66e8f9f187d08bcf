"""Integrals over parts of a face that several surfaces cut: the face is divided into trapezia between all their lines.

Whether a point of a face bounds the common solid depends on how often the other parts of its mesh and those of the
other mesh wind around it. Both numbers change by one across segments. So the face, in the projection along its largest
component, is cut at all ends and crossings of segments into strips. In each strip the segments have an order; from the
face's lower edge up, both numbers are known between each two of them, and what is there is a trapezium.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.jit import kernel
from tumble.core.linear import along, cross, dot, is_zero, minus, row
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.narrow.overlap.integrals import add_cone, seen
from tumble.narrow.overlap.part_memberships import OTHER, OWN


class Cut(NamedTuple):
    """All faces of two meshes, and what cuts them."""

    points: NDArray[np.float64]
    faces: NDArray[np.int32]
    numbers: NDArray[np.int32]
    fronts: NDArray[np.int64]
    """(m,) how often the part of a face winds around what is in front of it"""
    owners: NDArray[np.int64]
    """(m,) whose face it is, 0 or 1"""
    parity: NDArray[np.bool_]
    """(2,) whether only odd numbers are inside of a mesh"""
    members: NDArray[np.int64]
    """(n, 2) both numbers of each vertex"""
    first: NDArray[np.int64]
    """(edges + 1,) where the places of each edge begin"""
    edge_places: NDArray[np.float64]
    jumps: NDArray[np.int64]
    """(k, 2) how much both numbers grow there"""
    first_segment: NDArray[np.int64]
    """(m + 1,) where the segments on each face begin"""
    segments: NDArray[np.float64]
    """(s, 2, 3) their ends; to the left, seen from the front of the face, the numbers are higher"""
    columns: NDArray[np.int64]
    """(s,) which of the numbers"""


class Strips(NamedTuple):
    """Memory for one face."""

    lines: NDArray[np.float64]
    """(n, 2, 3) segments as seen from the centre"""
    flat: NDArray[np.float64]
    """(n, 2, 2) their ends in the projection"""
    events: NDArray[np.float64]
    order: NDArray[np.int64]
    heights: NDArray[np.float64]


@kernel
def inside(parity, winding):
    """Tell whether points with a winding number are inside."""
    return winding % 2 == 1 if parity else winding != 0


@kernel
def weight_of(cut, face, own, other):
    """Return how a face counts where the other parts wind around it as often as that."""
    side = cut.owners[face]
    if not inside(cut.parity[1 - side], other):
        return 0
    behind, before = cut.fronts[face] + 1 + own, cut.fronts[face] + own
    return int(inside(cut.parity[side], behind)) - int(inside(cut.parity[side], before))


@kernel
def projection_of(normal):
    """Return the two axes to which a face is projected, in the order that keeps counter-clockwise."""
    x, y, z = abs(normal[0]), abs(normal[1]), abs(normal[2])
    axis = 0 if x >= y and x >= z else 1 if y >= z else 2
    u, v = (axis + 1) % 3, (axis + 2) % 3
    return (u, v) if normal[axis] > 0.0 else (v, u)


@kernel
def height_at(p, q, u):
    """Return how far up a line from p to q, in the projection, is at u."""
    return p[1] + (q[1] - p[1]) * share_at(p, q, u)


@kernel
def share_at(p, q, u):
    """Return which part of the way from p to q u is at, 0 to 1."""
    width = q[0] - p[0]
    return min(max((u - p[0]) / width, 0.0), 1.0) if width != 0.0 else 0.5


@kernel
def collect_events(flat, count, corners, events):
    """Write where strips begin and end; return how many, of which no more are written than fit."""
    found = 0
    for k in range(3):
        if found < len(events):
            events[found] = corners[k][0]
        found += 1
    for i in range(count):
        for end in range(2):
            if found < len(events):
                events[found] = flat[i, end, 0]
            found += 1
    for i in range(count):
        p, q = (flat[i, 0, 0], flat[i, 0, 1]), (flat[i, 1, 0], flat[i, 1, 1])
        for j in range(i):
            r, s = (flat[j, 0, 0], flat[j, 0, 1]), (flat[j, 1, 0], flat[j, 1, 1])
            low, high = max(min(p[0], q[0]), min(r[0], s[0])), min(max(p[0], q[0]), max(r[0], s[0]))
            if not low < high:
                continue
            before, after = height_at(p, q, low) - height_at(r, s, low), height_at(p, q, high) - height_at(r, s, high)
            if (before < 0.0 and after > 0.0) or (before > 0.0 and after < 0.0):
                if found < len(events):
                    events[found] = low + (high - low) * (before / (before - after))
                found += 1
    return found


@kernel
def members_at(cut, frame, number, low, u, axis, start):
    """Return both numbers on an edge where it passes u, from those at its lower vertex, which is at `start`."""
    own, other = cut.members[low, OWN], cut.members[low, OTHER]
    for i in range(cut.first[number], cut.first[number + 1]):
        if (seen(frame, row(cut.edge_places, i))[axis] < u) == (start < u):
            own, other = own + cut.jumps[i, OWN], other + cut.jumps[i, OTHER]
        else:
            break
    return own, other


@kernel
def add_trapezium(sums, kept, owner, weight, lower, upper, shares):
    """Add the cone over what is between two lines in a strip; `shares` are where the strip's sides are on them."""
    p, q = along(lower[0], lower[1], shares[0]), along(lower[0], lower[1], shares[1])
    r, s = along(upper[0], upper[1], shares[2]), along(upper[0], upper[1], shares[3])
    add_cone(sums, kept, owner, weight, p, q, s)
    add_cone(sums, kept, owner, weight, p, s, r)


@kernel
def flat_of(p, u, v):
    """Return a point in the projection."""
    return p[u], p[v]


@kernel
def add_strip(cut, frame, face, corners, axes, strips, count, sides, sums, kept):
    """Add what bounds the common solid in one strip of a face."""
    u, v = axes
    left, right = sides
    middle = 0.5 * (left + right)
    low_edge, high_edge, low_height, high_height = -1, -1, math.inf, -math.inf
    for k in range(3):
        p, q = flat_of(corners[k], u, v), flat_of(corners[(k + 1) % 3], u, v)
        if min(p[0], q[0]) < middle < max(p[0], q[0]):
            height = height_at(p, q, middle)
            if height < low_height:
                low_edge, low_height = k, height
            if height > high_height:
                high_edge, high_height = k, height
    if low_edge < 0 or low_edge == high_edge:
        return
    spanning = 0
    for i in range(count):
        p, q = (strips.flat[i, 0, 0], strips.flat[i, 0, 1]), (strips.flat[i, 1, 0], strips.flat[i, 1, 1])
        if not min(p[0], q[0]) < middle < max(p[0], q[0]):
            continue
        height, place = height_at(p, q, middle), spanning
        while place > 0 and strips.heights[place - 1] > height:
            strips.heights[place], strips.order[place] = strips.heights[place - 1], strips.order[place - 1]
            place -= 1
        strips.heights[place], strips.order[place] = height, i
        spanning += 1
    start, end = cut.faces[face, low_edge], cut.faces[face, (low_edge + 1) % 3]
    from_start = start < end
    low = start if from_start else end
    at_low = corners[low_edge][u] if from_start else corners[(low_edge + 1) % 3][u]
    own, other = members_at(cut, frame, cut.numbers[face, low_edge], low, middle, u, at_low)
    lower = corners[low_edge], corners[(low_edge + 1) % 3]
    for place in range(spanning + 1):
        upper = corners[high_edge], corners[(high_edge + 1) % 3]
        if place < spanning:
            i = strips.order[place]
            upper = row(strips.lines[i], 0), row(strips.lines[i], 1)
        weight = weight_of(cut, face, own, other)
        if weight != 0:
            p, q, r, s = lower[0], lower[1], upper[0], upper[1]
            p, q, r, s = flat_of(p, u, v), flat_of(q, u, v), flat_of(r, u, v), flat_of(s, u, v)
            shares = share_at(p, q, left), share_at(p, q, right), share_at(r, s, left), share_at(r, s, right)
            add_trapezium(sums, kept, cut.owners[face], weight, lower, upper, shares)
        if place < spanning:
            i = strips.order[place]
            step = 1 if strips.flat[i, 0, 0] < strips.flat[i, 1, 0] else -1
            if cut.columns[cut.first_segment[face] + i] == OWN:
                own += step
            else:
                other += step
            lower = upper


@kernel
def add_cut_face(cut, frame, face, strips, sums, kept):
    """Add what bounds the common solid of a face that is cut; return how many events there are."""
    p = seen(frame, row(cut.points, cut.faces[face, 0]))
    q = seen(frame, row(cut.points, cut.faces[face, 1]))
    r = seen(frame, row(cut.points, cut.faces[face, 2]))
    normal = cross(minus(q, p), minus(r, p))
    if is_zero(normal) or not dot(normal, normal) > 0.0:
        return 0
    u, v = projection_of(normal)
    first = cut.first_segment[face]
    count = cut.first_segment[face + 1] - first
    for i in range(count):
        for end in range(2):
            point = seen(frame, row(cut.segments[first + i], end))
            for axis in range(3):
                strips.lines[i, end, axis] = point[axis]
            strips.flat[i, end, 0], strips.flat[i, end, 1] = point[u], point[v]
    corners = p, q, r
    flat = flat_of(p, u, v), flat_of(q, u, v), flat_of(r, u, v)
    events = collect_events(strips.flat, count, flat, strips.events)
    if events > len(strips.events):
        return events
    sort_numbers(strips.events, events)
    for k in range(events - 1):
        if strips.events[k] < strips.events[k + 1]:
            sides = strips.events[k], strips.events[k + 1]
            add_strip(cut, frame, face, corners, (u, v), strips, count, sides, sums, kept)
    return events


@kernel
def sort_numbers(numbers, count):
    """Sort the first numbers of an array: a heap, in place."""
    for start in range(count // 2 - 1, -1, -1):
        sift(numbers, start, count)
    for end in range(count - 1, 0, -1):
        numbers[0], numbers[end] = numbers[end], numbers[0]
        sift(numbers, 0, end)


@kernel
def sift(numbers, start, count):
    """Let a number sink to its place in a heap."""
    root = start
    while 2 * root + 1 < count:
        child = 2 * root + 1
        if child + 1 < count and numbers[child] < numbers[child + 1]:
            child += 1
        if numbers[root] >= numbers[child]:
            return
        numbers[root], numbers[child] = numbers[child], numbers[root]
        root = child


@kernel
def add_all_faces(cut, frame, strips, sums, kept):
    """Add what bounds the common solid of all faces; return how many events the most divided face has.

    If that is more than the memory holds, the sums are worthless, and must be taken again with more.
    """
    most = 0
    for face in range(len(cut.faces)):
        if face & OFTEN == 0 and poll(0) != GO_ON:
            break
        if min(cut.numbers[face, 0], cut.numbers[face, 1], cut.numbers[face, 2]) < 0:
            continue
        if cut.first_segment[face] < cut.first_segment[face + 1]:
            most = max(most, add_cut_face(cut, frame, face, strips, sums, kept))
            continue
        v = cut.faces[face, 0]
        weight = weight_of(cut, face, cut.members[v, OWN], cut.members[v, OTHER])
        if weight != 0:
            o = seen(frame, row(cut.points, v))
            p, q = seen(frame, row(cut.points, cut.faces[face, 1])), seen(frame, row(cut.points, cut.faces[face, 2]))
            add_cone(sums, kept, cut.owners[face], weight, o, p, q)
    return most
