/* Overlap of oriented boxes on fifteen axes in float32: the twin of tumble/volume/obb/box.py, which names the paper.

   a box      four float4: three directions, each with its half size in w; the centre, with the volume in w
   a relation four float4: the rows of a rotation, each with the shift in w; then the ratio of the two meshes' local
              units, the margin, and the ratio's cube

   Boxes are widened before they are uploaded, the margin covers the rounding of poses (both are derived in
   tumble/device/host/local_units.py), SHARE covers that of the test itself. Only what is certainly apart returns 0:
   comparisons with infinite or undefined numbers are false. */

#define SHARE 0x1p-17f

/* The hot step is inlined into the loop: passing two boxes to a call costs a tenth of a traversal's time. */
#define INLINED static inline __attribute__((always_inline))

/* fabs and fmax, which PoCL calls as functions: with them a traversal took a third longer. */
static inline float magnitude(float x) { return as_float(as_uint(x) & 0x7fffffffu); }

static inline float larger(float x, float y) { return x > y ? x : y; }

typedef struct {
    float4 u0, u1, u2, c;
} Box;

typedef struct {
    float4 r0, r1, r2, scale;
} Relation;

static inline Box load_box(global const float4 *boxes, uint i) {
    Box box = {boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]};
    return box;
}

static inline Relation load_relation(global const float4 *relations, uint i) {
    Relation relation = {relations[4 * i], relations[4 * i + 1], relations[4 * i + 2], relations[4 * i + 3]};
    return relation;
}

static inline float along(float4 u, float4 v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

static inline float4 turned(Relation to, float4 v) {
    return (float4)(along(to.r0, v), along(to.r1, v), along(to.r2, v), to.scale.x * v.w);
}

/* A point of b in the frame of a. */
static inline float4 point_in_frame_of_a(Relation to, float4 p) {
    return to.scale.x * (float4)(along(to.r0, p), along(to.r1, p), along(to.r2, p), 0.0f)
         + (float4)(to.r0.w, to.r1.w, to.r2.w, 0.0f);
}

static inline Box box_in_frame_of_a(Relation to, Box b) {
    Box box = {turned(to, b.u0), turned(to, b.u1), turned(to, b.u2), point_in_frame_of_a(to, b.c)};
    box.c.w = to.scale.z * b.c.w;
    return box;
}

/* Whether box a, and box b in the frame of a, may share a point. */
INLINED int boxes_overlap(Box a, Box b, float margin) {
    float4 t = b.c - a.c;
    float g0 = a.u0.w, g1 = a.u1.w, g2 = a.u2.w;
    float h0 = b.u0.w, h1 = b.u1.w, h2 = b.u2.w;
    float slack = SHARE * (magnitude(t.x) + magnitude(t.y) + magnitude(t.z) + g0 + g1 + g2 + h0 + h1 + h2) + margin;
    float m00 = along(a.u0, b.u0), m01 = along(a.u0, b.u1), m02 = along(a.u0, b.u2);
    float n00 = magnitude(m00), n01 = magnitude(m01), n02 = magnitude(m02);
    float t0 = along(a.u0, t);
    if (magnitude(t0) > g0 + h0 * n00 + h1 * n01 + h2 * n02 + slack) return 0;
    float m10 = along(a.u1, b.u0), m11 = along(a.u1, b.u1), m12 = along(a.u1, b.u2);
    float n10 = magnitude(m10), n11 = magnitude(m11), n12 = magnitude(m12);
    float t1 = along(a.u1, t);
    if (magnitude(t1) > g1 + h0 * n10 + h1 * n11 + h2 * n12 + slack) return 0;
    float m20 = along(a.u2, b.u0), m21 = along(a.u2, b.u1), m22 = along(a.u2, b.u2);
    float n20 = magnitude(m20), n21 = magnitude(m21), n22 = magnitude(m22);
    float t2 = along(a.u2, t);
    if (magnitude(t2) > g2 + h0 * n20 + h1 * n21 + h2 * n22 + slack) return 0;
    if (magnitude(t0 * m00 + t1 * m10 + t2 * m20) > h0 + g0 * n00 + g1 * n10 + g2 * n20 + slack) return 0;
    if (magnitude(t0 * m01 + t1 * m11 + t2 * m21) > h1 + g0 * n01 + g1 * n11 + g2 * n21 + slack) return 0;
    if (magnitude(t0 * m02 + t1 * m12 + t2 * m22) > h2 + g0 * n02 + g1 * n12 + g2 * n22 + slack) return 0;
    if (magnitude(t2 * m10 - t1 * m20) > g1 * n20 + g2 * n10 + h1 * n02 + h2 * n01 + slack) return 0;
    if (magnitude(t2 * m11 - t1 * m21) > g1 * n21 + g2 * n11 + h0 * n02 + h2 * n00 + slack) return 0;
    if (magnitude(t2 * m12 - t1 * m22) > g1 * n22 + g2 * n12 + h0 * n01 + h1 * n00 + slack) return 0;
    if (magnitude(t0 * m20 - t2 * m00) > g0 * n20 + g2 * n00 + h1 * n12 + h2 * n11 + slack) return 0;
    if (magnitude(t0 * m21 - t2 * m01) > g0 * n21 + g2 * n01 + h0 * n12 + h2 * n10 + slack) return 0;
    if (magnitude(t0 * m22 - t2 * m02) > g0 * n22 + g2 * n02 + h0 * n11 + h1 * n10 + slack) return 0;
    if (magnitude(t1 * m00 - t0 * m10) > g0 * n10 + g1 * n00 + h1 * n22 + h2 * n21 + slack) return 0;
    if (magnitude(t1 * m01 - t0 * m11) > g0 * n11 + g1 * n01 + h0 * n22 + h2 * n20 + slack) return 0;
    return !(magnitude(t1 * m02 - t0 * m12) > g0 * n12 + g1 * n02 + h0 * n21 + h1 * n20 + slack);
}
