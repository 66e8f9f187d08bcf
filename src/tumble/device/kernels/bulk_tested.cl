/* One round of the bulk-synchronous traversal that tests before it writes: paper `bsp`, Algorithms 1 and 2.

   read      a work-item takes one pair of nodes from the source, which overlap
   traverse  it tests their descendants, STEP levels down at most, eight of b at a time, and keeps a bit for each pair
   write     pairs that overlap go through a queue in local memory, as in Algorithm 2: work-items reserve places by an
             atomic addition, those that find none try again; a full queue is copied behind all others at once, for one
             atomic addition in global memory. Leaf pairs have a queue of their own.

   In the paper, and in bulk.cl, descendants are written first, and tested when they are read in the next round. The
   tests are the same, but what does not overlap is never written, and there is one round less.

   A round reads from the counters of those before it how long its source is, so the host can send several rounds at
   once. One that has no room goes on counting, the following do nothing, and the host repeats it from there. */

#ifndef STEP
#error "STEP is missing: how many levels a pair goes down at once"
#endif
#ifndef QUEUE
#error "QUEUE is missing: how many pairs a group keeps back"
#endif
#ifndef GROUP
#error "GROUP is missing: how many work-items a group has"
#endif

#define ONE_MESH 0x80000000UL /* marks leaf pairs in the queue */
#define MOST_COUNTED 0x80000000u

#define PAIRS 0 /* places in `counters`, for each round */
#define LEAVES 1
#define OVERLAPS 2 /* two words, as the following */
#define LEAF_OVERLAPS 4
#define TESTS 6
#define COUNTERS 8

#if GROUP > 1 /* a group of one, as on CPUs, shares its queues with nobody */
#define RESERVE(counter, size) atomic_add(counter, size)
#else
#define RESERVE(counter, size) ((*(counter) += size) - size)
#endif

/* Descendants are tested in tiles of eight by eight: those of the one node in turn, against eight of the other at once.
   Bit 8 j + i of a mask is number i of the ones in turn with number j of the eight. */
#define TILE 8
#define TILES (STEP > 3 ? 1 << (STEP - 3) : 1) /* along one side */
#define UP_TO_DIAGONAL 0xff7f3f1f0f070301UL /* i <= j */
#define BELOW_DIAGONAL 0x7f3f1f0f07030100UL /* i < j */

/* For each row, a level of a tree: where it starts, how many levels go down from it, where the row there starts, how
   many nodes are active there, what to add to a node there for its place among all leaves, the tree, whether there are
   leaves. */
#define START s0
#define DOWN s1
#define THERE s2
#define ACTIVE s3
#define LEAF_SHIFT s4
#define TREE s5
#define AT_LEAVES s6

#define LESSER(x, y) ((x) < (y) ? (x) : (y)) /* PoCL calls `min` as a function */

typedef struct {
    float8 lx, ly, lz, hx, hy, hz;
} EightBoxes;

/* Of four boxes, each lowest x, y, z, 0, highest x, y, z, 0: lowest and highest x; y; z. Written as the shuffles that
   CPUs have. */
#define LOW_PAIRS(a, b) (float8)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define HIGH_PAIRS(a, b) (float8)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define LOW_HALVES(a, b) (float8)(a.s01, b.s01, a.s45, b.s45)
#define HIGH_HALVES(a, b) (float8)(a.s23, b.s23, a.s67, b.s67)

static inline EightBoxes eight_boxes(global const float8 *boxes) {
    float8 a = boxes[0], b = boxes[1], c = boxes[2], d = boxes[3];
    float8 e = boxes[4], f = boxes[5], g = boxes[6], h = boxes[7];
    float8 xy = LOW_PAIRS(a, b), more_xy = LOW_PAIRS(c, d), z = HIGH_PAIRS(a, b), more_z = HIGH_PAIRS(c, d);
    float8 x0 = LOW_HALVES(xy, more_xy), y0 = HIGH_HALVES(xy, more_xy), z0 = LOW_HALVES(z, more_z);
    xy = LOW_PAIRS(e, f), more_xy = LOW_PAIRS(g, h), z = HIGH_PAIRS(e, f), more_z = HIGH_PAIRS(g, h);
    float8 x1 = LOW_HALVES(xy, more_xy), y1 = HIGH_HALVES(xy, more_xy), z1 = LOW_HALVES(z, more_z);
    EightBoxes found = {
        (float8)(x0.lo, x1.lo), (float8)(y0.lo, y1.lo), (float8)(z0.lo, z1.lo),
        (float8)(x0.hi, x1.hi), (float8)(y0.hi, y1.hi), (float8)(z0.hi, z1.hi)};
    return found;
}

