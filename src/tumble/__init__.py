"""Tumble finds which triangles of two meshes touch, and how far apart they are: exactly, in microseconds."""

from tumble.api.candidates import Candidates, candidates
from tumble.api.clearance import clearance
from tumble.api.closest_points import ClosestPoints, closest_points
from tumble.api.collide import collide, collide_many, collides
from tumble.api.collide_all import collide_all
from tumble.api.collide_chunks import collide_chunks
from tumble.api.collides_any import collides_any
from tumble.api.contains import Containment, SignedDistances, contains, signed_distance
from tumble.api.deformable import Deformable
from tumble.api.distance import distance, distance_many
from tumble.api.element_impacts import ElementImpacts, edge_edge_impacts, vertex_face_impacts
from tumble.api.local_depth import LocalDepth
from tumble.api.penetration import BodyPenetration, Penetration, penetration, penetration_many
from tumble.api.prepare import prepare
from tumble.api.rays import RayHits, cast_rays, inside_frustum
from tumble.api.relation import BodyRelation, RelationResult, relation, relation_many
from tumble.api.self_collide import self_collide
from tumble.api.time_of_impact import swept, swept_many, time_of_impact, time_of_impact_many
from tumble.api.touching_parts import Contact, touching_parts
from tumble.api.tracker import Tracker
from tumble.core.limits import limits
from tumble.device import Device, devices
from tumble.errors import (
    ClusterError,
    DeviceError,
    FileError,
    InputError,
    InternalError,
    LimitError,
    MeshError,
    MissingDependencyError,
    NotAvailableError,
    OptionError,
    PointError,
    PoseError,
    RayError,
    TreeError,
    TumbleError,
)
from tumble.hierarchy import BoxTree, Tree, build, load_tree
from tumble.mesh import (
    Assembly,
    Mesh,
    Part,
    load,
    load_assembly,
    load_parts,
    rotation,
    shapes,
    subdivide,
    transformed,
    translation,
)
from tumble.mesh.motion import Motion
from tumble.mesh.motions import Motions
from tumble.query.answer import Collision, Collisions, MeshCollisions, PairContacts, Stats
from tumble.query.clearance import Clearance
from tumble.query.impact import BodiesImpact, Impact, Impacts
from tumble.query.nearest import BodiesNearest, Nearest, NearestMany
from tumble.query.settings import BoxtreeSettings, BulkSettings, DeviceSettings, FrontSettings, WalkSettings
from tumble.query.step_impact import StepContacts, StepImpact
from tumble.scene import Scene
from tumble.solid.evidence import Relation
from tumble.solid.overlap.records import Curve

__version__ = "0.1.0"

__all__ = [
    "Assembly",
    "BodiesImpact",
    "BodiesNearest",
    "BodyPenetration",
    "BodyRelation",
    "BoxTree",
    "BoxtreeSettings",
    "BulkSettings",
    "Candidates",
    "Clearance",
    "ClosestPoints",
    "ClusterError",
    "Collision",
    "Collisions",
    "Contact",
    "Containment",
    "Curve",
    "Deformable",
    "Device",
    "DeviceError",
    "DeviceSettings",
    "ElementImpacts",
    "FileError",
    "FrontSettings",
    "Impact",
    "Impacts",
    "InputError",
    "InternalError",
    "LimitError",
    "LocalDepth",
    "Mesh",
    "MeshCollisions",
    "MeshError",
    "MissingDependencyError",
    "Motion",
    "Motions",
    "Nearest",
    "NearestMany",
    "NotAvailableError",
    "OptionError",
    "PairContacts",
    "Part",
    "Penetration",
    "PointError",
    "PoseError",
    "RayError",
    "RayHits",
    "Relation",
    "RelationResult",
    "Scene",
    "SignedDistances",
    "Stats",
    "StepContacts",
    "StepImpact",
    "Tracker",
    "Tree",
    "TreeError",
    "TumbleError",
    "WalkSettings",
    "build",
    "candidates",
    "cast_rays",
    "clearance",
    "closest_points",
    "collide",
    "collide_all",
    "collide_chunks",
    "collide_many",
    "collides",
    "collides_any",
    "contains",
    "devices",
    "distance",
    "distance_many",
    "edge_edge_impacts",
    "inside_frustum",
    "limits",
    "load",
    "load_assembly",
    "load_parts",
    "load_tree",
    "penetration",
    "penetration_many",
    "prepare",
    "relation",
    "relation_many",
    "rotation",
    "self_collide",
    "shapes",
    "signed_distance",
    "subdivide",
    "swept",
    "swept_many",
    "time_of_impact",
    "time_of_impact_many",
    "touching_parts",
    "transformed",
    "translation",
    "vertex_face_impacts",
]
