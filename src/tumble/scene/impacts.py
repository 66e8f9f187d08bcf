"""Which bodies of a scene touch first when some of them move: swept boxes first, then triangles.

A piece of a motion moves the middle m of a body's box from one place to another, away from the straight line between
them by at most ρ θ²/8 (ρ the distance of m from the centre of the piece, θ its angle), and never farther than ρ from
the centre, which does move along a straight line. The body stays within its radius of m.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.api.ask import ask
from tumble.api.time_of_impact import tolerances_of
from tumble.broad.boxes import RADIUS, extent_of
from tumble.broad.sweep import Sweep
from tumble.core.keys import pairs_of_keys
from tumble.core.products import applied, lengths
from tumble.errors import InputError
from tumble.mesh import Mesh
from tumble.mesh.motion import Motion, as_motion, pose_at
from tumble.mesh.motion_pieces import ANGLE, CENTRE, POSE, WAY
from tumble.mesh.motions import Motions
from tumble.query.engine import IMPACT
from tumble.query.impact import BodiesImpact, impact_of_row
from tumble.query.plan import Options
from tumble.scene.bodies import Moment
from tumble.scene.filters import AllowedContacts

ROUNDED_UP = 1.0 + 2.0**-30
ROUNDING = 2.0**-40
"""of poses, relative to all coordinates that appear: many times as much as they can be off"""


def named_motions(motions: Any, slots: Mapping[str, int]) -> dict[int, Motion]:
    """Return motions by the slots of bodies, or refuse what is not a mapping from names of bodies to motions."""
    if not isinstance(motions, Mapping):
        raise InputError(f"motions must be a mapping from names of bodies to motions, not {motions!r}")
    unknown = [name for name in motions if name not in slots]
    if unknown:
        raise InputError(f"there is no body {unknown[0]!r} in this scene; motions are by the names of bodies")
    return {slots[name]: as_motion(motion, f"the motion of {name!r}") for name, motion in motions.items()}


def first_impact_within(
    moment: Moment,
    allowed: AllowedContacts,
    slots: dict[str, int],
    motions: dict[int, Motion],
    tolerance: float | None,
    options: Options,
) -> BodiesImpact:
    """Return the first contact of any moving body of a moment with another body."""
    boxes = moment.boxes.copy()
    for slot, motion in motions.items():
        boxes[slot] = swept_box(moment.bodies.mesh(slot), motion)
    keys = Sweep().keys(boxes, moment.filters)
    pairs = pairs_of_keys(keys[~allowed.among(keys, slots, len(moment.names))] if allowed else keys)
    moving = np.zeros(len(boxes), bool)
    moving[list(motions)] = True
    pairs = pairs[moving[pairs].any(axis=1)]
    if len(pairs) == 0:
        return BodiesImpact(math.inf)
    bodies, named = moment.bodies, set(pairs.ravel().tolist())
    resting = {slot: bodies.poses[slot] for slot in named}
    each = Motions([motions.get(slot, resting.get(slot)) for slot in range(len(boxes))])
    tolerances = tolerances_of(bodies, bodies, pairs, tolerance)
    table = ask(IMPACT, bodies, bodies, pairs, options, motions=(each, each), tolerances=tolerances)
    if not table or table.impacts is None:
        return BodiesImpact(math.inf, stats=table.stats)
    row = int(np.argmin(table.impacts.times))  # of equal times the first: pairs are in the order of the bodies
    i, j = pairs[table.hit][row].tolist()
    time, pair, points, normal, distance, stats = impact_of_row(table, row)
    return BodiesImpact(time, pair, points, normal, distance, stats, moment.names[i], moment.names[j])


def swept_box(mesh: Mesh, motion: Motion) -> NDArray[np.float64]:
    """Return a box that contains a mesh throughout a motion."""
    extent, pieces = extent_of(mesh), motion.pieces
    if mesh.bounds is None:
        return extent[:6]
    ends = np.stack([pose_at(piece, 1.0) for piece in pieces])[:, :3]
    middle = 0.5 * extent[:3] + 0.5 * extent[3:6]
    start, end = (applied(each[:, :, :3], middle) + each[:, :, 3] for each in (_starts(pieces), ends))
    centre, angle = pieces[:, CENTRE : CENTRE + 3], np.abs(pieces[:, ANGLE, None])
    arm = lengths(start - centre)[:, None]
    bulge = arm * angle * angle / 8.0
    last = centre + pieces[:, WAY : WAY + 3]
    low = np.maximum(np.minimum(start, end) - bulge, np.minimum(centre, last) - arm)
    high = np.minimum(np.maximum(start, end) + bulge, np.maximum(centre, last) + arm)
    low, high = low.min(axis=0), high.max(axis=0)
    size = np.abs([low, high, middle]).max() + np.abs(centre).max() + arm.max()
    reach = extent[RADIUS] * ROUNDED_UP + ROUNDING * size
    return np.concatenate([low - reach, high + reach])


def _starts(pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    return pieces[:, POSE : POSE + 12].reshape(-1, 3, 4)
