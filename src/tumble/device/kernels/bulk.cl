/* One round of the bulk-synchronous traversal: paper `bsp`, Algorithms 1 and 2; the twin of tumble/traversal/bulk.

   read      a work-item takes one pair of nodes from the source
   traverse  if their boxes overlap, it counts the pairs of their descendants, STEP levels down at most; of two leaves,
             it has found a leaf pair
   write     the pairs of a group go through a queue in local memory that holds QUEUE of them: work-items reserve places
             by an atomic addition, those that find none try again; the queue is copied behind all others at once, for
             one atomic addition in global memory, and filled again until no work-item has any left

   Descendants are tested when they are read, in the next round: a work-item tests one pair. If the target is full,
   counting goes on, and the host repeats the round with a larger one.

   Variants: SEARCH finds the row of a node in `starts`, in global memory (0), by the first nodes of all trees in local
   memory and a logarithm (1), or in a table (2). With SCAN, a prefix sum over the group gives places in its output, for
   one atomic addition in all; the queue is then filled and copied in order. */

#ifndef STEP
#error "STEP is missing: how many levels a pair goes down at once"
#endif
#ifndef QUEUE
#error "QUEUE is missing: how many pairs a group keeps back"
#endif

#ifndef INACTIVE
#error "INACTIVE is missing: 1 to write descendants without triangles too, which padded trees have, else 0"
#endif

#ifndef SEARCH
#error "SEARCH is missing: 0 in global memory, 1 in local memory, 2 in a table"
#endif
#ifndef SCAN
#error "SCAN is missing: 1 for prefix sums, 0 for atomic additions"
#endif
#ifndef GROUP
#error "GROUP is missing: how many work-items make a group"
#endif

#define PAIRS 0 /* places in `counters` */
#define LEAVES 1
#define OVERLAPS 2
#define LEAF_OVERLAPS 3
#define FLUSHES 4
#define MOST_FLUSHES 5

#if SEARCH == 0
#define LAYOUT
#define ROW(node) last_not_above(starts, 0, rows, node)
#elif SEARCH == 1
#define LAYOUT , global const uint *all_offsets, global const uint *first_rows, uint trees
#define ROW(node) row_in_tree(offsets, first_rows, trees, node)
#else
#define LAYOUT , global const uint *row_of
#define ROW(node) row_of[node]
#endif

#if COUNTING
#define TALLY(counter) atomic_inc(&counter)
#else
#define TALLY(counter)
#endif

typedef struct {
    uint first, count; /* nodes that lie side by side */
    uint row;
} Descendants;

static inline Descendants descendants_of(
    global const uint *starts, global const uint *active, global const uint *left, uint row, uint node)
{
    uint step = min((uint)STEP, left[row]);
    uint place = (node - starts[row]) << step;
    uint count = INACTIVE ? 1u << step : min(1u << step, active[row + step] - place);
    Descendants found = {starts[row + step] + place, count, row + step};
    return found;
}

#if SEARCH == 1
/* Section 4: the last tree that does not start behind a node; level l of a padded tree starts at place 2^l - 1. */
static inline uint row_in_tree(local const uint *offsets, global const uint *first_rows, uint trees, uint node) {
    uint low = 0, high = trees;
    while (high - low > 1) {
        uint middle = (low + high) >> 1;
        if (offsets[middle] <= node) low = middle;
        else high = middle;
    }
    return first_rows[low] + 31 - clz(node - offsets[low] + 1);
}
#endif

