"""Section 6.1, future work: boxtrees for deforming objects, for rays, and for occlusion culling.

Deformation: an object is bent further and further; its tree is refitted, or built anew. Node pairs of queries say what
the refitted tree is worth, and are the same everywhere.

Rays: how much longer a ray takes in an object of sixteen times as many triangles.

Occlusion: what a rectangle hides from an eye lies in its shadow, a pyramid without its top: `inside_frustum` with the
planes of the shadow finds the triangles that are hidden entirely. No two occluders are joined, and no depth buffer is
drawn: that would be a renderer's work, with or without boxtrees. Rays from the eye through all vertices check it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tumble
from tumble.bench.framework.table import Study
from tumble.bench.framework.timing import Effort
from tumble.bench.papers.boxtree.clock import processor_race
from tumble.bench.papers.boxtree.contestants import DEFAULT_BUILD, FREE, PACKED, boxtree_collide, build_boxtree
from tumble.mesh import Mesh, apply_pose
from tumble.scenario.objects import shape_duo
from tumble.scenario.tumbling import tumbling_poses

DEFORMATION, RAYS, OCCLUSION = "deformation", "rays", "occlusion"
REFITTED, REBUILT = "refitted", "rebuilt"
AMOUNTS = (0.0, 0.02, 0.05, 0.1, 0.2)
"""how far the vertices move, in lengths of the object"""
DISTANCE, STEPS = 0.7, 6
RAY_COUNT, LARGER, SEED = 20_000, 16, 3
BOXES, NUMPY = "boxtree", "all vertices"
EYE = np.array([0.0, 0.0, -3.0])
RECTANGLE = np.array([[-0.15, -0.1, -1.0], [0.15, -0.1, -1.0], [0.15, 0.1, -1.0], [-0.15, 0.1, -1.0]])

Points = NDArray[np.float64]


def bent(mesh: Mesh, amount: float) -> Mesh:
    """The mesh with a wave through it: vertices move along x and z by at most `amount` and half of it."""
    vertices = mesh.vertices.copy()
    vertices[:, 0] += amount * np.sin(9 * mesh.vertices[:, 1])
    vertices[:, 2] += amount / 2 * np.cos(7 * mesh.vertices[:, 0])
    return Mesh(vertices, mesh.faces)


def add_deformation(kind: str, size: int, effort: Effort, study: Study) -> None:
    """Write node pairs with refitted and with rebuilt trees, and what refit and build take."""
    from tumble.hierarchy.boxtree.build import build_boxtree as build_uncached

    mesh = shape_duo(kind, size).a
    for name, planes in ((DEFAULT_BUILD, "chained"), (FREE, "free")):
        tree = build_boxtree(mesh, name)
        for amount in AMOUNTS:
            moved, case = bent(mesh, amount), f"{kind}, {name} bent by {amount:g}"
            study.add_values(case, "", {"kind": kind, "build": name, "amount": amount, "triangles": len(mesh)})
            # both on one thread: a refit has no more
            build = partial(build_uncached, moved, "sah", 4, planes, 1)
            for way, other in ((REFITTED, tree.refit(moved)), (REBUILT, build())):
                found = [
                    boxtree_collide()(other, other, None, pose, stats=True) for pose in tumbling_poses(DISTANCE, STEPS)
                ]
                study.add(case, way, "node pairs", sum(each.stats.tests for each in found))
                study.add(case, way, "hits", sum(len(each) for each in found))
            study.add_race(
                case,
                processor_race({REFITTED: partial(tree.refit, moved), REBUILT: build}, effort),
                [(REFITTED, REBUILT)],
            )


def rays_around(count: int) -> tuple[Points, Points]:
    """Origins around the unit cube, and directions into it."""
    rng = np.random.default_rng(SEED)
    around = rng.normal(size=(count, 3))
    origins = 3 * around / np.linalg.norm(around, axis=1)[:, None]
    return origins, rng.uniform(-0.5, 0.5, (count, 3)) - origins


def add_rays(kind: str, size: int, effort: Effort, study: Study) -> None:
    """Write the time of rays through a boxtree, through one of many more triangles, and through packed trees."""
    rays, case = rays_around(RAY_COUNT), f"{kind} {size}"
    small, large = (shape_duo(kind, faces).a for faces in (size, LARGER * size))
    tree, larger = build_boxtree(small), build_boxtree(large)
    asks: dict[str, Callable[[], object]] = {
        BOXES: partial(tumble.cast_rays, tree, *rays, threads=1),
        PACKED: partial(tumble.cast_rays, small, *rays, threads=1),
        "larger": partial(tumble.cast_rays, larger, *rays, threads=1),
    }
    hits = [tumble.cast_rays(shape, *rays).triangles for shape in (tree, small)]
    study.add_values(case, "", {"triangles": len(small), "more": len(large) / len(small), "hits": (hits[0] >= 0).sum()})
    study.add(case, BOXES, "differ", int((hits[0] != hits[1]).sum()))
    for ask in asks.values():
        ask()
    study.add_race(case, processor_race(asks, effort), [("larger", BOXES), (BOXES, PACKED)], RAY_COUNT)


def shadow_planes(eye: Points, rectangle: Points) -> Points:
    """The planes of what a rectangle hides from an eye, inside positive: behind it, and between its four edges."""
    a, b, d = rectangle[0], rectangle[1], rectangle[3]
    middle = rectangle.mean(axis=0)
    normals = [np.cross(b - a, d - a)]
    normals += [np.cross(rectangle[k] - eye, rectangle[k - 1] - eye) for k in range(4)]
    points = [a, eye, eye, eye, eye]
    behind = middle + (middle - eye)
    planes = [np.append(normal, -normal @ point) for normal, point in zip(normals, points, strict=True)]
    return np.stack([plane if plane[:3] @ behind + plane[3] > 0 else -plane for plane in planes])


def add_occlusion(kind: str, size: int, effort: Effort, study: Study) -> None:
    """Write which triangles a rectangle hides, by boxtree and packed tree, checked by rays, and the times."""
    mesh, planes = shape_duo(kind, size).a, shadow_planes(EYE, RECTANGLE)
    tree, poses, case = build_boxtree(mesh), tumbling_poses(0.0, STEPS), f"{kind} {size}"

    def hidden_in(shape: Any) -> list[NDArray[np.int64]]:
        return [tumble.inside_frustum(shape, planes, pose=pose, contained=True) for pose in poses]

    asks: dict[str, Callable[[], object]] = {BOXES: partial(hidden_in, tree), PACKED: partial(hidden_in, mesh)}
    asks[NUMPY] = lambda: [_inside_by_numpy(mesh, planes, pose) for pose in poses]
    hidden = hidden_in(tree)
    wrong = sum(len(np.setxor1d(found, _hidden_by_rays(mesh, pose))) for found, pose in zip(hidden, poses, strict=True))
    study.add_values(case, "", {"triangles": len(mesh), "hidden": sum(map(len, hidden)), "wrong": wrong})
    for ask in asks.values():
        ask()
    study.add_race(case, processor_race(asks, effort), [(BOXES, NUMPY), (BOXES, PACKED)], len(poses))


def _inside_by_numpy(mesh: Mesh, planes: Points, pose: Points) -> NDArray[np.int64]:
    inside = (apply_pose(pose, mesh.vertices) @ planes[:, :3].T + planes[:, 3] >= 0).all(axis=1)
    return np.flatnonzero(inside[mesh.faces].all(axis=1))


def _hidden_by_rays(mesh: Mesh, pose: Points) -> NDArray[np.int64]:
    """The triangles all vertices of which lie behind the rectangle, as seen from the eye."""
    occluder = Mesh(RECTANGLE, [[0, 1, 2], [0, 2, 3]])
    covered = tumble.cast_rays(occluder, EYE, apply_pose(pose, mesh.vertices) - EYE, longest=1.0, any_hit=True).hit
    return np.flatnonzero(covered[mesh.faces].all(axis=1))
