"""What kernels find at the address of a boxtree: 64-bit words, addresses and float64 numbers.

Words 1 to 8 are those of `tumble.hierarchy.packed.header`, and have their names there: whatever reads only these works
with both trees.
"""

NODES = 0
ORDER = 9
"""the address of the order of triangles, int32"""
BOX = 10
"""the root's box, local: low x, y, z, high x, y, z, float64"""
NODE_COUNT = 16
"""int64"""
DEPTH = 17
"""int64: the level of the deepest leaf"""
WORDS = 24
