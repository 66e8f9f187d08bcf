/* Which leaf pairs of implicit trees touch: yes, no, or not certain; what does not touch for sure is dropped here.

   Coordinates are those of the boxes, float32 in the common frame of all meshes (tumble/hierarchy/implicit/joined.py):
   float32((x - origin) scale), in [-1, 1]. Both roundings together are less than 2**-24.9, and half of OFF is more.

   Triangles that share vertices by their numbers are of one mesh, and touch if they meet beyond what they share: see
   tumble/narrow/triangles/adjacent.py, whose signs are used here as far as they are certain.

   If leaf pairs have to be counted exactly, those whose boxes just touch in float32 come back untested: the host tells
   whether each is a leaf pair at all. */

#define BOXES_TOUCH 0x8000000000000000UL /* as UNSURE in leaf_pairs.cl */
#define TOUCHES 0x80000000UL             /* set here: these triangles touch for sure */
#define OFF 0x1.1p-24f
#define BATCH 8 /* pairs of a work-item, for one atomic addition */

typedef struct {
    float4 v[3];
} Corners;

static inline Corners corners_of(global const int *faces, global const float *vertices, uint triangle) {
    Corners found;
    for (uint k = 0; k < 3; k++) found.v[k] = (float4)(vload3(faces[3 * triangle + k], vertices), 0.0f);
    return found;
}

static inline float4 unit_of(float4 u) { return u * rsqrt(along(u, u)); }

/* Whether m · x > 0 for sure, for a vector m that is taken as it is, of length M, and a difference of points x. */
static inline int surely_along(float4 m, float M, float4 x) {
    return along(m, x) > ROUND_UP * M * (DIAGONAL * OFF + ULPS * reach(x, OFF));
}

/* Whether a plane through v separates two triangles that have it in common, but for v: tried is the one across from
   the middle of the one to that of the other. Most neighbours lie in nearly one plane, side by side. */
static inline int apart_at_vertex(float4 q1, float4 r1, float4 q2, float4 r2) {
    float4 m = unit_of(q1) + unit_of(r1) - unit_of(q2) - unit_of(r2);
    float M = sqrt(along(m, m));
    return surely_along(m, M, q1) && surely_along(m, M, r1) && surely_along(m, M, -q2) && surely_along(m, M, -r2);
}

/* Triangles (u, v, r1) and (u, v, r2) share no more than the edge if they are not in one plane, or if a plane through
   the edge, taken across the first one, has them on unlike sides. */
static inline int meet_beyond_edge(float4 u, float4 v, float4 r1, float4 r2) {
    float4 y = v - u, across = crossed(y, r1 - u);
    if (sign_of(across, reach(y, OFF), reach(r1 - u, OFF), r2 - u, OFF) != 0) return MISS;
    float4 normal = crossed(y, unit_of(across));
    float Y = reach(y, OFF), Z = ROUND_UP;
    return sign_of(normal, Y, Z, r1 - u, OFF) * sign_of(normal, Y, Z, r2 - u, OFF) < 0 ? MISS : UNSURE;
}

/* Triangles (v, q1, r1) and (v, q2, r2): the sides of four points decide, if they are certain. */
static inline int meet_beyond_vertex(float4 v, float4 q1, float4 r1, float4 q2, float4 r2) {
    uint side2 = sides(v, q1, r1, v, q2, r2, OFF) >> 1, side1 = sides(v, q2, r2, v, q1, r1, OFF) >> 1;
    /* now bits 0 and 1 for above, 3 and 4 for not certain */
    int certain2 = (side2 & 24) == 0, certain1 = (side1 & 24) == 0;
    if (certain2 && ((side2 & 3) == 0 || (side2 & 3) == 3)) return MISS;
    if (certain1 && ((side1 & 3) == 0 || (side1 & 3) == 3)) return MISS;
    if (!certain1 || !certain2) return apart_at_vertex(q1 - v, r1 - v, q2 - v, r2 - v) ? MISS : UNSURE;
    /* each leaves v along the line of both planes: in the same direction if its first vertices are on unlike sides */
    return (side1 & 1) != (side2 & 1) ? HIT : MISS;
}

static inline int leaf_triangles_touch(global const int *faces, global const float *vertices, uint i, uint j) {
    Corners a = corners_of(faces, vertices, i), b = corners_of(faces, vertices, j);
    uint shared = 0, k0 = 0, m0 = 0, k1 = 0, m1 = 0;
    for (uint k = 0; k < 3; k++)
        for (uint m = 0; m < 3; m++)
            if (faces[3 * i + k] == faces[3 * j + m]) {
                k0 = k1, m0 = m1;
                k1 = k, m1 = m;
                shared++;
            }
    if (shared == 0) return triangles_touch(a.v[0], a.v[1], a.v[2], b.v[0], b.v[1], b.v[2], OFF);
    if (shared == 1)
        return meet_beyond_vertex(
            a.v[k1], a.v[(k1 + 1) % 3], a.v[(k1 + 2) % 3], b.v[(m1 + 1) % 3], b.v[(m1 + 2) % 3]);
    if (shared == 2 && k0 != k1 && m0 != m1)
        return meet_beyond_edge(a.v[k0], a.v[k1], a.v[3 - k0 - k1], b.v[3 - m0 - m1]);
    return UNSURE;
}

/* source   leaf pairs in segments, as front.cl has them: `firsts` are the numbers of the first pairs of each
   items    work-items that were wanted: each takes BATCH pairs at most
   kept     pairs that touch, with TOUCHES, and those that the host has to test */
kernel void leaf_triangles(
    global const int *faces, global const float *vertices, global const ulong *source, global const uint *firsts,
    uint room, uint segments, uint count, uint exact_count, uint items, global ulong *kept, volatile global uint *counter)
{
    uint item = (uint)get_global_id(0);
    if (item >= items) return;
    ulong batch[BATCH];
    uint size = 0;
    for (uint k = item; k < count; k += items) {
        uint part = last_not_above(firsts, 0, segments, k);
        ulong pair = source[(size_t)part * room + (k - firsts[part])];
        if (pair & BOXES_TOUCH) {
            if (exact_count) {
                batch[size++] = pair;
                continue;
            }
            pair ^= BOXES_TOUCH;
        }
        int touch = leaf_triangles_touch(faces, vertices, (uint)(pair >> 32), (uint)pair);
        if (touch != MISS) batch[size++] = touch == HIT ? pair | TOUCHES : pair;
    }
    if (size == 0) return;
    uint at = atomic_add(counter, size);
    for (uint k = 0; k < size; k++) kept[at + k] = batch[k];
}
