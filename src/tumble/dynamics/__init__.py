"""Rigid bodies: a small simulator to read, over the touching triangles that `tumble.Scene` finds.

    mass → body → state → contacts → rows → solver → motion → step → world
               joints → joint_rows → joint_solver ↗

`docs/dynamics.md` has the physics on one page.
"""

from tumble.dynamics.contacts import Contacts
from tumble.dynamics.hull import convex_hull
from tumble.dynamics.joints import Ball, Fixed, Hinge, Joint, Motor, Slider
from tumble.dynamics.mass import Mass, mass_properties
from tumble.dynamics.settings import Settings
from tumble.dynamics.state import State
from tumble.dynamics.world import World

__all__ = [
    "Ball",
    "Contacts",
    "Fixed",
    "Hinge",
    "Joint",
    "Mass",
    "Motor",
    "Settings",
    "Slider",
    "State",
    "World",
    "convex_hull",
    "mass_properties",
]
