"""Procedural shapes: all but the cloth closed, facing outwards; the same arguments give the same mesh."""

from tumble.mesh.shapes.blob import blob
from tumble.mesh.shapes.bowl import bowl, closed_object
from tumble.mesh.shapes.cloth import cloth
from tumble.mesh.shapes.convex import box, icosphere
from tumble.mesh.shapes.gear import gear
from tumble.mesh.shapes.swept import knot, spring, torus

__all__ = ["blob", "bowl", "box", "closed_object", "cloth", "gear", "icosphere", "knot", "spring", "torus"]
