/* The segment in which two triangles meet: the twin of tumble/narrow/contact/segment.py. */

#define FLAT 1e-13
#define BESIDE 1e-12
#define THIN 1e-8
#define MOST_CORNERS 12

static inline double size_of(Triangle a, Triangle b) {
    double size = 0.0;
    for (int k = 0; k < 3; k++) size = fmax(size, fmax(largest_of(a.v[k] - b.v[0]), largest_of(b.v[k] - b.v[0])));
    return size;
}

static inline Segment chord_in_triangle(
    double3 c0, double3 c1, int e0, int e1, double size, Triangle t, double3 normal)
{
    double t0 = 0.0, t1 = 1.0;
    for (int k = 0; k < 3; k++) {
        double3 x = t.v[k], edge = t.v[(k + 1) % 3] - x, inward = cross_of(normal, edge);
        double slack = BESIDE * size * largest_of(edge);
        double s0 = dot_of(inward, c0 - x), s1 = dot_of(inward, c1 - x);
        /* 2 and −1: both ends are outside of this edge, and t0 > t1 says that nothing is left */
        double enter = s1 > s0 ? s0 / (s0 - s1) : 2.0, leave = s0 > s1 ? s0 / (s0 - s1) : -1.0;
        if (s0 < -slack && enter > t0) t0 = enter, e0 = EDGES_OF_B + k;
        if (s1 < -slack && leave < t1) t1 = leave, e1 = EDGES_OF_B + k;
    }
    Segment segment = {on_the_way(c0, c1, t0), on_the_way(c0, c1, t1), t0 <= t1, e0, e1};
    return segment;
}

static inline int clip_polygon(
    const double3 *source, int count, double3 *target, double3 x, double3 inward, double slack)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        double3 u = source[k], v = source[(k + 1) % count];
        double s = dot_of(inward, u - x), t = dot_of(inward, v - x);
        if (s >= -slack) target[kept++] = u;
        if ((s > slack && t < -slack) || (s < -slack && t > slack)) target[kept++] = on_the_way(u, v, s / (s - t));
    }
    return kept;
}

static inline Segment coplanar_segment(Triangle a, double size, Triangle b, double3 normal) {
    double3 room[2][MOST_CORNERS];
    Segment segment = {a.v[0], a.v[0], 0, NO_EDGE, NO_EDGE};
    int count = 3, source = 0;
    for (int k = 0; k < 3; k++) room[0][k] = a.v[k];
    for (int k = 0; k < 3 && count > 0; k++) {
        double3 x = b.v[k], edge = b.v[(k + 1) % 3] - x;
        double slack = BESIDE * size * largest_of(edge);
        count = clip_polygon(room[source], count, room[1 - source], x, cross_of(normal, edge), slack);
        source = 1 - source;
    }
    if (count == 0) return segment;
    double best = -1.0;
    segment.found = 1;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            double3 gap = room[source][i] - room[source][j];
            double square = dot_of(gap, gap);
            if (square > best) {
                best = square;
                segment.first = room[source][i];
                segment.second = room[source][j];
            }
        }
    return segment;
}

/* Which of three heights stands alone on its side; they are not all on one side. */
static inline int apex(const double *h) {
    int above = (h[0] > 0.0) + (h[1] > 0.0) + (h[2] > 0.0), below = (h[0] < 0.0) + (h[1] < 0.0) + (h[2] < 0.0);
    for (int k = 0; k < 2; k++) {
        if (above == 1 ? h[k] > 0.0 : below == 1 ? h[k] < 0.0 : h[k] == 0.0) return k;
    }
    return 2;
}

static inline Segment part_in_box(Segment segment, Triangle t, double margin) {
    double3 x = segment.first, y = segment.second, step = y - x;
    double3 low = fmin(fmin(t.v[0], t.v[1]), t.v[2]) - margin, high = fmax(fmax(t.v[0], t.v[1]), t.v[2]) + margin;
    if (!any((fmin(x, y) < low) | (fmax(x, y) > high))) return segment;
    long3 still = step == 0.0; /* along these axes */
    double3 first = (low - x) / step, second = (high - x) / step;
    double3 enters = select(fmin(first, second), (double3)(0.0), still);
    double3 leaves = select(fmax(first, second), (double3)(1.0), still);
    double start = fmax(fmax(fmax(0.0, enters.x), enters.y), enters.z);
    double stop = fmin(fmin(fmin(1.0, leaves.x), leaves.y), leaves.z);
    segment.found = start <= stop && !any(still & ~((low <= x) & (x <= high)));
    segment.first = on_the_way(x, y, start);
    segment.second = on_the_way(x, y, stop);
    return segment;
}

static inline Segment cut_by_edges(Triangle a, Triangle b, double3 normal, double size) {
    double h[3], tolerance = FLAT * size;
    int above = 0, below = 0;
    for (int k = 0; k < 3; k++) {
        h[k] = dot_of(normal, a.v[k] - b.v[0]);
        if (fabs(h[k]) <= tolerance) h[k] = 0.0;
        above += h[k] > 0.0;
        below += h[k] < 0.0;
    }
    Segment nothing = {a.v[0], a.v[0], 0, NO_EDGE, NO_EDGE};
    if (above == 3 || below == 3) return nothing;
    if (above == 0 && below == 0) return coplanar_segment(a, size, b, normal);
    int k = apex(h), m = (k + 1) % 3, n = (k + 2) % 3;
    double3 c0 = on_the_way(a.v[k], a.v[m], h[k] / (h[k] - h[m]));
    double3 c1 = on_the_way(a.v[k], a.v[n], h[k] / (h[k] - h[n]));
    return chord_in_triangle(c0, c1, k, n, size, b, normal);
}

static inline Segment cut(Triangle a, Triangle b, double3 normal, double size) {
    Segment segment = cut_by_edges(a, b, normal, size);
    return segment.found ? part_in_box(segment, b, BESIDE * size) : segment;
}

/* The same with a and b in each other's place. */
static inline Segment cut_the_other(Triangle a, Triangle b, double3 normal, double size) {
    Segment segment = cut(b, a, normal, size);
    if (segment.first_edge != NO_EDGE) segment.first_edge = (segment.first_edge + EDGES_OF_B) % NO_EDGE;
    if (segment.second_edge != NO_EDGE) segment.second_edge = (segment.second_edge + EDGES_OF_B) % NO_EDGE;
    return segment;
}

static inline double sharpness(Triangle t) {
    double3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0], normal = cross_of(e, f);
    return dot_of(normal, normal) / (dot_of(e, e) * dot_of(f, f));
}

static inline Segment meeting_segment(Triangle a, double3 n1, Triangle b, double3 n2) {
    double size = size_of(a, b);
    Segment segment = {a.v[0], a.v[0], 0, NO_EDGE, NO_EDGE};
    double thin = sharpness(b);
    /* the normal of a needle is mostly rounding, so the other triangle cuts it; then either cuts what it can */
    if (thin < THIN && !is_zero(n1) && sharpness(a) > thin) segment = cut_the_other(a, b, n1, size);
    if (!segment.found && !is_zero(n2)) segment = cut(a, b, n2, size);
    if (!segment.found && !is_zero(n1)) segment = cut_the_other(a, b, n1, size);
    if (!segment.found) {
        segment.first = segment.second = nearest_point(a, b);
        segment.first_edge = segment.second_edge = NO_EDGE;
    }
    return segment;
}
