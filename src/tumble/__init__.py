"""Tumble tells which triangles of two meshes touch: exactly, in microseconds."""

from tumble.assembly import Contact, touching_parts
from tumble.bulk_settings import BulkSettings
from tumble.candidates import Candidates, candidates
from tumble.collide import collide, collide_many, collides
from tumble.collide_all import collide_all
from tumble.deformable import Deformable
from tumble.errors import (
    DeviceError,
    FileError,
    InputError,
    InternalError,
    LimitError,
    MeshError,
    MissingDependencyError,
    NotAvailableError,
    OptionError,
    PoseError,
    RayError,
    TreeError,
    TumbleError,
)
from tumble.front_settings import FrontSettings
from tumble.frustum import inside_frustum
from tumble.gpu import Device, devices
from tumble.hierarchy import BoxTree, Tree, build, load_tree
from tumble.limits import limits
from tumble.mesh import Mesh, Part, load, load_parts, rotation, shapes, subdivide, transformed, translation
from tumble.mesh_collisions import MeshCollisions
from tumble.rays import RayHits, cast_rays
from tumble.result import Collision, Collisions, PairContacts, Stats
from tumble.scene import Scene
from tumble.self_collide import self_collide
from tumble.tracker import Tracker

__version__ = "0.1.0"

__all__ = [
    "BoxTree",
    "BulkSettings",
    "Candidates",
    "Collision",
    "Collisions",
    "Contact",
    "Deformable",
    "Device",
    "DeviceError",
    "FileError",
    "FrontSettings",
    "InputError",
    "InternalError",
    "LimitError",
    "Mesh",
    "MeshCollisions",
    "MeshError",
    "MissingDependencyError",
    "NotAvailableError",
    "OptionError",
    "PairContacts",
    "Part",
    "PoseError",
    "RayError",
    "RayHits",
    "Scene",
    "Stats",
    "Tracker",
    "Tree",
    "TreeError",
    "TumbleError",
    "build",
    "candidates",
    "cast_rays",
    "collide",
    "collide_all",
    "collide_many",
    "collides",
    "devices",
    "inside_frustum",
    "limits",
    "load",
    "load_parts",
    "load_tree",
    "rotation",
    "self_collide",
    "shapes",
    "subdivide",
    "touching_parts",
    "transformed",
    "translation",
]
