"""The columns of the arrays in `workspace`, by name: kernels write `lines[k, col.PUSH]`.

One array with several columns instead of an array for each: a kernel pays for every array that it is handed, and what
is needed together lies together. The last name of each line is the number of columns.
"""

# Curve.lines, three numbers each: the ends of the segment, directed along normal a × normal b, the normals, and the
# direction in which the two triangles separate, where it was needed.
FIRST, SECOND, NORMAL_A, NORMAL_B, PUSH, LINES = 0, 3, 6, 9, 12, 15

# Curve.marks, a column for the first end, the next for the second: a number for the edge that an end is on and for the
# triangle that the edge pierces there, and the node of that edge behind the triangle; EMPTY for none.
EDGE, BEHIND, MARKS = 0, 2, 4

# Joints.entries: KEY is EMPTY where there is no entry.
KEY, VALUE, ENTRIES = 0, 1, 2

# Nodes.facts; HOME is the triangle pair that the node belongs to.
VERTEX, SIDE, STATE, HOME, FACTS = 0, 1, 2, 3, 4

# Nodes.at: three numbers, and the squared distance from there to the nearest end of the curve on its edges.
POSITION, GAP, AT = 0, 3, 4

# Faces.flooded; FLOODED_NODE is the node from which the flood came to the face.
FLOODED_SIDE, FLOODED_FACE, FLOODED_NODE, FLOODED_COLUMNS = 0, 1, 2, 3

# Sets.sums, over the segments of a patch:
#   MIDDLE    three numbers: the mean of the segments' middles, weighted by length
#   AREA      three numbers: the vector area ½ ∮ x × dx
#   FACING    three numbers: the sum of the directions in which the faces look at each other, weighted by length
#   FACINGS   the sum of the lengths of the vectors that FACING adds up
#   LEAKY     1 where the flood has leaked
#   SPLIT     1 for a part of a patch that was split
#   DEEPEST   the deepest of the single triangle pairs, where their pushes were needed
LENGTH, MIDDLE, AREA, FACING, FACINGS, COUNT, LEAKY, SPLIT, DEEPEST, SUMS = 0, 1, 4, 7, 10, 11, 12, 13, 14, 15

# PatchView.cap: the corners of a face, three numbers each.
CORNER_P, CORNER_Q, CORNER_R, CORNERS = 0, 3, 6, 9

# PatchView.spots: coordinates across the normal and along it, and the distance to where an edge of this vertex leaves
# the other body.
X, Y, HEIGHT, LEAVES, SPOTS = 0, 1, 2, 3, 4

# PatchView.kinds: SIDE_A or SIDE_B for a vertex, RIM for an end of a segment, or CENTRE; and the node, or twice the
# triangle pair plus the number of the end.
KIND, ELEMENT, KINDS = 0, 1, 2

# PatchView.chosen: the height is that of the middle between the two surfaces.
SPOT, SPOT_DEPTH, SPOT_HEIGHT, CHOSEN = 0, 1, 2, 3

# PatchPoints.rows: a point and a normal of three numbers each, and the depth.
POINT, NORMAL, DEPTH, ROW = 0, 3, 6, 7

# Workspace.counts
NODES, JOINTS, OPEN_ENDS, FLOODED, COUNTS = 0, 1, 2, 3, 4
