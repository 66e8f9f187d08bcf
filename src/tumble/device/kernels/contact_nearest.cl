/* The nearest points of two triangles that do not quite meet: the twin of tumble/narrow/contact/nearest.py. */

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
            best.square = height * height;
            best.point = on_the_way(x, x - height * normal, 0.5);
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
