/* Paper `binary-stack`, Section 4: one work-item for each pair of bodies, and, as its Section 6 asks for, a pool of work
   that idle work-items draw from.

   `binary_stack` is the paper's: one work-item for each task; those that are done wait for the slowest.

   `binary_stack_pool` has as many work-items as keep the device busy. Each draws the next task until there is none, and
   a long walk is split: what is left of it becomes tasks for the next round, which the host starts. Work-items never
   wait for each other, so it does not matter how many of them run at once. */

#define QUERY_ARGUMENTS \
    global const float4 *boxes, global const int4 *links, global const float *corners, global const uint4 *trees, \
    global const float4 *relations, global const uint4 *tasks, uint task_count, global uint *candidates, \
    uint capacity, volatile global uint *counters, global uint4 *pool, uint pool_capacity, uint steps, uint first, \
    volatile global uint *counts, uint most, volatile global uint *hits, uint round

#define QUERY \
    {boxes, links, corners, trees, relations, candidates, capacity, counters, pool, pool_capacity, steps, first, \
     counts, hits, round}

kernel void binary_stack(QUERY_ARGUMENTS) {
    Query query = QUERY;
    Batch batch = {.count = 0, .most = most, .over = 0};
    uint task = (uint)get_global_id(0);
    if (task < task_count) walk(&query, tasks[task], &batch);
    write_batch(&batch, candidates, capacity, counters);
}

kernel void binary_stack_pool(QUERY_ARGUMENTS) {
    Query query = QUERY;
    Batch batch = {.count = 0, .most = most, .over = 0};
    for (uint task = atomic_inc(&counters[NEXT]); task < task_count && !batch.over; task = atomic_inc(&counters[NEXT]))
        walk(&query, tasks[task], &batch);
    write_batch(&batch, candidates, capacity, counters);
}
