/* Where and how touching triangles meet: the twin of tumble/narrow/contact/, operation by operation in float64, so
   that a device gives the host's bits. Those files say what is computed and why; names are the same here.

   One work-item for each touching pair of triangles. */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define DEGENERATE 1e-14
#define SMALLEST_SQUARE 1e-290
#define FLAT 1e-13
#define BESIDE 1e-12
#define THIN 1e-8
#define PARALLEL 1e-20
#define CLEARLY 1e-9
#define SIDEWAYS 1e-6
#define TOUCHING 1e-12
#define MOST_CORNERS 12

/* vectors: contact_vectors.py */

inline double dot_of(double3 u, double3 v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z;
}

inline double3 cross_of(double3 u, double3 v)
{
    return (double3)(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
}

inline double3 on_the_way(double3 p, double3 q, double t)
{
    return (double3)(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z));
}

inline double largest_of(double3 u)
{
    return fmax(fmax(fabs(u.x), fabs(u.y)), fabs(u.z));
}

inline int is_zero(double3 u)
{
    return u.x == 0.0 && u.y == 0.0 && u.z == 0.0;
}

inline double3 unit(double3 u)
{
    double square = dot_of(u, u);
    if (!(SMALLEST_SQUARE < square && square < INFINITY)) {
        double size = largest_of(u);
        if (!(0.0 < size && size < INFINITY)) return (double3)(0.0, 0.0, 0.0);
        u = (double3)(u.x / size, u.y / size, u.z / size);
    }
    double length = sqrt(dot_of(u, u));
    return (double3)(u.x / length, u.y / length, u.z / length);
}

inline double3 normal_of(double3 p, double3 q, double3 r)
{
    double3 e = q - p, f = r - p, normal = cross_of(e, f);
    double square = dot_of(normal, normal);
    if (!(square > DEGENERATE * DEGENERATE * dot_of(e, e) * dot_of(f, f) + SMALLEST_SQUARE))
        return (double3)(0.0, 0.0, 0.0);
    double inverse = 1.0 / sqrt(square);
    return (double3)(normal.x * inverse, normal.y * inverse, normal.z * inverse);
}

inline double3 across(double3 u)
{
    double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
    double3 found;
    if (x <= y && x <= z) found = unit((double3)(0.0, u.z, -u.y));
    else if (y <= z) found = unit((double3)(-u.z, 0.0, u.x));
    else found = unit((double3)(u.y, -u.x, 0.0));
    return is_zero(found) ? (double3)(0.0, 0.0, 1.0) : found;
}

typedef struct {
    double3 v[3];
} Triangle;

typedef struct {
    double3 first, second;
    int found;
} Segment;

/* nearest points: contact_nearest.py */

typedef struct {
    double square;
    double3 point;
} Nearest;

inline double clamped(double t)
{
    return t > 0.0 ? fmin(t, 1.0) : 0.0;
}

inline void nearest_of_segments(double3 p, double3 q, double3 r, double3 s, double3 *x, double3 *y)
{
    double3 u = q - p, v = s - r, w = p - r;
    double uu = dot_of(u, u), vv = dot_of(v, v), uv = dot_of(u, v), wu = dot_of(w, u), wv = dot_of(w, v);
    double determinant = uu * vv - uv * uv;
    double t = determinant > 0.0 ? clamped((uv * wv - vv * wu) / determinant) : 0.0;
    double m = vv > 0.0 ? clamped((uv * t + wv) / vv) : 0.0;
    t = uu > 0.0 ? clamped((uv * m - wu) / uu) : 0.0;
    *x = on_the_way(p, q, t);
    *y = on_the_way(r, s, m);
}

inline int is_over(double3 x, Triangle t, double3 normal)
{
    for (int k = 0; k < 3; k++)
        if (!(dot_of(cross_of(normal, t.v[(k + 1) % 3] - t.v[k]), x - t.v[k]) >= 0.0)) return 0;
    return 1;
}

inline Nearest nearest_to_face(Nearest best, double3 x, Triangle t, double3 normal)
{
    if (!is_zero(normal) && is_over(x, t, normal)) {
        double height = dot_of(normal, x - t.v[0]);
        if (height * height < best.square) {
            double3 foot = {x.x - height * normal.x, x.y - height * normal.y, x.z - height * normal.z};
            best.square = height * height;
            best.point = on_the_way(x, foot, 0.5);
        }
    }
    return best;
}

inline double3 nearest_point(Triangle a, double3 n1, Triangle b, double3 n2)
{
    Nearest best = {INFINITY, a.v[0]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double3 x, y;
            nearest_of_segments(a.v[i], a.v[(i + 1) % 3], b.v[j], b.v[(j + 1) % 3], &x, &y);
            double3 gap = x - y;
            double square = dot_of(gap, gap);
            if (square < best.square) {
                best.square = square;
                best.point = on_the_way(x, y, 0.5);
            }
        }
    for (int k = 0; k < 3; k++) best = nearest_to_face(best, a.v[k], b, n2);
    for (int k = 0; k < 3; k++) best = nearest_to_face(best, b.v[k], a, n1);
    return best.point;
}

