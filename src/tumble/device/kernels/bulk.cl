/* One round of the bulk-synchronous traversal: paper `bsp`, Algorithms 1 and 2; the twin of tumble/traversal/bulk.

   read      a work-item takes one pair of nodes from the source
   traverse  if their boxes overlap, it counts the pairs of their descendants, STEP levels down at most; of two leaves,
             it has found a leaf pair
   write     the pairs of a group go through a queue in local memory that holds QUEUE of them: work-items reserve places
             by an atomic addition, those that find none try again; the queue is copied behind all others at once, for
             one atomic addition in global memory, and filled again until no work-item has any left

   Descendants are tested when they are read, in the next round: a work-item tests one pair. If the target is full,
   counting goes on, and the host repeats the round with a larger one. */

#ifndef STEP
#error "STEP is missing: how many levels a pair goes down at once"
#endif
#ifndef QUEUE
#error "QUEUE is missing: how many pairs a group keeps back"
#endif

#define PAIRS 0 /* places in `counters` */
#define LEAVES 1
#define OVERLAPS 2
#define LEAF_OVERLAPS 3

#if COUNTING
#define TALLY(counter) atomic_inc(&counter)
#else
#define TALLY(counter)
#endif

typedef struct {
    uint first, count; /* nodes that lie side by side */
    uint row;
} Descendants;

inline Descendants descendants_of(
    global const uint *starts, global const uint *active, global const uint *left, uint row, uint node)
{
    uint step = min((uint)STEP, left[row]);
    uint place = (node - starts[row]) << step;
    Descendants found = {starts[row + step] + place, min(1u << step, active[row + step] - place), row + step};
    return found;
}

kernel void bulk_round(
    TREES, uint adjacent, global const ulong *source, uint begin, uint count, global ulong *target, uint capacity,
    global ulong *leaves, uint leaf_capacity, volatile global uint *counters)
{
    local ulong queue[QUEUE];
    local uint reserved, base;
    local uint overlaps, leaf_overlaps, found, leaf_base;
    uint item = (uint)get_global_id(0);
    int leader = get_local_id(0) == 0;
    if (leader) reserved = overlaps = leaf_overlaps = found = 0;
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
            uint row_a = last_not_above(starts, 0, rows, node_a), row_b = last_not_above(starts, 0, rows, node_b);
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
    uint i = 0, j = skipped, checkpoint = 0;
    while (1) {
        if (waiting > 0) {
            uint at = atomic_add(&reserved, waiting) - checkpoint;
            if (at < QUEUE) {
                uint written = min(waiting, QUEUE - at);
                waiting -= written;
                for (uint k = 0; k < written; k++) {
                    queue[at + k] = (ulong)(a.first + i) << 32 | (b.first + j);
                    if (++j == b.count) {
                        i++;
                        j = same ? i + skipped : 0;
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint size = min(reserved - checkpoint, (uint)QUEUE);
        if (size == 0) break;
        checkpoint = reserved;
        if (leader) base = atomic_add(&counters[PAIRS], size);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint room = base < capacity ? min(size, capacity - base) : 0;
        if (room > 0) {
            event_t copied = async_work_group_copy(target + base, queue, room, 0);
            wait_group_events(1, &copied);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
