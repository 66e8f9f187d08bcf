/* What traversals of implicit trees share: the trees, when boxes meet, and what a leaf pair is.

   A pair of nodes is one number, the first node in its upper half. A leaf pair is two triangles, marked UNSURE where
   float32 boxes just touch and float64 has the last word; NOTHING stands for one that was not asked for. */

#ifndef COUNTING
#error "COUNTING is missing: 1 to count tests and overlaps, else 0"
#endif

#define UNSURE 0x8000000000000000UL
#define NOTHING 0xffffffffffffffffUL

/* The trees as tumble/device/host/implicit_trees.py hands them over. A row is a level of a tree: the number of its first
   node, how many of its nodes have triangles, how many levels are below it, and its tree. */
#define TREES \
    global const float4 *boxes, global const uint *starts, global const uint *active, global const uint *left, \
    global const uint *tree, uint rows, global const uint *first_leaf, global const uint *order, \
    global const int *faces

/* 0: apart. 1: they touch. 2: they share more than their surfaces. */
static inline int meeting(float4 low_a, float4 high_a, float4 low_b, float4 high_b) {
    if (low_a.x > high_b.x || low_b.x > high_a.x) return 0;
    if (low_a.y > high_b.y || low_b.y > high_a.y) return 0;
    if (low_a.z > high_b.z || low_b.z > high_a.z) return 0;
    int crossing = low_a.x < high_b.x && low_b.x < high_a.x && low_a.y < high_b.y && low_b.y < high_a.y
                && low_a.z < high_b.z && low_b.z < high_a.z;
    return 1 + crossing;
}

static inline int share_a_vertex(global const int *faces, uint i, uint j) {
    int p = faces[3 * i], q = faces[3 * i + 1], r = faces[3 * i + 2];
    int x = faces[3 * j], y = faces[3 * j + 1], z = faces[3 * j + 2];
    return (p == x) | (p == y) | (p == z) | (q == x) | (q == y) | (q == z) | (r == x) | (r == y) | (r == z);
}

/* The leaf pair of two triangles whose boxes meet; `unsure` is UNSURE, or 0 where they share more than surfaces. */
static inline ulong leaf_pair(global const int *faces, uint adjacent, uint i, uint j, int one_mesh, ulong unsure) {
    if (!one_mesh) return unsure | (ulong)i << 32 | j;
    ulong pair = i < j ? (ulong)i << 32 | j : (ulong)j << 32 | i;
    if (share_a_vertex(faces, i, j)) return adjacent ? pair : NOTHING;
    return unsure | pair;
}
