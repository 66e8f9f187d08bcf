"""The contact points of one body pair after the other: curve, flood, patches, points."""

from tumble.dynamics.manifold_curve import join_neighbourhoods, trace_curve
from tumble.dynamics.manifold_flood import flood, join_inside
from tumble.dynamics.manifold_patch import number_patches, patch_normal, sum_patches
from tumble.dynamics.manifold_points import choose_points, collect_candidates, collect_cap
from tumble.dynamics.manifold_workspace import LENGTH, empty_slots
from tumble.jit import kernel
from tumble.narrow.contact_vectors import across, cross

POINTS_IN_PATCH = 4
MOST_POINTS = 8
MOST_PATCHES = MOST_POINTS
"""patches of a body pair that get points, those with the longest curves"""


@kernel
def heaviest_patches(work, patches, chosen):
    """Write the numbers of the patches with the longest curves, longest first; return how many."""
    count = min(patches, MOST_PATCHES)
    for place in range(count):
        best, length = -1, -1.0
        for p in range(patches):
            if work.sums[p, LENGTH] > length:
                taken = False
                for other in range(place):
                    taken = taken or chosen[other] == p
                if not taken:
                    best, length = p, work.sums[p, LENGTH]
        chosen[place] = best
    return count


@kernel
def pair_points(surfaces, poses, mesh_of, body_a, body_b, triangles, start, stop, work, counts, per_patch):
    """Find the points of one body pair: patch by patch in `work.found`, as many as `per_patch` says."""
    pairs = stop - start
    pose_a, pose_b = poses[body_a], poses[body_b]
    first_a, first_b = surfaces.first_faces[mesh_of[body_a]], surfaces.first_faces[mesh_of[body_b]]
    counts[:] = 0
    trace_curve(surfaces, pose_a, first_a, pose_b, first_b, triangles, start, stop, work, counts)
    if counts[2] > 0:
        join_neighbourhoods(surfaces, first_a, first_b, triangles, start, stop, work, counts)
    join_inside(work, pairs, counts[0])
    flood(surfaces, pose_a, pose_b, work, pairs, counts)
    nodes, faces = counts[0], counts[4]
    patches = number_patches(work, pairs, nodes)
    sum_patches(work, pairs, patches)
    chosen = counts[5:]
    kept = heaviest_patches(work, patches, chosen)
    for place in range(kept):
        p = chosen[place]
        normal, thickness = patch_normal(
            surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, nodes, p
        )
        u = across(normal)
        v = cross(normal, u)
        count, radius = collect_candidates(work, pairs, nodes, p, u, v, normal)
        seen = collect_cap(
            surfaces, pose_a, first_a, pose_b, first_b, triangles, start, work, pairs, faces, p, u, v, normal
        )
        per_patch[place] = choose_points(work, count, seen, radius, normal, thickness, u, v, place, p)
    empty_slots(work.node_keys, work.node_slots, counts[0])
    empty_slots(work.keys, work.key_slots, counts[1])
    empty_slots(work.face_keys, work.face_slots, counts[3])
    return kept


@kernel
def share_out(work, kept, per_patch, points, keys):
    """Copy at most MOST_POINTS points: the first of each patch, then the second of each, and so on."""
    written = 0
    for number in range(POINTS_IN_PATCH):
        for place in range(kept):
            if number < per_patch[place] and written < MOST_POINTS:
                for column in range(7):
                    points[written, column] = work.found[place, number, column]
                keys[written] = work.found_keys[place, number]
                written += 1
    return written


@kernel
def write_points(
    surfaces, poses, mesh_of, bodies, offsets, triangles, first, last, work, counts, points, keys, written
):
    """Write the contact points of body pairs first…last: (MOST_POINTS, 7) numbers and as many keys for each."""
    for q in range(first, last):
        written[q] = 0
        if offsets[q] < offsets[q + 1]:
            per_patch = counts[32:]
            kept = pair_points(
                surfaces, poses, mesh_of, bodies[q, 0], bodies[q, 1], triangles, offsets[q], offsets[q + 1], work,
                counts[:32], per_patch,
            )  # fmt: skip
            written[q] = share_out(work, kept, per_patch, points[q], keys[q])
