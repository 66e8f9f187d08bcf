/* Paper `binary-stack`, Figure 9: two post-indexed trees descended together, with one bit for each step down.

       overlap:  two leaves: test their triangles
                 else go down in one of them, to its left-most child, and push which: 0 for a, 1 for b
       then, unless it went down:
                 go up as long as the node of the last step down is a right-most child (find-ascent);
                 its next sibling comes next, with the node that the other tree had at that step

   No node is read on the way up: from a right-most child x steps up lead to i - x, and all of them have the same escape
   index. Two corrections to the paper: after two leaves the ascent follows too, and it ends where the stack is empty.
   So a walk may start at any two nodes: it ends when everything below them is done.

   A link is an int4: the left-most child, or -1 - (place of the first triangle) at a leaf; the escape index; how many
   right children follow each other upwards from here; how many triangles. */

#ifndef RULE
#error "RULE is missing: where to go down, one of the rules below"
#endif
#define BY_VOLUME 0 /* the numbers of tumble/traversal/rules.py, which says what they mean */
#define BY_LONGEST_SIDE 1
#define BY_TRIANGLES 2
#define ALTERNATE 3
#define A_FIRST 4
#define B_FIRST 5
#define B_TWICE 6

#ifndef COUNTING
#error "COUNTING is missing: 1 to count what each pair of bodies takes, 0 not to"
#endif

#define NOTHING 0xffffffffu /* marks an empty task */

typedef struct {
    global const float4 *boxes;
    global const int4 *links;
    global const float *corners;
    global const uint4 *trees;       /* of each pair of bodies: where nodes of a and b begin, where corners do */
    global const float4 *relations;  /* of each pair of bodies */
    global uint *candidates;
    uint capacity;
    volatile global uint *counters;
    global uint4 *pool;
    uint pool_capacity;
    uint steps;                      /* after these a walk is split, and the rest of it goes to the pool; 0: never */
    uint first;                      /* whether one certain hit is enough */
    volatile global uint *counts;    /* of each pair of bodies, see `add_counts` */
    volatile global uint *hits;      /* of each pair of bodies, if one certain hit is enough: the round that had it */
    uint round;
} Query;

static inline float4 corner(global const float *corners, uint place, uint k) {
    float3 point = vload3(3 * place + k, corners);
    return (float4)(point.x, point.y, point.z, 0.0f);
}

/* Test the triangles of two leaves; return whether the walk can end. */
static inline int leaf_pair(
    const Query *query, uint pair, uint4 trees, const Relation *relation, int4 leaf_a, int4 leaf_b, Batch *batch)
{
    uint start_a = trees.z + (uint)(-1 - leaf_a.x), start_b = trees.w + (uint)(-1 - leaf_b.x);
    for (uint j = 0; j < (uint)leaf_b.w; j++) { /* b outside, as its corners have to be moved */
        float4 x = point_in_frame_of_a(*relation, corner(query->corners, start_b + j, 0));
        float4 y = point_in_frame_of_a(*relation, corner(query->corners, start_b + j, 1));
        float4 z = point_in_frame_of_a(*relation, corner(query->corners, start_b + j, 2));
        for (uint i = 0; i < (uint)leaf_a.w; i++) {
            float4 p = corner(query->corners, start_a + i, 0);
            float4 q = corner(query->corners, start_a + i, 1);
            float4 r = corner(query->corners, start_a + i, 2);
            int touch = triangles_touch(p, q, r, x, y, z, relation->scale.y);
            if (touch == MISS) continue;
            add_candidate(batch, touch == HIT ? pair | CERTAIN : pair, start_a + i - trees.z, start_b + j - trees.w,
                 query->candidates, query->capacity, query->counters);
            if (touch == HIT && query->first) {
                atomic_min(&query->hits[pair], query->round);
                return 1;
            }
            if (batch->over) return 1;
        }
    }
    return 0;
}

static inline float longest_side(Box box) { return larger(larger(box.u0.w, box.u1.w), box.u2.w); }

/* Where to go down, 0 for a and 1 for b; not both are leaves. */
static inline uint descend(Box a, int4 link_a, Box b, int4 link_b, uint2 levels) {
    if (link_a.x < 0) return 1;
    if (link_b.x < 0) return 0;
#if RULE == BY_VOLUME
    return a.c.w < b.c.w;
#elif RULE == BY_LONGEST_SIDE
    return longest_side(a) < longest_side(b);
#elif RULE == BY_TRIANGLES
    return link_a.w < link_b.w;
#elif RULE == ALTERNATE
    return levels.x > levels.y;
#elif RULE == A_FIRST
    return 0;
#elif RULE == B_FIRST
    return 1;
#elif RULE == B_TWICE
    return 2 * (levels.x + 1) > levels.y;
#else
#error "RULE must be one of the seven above"
#endif
}

