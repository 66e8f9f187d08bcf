/* Paper `binary-stack`, Section 5: “pairs of possibly overlapping triangles”, in place of triangles.cl. All triangles of
   two leaves whose boxes overlap are candidates; none is tested. */

#define MISS 0
#define HIT 1
#define UNSURE 2

static inline int triangles_touch(float4 p1, float4 q1, float4 r1, float4 p2, float4 q2, float4 r2, float off) {
    return UNSURE;
}
