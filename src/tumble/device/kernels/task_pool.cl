/* What the walks of paper `stackless` share: what they count, room in the pool, and their two kernels.

   The arguments, the query and the test of two leaves are those of binary_stack.cl and walk.cl, and so are the two ways to
   work: one work-item for each task, or as many as keep the device busy, which draw tasks until there is none. */

typedef struct {
    ulong turns, overlaps, leaf_overlaps, tests;
} Counts;

static inline void add_turns(const Query *query, uint pair, const Counts *counts) {
#if COUNTING
    add_counts(query->counts, pair, counts->turns, counts->overlaps, counts->leaf_overlaps, counts->tests);
#endif
}

/* Whether a task needs no walk: it stands for nothing, or one hit is enough and an earlier round had it (walk.cl). */
static inline int is_done(const Query *query, uint4 task) {
    return task.x == NOTHING || (query->first && count_now(&query->hits[task.x]) < query->round);
}

/* Reserve room for some tasks in the pool: all of them or none. Return where they go, or NOTHING. */
static inline uint reserve_tasks(const Query *query, uint count) {
    if (count_now(&query->counters[POOLED]) >= query->pool_capacity) return NOTHING; /* so the counter does not wrap round */
    uint place = atomic_add(&query->counters[POOLED], count);
    if (place + count <= query->pool_capacity) return place;
    for (; place < query->pool_capacity; place++) /* what was reserved may hold old tasks */
        query->pool[place] = (uint4)(NOTHING, 0, 0, 0);
    return NOTHING;
}

/* Count two leaves that overlap, and test their triangles; return whether the walk can end. */
static inline int counted_leaf_pair(
    const Query *query, uint pair, uint4 trees, const Relation *relation, int4 leaf_a, int4 leaf_b, Batch *batch,
    Counts *counts)
{
    counts->leaf_overlaps++;
    counts->tests += (ulong)leaf_a.w * (ulong)leaf_b.w;
    return leaf_pair(query, pair, trees, relation, leaf_a, leaf_b, batch);
}

#define KERNELS(name, walk_task) \
kernel void name(QUERY_ARGUMENTS) { \
    Query query = QUERY; \
    Batch batch = {.count = 0, .most = most, .over = 0}; \
    uint task = (uint)get_global_id(0); \
    if (task < task_count) walk_task(&query, tasks[task], &batch); \
    write_batch(&batch, candidates, capacity, counters); \
} \
kernel void name##_pool(QUERY_ARGUMENTS) { \
    Query query = QUERY; \
    Batch batch = {.count = 0, .most = most, .over = 0}; \
    for (uint task = atomic_inc(&counters[NEXT]); task < task_count && !batch.over; \
         task = atomic_inc(&counters[NEXT])) \
        walk_task(&query, tasks[task], &batch); \
    write_batch(&batch, candidates, capacity, counters); \
}