/* Which boxes share a point. */
static inline ulong which_meet(global const float8 *boxes, uint count, EightBoxes eight) {
    int8 found = 0;
    for (uint i = 0; i < count; i++) {
        float8 one = boxes[i];
        int8 apart = (eight.lx > one.s4) | (one.s0 > eight.hx) | (eight.ly > one.s5) | (one.s1 > eight.hy)
                   | (eight.lz > one.s6) | (one.s2 > eight.hz);
        found |= ~apart & (1 << i);
    }
    return as_ulong(convert_uchar8(found));
}

/* Which boxes share more than their surfaces. */
static inline ulong which_cross(global const float8 *boxes, uint count, EightBoxes eight) {
    int8 found = 0;
    for (uint i = 0; i < count; i++) {
        float8 one = boxes[i];
        int8 cross = (eight.lx < one.s4) & (one.s0 < eight.hx) & (eight.ly < one.s5) & (one.s1 < eight.hy)
                   & (eight.lz < one.s6) & (one.s2 < eight.hz);
        found |= cross & (1 << i);
    }
    return as_ulong(convert_uchar8(found));
}

/* Reserve places behind all others for what is in a queue, which is empty then; a counter beyond all bounds is not
   increased. All work-items of the group do this together. */
static inline uint claim(uint size, local uint *reserved, local uint *base, volatile global uint *counter) {
    if (get_local_id(0) == 0) {
        *base = count_now(counter) < MOST_COUNTED ? atomic_add(counter, size) : MOST_COUNTED;
        *reserved = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint found = *base;
    barrier(CLK_LOCAL_MEM_FENCE);
    return found;
}

/* Write the queue of pairs of nodes, as far as there is room. */
static inline void write_pairs(local const ulong *queue, uint size, global ulong *target, uint first, uint capacity) {
    uint room = first < capacity ? LESSER(size, capacity - first) : 0;
    if (room > 0) {
        event_t copied = async_work_group_copy(target + first, queue, room, 0);
        wait_group_events(1, &copied);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Write the queue of pairs of leaves as pairs of triangles, as far as there is room. */
static inline void write_leaves(
    local const ulong *queue, uint size, global const uint *order, global const int *faces, uint adjacent,
    global ulong *leaves, uint first, uint capacity)
{
    uint room = first < capacity ? LESSER(size, capacity - first) : 0;
    for (uint k = (uint)get_local_id(0); k < room; k += (uint)get_local_size(0)) {
        ulong pair = queue[k];
        uint i = order[(uint)(pair >> 32) & 0x7fffffffu], j = order[(uint)pair & 0x7fffffffu];
        leaves[first + k] = leaf_pair(faces, adjacent, i, j, (pair & ONE_MESH) != 0, pair & UNSURE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void bulk_round(
    global const float8 *boxes, global const uint *row_of, global const uint8 *rows, global const uint *order,
    global const int *faces, uint adjacent, global ulong *leaves, uint found, uint leaf_capacity, uint capacity,
    volatile global uint *counters, uint begin, uint first_count, uint round, global const ulong *source,
    global ulong *target)
{
    local ulong queue[QUEUE], leaf_queue[QUEUE];
    local uint reserved, leaves_reserved, base;
    uint count = first_count;
    for (uint k = 0; k < round; k++) { /* what the rounds before this one left */
        count = counters[COUNTERS * k + PAIRS];
        found += counters[COUNTERS * k + LEAVES];
        if (count > capacity || found > leaf_capacity) count = round = 0; /* one had no room: do nothing */
    }
    if (count == 0) return;
    counters += COUNTERS * round;

    uint size = (uint)get_local_size(0), me = (uint)get_local_id(0);
    uint groups = (uint)get_num_groups(0), group = (uint)get_group_id(0);
    /* each group takes neighbouring chunks: pairs side by side come from one pair, and read the same boxes */
    uint chunks = (count + size - 1) / size;
    uint start = (uint)((ulong)chunks * group / groups) * size;
    uint stop = (uint)((ulong)chunks * (group + 1) / groups) * size;
    if (me == 0) reserved = leaves_reserved = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#if COUNTING
    ulong tests = 0, overlaps = 0, leaf_overlaps = 0;
#endif

    int last = 0; /* whether there is nothing more to read: then the queues are written, full or not */
    for (uint at = start; !last; at += size) {
        last = at >= stop;
        for (uint tile = 0; tile < (last ? 1 : TILES * TILES); tile++) {
            /* read, traverse */
            uint first = 0, first_of_eight = 0, at_leaves = 0, turned = 0;
            ulong mask = 0, unsure = 0, one_mesh = 0;
            if (at + me < LESSER(count, stop)) {
                ulong pair = source[begin + at + me];
                uint node_a = (uint)(pair >> 32), node_b = (uint)pair;
                uint8 a = rows[row_of[node_a]], b = rows[row_of[node_b]];
                uint tile_a = TILE * (tile / TILES), tile_b = TILE * (tile % TILES);
                uint place_a = ((node_a - a.START) << a.DOWN) + tile_a;
                uint place_b = ((node_b - b.START) << b.DOWN) + tile_b;
                uint many_a = 1u << a.DOWN, many_b = 1u << b.DOWN;
                int same = node_a == node_b;
                at_leaves = a.AT_LEAVES & b.AT_LEAVES;
                if (tile_a < many_a && place_a < a.ACTIVE && tile_b < many_b && place_b < b.ACTIVE
                    && !(same && tile_a > tile_b)) {
                    uint count_a = LESSER(LESSER(TILE, many_a - tile_a), a.ACTIVE - place_a);
                    uint count_b = LESSER(LESSER(TILE, many_b - tile_b), b.ACTIVE - place_b);
                    turned = count_a > count_b; /* the longer side goes into the lanes, the shorter one is looped over */
                    uint few = turned ? count_b : count_a, many = turned ? count_a : count_b;
                    first = turned ? b.THERE + place_b : a.THERE + place_a;
                    first_of_eight = turned ? a.THERE + place_a : b.THERE + place_b;
                    /* the descendants of a node among themselves: each pair once, and no leaf with itself */
                    ulong wanted = NOTHING >> (64 - 8 * many); /* eight boxes are read, there may be fewer */
                    if (same && tile_a == tile_b) wanted &= at_leaves ? BELOW_DIAGONAL : UP_TO_DIAGONAL;
                    EightBoxes eight = eight_boxes(boxes + first_of_eight);
                    mask = wanted & which_meet(boxes + first, few, eight);
                    if (at_leaves && mask) {
                        unsure = mask & ~which_cross(boxes + first, few, eight);
                        first += turned ? b.LEAF_SHIFT : a.LEAF_SHIFT;
                        first_of_eight += turned ? a.LEAF_SHIFT : b.LEAF_SHIFT;
                        one_mesh = a.TREE == b.TREE ? ONE_MESH : 0;
                    }
#if COUNTING
                    tests += popcount(wanted & 0x0101010101010101UL * (0xffu >> (8 - few)));
                    overlaps += popcount(mask);
                    leaf_overlaps += at_leaves ? popcount(mask) : 0;
#endif
                }
            }

            /* write */
            uint waiting = (uint)popcount(mask);
            while (1) {
                if (waiting > 0) {
                    uint place = RESERVE(at_leaves ? &leaves_reserved : &reserved, waiting);
                    uint written = place < QUEUE ? LESSER(waiting, QUEUE - place) : 0;
                    waiting -= written;
                    local ulong *own = (at_leaves ? leaf_queue : queue) + place;
                    uint to_upper = turned ? 0 : 32;
                    for (uint k = 0; k < written; k++) {
                        uint bit = 63 - (uint)clz(mask);
                        ulong one = first + (bit & 7), other = first_of_eight + (bit >> 3);
                        /* the pair's bit of `unsure` becomes the highest one, UNSURE */
                        own[k] = one << to_upper | other << (32 - to_upper) | one_mesh | unsure >> bit << 63;
                        mask ^= 1UL << bit;
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                uint pairs = reserved, leaf_pairs = leaves_reserved, full = last ? 1 : QUEUE;
                /* all must have read them before `claim` sets them to 0: whether to enter it is decided by the group */
                barrier(CLK_LOCAL_MEM_FENCE);
                if (pairs >= full) {
                    uint behind = claim(LESSER(pairs, QUEUE), &reserved, &base, &counters[PAIRS]);
                    write_pairs(queue, LESSER(pairs, QUEUE), target, behind, capacity);
                }
                if (leaf_pairs >= full) {
                    uint behind = found + claim(LESSER(leaf_pairs, QUEUE), &leaves_reserved, &base, &counters[LEAVES]);
                    write_leaves(
                        leaf_queue, LESSER(leaf_pairs, QUEUE), order, faces, adjacent, leaves, behind, leaf_capacity);
                }
                if (pairs <= QUEUE && leaf_pairs <= QUEUE) break; /* no work-item has any left */
            }
        }
    }
#if COUNTING
    add_long(&counters[OVERLAPS], overlaps);
    add_long(&counters[LEAF_OVERLAPS], leaf_overlaps);
    add_long(&counters[TESTS], tests);
#endif
}
