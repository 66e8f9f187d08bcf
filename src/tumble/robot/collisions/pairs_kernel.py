"""Which pairs of links touch, all of them: for many configurations in one kernel, nothing left out."""

from tumble.core.jit import kernel
from tumble.core.poll import poll
from tumble.core.simd.memory import address_of
from tumble.core.simd.stack_memory import scratch
from tumble.robot.collisions.blocks import BLOCK, next_block
from tumble.robot.collisions.check_kernel import answer, place_bodies


@kernel
def touching_pairs(kinematics, bodies, obstacles, identity, Q, drawn, work, found):
    """Write which pairs of bodies touch in the configurations that this thread draws; return 0, or a negative code.

    found   (n, pairs) whether they do
    """
    key, count, row_bytes = scratch(1), Q.shape[0], 8 * Q.shape[1]
    start = next_block(drawn, BLOCK)
    while start < count:
        for k in range(start, min(start + BLOCK, count)):
            code = poll(0)
            if code != 0:
                return code
            place_bodies(kinematics, bodies, address_of(Q) + k * row_bytes, work)
            for pair in range(bodies.pairs.shape[0]):
                hit = answer(bodies, obstacles, bodies.links.shape[0] + pair, work, address_of(identity), key)
                if hit < 0:
                    return hit
                found[k, pair] = hit != 0
        start = next_block(drawn, BLOCK)
    return 0
