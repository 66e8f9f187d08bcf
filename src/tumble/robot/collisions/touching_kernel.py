"""Which links of a robot touch which links and obstacles: for many configurations in one kernel, nothing left out."""

from tumble.core.jit import inlined_kernel, kernel
from tumble.core.keys import LOWER_HALF
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of
from tumble.robot.collisions.blocks import BLOCK
from tumble.robot.collisions.check_kernel import answer, place_bodies, search_obstacles
from tumble.robot.collisions.rejection import body_is_free
from tumble.robot.kinematics_kernel import POSE_WORDS


@inlined_kernel
def obstacle_keys(bodies, obstacles, body, work, identity, keys):
    """Write all pairs of triangles of a body and the obstacles that touch; return how many, or a negative code."""
    poses, clearance = address_of(work.poses), work.clearances[body]
    if obstacles.tree == 0 or body_is_free(bodies, body, obstacles, clearance, poses, work.centres, work.placed):
        return 0
    pose = poses + 8 * POSE_WORDS * bodies.links[body]
    tree, deviation = bodies.trees[body], bodies.deviations[body]
    return search_obstacles(
        obstacles, tree, pose, deviation, clearance, identity, 0, address_of(keys), keys.size
    )  # fmt: skip


@kernel
def touching_links(
    kinematics, bodies, obstacles, identity, Q, start, stop, work, keys, seen, rows, used
):  # fmt: skip
    """Write rows (configuration, body, other): the number of another body, or -1 - that of an obstacle.

    Return where it ended: `stop`, or a configuration that needs more memory, of which used[1] says how many keys, or a
    negative code. used[0] counts the rows that are filled; `seen` has a number for each obstacle, none of them in use.
    """
    row_bytes, at, count = 8 * Q.shape[1], address_of(identity), bodies.links.shape[0]
    for k in range(start, stop):
        if k % BLOCK == 0:
            code = poll(0)
            if code != 0:
                return code
        place_bodies(kinematics, bodies, address_of(Q) + k * row_bytes, work)
        filled = used[0]
        for slot in range(work.order.shape[0]):
            question = work.order[slot]
            if question < count:
                found = obstacle_keys(bodies, obstacles, question, work, at, keys)
                if found > keys.size:
                    used[1] = found
                    return k
                for number in range(found):
                    owner = obstacles.owners[keys[number] & LOWER_HALF]
                    mark = k * count + question
                    if seen[owner] != mark:
                        if filled >= rows.shape[0]:
                            return k
                        seen[owner] = mark
                        rows[filled, 0], rows[filled, 1], rows[filled, 2] = k, question, -1 - owner
                        filled += 1
            else:
                found = answer(bodies, obstacles, question, work, at, address_of(keys))
                if found > 0:
                    if filled >= rows.shape[0]:
                        return k
                    rows[filled, 0], rows[filled, 1] = k, bodies.pairs[question - count, 0]
                    rows[filled, 2] = bodies.pairs[question - count, 1]
                    filled += 1
            if found < 0:
                return found
        used[0] = filled
    return stop
