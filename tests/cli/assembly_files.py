"""Small assembly files, written for a test."""

import trimesh
from trimesh.transformations import translation_matrix


def cube():
    return trimesh.creation.box()


def write_cubes(path, offsets, names=None):
    """A scene of unit cubes, one node for each offset along x, all of them instances of one geometry."""
    scene = trimesh.Scene()
    scene.add_geometry(cube(), geom_name="cube", node_name="first" if names is None else names[0])
    for k, offset in enumerate(offsets[1:], start=1):
        name = f"cube-{k}" if names is None else names[k]
        scene.graph.update(name, frame_from="world", matrix=translation_matrix([offset, 0, 0]), geometry="cube")
    scene.export(path)
    return path


def write_cube(path, offset):
    mesh = cube()
    mesh.apply_translation([offset, 0, 0])
    mesh.export(path)
    return path
