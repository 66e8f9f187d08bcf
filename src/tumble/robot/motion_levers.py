"""How fast can any point of a link move when the joints move? A bound for each link and joint.

A joint that turns moves a point by at most its distance from the axis, and that is at most the lever: the largest
distance of a ball that contains the link wherever the joints in between put it. Balls are carried from the link towards
the root, joint by joint: turned about the next axis, a ball stays within one about the nearest point of the axis. A
joint that slides moves all points alike, and by as much as it is extended it may add to the levers of those before it.

Two links of one robot only approach each other by the joints between them: those before their last common ancestor move
both alike.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tumble.core.memory import check_memory
from tumble.core.records import frozen
from tumble.robot.collisions.bodies import LinkBodies, deviations_of
from tumble.robot.kinematics import FIXED, NONE, SLIDES, TURNS, Kinematics

ROUNDED_UP = 1.0 + 2.0**-30
"""covers the rounding of all that is computed here"""


class Levers(NamedTuple):
    """How far a unit of each column of a configuration moves the two sides of each question towards each other."""

    lengths: NDArray[np.float64]
    """(questions, columns)"""
    extensions: NDArray[np.float64]
    """(questions, columns, columns) how much of a lever comes with each unit by which the last column is extended"""


def levers_of(kinematics: Kinematics, bodies: LinkBodies, columns: int) -> Levers:
    """Return the levers of all questions about some links, numbered as in `tumble.robot.collisions.check_kernel`."""
    chains = [chain_of(kinematics, int(link)) for link in bodies.links]
    whole = [_levers_of_chain(kinematics, chain, ball) for chain, ball in zip(chains, bodies.balls[:, 0], strict=True)]
    # each question is about the ends of one chain, or of two behind what they have in common: chains begin at the root
    alone = [((body, 0),) for body in range(len(chains))]
    pairs = [((a, place), (b, place)) for a, b in bodies.pairs.tolist() for place in [_common(chains[a], chains[b])]]
    asked = [*alone, *pairs]
    check_memory(8 * columns * (2 * len(asked) + sum(map(len, chains))), f"the levers of {len(asked):,} pairs of links")
    sums = [_sums(kinematics, chain, levers, columns) for chain, levers in zip(chains, whole, strict=True)]
    lengths = np.empty((len(asked), columns))
    for question, ends in enumerate(asked):
        lengths[question] = sum(sums[body][place] for body, place in ends)
    slides = (kinematics.kinds == SLIDES) & (kinematics.columns != NONE)
    count = len(asked) if slides.any() else 0
    check_memory(16 * count * columns * columns, f"the levers of {count:,} pairs of links that slide")
    extensions = np.zeros((count, columns, columns))
    for question in range(len(extensions)):
        for body, place in asked[question]:
            _extend(kinematics, chains[body][place:], extensions[question])
    if not extensions.any():
        extensions = np.zeros((0, columns, columns))
    rounded = ROUNDED_UP * (1.0 + 4.0 * float(deviations_of(kinematics).max()))
    return Levers(frozen(lengths * rounded), frozen(extensions * rounded))


def _common(one: list[int], other: list[int]) -> int:
    """Return how many links two chains have in common."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def chain_of(kinematics: Kinematics, link: int) -> list[int]:
    """Return the links from the root to a link."""
    chain = []
    while link != NONE:
        chain.append(link)
        link = int(kinematics.parents[link])
    return chain[::-1]


def _levers_of_chain(kinematics: Kinematics, chain: list[int], ball: NDArray[np.float64]) -> list[float]:
    """Return for each link of a chain how far its joint's axis is from any point of the last link, at most."""
    centre, radius = ball[:3], float(ball[3])
    levers = [0.0] * len(chain)
    for place in range(len(chain) - 1, -1, -1):
        link = chain[place]
        axis = kinematics.axes[link]
        if kinematics.kinds[link] == TURNS:
            nearest = (centre @ axis) * axis
            levers[place] = radius = radius + float(np.linalg.norm(centre - nearest))
            centre = nearest
        elif kinematics.kinds[link] == SLIDES:
            centre = centre + float(kinematics.offsets[link]) * axis
        centre = kinematics.origins[link, :3, :3] @ centre + kinematics.origins[link, :3, 3]
    return levers


def _sums(kinematics: Kinematics, chain: list[int], levers: list[float], columns: int) -> NDArray[np.float64]:
    """Return (links + 1, columns) the sum of levers, by column, of what comes from each place of a chain on."""
    found = np.zeros((len(chain) + 1, columns))
    for place in range(len(chain) - 1, -1, -1):
        found[place] = found[place + 1]
        column, kind = int(kinematics.columns[chain[place]]), kinematics.kinds[chain[place]]
        if column != NONE and kind != FIXED:
            lever = 1.0 if kind == SLIDES else levers[place]
            found[place, column] += abs(float(kinematics.factors[chain[place]])) * lever
    return found


def _extend(kinematics: Kinematics, chain: list[int], extensions: NDArray[np.float64]) -> None:
    """Add how much longer the slides of a chain make the levers of the joints before them."""
    for place, link in enumerate(chain):
        column, factor = int(kinematics.columns[link]), abs(float(kinematics.factors[link]))
        if column == NONE or kinematics.kinds[link] != TURNS:
            continue
        for slide in chain[place + 1 :]:
            if kinematics.kinds[slide] == SLIDES and kinematics.columns[slide] != NONE:
                extensions[column, kinematics.columns[slide]] += factor * abs(float(kinematics.factors[slide]))
