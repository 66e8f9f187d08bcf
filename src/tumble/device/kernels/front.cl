/* Down from the nodes of a front: the streams model of Tang et al. 2011; the twin of tumble/traversal/front.

   take      a work-item takes one pair of nodes from the source: the front of the last frame, roots, or what is left of
             the round before; if it is apart, it stays in the front, and that is all
   walk      it goes down with a stack of its own in local memory, STACK pairs at most; children are tested before they
             are pushed, and what finds no room is handed over to the next round, like all that is on the stack after
             STEPS pairs
   register  pairs that are apart, and pairs of leaves, go into the new front; leaf pairs into a stream of their own.
             Each stream is divided into segments with a counter each; a group has its own, and goes on to the next when
             that is full. One atomic addition reserves the room for all children of a pair.

   A full stream counts what it has lost; the host replaces it by a larger one and repeats the round. */

#ifndef STACK
#error "STACK is missing: pairs on the stack of a work-item"
#endif
#ifndef STEPS
#error "STEPS is missing: pairs that a work-item goes down from, or 0 for no limit"
#endif
#ifndef GROUP
#error "GROUP is missing: work-items of a group"
#endif
#ifndef SEGMENTS
#error "SEGMENTS is missing: parts of a stream"
#endif
#ifndef SPREAD
#error "SPREAD is missing: from one counter to the next"
#endif

#define FRONT 0 /* streams */
#define LEAVES 1
#define REST 2
#define STREAMS 3
#define COUNTER(k) (SPREAD * (k)) /* each on a cache line of its own */
#define MOST_LOST 0x80000000u
#define FULL SEGMENTS /* in place of a segment: none has room */
#define LOST (STREAMS * SEGMENTS) /* counters after those of the segments, one for each stream */
#define TESTS (LOST + STREAMS) /* two words, as the following */
#define OVERLAPS (TESTS + 1)
#define LEAF_OVERLAPS (TESTS + 2)

typedef struct {
    global ulong *places;
    volatile global uint *counters, *lost;
    uint room; /* pairs of a segment */
} Stream;

/* Where the next of `count` pairs go in a segment, and how many of them find room there; the rest must ask again. After
   the first loss the round will be repeated: further pairs need no room, they are only counted. A work-item learns that
   where a segment is full, and no sooner: the counter of losses is one word for all. */
static inline global ulong *reserve(Stream stream, uint *segment, uint count, uint *found) {
    for (uint tries = 0; tries < SEGMENTS && *segment != FULL; tries++) {
        uint at = atomic_add(&stream.counters[COUNTER(*segment)], count);
        if (at < stream.room) {
            *found = min(count, stream.room - at);
            return stream.places + (size_t)*segment * stream.room + at;
        }
        *segment = count_now(stream.lost) ? FULL : (*segment + 1) % SEGMENTS;
    }
    *segment = FULL;
    if (count_now(stream.lost) < MOST_LOST) atomic_add(stream.lost, count); /* the counter must not wrap round */
    *found = count;
    return 0;
}

static inline void put(Stream stream, uint *segment, ulong value) {
    uint found;
    global ulong *at = reserve(stream, segment, 1, &found);
    if (at) *at = value;
}

/* Put those of the four pairs of two neighbouring nodes with their neighbours that are named by bits. */
static inline void put_four(Stream stream, uint *segment, uint which, uint a, uint b) {
    uint k = 0;
    while (which) {
        uint found;
        global ulong *at = reserve(stream, segment, popcount(which), &found);
        for (uint n = 0; n < found; k++) {
            if (!(which >> k & 1)) continue;
            which &= ~(1u << k);
            if (at) at[n] = (ulong)(a + (k >> 1)) << 32 | (b + (k & 1));
            n++;
        }
    }
}

