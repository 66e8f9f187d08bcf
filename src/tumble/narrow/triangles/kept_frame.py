"""How vertices of one posed mesh lie in the frame of another mesh's packed tree, in float64: for `certain_pairs`.

For two trees A and B with poses R, t, origins o and B's scale s, all of them numbers without error, and the way
between their posed origins, d = Ra oa + ta - Rb ob - tb,

    x = s Rb^T (Ra (v - oa) + d)

is where a vertex v of A lies; a vertex of B is at s (v - ob). Let L be the map that takes the world into B's frame,
s (Rb^-1 (w - tb) - ob). It is affine and keeps orientations, as a checked pose has a determinant near 1. It maps the
posed vertices, which are what counts, to the numbers above, but for

    s Rb^-1 e                     of either mesh, e being what posing rounds: 12 u N
    (I - Rb^T Rb) times x, or so  since Rb^-1 is not Rb^T: 3 times the deviation and the largest coordinate of x

with u = 2**-53 and N the largest coordinates of both meshes and both translations added up. No row of Rb^-1 makes a
vector with components up to 1 longer than 2, so the first is 24 u s N. What is computed of x rounds by 12 u s N for
the entries of s Rb^T Ra, 90 for the constant part, 36 for sums and products; of the others, by 10 where the new origin
is subtracted. All together 196 u s N; `ROUNDING` has 256, twice what `relation.world_rounding` says, and its 32
deviations.
"""

import numpy as np

from tumble.core.jit import inlined_kernel
from tumble.core.simd.memory import float64_at, set_float32, set_float64
from tumble.hierarchy.packed.header import ORIGIN as TREE_ORIGIN
from tumble.hierarchy.packed.header import SCALE
from tumble.mesh.rigid_kernel import product_of_columns

MATRIX = 0  # three columns, and what is added: four numbers each, the last of which means nothing
ORIGIN = 16  # of the other tree, scaled, and once more nothing
ROUNDING = 40  # counted in float32 numbers
FRAME_WORDS = 24
ROUND_UP = 1.0 + 2.0**-20


@inlined_kernel
def describe_frame(single, pose, block, block_pose, way, rounding, deviation, frame):
    """Write what takes vertices of the single's mesh into the frame of the block's tree.

    `way` is the one between the posed origins, `rounding` that of posed vertices, in the world's unit.
    """
    scale = float64_at(block, SCALE)
    distance = 0.0
    for i in range(3):
        column = float64_at(block_pose, i), float64_at(block_pose, 4 + i), float64_at(block_pose, 8 + i)
        shift = scale * (column[0] * way[0] + column[1] * way[1] + column[2] * way[2])
        distance += abs(shift)
        for j in range(3):
            entry = scale * product_of_columns(block_pose, i, pose, j)
            set_float64(frame, MATRIX + 4 * j + i, entry)
            shift -= entry * float64_at(single, TREE_ORIGIN + j)
        set_float64(frame, MATRIX + 12 + i, shift)
        set_float64(frame, ORIGIN + i, scale * float64_at(block, TREE_ORIGIN + i))
    ratio = scale / float64_at(single, SCALE)
    bound = 2.0 * rounding * scale + 32.0 * deviation * (1.0 + ratio + distance)
    set_float32(frame, ROUNDING, np.float32(bound * ROUND_UP))
    # what means nothing must not be slow to add, as denormal numbers are
    for place in (MATRIX + 3, MATRIX + 7, MATRIX + 11, MATRIX + 15, ORIGIN + 3):
        set_float64(frame, place, 0.0)