/* Continue after a pair below which everything is done: find-ascent and what follows it. Return 0 at the end. */
static inline int ascend(uint *a, int4 link_a, uint *b, int4 link_b, uint2 *levels, Bits *bits) {
    uint left_a = (uint)link_a.z, left_b = (uint)link_b.z, up_a = 0, up_b = 0;
    while (bits->depth > 0) {
        if (top_bit(bits) == 0) {
            if (up_a == left_a) {
                *a = (uint)link_a.y;
                *b -= up_b;
                *levels -= (uint2)(up_a, up_b);
                return 1;
            }
            up_a++;
        } else {
            if (up_b == left_b) {
                *a -= up_a;
                *b = (uint)link_b.y;
                *levels -= (uint2)(up_a, up_b);
                return 1;
            }
            up_b++;
        }
        pop_bit(bits);
    }
    return 0;
}

/* Hand what is left of a walk to the pool: the pairs that going up would meet, each to be walked on its own. Return 0,
   and the walk must go on, when there is no room for all of them. */
static inline int split(const Query *query, uint pair, uint4 trees, uint a, uint b, uint2 levels, const Bits *bits) {
    Bits rest = *bits;
    uint count = 0, at_a = a, at_b = b;
    uint2 at = levels;
    do { /* counted before they are written: one atomic addition has to reserve room for all of them, or for none */
        count++;
    } while (ascend(&at_a, query->links[trees.x + at_a], &at_b, query->links[trees.y + at_b], &at, &rest));
    if (count_now(&query->counters[POOLED]) >= query->pool_capacity) return 0; /* so the counter does not wrap round */
    uint place = atomic_add(&query->counters[POOLED], count);
    if (place + count > query->pool_capacity) { /* what was reserved may hold old tasks */
        for (; place < query->pool_capacity; place++) query->pool[place] = (uint4)(NOTHING, 0, 0, 0);
        return 0;
    }
    rest = *bits;
    do {
        query->pool[place++] = (uint4)(pair, a, b, levels.x << 16 | levels.y);
    } while (ascend(&a, query->links[trees.x + a], &b, query->links[trees.y + b], &levels, &rest));
    return 1;
}

/* Walk everything below two nodes. A task is a pair of bodies, nodes of a and of b, and how deep these are: 16 bits for
   a, 16 for b. */
static inline void walk(const Query *query, uint4 task, Batch *batch) {
    uint pair = task.x, a = task.y, b = task.z, seen_b = NOTHING;
    ulong turns = 0, limit = query->steps;
    if (pair == NOTHING) return;
    /* those of this round do not count, or the answer would depend on who is first */
    if (query->first && count_now(&query->hits[pair]) < query->round) return;
    uint2 levels = (uint2)(task.w >> 16, task.w & 0xffffu);
    uint4 trees = query->trees[pair];
    Relation relation = load_relation(query->relations, pair);
    Box box_b;
    Bits bits;
    clear_bits(&bits);
#if COUNTING
    ulong overlaps = 0, leaf_overlaps = 0, tests = 0;
#endif
    for (;;) {
        if (limit != 0 && turns == limit && bits.depth > 0) { /* at depth 0 it would hand over all of itself */
            if (split(query, pair, trees, a, b, levels, &bits)) break;
            limit = 0; /* a full pool will not get emptier in this round */
        }
        turns++;
        int4 link_a = query->links[trees.x + a], link_b = query->links[trees.y + b];
        Box box_a = load_box(query->boxes, trees.x + a);
        if (b != seen_b) { /* while the walk goes down in a, b stays, and is moved once */
            box_b = box_in_frame_of_a(relation, load_box(query->boxes, trees.y + b));
            seen_b = b;
        }
        if (boxes_overlap(box_a, box_b, relation.scale.y)) {
#if COUNTING
            overlaps++;
#endif
            if (link_a.x >= 0 || link_b.x >= 0) {
                uint way = descend(box_a, link_a, box_b, link_b, levels);
                push_bit(&bits, way);
                levels += (uint2)(1 - way, way);
                if (way == 0) a = (uint)link_a.x;
                else b = (uint)link_b.x;
                continue;
            }
#if COUNTING
            leaf_overlaps++;
            tests += (ulong)link_a.w * (ulong)link_b.w;
#endif
            if (leaf_pair(query, pair, trees, &relation, link_a, link_b, batch)) break;
        }
        if (!ascend(&a, link_a, &b, link_b, &levels, &bits)) break;
    }
#if COUNTING
    add_counts(query->counts, pair, turns, overlaps, leaf_overlaps, tests);
#endif
}
