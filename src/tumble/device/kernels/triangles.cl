/* Do two triangles touch? Yes, no, or not certain in float32: the twin of tumble/narrow/triangles/filter.py.

   Every coordinate is off by at most half of `off`, hence a difference of two points by a vector not longer than
   e = sqrt(3) off. For three differences of lengths X, Y, Z, each enlarged by e, a determinant is then off by at most
   e (YZ + XZ + XY), and by its own rounding, below 64 ulps of XYZ. An affine map of positive determinant keeps signs, so
   signs in a's frame are those of the posed triangles. What is not certain, undefined or near overflow, the host
   tests. */

#define MISS 0
#define HIT 1
#define UNSURE 2

#define ULPS 0x1p-18f
#define DIAGONAL 1.7321f
#define ROUND_UP 1.01f
#define NEARLY_INFINITE 1e37f

/* How long a difference may be. */
static inline float reach(float4 v, float off) { return sqrt(along(v, v)) + DIAGONAL * off; }

static inline float4 crossed(float4 u, float4 v) {
    return (float4)(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x, 0.0f);
}

/* The sign of (y × z) · x for differences of points, or 0 when it is not certain; `normal` is y × z. */
static inline int sign_of(float4 normal, float Y, float Z, float4 x, float off) {
    float determinant = along(normal, x);
    float X = reach(x, off);
    float bound = ROUND_UP * (DIAGONAL * off * (Y * Z + X * Z + X * Y) + ULPS * X * Y * Z);
    if (determinant > bound && determinant < NEARLY_INFINITE) return 1;
    if (determinant < -bound && determinant > -NEARLY_INFINITE) return -1;
    return 0;
}

/* The sign of det(a - d, b - d, c - d), or 0 when it is not certain. */
static inline int orientation(float4 a, float4 b, float4 c, float4 d, float off) {
    float4 y = b - d, z = c - d;
    return sign_of(crossed(y, z), reach(y, off), reach(z, off), a - d, off);
}

/* On which side of a plane three points are: one bit each for above, and one bit each, from 8 on, for not certain. */
static inline uint sides(float4 p, float4 q, float4 r, float4 x, float4 y, float4 z, float off) {
    float4 e = q - p, f = r - p, normal = crossed(e, f);
    float E = reach(e, off), F = reach(f, off);
    int sx = -sign_of(normal, E, F, x - p, off);
    int sy = -sign_of(normal, E, F, y - p, off);
    int sz = -sign_of(normal, E, F, z - p, off);
    return (sx > 0) | (sy > 0) << 1 | (sz > 0) << 2 | (sx == 0) << 3 | (sy == 0) << 4 | (sz == 0) << 5;
}

/* Turn a triangle until the vertex that is alone on its side comes first; return whether it is above. */
static inline int turn_lonely_first(uint side, float4 *p, float4 *q, float4 *r) {
    uint above = (side & 1) + (side >> 1 & 1) + (side >> 2 & 1) == 1;
    uint lonely = above ? side : ~side & 7;
    float4 first = *p, second = *q, third = *r;
    if (lonely == 2) {
        *p = second, *q = third, *r = first;
    } else if (lonely == 4) {
        *p = third, *q = first, *r = second;
    }
    return above;
}

static inline int triangles_touch(float4 p1, float4 q1, float4 r1, float4 p2, float4 q2, float4 r2, float off) {
    uint side2 = sides(p1, q1, r1, p2, q2, r2, off);
    if (side2 == 0 || side2 == 7) return MISS;
    uint side1 = sides(p2, q2, r2, p1, q1, r1, off);
    if (side1 == 0 || side1 == 7) return MISS;
    if (side1 > 7 || side2 > 7) return UNSURE;
    int above1 = turn_lonely_first(side1, &p1, &q1, &r1);
    int above2 = turn_lonely_first(side2, &p2, &q2, &r2);
    /* look at the other triangle from its other face, so that the first vertex is above */
    float4 q = above2 ? q1 : r1, r = above2 ? r1 : q1;
    float4 y = above1 ? q2 : r2, z = above1 ? r2 : q2;
    int one = orientation(p1, q, p2, y, off);
    if (one > 0) return MISS;
    int other = orientation(p1, r, z, p2, off);
    if (other > 0) return MISS;
    return one < 0 && other < 0 ? HIT : UNSURE;
}
