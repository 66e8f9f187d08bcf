"""What cannot touch, found by balls: a link and the obstacles, or two links, that are far apart for their size.

`centres` holds, for each body, BALLS points in the world; those behind the first are written when they are needed,
which a flag for each body tells.
"""

import math

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at
from tumble.robot.collisions.ball_walk import ball_is_away, gap_to_boxes
from tumble.robot.collisions.balls import BALLS
from tumble.robot.collisions.gap_record import CELLS, NO_TABLE
from tumble.robot.kinematics_kernel import POSE_WORDS

SLACK = 2.0**-40
"""of all coordinates that appear: many times as much as centres are off by"""


@inlined_kernel
def place_ball(bodies, body, ball, poses, centres):
    """Write where the centre of a ball is in the world."""
    pose = poses + 8 * POSE_WORDS * bodies.links[body]
    x, y, z = bodies.balls[body, ball, 0], bodies.balls[body, ball, 1], bodies.balls[body, ball, 2]
    for row in range(3):
        value = float64_at(pose, 4 * row) * x + float64_at(pose, 4 * row + 1) * y + float64_at(pose, 4 * row + 2) * z
        centres[body, ball, row] = value + float64_at(pose, 4 * row + 3)


@inlined_kernel
def place_parts(bodies, body, poses, centres, placed):
    """Write where the balls around the parts of a body are, unless they are known."""
    if not placed[body]:
        for ball in range(1, BALLS):
            place_ball(bodies, body, ball, poses, centres)
        placed[body] = True


@inlined_kernel
def slack_of(x, y, z, radius):
    """Return by how much a ball is widened, so that rounding cannot lose a contact."""
    return SLACK * (abs(x) + abs(y) + abs(z) + radius)


@inlined_kernel
def ball_is_free(obstacles, x, y, z, radius):
    """Tell whether a ball is certain to touch no obstacle."""
    radius += slack_of(x, y, z, radius)
    if square_to_box(obstacles.bounds, x, y, z) > radius * radius:
        return True
    u, v, w = turned(obstacles, x, y, z)
    return ball_is_away(obstacles.turned, u, v, w, radius) != 0


@inlined_kernel
def body_is_free(bodies, body, obstacles, clearance, poses, centres, placed):
    """Tell whether a body is certain to be farther from every obstacle than the clearance."""
    x, y, z = centres[body, 0, 0], centres[body, 0, 1], centres[body, 0, 2]
    if ball_is_free(obstacles, x, y, z, bodies.balls[body, 0, 3] + clearance):
        return True
    place_parts(bodies, body, poses, centres, placed)
    for ball in range(1, BALLS):
        x, y, z = centres[body, ball, 0], centres[body, ball, 1], centres[body, ball, 2]
        if not ball_is_free(obstacles, x, y, z, bodies.balls[body, ball, 3] + clearance):
            return False
    return True


@inlined_kernel
def square_to_box(bounds, x, y, z):
    """Return the square of the distance of a point from a box."""
    dx = max(max(bounds[0, 0] - x, x - bounds[1, 0]), 0.0)
    dy = max(max(bounds[0, 1] - y, y - bounds[1, 1]), 0.0)
    dz = max(max(bounds[0, 2] - z, z - bounds[1, 2]), 0.0)
    return dx * dx + dy * dy + dz * dz


@inlined_kernel
def turned(obstacles, x, y, z):
    """Return a point in the frame of the tree that is turned."""
    turn = obstacles.turn
    return (
        turn[0, 0] * x + turn[1, 0] * y + turn[2, 0] * z,
        turn[0, 1] * x + turn[1, 1] * y + turn[2, 1] * z,
        turn[0, 2] * x + turn[1, 2] * y + turn[2, 2] * z,
    )


@inlined_kernel
def ball_gap(bodies, body, ball, obstacles, centres):
    """Return a distance that a ball keeps from all obstacles; it may be negative."""
    x, y, z = centres[body, ball, 0], centres[body, ball, 1], centres[body, ball, 2]
    u, v, w = turned(obstacles, x, y, z)
    radius, way = bodies.balls[body, ball, 3], gap_to_boxes(obstacles.turned, u, v, w)
    return way - radius - slack_of(x, y, z, radius + way)


