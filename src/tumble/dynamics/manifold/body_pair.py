"""The contact points of one body pair after another: curve, flood, patches, normals, points."""

from tumble.core.jit import kernel
from tumble.core.linear import across, cross
from tumble.core.poll import poll
from tumble.dynamics.manifold import workspace as col
from tumble.dynamics.manifold.crossings import collect_crossings
from tumble.dynamics.manifold.curve import join_neighbourhoods, trace_curve
from tumble.dynamics.manifold.flood import flood, join_inside
from tumble.dynamics.manifold.normal import patch_normal
from tumble.dynamics.manifold.patch import list_patches, number_patches, split_patches, sum_patches
from tumble.dynamics.manifold.points import choose_middle, choose_points, write_patch
from tumble.dynamics.manifold.tables import clear, triple
from tumble.dynamics.manifold.view import collect_cap, collect_spots, put_centre, rounding_of, view_of
from tumble.dynamics.manifold.workspace import EMPTY, MOST_PATCHES, MOST_POINTS, POINTS_IN_PATCH, BodyPair


@kernel
def find_patches(pair, work):
    """Find the patches of a body pair; return how many."""
    pairs, lines, sets = pair.triangles.shape[0], work.curve.lines, work.sets
    work.counts[:] = 0
    trace_curve(pair, work)
    # Closed meshes meet in closed curves: none of 190 body pairs of a heap of 64 `cows` had an open end.
    if work.counts[col.OPEN_ENDS] > 0:
        join_neighbourhoods(pair, work)
    join_inside(work, pairs)
    flood(pair, work)
    whole = number_patches(sets, pairs)
    sum_patches(lines, sets, pairs, whole)
    patches = split_patches(pair, lines, sets, whole)
    if patches > whole:
        sum_patches(lines, sets, pairs, patches)
    list_patches(work, pairs, patches)
    return patches


@kernel
def longest_patches(sums, patches, chosen):
    """Write the numbers of the patches with the longest curves, longest first; return how many."""
    count = min(patches, MOST_PATCHES)
    for place in range(count):
        best, length = EMPTY, -1.0
        for p in range(patches):
            if sums[p, col.LENGTH] > length:
                taken = False
                for other in range(place):
                    taken = taken or chosen[other] == p
                if not taken:
                    best, length = p, sums[p, col.LENGTH]
        chosen[place] = best
    return count


@kernel
def patch_points(pair, work, p, rows, keys):
    """Write the points of a patch; return how many."""
    pairs, nodes, lines, sets = pair.triangles.shape[0], work.counts[col.NODES], work.curve.lines, work.sets
    normal, thickness = patch_normal(pair, lines, sets, work.nodes.at, nodes, p)
    u = across(normal)
    frame = u, cross(normal, u), normal
    count, radius, box = collect_spots(lines, sets, work.nodes, nodes, work.patch_view, pairs, p, frame)
    middle = triple(sets.sums, p, col.MIDDLE)
    views = view_of(pair.pose_a, middle, frame), view_of(pair.pose_b, middle, frame)
    faces = collect_cap(pair, views, sets, work.faces, pairs + nodes, work.patch_view.cap, p)
    if sets.sums[p, col.SPLIT] > 0.0:
        put_centre(work.patch_view, count)
        points = choose_middle(work.patch_view, count, faces, thickness, min(thickness, sets.sums[p, col.DEEPEST]))
    else:
        count = collect_crossings(pair, work, views, count, box, p)
        put_centre(work.patch_view, count)
        rounding = rounding_of(pair, middle, work.patch_view.cap, faces)
        points = choose_points(work.patch_view, count, faces, (radius, thickness, rounding))
    write_patch(pair.surfaces.faces, work.patch_view, points, work, p, rows, keys, frame)
    return points


@kernel
def share_out(found, kept, points, keys):
    """Copy at most MOST_POINTS points: the first of each patch, then the second of each, and so on; return how many."""
    written = 0
    for number in range(POINTS_IN_PATCH):
        for place in range(kept):
            if number < found.sizes[place] and written < MOST_POINTS:
                for column in range(col.ROW):
                    points[written, column] = found.rows[place, number, column]
                keys[written] = found.keys[place, number]
                written += 1
    return written


@kernel
def write_points(surfaces, poses, mesh_of, bodies, offsets, triangles, curves, span, work, points, keys, written):
    """Write the contact points of body pairs span[0]…span[1]: (MOST_POINTS, ROW) numbers and as many keys for each."""
    found, most = work.found, curves.shape[0]  # none, or one for each row of `triangles`
    for q in range(span[0], span[1]):
        written[q] = 0
        if poll(0) != 0:
            break
        if offsets[q] == offsets[q + 1]:
            continue
        a, b, touching = bodies[q, 0], bodies[q, 1], triangles[offsets[q] : offsets[q + 1]]
        first_a, first_b = surfaces.first_faces[mesh_of[a]], surfaces.first_faces[mesh_of[b]]
        made = curves[min(offsets[q], most) : min(offsets[q + 1], most)]
        pair = BodyPair(surfaces, poses[a], first_a, poses[b], first_b, touching, made)
        patches = find_patches(pair, work)
        kept = longest_patches(work.sets.sums, patches, found.patches)
        for place in range(kept):
            found.sizes[place] = patch_points(pair, work, found.patches[place], found.rows[place], found.keys[place])
        clear(work, pair)
        written[q] = share_out(found, kept, points[q], keys[q])
