/* The nearest points of two triangles that do not quite meet: the twin of tumble/narrow/contact/nearest.py. */

#define FLAT_FACE 0x1p-104 /* FLAT of the twin, a name that contact_segment.cl has as well */

typedef struct {
    double square;
    double3 x, y;
} Nearest;

static inline double clamped(double t) { return t > 0.0 ? fmin(t, 1.0) : 0.0; }

static inline double3 nearest_on_segment(double3 x, double3 p, double3 q) {
    double3 v = q - p;
    double square = dot_of(v, v);
    return square > 0.0 ? on_the_way(p, q, clamped(dot_of(x - p, v) / square)) : p;
}

static inline Nearest nearer(Nearest best, double3 x, double3 y) {
    double3 gap = x - y;
    Nearest found = {dot_of(gap, gap), x, y};
    return found.square < best.square ? found : best;
}

static inline Nearest nearest_of_segments(Nearest best, double3 p, double3 q, double3 r, double3 s) {
    double3 u = q - p, v = s - r, normal = cross_of(u, v);
    double square = dot_of(normal, normal);
    double3 x = square > 0.0 ? on_the_way(p, q, clamped(dot_of(cross_of(r - p, v), normal) / square)) : p;
    double3 y = nearest_on_segment(x, r, s);
    return nearer(best, nearest_on_segment(y, p, q), y);
}

static inline Triangle longest_edge_first(Triangle t) {
    double3 e = t.v[1] - t.v[0], f = t.v[2] - t.v[1], g = t.v[0] - t.v[2];
    double first = dot_of(e, e), second = dot_of(f, f), third = dot_of(g, g);
    int k = second > first && second >= third ? 1 : third > first ? 2 : 0;
    Triangle turned = {{t.v[k], t.v[(k + 1) % 3], t.v[(k + 2) % 3]}};
    return turned;
}

static inline int foot_on_face(double3 x, Triangle t, double3 *foot) {
    t = longest_edge_first(t);
    double3 p = t.v[0], edge = t.v[1] - p, side = t.v[2] - p;
    double square = dot_of(edge, edge);
    if (!(square > 0.0)) return 0;
    double lean = dot_of(side, edge) / square;
    double3 height = side + -lean * edge;
    double height_square = dot_of(height, height);
    if (!(height_square > FLAT_FACE * square)) return 0;
    double3 way = x - p;
    double s = dot_of(way, edge) / square;
    way = way + -s * edge;
    double u = dot_of(way, height) / height_square;
    *foot = p + (s * edge + u * height);
    return 0.0 <= u && u <= 1.0 && u * lean <= s && s <= 1.0 + u * (lean - 1.0);
}

static inline double3 nearest_point(Triangle a, Triangle b) {
    Nearest best = {INFINITY, a.v[0], b.v[0]};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            best = nearest_of_segments(best, a.v[i], a.v[(i + 1) % 3], b.v[j], b.v[(j + 1) % 3]);
    for (int k = 0; k < 3; k++) {
        double3 foot;
        if (foot_on_face(a.v[k], b, &foot)) best = nearer(best, a.v[k], foot);
        if (foot_on_face(b.v[k], a, &foot)) best = nearer(best, foot, b.v[k]);
    }
    return on_the_way(best.x, best.y, 0.5);
}
