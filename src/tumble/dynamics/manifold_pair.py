"""The contact points of one body pair after the other: curve, flood, patches, normals, points."""

from tumble.core.jit import kernel
from tumble.core.linear import across, cross
from tumble.core.poll import poll
from tumble.dynamics.manifold_curve import join_neighbourhoods, trace_curve
from tumble.dynamics.manifold_flood import flood, join_inside
from tumble.dynamics.manifold_normal import patch_normal
from tumble.dynamics.manifold_patch import list_patches, number_patches, split_patches, sum_patches
from tumble.dynamics.manifold_points import choose_middle, choose_points, write_patch
from tumble.dynamics.manifold_seen import collect_cap, collect_spots, view_of
from tumble.dynamics.manifold_workspace import (
    DEEPEST,
    EMPTY,
    FLOODED,
    JOINTS,
    LENGTH,
    MIDDLE,
    NODES,
    OPEN_ENDS,
    SPLIT,
    clear_faces,
    clear_joints,
    clear_nodes,
    triple,
)

POINTS_IN_PATCH = 4
MOST_POINTS = 8
MOST_PATCHES = 8
"""patches of a body pair that get points: those with the longest curves"""


@kernel
def find_patches(surfaces, pose_a, first_a, pose_b, first_b, triangles, work):
    """Find the patches of one body pair; return how many."""
    pairs, counts, sets = triangles.shape[0], work.counts, work.sets
    counts[:] = 0
    trace_curve(surfaces, pose_a, first_a, pose_b, first_b, triangles, work)
    if counts[OPEN_ENDS] > 0:
        join_neighbourhoods(surfaces.faces, first_a, first_b, triangles, work.joints, sets.parent, counts)
    join_inside(work.curve.marks, work.nodes.facts, sets.parent, pairs, counts[NODES])
    flood(surfaces, pose_a, pose_b, pairs, work.nodes, work.faces, sets.parent, counts)
    patches = number_patches(sets, pairs)
    sum_patches(work.curve.lines, sets.patch, sets.sums, pairs, patches)
    whole = patches
    patches = split_patches(
        surfaces, pose_a, first_a, pose_b, first_b, triangles, work.curve.lines, sets, patches
    )  # fmt: skip
    if patches > whole:
        sum_patches(work.curve.lines, sets.patch, sets.sums, pairs, patches)
    list_patches(sets, work.nodes.facts, work.faces.flooded, pairs, counts[NODES], counts[FLOODED], patches)
    return patches


@kernel
def longest_patches(sums, patches, chosen):
    """Write the numbers of the patches with the longest curves, longest first; return how many."""
    count = min(patches, MOST_PATCHES)
    for place in range(count):
        best, length = EMPTY, -1.0
        for p in range(patches):
            if sums[p, LENGTH] > length:
                taken = False
                for other in range(place):
                    taken = taken or chosen[other] == p
                if not taken:
                    best, length = p, sums[p, LENGTH]
        chosen[place] = best
    return count


@kernel
def patch_points(surfaces, pose_a, first_a, pose_b, first_b, triangles, work, p, rows, keys):
    """Write the points of a patch; return how many."""
    pairs, nodes, lines, sets = triangles.shape[0], work.counts[NODES], work.curve.lines, work.sets
    normal, thickness = patch_normal(
        surfaces, pose_a, first_a, pose_b, first_b, triangles, lines, sets, work.nodes.at, nodes, p
    )
    u = across(normal)
    v = cross(normal, u)
    count, radius = collect_spots(lines, sets, work.nodes, nodes, work.seen, pairs, p, u, v, normal)
    middle = triple(sets.sums, p, MIDDLE)
    views = view_of(pose_a, middle, u, v, normal), view_of(pose_b, middle, u, v, normal)
    faces = collect_cap(
        surfaces.vertices, surfaces.faces, views, first_a, first_b, triangles, sets, work.faces, pairs + nodes,
        work.seen.cap, p,
    )  # fmt: skip
    if sets.sums[p, SPLIT] > 0.0:
        points = choose_middle(work.seen, count, faces, thickness, min(thickness, sets.sums[p, DEEPEST]))
    else:
        points = choose_points(work.seen, count, faces, radius, thickness)
    write_patch(
        work.seen, points, sets.sums, p, work.curve.marks, work.nodes.facts, rows, keys, (u, v, normal)
    )  # fmt: skip
    return points


@kernel
def share_out(found, kept, points, keys):
    """Copy at most MOST_POINTS points: the first of each patch, then the second of each, and so on; return how many."""
    written = 0
    for number in range(POINTS_IN_PATCH):
        for place in range(kept):
            if number < found.numbers[1, place] and written < MOST_POINTS:
                for column in range(7):
                    points[written, column] = found.rows[place, number, column]
                keys[written] = found.keys[place, number]
                written += 1
    return written


@kernel
def write_points(surfaces, poses, mesh_of, bodies, offsets, triangles, span, work, points, keys, written):
    """Write the contact points of body pairs span[0]…span[1]: (MOST_POINTS, 7) numbers and as many keys for each."""
    found = work.found
    for q in range(span[0], span[1]):
        written[q] = 0
        if poll(0) != 0:
            break
        if offsets[q] == offsets[q + 1]:
            continue
        a, b, touching = bodies[q, 0], bodies[q, 1], triangles[offsets[q] : offsets[q + 1]]
        pose_a, pose_b = poses[a], poses[b]
        first_a, first_b = surfaces.first_faces[mesh_of[a]], surfaces.first_faces[mesh_of[b]]
        patches = find_patches(surfaces, pose_a, first_a, pose_b, first_b, touching, work)
        kept = longest_patches(work.sets.sums, patches, found.numbers[0])
        for place in range(kept):
            found.numbers[1, place] = patch_points(
                surfaces, pose_a, first_a, pose_b, first_b, touching, work, found.numbers[0, place], found.rows[place],
                found.keys[place],
            )  # fmt: skip
        clear_joints(work.joints, work.counts[JOINTS])
        clear_nodes(work.nodes, work.counts[NODES])
        clear_faces(work.faces, touching, first_a, first_b, work.counts[FLOODED])
        written[q] = share_out(found, kept, points[q], keys[q])