@inlined_kernel
def gap_to_obstacles(bodies, body, obstacles, centres):
    """Return a distance that a body keeps from all obstacles, at least; it may be negative."""
    return ball_gap(bodies, body, 0, obstacles, centres)


@inlined_kernel
def part_gap_to_obstacles(bodies, body, obstacles, poses, centres, placed):
    """Return the same by the balls around its parts, which are tighter and take longer."""
    place_parts(bodies, body, poses, centres, placed)
    least = math.inf
    for ball in range(1, BALLS):
        least = min(least, ball_gap(bodies, body, ball, obstacles, centres))
    return least


@inlined_kernel
def gap_to_other(bodies, a, b, centres):
    """Return a distance that two bodies keep at least, by the balls around them; it may be negative."""
    x, y, z = centres[a, 0, 0], centres[a, 0, 1], centres[a, 0, 2]
    dx, dy, dz = x - centres[b, 0, 0], y - centres[b, 0, 1], z - centres[b, 0, 2]
    reach, way = bodies.balls[a, 0, 3] + bodies.balls[b, 0, 3], math.sqrt(dx * dx + dy * dy + dz * dz)
    return way - reach - slack_of(x, y, z, reach + way)


@inlined_kernel
def gap_by_table(tables, pair, q):
    """Return a distance that the bodies of a pair keep at least in a configuration, or a negative number."""
    table = tables.number[pair]
    if table == NO_TABLE:
        return -1.0
    i = (q[tables.columns[table, 0]] - tables.low[table, 0]) * tables.scale[table, 0]
    j = (q[tables.columns[table, 1]] - tables.low[table, 1]) * tables.scale[table, 1]
    if not (0.0 <= i < CELLS and 0.0 <= j < CELLS):
        return -1.0
    return float(tables.gaps[table, int(i), int(j)])


@inlined_kernel
def gap_of_parts(bodies, a, b, poses, centres, placed):
    """Return a distance that two bodies keep at least, by the balls around their parts; it may be negative."""
    place_parts(bodies, a, poses, centres, placed)
    place_parts(bodies, b, poses, centres, placed)
    least, size = math.inf, 0.0
    for i in range(1, BALLS):
        x, y, z = centres[a, i, 0], centres[a, i, 1], centres[a, i, 2]
        size = max(size, abs(x) + abs(y) + abs(z))
        for j in range(1, BALLS):
            dx, dy, dz = x - centres[b, j, 0], y - centres[b, j, 1], z - centres[b, j, 2]
            gap = math.sqrt(dx * dx + dy * dy + dz * dz) - bodies.balls[a, i, 3] - bodies.balls[b, j, 3]
            least = min(least, gap)
    return least - SLACK * (size + 4.0 * bodies.balls[a, 0, 3] + 4.0 * bodies.balls[b, 0, 3] + abs(least))


@inlined_kernel
def balls_meet(bodies, centres, a, i, b, j, clearance):
    """Tell whether two balls may be as near as the clearance."""
    x, y, z = (
        centres[a, i, 0] - centres[b, j, 0],
        centres[a, i, 1] - centres[b, j, 1],
        centres[a, i, 2] - centres[b, j, 2],
    )
    reach = bodies.balls[a, i, 3] + bodies.balls[b, j, 3] + clearance
    reach += slack_of(centres[a, i, 0], centres[a, i, 1], centres[a, i, 2], reach)
    return not x * x + y * y + z * z > reach * reach


@inlined_kernel
def bodies_are_free(bodies, a, b, clearance, poses, centres, placed):
    """Tell whether two bodies are certain to be farther apart than the clearance."""
    if not balls_meet(bodies, centres, a, 0, b, 0, clearance):
        return True
    place_parts(bodies, a, poses, centres, placed)
    place_parts(bodies, b, poses, centres, placed)
    for i in range(1, BALLS):
        if balls_meet(bodies, centres, a, i, b, 0, clearance):
            for j in range(1, BALLS):
                if balls_meet(bodies, centres, a, i, b, j, clearance):
                    return False
    return True
