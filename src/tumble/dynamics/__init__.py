"""Rigid bodies: a small simulator to read, over the touching triangles that `tumble.Scene` finds.

    mass → body → state → contacts → rows → solver → motion → step → world

`docs/dynamics.md` has the physics on one page. No joints.
"""

from tumble.dynamics.contacts import Contacts
from tumble.dynamics.hull import convex_hull
from tumble.dynamics.mass import Mass, mass_properties
from tumble.dynamics.settings import Settings
from tumble.dynamics.state import State
from tumble.dynamics.world import World

__all__ = ["Contacts", "Mass", "Settings", "State", "World", "convex_hull", "mass_properties"]
