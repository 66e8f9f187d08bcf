/* Candidate triangle pairs: each work-item collects a batch, and writes it behind those of all others at once.

   One atomic addition reserves the room for up to BATCH of them, so the buffer is dense however many a pair of bodies
   finds. A full buffer does not end the walk: the counter goes on, and the host repeats the launch with room for all.
   More than `most` do end it: the host does not repeat the launch, and walks could go on for hours. */

#define BATCH 8
#define CERTAIN 0x80000000u /* in the number of the pair of bodies: these triangles touch for sure */

#define FOUND 0 /* places in `counters` */
#define NEXT 1
#define POOLED 2

typedef struct {
    uint pair[BATCH], a[BATCH], b[BATCH];
    uint count;
    uint most;  /* candidates of all work-items together */
    int over;   /* whether there were more */
} Batch;

static inline void write_batch(Batch *batch, global uint *candidates, uint capacity, volatile global uint *counters) {
    if (count_now(&counters[FOUND]) > batch->most) { /* the counter must not wrap round */
        batch->over = 1;
    } else if (batch->count > 0) {
        uint at = atomic_add(&counters[FOUND], batch->count);
        for (uint k = 0; k < batch->count && at + k < capacity; k++) {
            candidates[(size_t)3 * (at + k)] = batch->pair[k];
            candidates[(size_t)3 * (at + k) + 1] = batch->a[k];
            candidates[(size_t)3 * (at + k) + 2] = batch->b[k];
        }
        batch->over = at + batch->count > batch->most;
    }
    batch->count = 0;
}

static inline void add_candidate(
    Batch *batch, uint pair, uint a, uint b, global uint *candidates, uint capacity, volatile global uint *counters)
{
    batch->pair[batch->count] = pair;
    batch->a[batch->count] = a;
    batch->b[batch->count] = b;
    if (++batch->count == BATCH) write_batch(batch, candidates, capacity, counters);
}

/* Add to what is counted for a pair of bodies: turns, overlaps, overlaps of leaves, triangle tests; two words each. */
static inline void add_counts(
    volatile global uint *counts, uint pair, ulong turns, ulong overlaps, ulong leaf_overlaps, ulong tests)
{
    volatile global uint *own = counts + 8 * (size_t)pair;
    add_long(own, turns);
    add_long(own + 2, overlaps);
    add_long(own + 4, leaf_overlaps);
    add_long(own + 6, tests);
}
