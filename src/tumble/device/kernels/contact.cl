/* Where and how touching triangles meet, one work-item for each pair: the twin of tumble/narrow/contact/contact.py. */

inline int power_below(double size) {
    int exponent = 1;
    if (size > 0.0) frexp(size, &exponent);
    return exponent - 1;
}

inline Triangle brought_near(Triangle t, double3 origin, int exponent) {
    for (int k = 0; k < 3; k++) t.v[k] = ldexp(t.v[k] - origin, -exponent);
    return t;
}

inline double3 taken_back(double3 p, double3 origin, int exponent) { return ldexp(p, exponent) + origin; }

inline double3 unit_normal(Triangle t) {
    t = brought_near(t, t.v[0], power_below(size_of(t, t)));
    return normal_of(t.v[0], t.v[1], t.v[2]);
}

inline int comes_first(Triangle a, Triangle b) {
    for (int k = 0; k < 3; k++) {
        double3 x = a.v[k], y = b.v[k];
        if (x.x != y.x) return x.x < y.x;
        if (x.y != y.y) return x.y < y.y;
        if (x.z != y.z) return x.z < y.z;
    }
    return 1;
}

inline Triangle posed(global const double *corners, uint triangle, global const double *pose) {
    Triangle t;
    for (uint k = 0; k < 3; k++) {
        double3 p = vload3(3 * triangle + k, corners);
        t.v[k] = (double3)(
            ((pose[0] * p.x + pose[1] * p.y) + pose[2] * p.z) + pose[3],
            ((pose[4] * p.x + pose[5] * p.y) + pose[6] * p.z) + pose[7],
            ((pose[8] * p.x + pose[9] * p.y) + pose[10] * p.z) + pose[11]);
    }
    return t;
}

/* touching  of each pair of triangles: pair of bodies, triangle of a, triangle of b
   trees     as in walk.cl: where triangles of a and b begin in `corners` is in z and w
   poses_*   4×4 matrices; `bodies` says whose they are for each pair of bodies
   contacts  ten numbers each: both ends of the segment, the normal, the depth */
kernel void contact(
    global const double *corners, global const uint4 *trees, global const uint2 *bodies,
    global const double *poses_a, global const double *poses_b, global const uint *touching, uint count,
    global double *contacts)
{
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    uint pair = touching[3 * k];
    Triangle a = posed(corners, trees[pair].z + touching[3 * k + 1], poses_a + 16 * bodies[pair].x);
    Triangle b = posed(corners, trees[pair].w + touching[3 * k + 2], poses_b + 16 * bodies[pair].y);
    int turned = !comes_first(a, b); /* one order for both, so that a and b can change places and the bits stay */
    if (turned) {
        Triangle first = a;
        a = b;
        b = first;
    }
    double3 n1 = unit_normal(a), n2 = unit_normal(b), origin = b.v[0], normal = (double3)(0.0, 0.0, 0.0);
    int exponent = power_below(size_of(a, b)); /* powers of two are exact, and squares then stay in range */
    a = brought_near(a, origin, exponent);
    b = brought_near(b, origin, exponent);
    Segment segment = meeting_segment(a, n1, b, n2);
    double depth = ldexp(shortest_push(a, n1, b, n2, &normal), exponent);
    vstore3(taken_back(segment.first, origin, exponent), 0, contacts + 10 * k);
    vstore3(taken_back(segment.second, origin, exponent), 0, contacts + 10 * k + 3);
    vstore3(turned ? -normal : normal, 0, contacts + 10 * k + 6);
    contacts[10 * k + 9] = depth;
}
