/* Vectors, triangles and segments in float64: the twin of tumble/core/linear.py.

   All contact*.cl files repeat the operations of their Python twins in the same order, so that a device gives the
   host's bits. Those files say what is computed and why; names differ where OpenCL has a function of that name. */

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#define DEGENERATE 1e-14
#define SMALLEST_SQUARE 1e-290

static inline double dot_of(double3 u, double3 v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

static inline double3 cross_of(double3 u, double3 v) {
    return (double3)(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
}

static inline double3 on_the_way(double3 p, double3 q, double t) { return p + t * (q - p); }

static inline double largest_of(double3 u) { return fmax(fmax(fabs(u.x), fabs(u.y)), fabs(u.z)); }

static inline int is_zero(double3 u) { return u.x == 0.0 && u.y == 0.0 && u.z == 0.0; }

static inline double3 unit(double3 u) {
    double square = dot_of(u, u);
    if (!(SMALLEST_SQUARE < square && square < INFINITY)) {
        double size = largest_of(u);
        if (!(0.0 < size && size < INFINITY)) return (double3)(0.0, 0.0, 0.0);
        u = u / size;
    }
    return u / sqrt(dot_of(u, u));
}

static inline double3 normal_of(double3 p, double3 q, double3 r) {
    double3 e = q - p, f = r - p, normal = cross_of(e, f);
    double square = dot_of(normal, normal);
    if (!(square > DEGENERATE * DEGENERATE * dot_of(e, e) * dot_of(f, f) + SMALLEST_SQUARE))
        return (double3)(0.0, 0.0, 0.0);
    return normal * (1.0 / sqrt(square));
}

static inline double3 across(double3 u) {
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

/* Each end is on an edge: 0, 1, 2 for the edge of a that starts at this corner, 3, 4, 5 for those of b, or NO_EDGE. */
#define EDGES_OF_B 3
#define NO_EDGE 6

typedef struct {
    double3 first, second;
    int found;
    int first_edge, second_edge;
} Segment;