kernel void front_walk(
    TREES, uint adjacent, global const ulong *source, global const uint *firsts, uint source_room,
    uint source_segments, uint count, uint tested, global ulong *front, uint front_room, global ulong *leaves,
    uint leaf_room, global ulong *rest, uint rest_room, volatile global uint *counters)
{
    local ulong stacks[STACK * GROUP]; /* places of the same height side by side */
    uint item = (uint)get_global_id(0);
    if (item >= count) return;
    local ulong *stack = stacks + get_local_id(0);
    uint home = (uint)get_group_id(0) % SEGMENTS;
    uint front_segment = home, leaf_segment = home, rest_segment = home;
    Stream to_front = {front, counters + COUNTER(FRONT * SEGMENTS), counters + COUNTER(LOST + FRONT), front_room};
    Stream to_leaves = {leaves, counters + COUNTER(LEAVES * SEGMENTS), counters + COUNTER(LOST + LEAVES), leaf_room};
    Stream to_rest = {rest, counters + COUNTER(REST * SEGMENTS), counters + COUNTER(LOST + REST), rest_room};
#if COUNTING
    ulong tests = 0, overlaps = 0, leaf_overlaps = 0;
#endif

    uint part = last_not_above(firsts, 0, source_segments, item);
    ulong pair = source[(size_t)part * source_room + (item - firsts[part])];
    if (!tested) { /* most pairs of a front are apart, and stay where they are */
        uint a = (uint)(pair >> 32), b = (uint)pair;
        if (!meeting(boxes[2 * a], boxes[2 * a + 1], boxes[2 * b], boxes[2 * b + 1])) {
            put(to_front, &front_segment, pair);
#if COUNTING
            add_long(&counters[COUNTER(TESTS)], 1);
#endif
            return;
        }
    }
    uint top_a = last_not_above(starts, 0, rows, (uint)(pair >> 32));
    uint top_b = last_not_above(starts, 0, rows, (uint)pair);
    /* rows are stored from the root down: those of all descendants are between top and end, few to search */
    uint end_a = top_a + left[top_a] + 1, end_b = top_b + left[top_b] + 1;
    uint tree_a = tree[top_a], tree_b = tree[top_b];
    /* the first turn looks at the pair itself, as if it were its own only child */
    uint size = 0, down = tested ? 1 : 0, done = 0;
    while (1) {
        uint a = (uint)(pair >> 32), b = (uint)pair;
        uint row_a = last_not_above(starts, top_a, end_a, a), row_b = last_not_above(starts, top_b, end_b, b);
        uint step_a = min(down, left[row_a]), step_b = min(down, left[row_b]);
        uint place_a = (a - starts[row_a]) << step_a, place_b = (b - starts[row_b]) << step_b;
        row_a += step_a, row_b += step_b;
        uint count_a = min(1u << step_a, active[row_a] - place_a);
        uint count_b = min(1u << step_b, active[row_b] - place_b);
        uint first_a = starts[row_a] + place_a, first_b = starts[row_b] + place_b;
        int at_leaves = left[row_a] == 0 && left[row_b] == 0;
        /* the children of a node among themselves: each pair once, and no leaf with itself */
        uint skipped = at_leaves ? 1 : 0, ended = 0;
        done += down, down = 1;
        for (uint i = 0; i < count_a; i++) {
            float4 low = boxes[2 * (first_a + i)], high = boxes[2 * (first_a + i) + 1];
            for (uint j = a == b ? i + skipped : 0; j < count_b; j++) {
                uint other = first_b + j;
                int meet = meeting(low, high, boxes[2 * other], boxes[2 * other + 1]);
#if COUNTING
                tests++;
                overlaps += meet != 0;
#endif
                if (meet && !at_leaves) {
                    ulong child = (ulong)(first_a + i) << 32 | other;
                    if (size < STACK) stack[GROUP * size++] = child;
                    else put(to_rest, &rest_segment, child);
                    continue;
                }
                ended |= 1u << (2 * i + j); /* registered together, for one atomic addition */
                if (!meet) continue;
#if COUNTING
                leaf_overlaps++;
#endif
                uint s = order[first_leaf[tree_a] + place_a + i], t = order[first_leaf[tree_b] + place_b + j];
                ulong leaf = leaf_pair(faces, adjacent, s, t, tree_a == tree_b, meet == 1 ? UNSURE : 0);
                if (leaf != NOTHING) put(to_leaves, &leaf_segment, leaf);
            }
        }
        put_four(to_front, &front_segment, ended, first_a, first_b);
        if (size == 0) break;
        if (STEPS > 0 && done >= STEPS) { /* the rest of a long walk is shared out in the next round */
            while (size > 0) put(to_rest, &rest_segment, stack[GROUP * --size]);
            break;
        }
        pair = stack[GROUP * --size];
    }
#if COUNTING
    add_long(&counters[COUNTER(TESTS)], tests);
    add_long(&counters[COUNTER(OVERLAPS)], overlaps);
    add_long(&counters[COUNTER(LEAF_OVERLAPS)], leaf_overlaps);
#endif
}
