"""Mechanisms keep their closed-form motion: a four-bar linkage to rounding, a gear train to the play of its teeth."""

from itertools import pairwise
from math import acos, cos, pi, radians, tan

import numpy as np
import pytest

from tumble.mesh.shapes.gear import _flank
from tumble.scenario.worlds import build, gears, linkage

PRESSURE_ANGLE = radians(20)
RUNNING_IN = 30
"""steps, until the first gear, which starts at full speed, has caught the others"""


def test_the_crank_is_the_shortest_and_can_turn_all_the_way_round():
    lengths = sorted([linkage.CRANK, linkage.COUPLER, linkage.ROCKER, linkage.GROUND])
    assert lengths[0] == linkage.CRANK
    assert lengths[0] + lengths[3] <= lengths[1] + lengths[2]


@pytest.mark.parametrize(("count", "steps"), [(2, 60), pytest.param(5, 2000, marks=pytest.mark.slow)])
def test_a_four_bar_linkage_moves_in_closed_form(count, steps):
    """The bound: joints fit to 1e-9 m/s · h, and a gap moves the hinge of the rocker by gap / sin of the least angle
    between coupler and rocker (0.7 rad here); the crank's angle sums the rounding of all substeps.
    """
    world = build("linkage", count=count)
    h = world.time_step / world.settings.substeps
    bound = 4 * 1e-9 * h / np.sin(0.7) + steps * world.settings.substeps * 4 * np.finfo(float).eps
    for _ in range(steps):
        world.step()
        places = world.positions()[:, [0, 2]]
        for k in range(count):
            crank, rocker = linkage.corners(2 * pi * k / count + linkage.SPEED * world.time)
            middles = crank / 2, (crank + rocker) / 2, (rocker + np.array([linkage.GROUND, 0.0])) / 2
            np.testing.assert_allclose(places[3 * k : 3 * k + 3], middles, rtol=0, atol=bound)
    assert world.joint_errors().max() < bound
    assert abs(world.spins()[:, [0, 2]]).max() < 1e-9  # it stays in its plane
    assert not world.asleep.any()


def facets(teeth):
    """How far a straight facet of a flank lies behind the involute at most, m along the circumference."""
    radii, angles = _flank(teeth, gears.MODULE)
    base = gears.MODULE * teeth / 2 * cos(PRESSURE_ANGLE)
    radii, angles, worst = radii[radii >= base], angles[radii >= base], 0.0
    for r, s, a, b in zip(radii, radii[1:], angles, angles[1:], strict=False):
        share = np.linspace(0, 1, 50)[:, None]
        points = (1 - share) * r * np.array([np.cos(a), np.sin(a)]) + share * s * np.array([np.cos(b), np.sin(b)])
        reach = np.hypot(*points.T)
        involute = [tan(acos(min(1, base / each))) - acos(min(1, base / each)) for each in reach]
        exact = pi / (2 * teeth) + tan(PRESSURE_ANGLE) - PRESSURE_ANGLE - np.array(involute)
        worst = max(worst, float(((exact - np.arctan2(points[:, 1], points[:, 0])) * reach).max()))
    return worst


@pytest.mark.parametrize(("count", "steps"), [(2, 90), pytest.param(4, 1500, marks=pytest.mark.slow)])
def test_a_gear_train_keeps_its_ratios_within_the_play_of_its_teeth(count, steps):
    """Every mesh adds half of its play along the pitch circle: that of the axles, play · tan of the pressure angle, of
    the facets of both flanks, and the depth of the contact. What a gear is off, it hands on to the next.
    """
    world = build("gears", count=count)
    teeth = np.array(gears.TEETH[:count])
    ratios = (-1.0) ** np.arange(count) * teeth[0] / teeth
    angles, last, deepest, missing = np.zeros(count), np.zeros(count), 0.0, np.zeros(count)
    for step in range(steps):
        world.step()
        now = world.joint_positions()
        angles += (now - last + pi) % (2 * pi) - pi
        last = now
        if step >= RUNNING_IN:
            missing = np.maximum(missing, abs(angles - ratios * angles[0]))
            deepest = max(deepest, world.contacts.depths.max(initial=0.0))
    meshes = [gears.PLAY * tan(PRESSURE_ANGLE) + facets(int(a)) + facets(int(b)) for a, b in pairwise(teeth)]
    play = np.cumsum([0.0, *meshes]) + np.arange(count) * deepest / cos(PRESSURE_ANGLE)
    assert (missing * gears.MODULE * teeth / 2 <= play + 1e-12).all(), (missing, play)
    assert play[-1] < 0.012 * (count - 1)
    assert angles[0] == pytest.approx(gears.SPIN * world.time, abs=1e-9)
    assert world.joint_errors().max() < 1e-9
