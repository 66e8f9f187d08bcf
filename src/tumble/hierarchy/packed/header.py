"""What kernels find at the address of a packed tree: sixteen 64-bit words, addresses first, then float64 numbers."""

BLOCKS = 0
VERTICES = 1
FACES = 2
ORIGIN = 3
"""the middle of the mesh, three numbers"""
SCALE = 6
"""from the mesh's unit to the local one"""
EXTENT = 7
"""the largest absolute coordinate of the mesh"""
RADIUS = 8
"""no vertex is farther from the origin"""
ELONGATED = 9
"""1.0 when many triangles are long and thin, else 0.0"""
REPEATS = 10
"""1.0 when leaves name some triangles more than once, so that a query may find a pair again, else 0.0"""
SLABS = 11
"""the address of the slabs (`tumble.hierarchy.packed.slabs`), or 0 before they are made"""
COMPONENTS = 12
"""the address of what tells inside from outside (`tumble.mesh.edges.Edges.record`), or 0 before it was asked for"""
HULLS = 13
"""the address of the hulls (`tumble.hierarchy.packed.hulls`), or 0 before they are made"""
PATIENCE = 14
"""how many more questions about distances come before hulls are made: a whole number, which kernels count down"""
TRIANGLES = 15
"""how many there are: a whole number"""
WORDS = 16
