/* The shortest translation that separates two triangles: the twin of tumble/narrow/contact/push.py. */

#define PARALLEL 1e-20
#define CLEARLY 1e-9
#define SIDEWAYS 1e-6
#define TOUCHING 1e-12

/* How far a must go along an axis, and how far against it. */
static inline double2 pushes_along(double3 axis, Triangle a, Triangle b) {
    double q = dot_of(axis, a.v[1] - a.v[0]), r = dot_of(axis, a.v[2] - a.v[0]);
    double u = dot_of(axis, b.v[1] - b.v[0]), v = dot_of(axis, b.v[2] - b.v[0]);
    double gap = dot_of(axis, b.v[0] - a.v[0]);
    double forth = gap + fmax(fmax(0.0, u), v) - fmin(fmin(0.0, q), r);
    double back = fmax(fmax(0.0, q), r) - fmin(fmin(0.0, u), v) - gap;
    return (double2)(fmax(0.0, forth), fmax(0.0, back));
}

static inline double3 edge_axis(double3 e, double3 f, double3 facing) {
    double3 axis = cross_of(e, f);
    double square = dot_of(axis, axis);
    if (!(square > PARALLEL * dot_of(e, e) * dot_of(f, f) + SMALLEST_SQUARE)) return (double3)(0.0, 0.0, 0.0);
    double length = sqrt(square);
    return axis * (dot_of(axis, facing) < 0.0 ? -1.0 / length : 1.0 / length);
}

static inline double shortest_push(Triangle a, double3 n1, Triangle b, double3 n2, double3 *normal) {
    double best = INFINITY;
    if (!is_zero(n2)) {
        best = pushes_along(n2, a, b).x;
        *normal = n2;
    }
    if (!is_zero(n1)) {
        double depth = pushes_along(-n1, a, b).x;
        if (depth < best) best = depth, *normal = -n1;
    }
    double3 facing = n2 - n1;
    double touching = TOUCHING * size_of(a, b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double3 axis = edge_axis(a.v[(i + 1) % 3] - a.v[i], b.v[(j + 1) % 3] - b.v[j], facing);
            if (is_zero(axis)) continue;
            double2 pushes = pushes_along(axis, a, b);
            double depth = pushes.x;
            if (pushes.y < depth && (pushes.y <= touching || dot_of(axis, facing) <= SIDEWAYS))
                depth = pushes.y, axis = -axis;
            /* only if clearly shorter: of equal pushes that along a face is wanted, whatever the rounding */
            if (depth < best * (1.0 - CLEARLY)) best = depth, *normal = axis;
        }
    if (best < INFINITY) return best;
    double3 e = a.v[1] - a.v[0];
    if (is_zero(e)) e = a.v[2] - a.v[0];
    if (is_zero(e)) e = b.v[1] - b.v[0];
    if (is_zero(e)) e = b.v[2] - b.v[0];
    *normal = across(e);
    return 0.0;
}
