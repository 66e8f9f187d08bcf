/* What traversals of implicit trees share: when boxes meet, and when triangles share a vertex. */

#define UNSURE 0x8000000000000000UL /* marks leaf pairs about which float64 has the last word */

/* 0: apart. 1: they touch. 2: they share more than their surfaces. */
inline int meeting(float4 low_a, float4 high_a, float4 low_b, float4 high_b)
{
    if (low_a.x > high_b.x || low_b.x > high_a.x) return 0;
    if (low_a.y > high_b.y || low_b.y > high_a.y) return 0;
    if (low_a.z > high_b.z || low_b.z > high_a.z) return 0;
    int crossing = low_a.x < high_b.x && low_b.x < high_a.x && low_a.y < high_b.y && low_b.y < high_a.y
                && low_a.z < high_b.z && low_b.z < high_a.z;
    return 1 + crossing;
}

inline int share_a_vertex(global const int *faces, uint i, uint j)
{
    int p = faces[3 * i], q = faces[3 * i + 1], r = faces[3 * i + 2];
    int x = faces[3 * j], y = faces[3 * j + 1], z = faces[3 * j + 2];
    return (p == x) | (p == y) | (p == z) | (q == x) | (q == y) | (q == z) | (r == x) | (r == y) | (r == z);
}
