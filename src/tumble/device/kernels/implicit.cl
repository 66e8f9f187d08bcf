/* Implicit trees on the device: keys along a Morton curve, sorted, then boxes, leaves first. Paper `bsp`, Section 4.

   The twin of tumble/hierarchy/implicit: the same order, the same boxes, to the last bit. Nothing can be fused or
   rearranged: coordinates are only compared, subtracted and multiplied, each step rounded by itself.

   Sorting is bitonic: BLOCK numbers at a time in local memory, longer steps through global memory. Trees lie behind
   each other in one array, so one sort does them all, by tree, place on the curve, and triangle.

   Groups always have the same size, and what is beyond `count` does nothing: PoCL compiles a kernel for each size. */

#ifndef BLOCK
#error "BLOCK is missing: how many keys a group sorts in local memory, a power of two"
#endif

#pragma OPENCL FP_CONTRACT OFF

#define CELLS 1024
#define NOTHING 0xffffffffffffffffUL /* the key behind all others */

static inline float lesser(float x, float y) { return x < y ? x : y; }

static inline float greater(float x, float y) { return x > y ? x : y; }

/* The ten bits of x, two zeros between them: three of these, shifted, make a place on the curve. */
static inline ulong spread(uint x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

kernel void implicit_keys(
    global const int *faces, global const float *local_vertices, global const float *grids,
    global const uint *first_face, uint trees, uint count, global ulong *keys, global uint *triangles)
{
    uint i = (uint)get_global_id(0);
    triangles[i] = i;
    if (i >= count) {
        keys[i] = NOTHING;
        return;
    }
    uint tree = last_not_above(first_face, 0, trees, i);
    ulong key = (ulong)tree << 30;
    for (uint axis = 0; axis < 3; axis++) {
        float x = local_vertices[3 * faces[3 * i] + axis];
        float y = local_vertices[3 * faces[3 * i + 1] + axis];
        float z = local_vertices[3 * faces[3 * i + 2] + axis];
        /* twice the middle of the box: the grid is in twice the coordinates, see `curve_grids` */
        float doubled = lesser(lesser(x, y), z) + greater(greater(x, y), z);
        float cell = (doubled - grids[6 * tree + axis]) * grids[6 * tree + 3 + axis];
        key |= spread((uint)clamp((int)cell, 0, CELLS - 1)) << axis;
    }
    keys[i] = key;
}

static inline int out_of_order(ulong key, uint triangle, ulong other_key, uint other) {
    return key > other_key || (key == other_key && triangle > other);
}

/* One step of the network through global memory: a work-item for each pair that is `stride` apart. */
kernel void sort_step(global ulong *keys, global uint *triangles, uint size, uint stride) {
    uint k = (uint)get_global_id(0);
    uint i = 2 * k - (k & (stride - 1)), j = i + stride; /* k with a zero put in at the bit of the stride */
    ulong a = keys[i], b = keys[j];
    uint s = triangles[i], t = triangles[j];
    if (out_of_order(a, s, b, t) == ((i & size) == 0)) { /* sequences of `size` keys rise and fall in turn */
        keys[i] = b, keys[j] = a;
        triangles[i] = t, triangles[j] = s;
    }
}

/* All steps of BLOCK / 2 and less, for sequences of `first` up to `last` keys. */
kernel void sort_block(global ulong *keys, global uint *triangles, uint first, uint last) {
    local ulong own_keys[BLOCK];
    local uint own_triangles[BLOCK];
    uint k = (uint)get_local_id(0), begin = (uint)get_group_id(0) * BLOCK;
    for (uint i = k; i < BLOCK; i += BLOCK / 2) {
        own_keys[i] = keys[begin + i];
        own_triangles[i] = triangles[begin + i];
    }
    for (uint size = first; size <= last; size *= 2) {
        for (uint stride = size / 2 < BLOCK / 2 ? size / 2 : BLOCK / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint i = 2 * k - (k & (stride - 1)), j = i + stride;
            ulong a = own_keys[i], b = own_keys[j];
            uint s = own_triangles[i], t = own_triangles[j];
            if (out_of_order(a, s, b, t) == (((begin + i) & size) == 0)) {
                own_keys[i] = b, own_keys[j] = a;
                own_triangles[i] = t, own_triangles[j] = s;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = k; i < BLOCK; i += BLOCK / 2) {
        keys[begin + i] = own_keys[i];
        triangles[begin + i] = own_triangles[i];
    }
}

/* A box is two float4: lowest and highest x, y, z. Nodes that are not active are nowhere, and meet nothing. */
kernel void implicit_clear(global float4 *boxes, uint count) {
    uint node = (uint)get_global_id(0);
    if (node >= count) return;
    boxes[2 * node] = (float4)(INFINITY, INFINITY, INFINITY, 0.0f);
    boxes[2 * node + 1] = (float4)(-INFINITY, -INFINITY, -INFINITY, 0.0f);
}

kernel void implicit_leaves(
    global const int *faces, global const float *local_vertices, global const uint *order,
    global const uint *first_leaf, global const uint *leaf_starts, uint trees, global float4 *boxes, uint count)
{
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    uint tree = last_not_above(first_leaf, 0, trees, i);
    uint node = leaf_starts[tree] + i - first_leaf[tree], triangle = order[i];
    float4 x = (float4)(vload3(faces[3 * triangle], local_vertices), 0.0f);
    float4 y = (float4)(vload3(faces[3 * triangle + 1], local_vertices), 0.0f);
    float4 z = (float4)(vload3(faces[3 * triangle + 2], local_vertices), 0.0f);
    boxes[2 * node] = fmin(fmin(x, y), z);
    boxes[2 * node + 1] = fmax(fmax(x, y), z);
}

/* The nodes that are the same number of levels above their leaves, of all trees: `firsts` says where those of each of
   the rows begin among the work-items. The last node of a level may be an only child. */
kernel void implicit_merge(
    global const uint *rows, global const uint *firsts, uint row_count, global const uint *starts,
    global const uint *active, global float4 *boxes, uint count)
{
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    uint k = last_not_above(firsts, 0, row_count, i);
    uint row = rows[k], place = i - firsts[k];
    uint node = starts[row] + place, below = starts[row + 1];
    uint one = below + 2 * place, other = below + min(2 * place + 1, active[row + 1] - 1);
    boxes[2 * node] = fmin(boxes[2 * one], boxes[2 * other]);
    boxes[2 * node + 1] = fmax(boxes[2 * one + 1], boxes[2 * other + 1]);
}