/* Write the queue behind all that the group has reserved, as far as there is room; all work-items must call it. */
static inline void copy_queue(local const ulong *queue, uint size, global ulong *target, uint base, uint capacity) {
    uint room = base < capacity ? min(size, capacity - base) : 0;
    if (room > 0) {
        event_t copied = async_work_group_copy(target + base, queue, room, 0);
        wait_group_events(1, &copied);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Put the next of a work-item's pairs into the queue. */
#define PUT(at) \
    do { \
        queue[at] = (ulong)(a.first + i) << 32 | (b.first + j); \
        if (++j == b.count) { \
            i++; \
            j = same ? i + skipped : 0; \
        } \
    } while (0)

kernel void bulk_round(
    TREES LAYOUT, uint adjacent, global const ulong *source, uint begin, uint count, global ulong *target, uint capacity,
    global ulong *leaves, uint leaf_capacity, volatile global uint *counters)
{
    local ulong queue[QUEUE];
    local uint reserved, base;
    local uint overlaps, leaf_overlaps, found, leaf_base;
    uint item = (uint)get_global_id(0);
    int leader = get_local_id(0) == 0;
    if (leader) reserved = overlaps = leaf_overlaps = found = 0;
#if SEARCH == 1
    local uint offsets[ROOM];
    for (uint k = (uint)get_local_id(0); k < trees; k += (uint)get_local_size(0)) offsets[k] = all_offsets[k];
#endif
#if SCAN
    local uint sums[GROUP];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    /* read, traverse */
    Descendants a = {0, 0, 0}, b = {0, 0, 0};
    uint waiting = 0, same = 0, skipped = 0, place = 0;
    ulong leaf = NOTHING;
    if (item < count) {
        ulong pair = source[begin + item];
        uint node_a = (uint)(pair >> 32), node_b = (uint)pair;
        int meet = meeting(boxes[2 * node_a], boxes[2 * node_a + 1], boxes[2 * node_b], boxes[2 * node_b + 1]);
        if (meet) {
            uint row_a = ROW(node_a), row_b = ROW(node_b);
            same = node_a == node_b;
            if (left[row_a] == 0 && left[row_b] == 0) {
                if (!same) {
                    uint s = order[first_leaf[tree[row_a]] + node_a - starts[row_a]];
                    uint t = order[first_leaf[tree[row_b]] + node_b - starts[row_b]];
                    leaf = leaf_pair(faces, adjacent, s, t, tree[row_a] == tree[row_b], meet == 1 ? UNSURE : 0);
                    TALLY(leaf_overlaps);
                    TALLY(overlaps);
                }
            } else {
                TALLY(overlaps);
                a = descendants_of(starts, active, left, row_a, node_a);
                b = descendants_of(starts, active, left, row_b, node_b);
                /* the descendants of a node among themselves: each pair once, and no leaf with itself */
                skipped = same && left[a.row] == 0;
                waiting = same ? a.count * (a.count + 1) / 2 - (skipped ? a.count : 0) : a.count * b.count;
            }
        }
    }

    /* leaf pairs: one atomic addition for the group */
    if (leaf != NOTHING) place = atomic_inc(&found);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (leader) {
        leaf_base = found ? atomic_add(&counters[LEAVES], found) : 0;
#if COUNTING
        atomic_add(&counters[OVERLAPS], overlaps);
        atomic_add(&counters[LEAF_OVERLAPS], leaf_overlaps);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (leaf != NOTHING && leaf_base + place < leaf_capacity) leaves[leaf_base + place] = leaf;

    /* write */
    uint i = 0, j = skipped, turns = 0;
#if SCAN
    uint me = (uint)get_local_id(0), items = (uint)get_local_size(0);
    sums[me] = waiting;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint stride = 1; stride < items; stride *= 2) {
        uint before = me >= stride ? sums[me - stride] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint total = sums[items - 1], at = sums[me] - waiting, stop = sums[me];
    if (leader) base = total ? atomic_add(&counters[PAIRS], total) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint begun = 0; begun < total; begun += QUEUE, turns++) {
        for (uint end = min(stop, begun + QUEUE); at < end; at++) PUT(at - begun);
        barrier(CLK_LOCAL_MEM_FENCE);
        copy_queue(queue, min(total - begun, (uint)QUEUE), target, base + begun, capacity);
    }
    uint additions = total > 0;
#else
    uint checkpoint = 0;
    while (1) {
        if (waiting > 0) {
            uint at = atomic_add(&reserved, waiting) - checkpoint;
            if (at < QUEUE) {
                uint written = min(waiting, QUEUE - at);
                waiting -= written;
                for (uint k = 0; k < written; k++) PUT(at + k);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint size = min(reserved - checkpoint, (uint)QUEUE);
        if (size == 0) break;
        checkpoint = reserved;
        if (leader) base = atomic_add(&counters[PAIRS], size);
        barrier(CLK_LOCAL_MEM_FENCE);
        copy_queue(queue, size, target, base, capacity);
        turns++;
    }
    uint additions = turns;
#endif
#if COUNTING
    if (leader) {
        atomic_add(&counters[FLUSHES], additions);
        atomic_max(&counters[MOST_FLUSHES], turns);
    }
#endif
}
