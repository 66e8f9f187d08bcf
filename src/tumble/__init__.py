"""Tumble finds which triangles of two meshes touch: exactly, in microseconds."""

from tumble.api.candidates import Candidates, candidates
from tumble.api.collide import collide, collide_many, collides
from tumble.api.collide_all import collide_all
from tumble.api.deformable import Deformable
from tumble.api.rays import RayHits, cast_rays, inside_frustum
from tumble.api.relation import BodyRelation, RelationResult, relation, relation_many
from tumble.api.self_collide import self_collide
from tumble.api.touching_parts import Contact, touching_parts
from tumble.api.tracker import Tracker
from tumble.core.limits import limits
from tumble.device import Device, devices
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
from tumble.hierarchy import BoxTree, Tree, build, load_tree
from tumble.mesh import Mesh, Part, load, load_parts, rotation, shapes, subdivide, transformed, translation
from tumble.query.answer import Collision, Collisions, MeshCollisions, PairContacts, Stats
from tumble.query.settings import BoxtreeSettings, BulkSettings, DeviceSettings, FrontSettings, WalkSettings
from tumble.scene import Scene
from tumble.solid.evidence import Relation

__version__ = "0.1.0"

__all__ = [
    "BodyRelation",
    "BoxTree",
    "BoxtreeSettings",
    "BulkSettings",
    "Candidates",
    "Collision",
    "Collisions",
    "Contact",
    "Deformable",
    "Device",
    "DeviceError",
    "DeviceSettings",
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
    "Relation",
    "RelationResult",
    "Scene",
    "Stats",
    "Tracker",
    "Tree",
    "TreeError",
    "TumbleError",
    "WalkSettings",
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
    "relation",
    "relation_many",
    "rotation",
    "self_collide",
    "shapes",
    "subdivide",
    "touching_parts",
    "transformed",
    "translation",
]