/* the segment: contact_segment.py */

inline double size_of(Triangle a, Triangle b)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) size = fmax(size, fmax(largest_of(a.v[k] - b.v[0]), largest_of(b.v[k] - b.v[0])));
    return size;
}

inline Segment chord_in_triangle(double3 c0, double3 c1, double size, Triangle t, double3 normal)
{
    double t0 = 0.0, t1 = 1.0;
    for (int k = 0; k < 3; k++) {
        double3 x = t.v[k], edge = t.v[(k + 1) % 3] - x, inward = cross_of(normal, edge);
        double slack = BESIDE * size * largest_of(edge);
        double s0 = dot_of(inward, c0 - x), s1 = dot_of(inward, c1 - x);
        if (s0 < -slack) t0 = fmax(t0, s1 > s0 ? s0 / (s0 - s1) : 2.0);
        if (s1 < -slack) t1 = fmin(t1, s0 > s1 ? s0 / (s0 - s1) : -1.0);
    }
    Segment segment = {on_the_way(c0, c1, t0), on_the_way(c0, c1, t1), t0 <= t1};
    return segment;
}

inline int clip_polygon(const double3 *source, int count, double3 *target, double3 x, double3 inward, double slack)
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

inline Segment coplanar_segment(Triangle a, double size, Triangle b, double3 normal)
{
    double3 room[2][MOST_CORNERS];
    Segment segment = {a.v[0], a.v[0], 0};
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
inline int apex(const double *h)
{
    int above = (h[0] > 0.0) + (h[1] > 0.0) + (h[2] > 0.0), below = (h[0] < 0.0) + (h[1] < 0.0) + (h[2] < 0.0);
    for (int k = 0; k < 2; k++) {
        if (above == 1 ? h[k] > 0.0 : below == 1 ? h[k] < 0.0 : h[k] == 0.0) return k;
    }
    return 2;
}

inline Segment part_in_box(Segment segment, Triangle t, double margin)
{
    double x[3] = {segment.first.x, segment.first.y, segment.first.z};
    double y[3] = {segment.second.x, segment.second.y, segment.second.z};
    double low[3], high[3], start = 0.0, stop = 1.0;
    int beyond = 0;
    for (int axis = 0; axis < 3; axis++) {
        double p = axis == 0 ? t.v[0].x : axis == 1 ? t.v[0].y : t.v[0].z;
        double q = axis == 0 ? t.v[1].x : axis == 1 ? t.v[1].y : t.v[1].z;
        double r = axis == 0 ? t.v[2].x : axis == 1 ? t.v[2].y : t.v[2].z;
        low[axis] = fmin(fmin(p, q), r) - margin;
        high[axis] = fmax(fmax(p, q), r) + margin;
        beyond |= fmin(x[axis], y[axis]) < low[axis] || fmax(x[axis], y[axis]) > high[axis];
    }
    if (!beyond) return segment;
    for (int axis = 0; axis < 3; axis++) {
        double step = y[axis] - x[axis];
        if (step == 0.0) {
            if (!(low[axis] <= x[axis] && x[axis] <= high[axis])) segment.found = 0;
        } else {
            double first = (low[axis] - x[axis]) / step, second = (high[axis] - x[axis]) / step;
            start = fmax(start, fmin(first, second));
            stop = fmin(stop, fmax(first, second));
        }
    }
    if (!(start <= stop)) segment.found = 0;
    double3 from = segment.first, to = segment.second;
    segment.first = on_the_way(from, to, start);
    segment.second = on_the_way(from, to, stop);
    return segment;
}

inline Segment cut_by_edges(Triangle a, Triangle b, double3 normal, double size)
{
    double h[3], tolerance = FLAT * size;
    int above = 0, below = 0;
    for (int k = 0; k < 3; k++) {
        h[k] = dot_of(normal, a.v[k] - b.v[0]);
        if (fabs(h[k]) <= tolerance) h[k] = 0.0;
        above += h[k] > 0.0;
        below += h[k] < 0.0;
    }
    Segment nothing = {a.v[0], a.v[0], 0};
    if (above == 3 || below == 3) return nothing;
    if (above == 0 && below == 0) return coplanar_segment(a, size, b, normal);
    int k = apex(h), m = (k + 1) % 3, n = (k + 2) % 3;
    double3 c0 = on_the_way(a.v[k], a.v[m], h[k] / (h[k] - h[m]));
    double3 c1 = on_the_way(a.v[k], a.v[n], h[k] / (h[k] - h[n]));
    return chord_in_triangle(c0, c1, size, b, normal);
}

inline Segment cut(Triangle a, Triangle b, double3 normal, double size)
{
    Segment segment = cut_by_edges(a, b, normal, size);
    return segment.found ? part_in_box(segment, b, BESIDE * size) : segment;
}

inline double sharpness(Triangle t)
{
    double3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[0], normal = cross_of(e, f);
    return dot_of(normal, normal) / (dot_of(e, e) * dot_of(f, f));
}

inline Segment meeting_segment(Triangle a, double3 n1, Triangle b, double3 n2)
{
    double size = size_of(a, b);
    Segment segment = {a.v[0], a.v[0], 0};
    double thin = sharpness(b);
    if (thin < THIN && !is_zero(n1) && sharpness(a) > thin) segment = cut(b, a, n1, size);
    if (!segment.found && !is_zero(n2)) segment = cut(a, b, n2, size);
    if (!segment.found && !is_zero(n1)) segment = cut(b, a, n1, size);
    if (!segment.found) segment.first = segment.second = nearest_point(a, n1, b, n2);
    return segment;
}

/* the push: contact_push.py */

/* How far a must go along an axis, and how far against it. */
inline double2 pushes_along(double3 axis, Triangle a, Triangle b)
{
    double q = dot_of(axis, a.v[1] - a.v[0]), r = dot_of(axis, a.v[2] - a.v[0]);
    double u = dot_of(axis, b.v[1] - b.v[0]), v = dot_of(axis, b.v[2] - b.v[0]);
    double gap = dot_of(axis, b.v[0] - a.v[0]);
    double forth = gap + fmax(fmax(0.0, u), v) - fmin(fmin(0.0, q), r);
    double back = fmax(fmax(0.0, q), r) - fmin(fmin(0.0, u), v) - gap;
    return (double2)(fmax(0.0, forth), fmax(0.0, back));
}

inline double3 edge_axis(double3 e, double3 f, double3 facing)
{
    double3 axis = cross_of(e, f);
    double square = dot_of(axis, axis);
    if (!(square > PARALLEL * dot_of(e, e) * dot_of(f, f) + SMALLEST_SQUARE)) return (double3)(0.0, 0.0, 0.0);
    double length = sqrt(square), factor = dot_of(axis, facing) < 0.0 ? -1.0 / length : 1.0 / length;
    return (double3)(axis.x * factor, axis.y * factor, axis.z * factor);
}

inline double shortest_push(Triangle a, double3 n1, Triangle b, double3 n2, double3 *normal)
{
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

/* the pair: contact.py */

inline int power_below(double size)
{
    int exponent = 1;
    if (size > 0.0) frexp(size, &exponent);
    return exponent - 1;
}

inline Triangle brought_near(Triangle t, double3 origin, int exponent)
{
    for (int k = 0; k < 3; k++) {
        double3 p = t.v[k] - origin;
        t.v[k] = (double3)(ldexp(p.x, -exponent), ldexp(p.y, -exponent), ldexp(p.z, -exponent));
    }
    return t;
}

inline double3 taken_back(double3 p, double3 origin, int exponent)
{
    return (double3)(
        ldexp(p.x, exponent) + origin.x, ldexp(p.y, exponent) + origin.y, ldexp(p.z, exponent) + origin.z);
}

inline double3 unit_normal(Triangle t)
{
    t = brought_near(t, t.v[0], power_below(size_of(t, t)));
    return normal_of(t.v[0], t.v[1], t.v[2]);
}

inline int comes_first(Triangle a, Triangle b)
{
    for (int k = 0; k < 3; k++) {
        double3 x = a.v[k], y = b.v[k];
        if (x.x != y.x) return x.x < y.x;
        if (x.y != y.y) return x.y < y.y;
        if (x.z != y.z) return x.z < y.z;
    }
    return 1;
}

inline Triangle posed(global const double *corners, uint triangle, global const double *pose)
{
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
    int turned = !comes_first(a, b);
    if (turned) {
        Triangle first = a;
        a = b;
        b = first;
    }
    double3 n1 = unit_normal(a), n2 = unit_normal(b), origin = b.v[0], normal = (double3)(0.0, 0.0, 0.0);
    int exponent = power_below(size_of(a, b));
    a = brought_near(a, origin, exponent);
    b = brought_near(b, origin, exponent);
    Segment segment = meeting_segment(a, n1, b, n2);
    double depth = ldexp(shortest_push(a, n1, b, n2, &normal), exponent);
    vstore3(taken_back(segment.first, origin, exponent), 0, contacts + 10 * k);
    vstore3(taken_back(segment.second, origin, exponent), 0, contacts + 10 * k + 3);
    vstore3(turned ? -normal : normal, 0, contacts + 10 * k + 6);
    contacts[10 * k + 9] = depth;
}
