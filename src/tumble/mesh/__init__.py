"""Meshes, poses, shapes and files: the geometry that everything else is about."""

from tumble.mesh import shapes
from tumble.mesh.arrays import MAX_COORDINATE
from tumble.mesh.assembly import Assembly
from tumble.mesh.convert import MeshLike, as_mesh
from tumble.mesh.files import load, load_assembly, load_parts
from tumble.mesh.mesh import Mesh, Part
from tumble.mesh.pose import apply_pose, compose, random_pose, rotation, transformed, translation
from tumble.mesh.rigid import RIGIDITY_TOLERANCE, as_pose
from tumble.mesh.subdivide import subdivide

__all__ = [
    "MAX_COORDINATE",
    "RIGIDITY_TOLERANCE",
    "Assembly",
    "Mesh",
    "MeshLike",
    "Part",
    "apply_pose",
    "as_mesh",
    "as_pose",
    "compose",
    "load",
    "load_assembly",
    "load_parts",
    "random_pose",
    "rotation",
    "shapes",
    "subdivide",
    "transformed",
    "translation",
]
