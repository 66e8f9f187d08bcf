/* Where and how touching triangles meet, one work-item for each pair: the twin of tumble/narrow/contact/contact.py. */

static inline int power_below(double size) {
    int exponent = 1;
    if (size > 0.0) frexp(size, &exponent);
    return exponent - 1;
}

/* Each component by itself: Oclgrind takes one exponent for a vector to be the first of three. */
static inline double3 scaled(double3 p, int exponent) {
    return (double3)(ldexp(p.x, exponent), ldexp(p.y, exponent), ldexp(p.z, exponent));
}

static inline Triangle brought_near(Triangle t, double3 origin, int exponent) {
    for (int k = 0; k < 3; k++) t.v[k] = scaled(t.v[k] - origin, -exponent);
    return t;
}

static inline double3 taken_back(double3 p, double3 origin, int exponent) { return scaled(p, exponent) + origin; }

static inline double3 unit_normal(Triangle t) {
    t = brought_near(t, t.v[0], power_below(size_of(t, t)));
    return normal_of(t.v[0], t.v[1], t.v[2]);
}

static inline int comes_first(Triangle a, Triangle b) {
    double size = size_of(a, a), other = size_of(b, b);
    if (size != other) return size > other;
    for (int k = 0; k < 3; k++) {
        double3 x = a.v[k], y = b.v[k];
        if (x.x != y.x) return x.x < y.x;
        if (x.y != y.y) return x.y < y.y;
        if (x.z != y.z) return x.z < y.z;
    }
    return 1;
}

static inline Triangle posed(global const double *corners, uint triangle, global const double *pose) {
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

/* The pairs are those that the walk has left on the device: hits, and some that the host will find not to touch, of
   which the contact is never used.

   candidates  as candidates.cl writes them, from number `begin` on: pair of bodies with CERTAIN, then the places of two
               triangles in their trees
   corners     in float64, by the same places; where those of a and b begin is in z and w of `trees`
   poses_*     4×4 matrices; `bodies` says whose they are for each pair of bodies */
#define CONTACT_ARGUMENTS \
    global const double *corners, global const uint4 *trees, global const uint2 *bodies, \
    global const double *poses_a, global const double *poses_b, global const uint *candidates, uint begin, uint count

#define PAIR_OF_BODIES 0x7fffffffu

static inline Triangle candidate_of_a(CONTACT_ARGUMENTS, uint k) {
    uint pair = candidates[(size_t)3 * (begin + k)] & PAIR_OF_BODIES;
    return posed(corners, trees[pair].z + candidates[(size_t)3 * (begin + k) + 1], poses_a + 16 * bodies[pair].x);
}

static inline Triangle candidate_of_b(CONTACT_ARGUMENTS, uint k) {
    uint pair = candidates[(size_t)3 * (begin + k)] & PAIR_OF_BODIES;
    return posed(corners, trees[pair].w + candidates[(size_t)3 * (begin + k) + 2], poses_b + 16 * bodies[pair].y);
}

#define GIVEN corners, trees, bodies, poses_a, poses_b, candidates, begin, count

/* contacts  ten numbers each: both ends of the segment, the normal, the depth */
kernel void contact(CONTACT_ARGUMENTS, global double *contacts) {
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    Triangle a = candidate_of_a(GIVEN, k), b = candidate_of_b(GIVEN, k);
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
    vstore3(taken_back(segment.first, origin, exponent), 0, contacts + 10 * (size_t)k);
    vstore3(taken_back(segment.second, origin, exponent), 0, contacts + 10 * (size_t)k + 3);
    vstore3(turned ? -normal : normal, 0, contacts + 10 * (size_t)k + 6);
    contacts[10 * (size_t)k + 9] = depth;
}

/* The segments as tumble/dynamics/manifold/curve.py has them, in the world's units: thirteen numbers each.

   Both ends, directed along normal a × normal b; both normals; the edges of the ends, the second one times eight. */
kernel void contact_curve(CONTACT_ARGUMENTS, global double *curves) {
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    Triangle a = candidate_of_a(GIVEN, k), b = candidate_of_b(GIVEN, k);
    double3 n = normal_of(a.v[0], a.v[1], a.v[2]), m = normal_of(b.v[0], b.v[1], b.v[2]);
    Segment segment = meeting_segment(a, n, b, m);
    int turned = dot_of(cross_of(n, m), segment.second - segment.first) < 0.0;
    global double *own = curves + 13 * (size_t)k;
    vstore3(turned ? segment.second : segment.first, 0, own);
    vstore3(turned ? segment.first : segment.second, 0, own + 3);
    vstore3(n, 0, own + 6);
    vstore3(m, 0, own + 9);
    int first = turned ? segment.second_edge : segment.first_edge;
    int second = turned ? segment.first_edge : segment.second_edge;
    own[12] = (double)(first + 8 * second);
}
