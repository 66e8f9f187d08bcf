"""Procedural shapes: all but the cloth closed, facing outwards; the same arguments give the same mesh."""

from tumble.mesh.shapes.blob import blob
from tumble.mesh.shapes.bowl import bowl, closed_object
from tumble.mesh.shapes.box import box
from tumble.mesh.shapes.cloth import cloth
from tumble.mesh.shapes.gear import gear
from tumble.mesh.shapes.icosphere import icosphere
from tumble.mesh.shapes.knot import knot
from tumble.mesh.shapes.spring import spring
from tumble.mesh.shapes.torus import torus

__all__ = ["blob", "bowl", "box", "closed_object", "cloth", "gear", "icosphere", "knot", "spring", "torus"]
