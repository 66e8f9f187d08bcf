/* Paper `stackless`, Algorithm 1: every leaf of a against the tree of b, by escape indices alone.

   A task is a pair of bodies and a range of a's nodes; an end of 0 stands for that of the tree. A long walk keeps the leaf
   that it is at, and hands the nodes behind it to the pool in equal parts. */

#define PARTS 16

/* Hand a range of nodes of a to the pool; return 0, and the walk must go on, when there is no room for it. */
static inline int hand_over_leaves(const Query *query, uint pair, uint node, uint end) {
    uint size = (end - node + PARTS - 1) / PARTS, count = (end - node + size - 1) / size;
    uint place = reserve_tasks(query, count);
    if (place == NOTHING) return 0;
    for (; node < end; node += size)
        query->pool[place++] = (uint4)(pair, node, 0, end - node < size ? end : node + size);
    return 1;
}

static inline void walk_leaves(const Query *query, uint4 task, Batch *batch) {
    uint pair = task.x, limit = query->steps;
    if (is_done(query, task)) return;
    uint4 trees = query->trees[pair];
    global const int4 *links_a = query->links + trees.x, *links_b = query->links + trees.y;
    Relation relation = load_relation(query->relations, pair);
    uint end_a = task.w != 0 ? task.w : escape_index(links_a[0], 0), end_b = escape_index(links_b[0], 0);
    Counts counts = {0, 0, 0, 0};
    int ended = 0;
    for (uint a = task.y; a < end_a && !ended; a++) {
        int4 link_a = links_a[a];
        if (!is_leaf(link_a)) continue;
        Box box_a = load_box(query->boxes, trees.x + a);
        uint b = 0;
        while (b != end_b) {
            if (limit != 0 && counts.turns >= limit && a + 1 < end_a) {
                if (hand_over_leaves(query, pair, a + 1, end_a)) end_a = a + 1;
                limit = 0;
            }
            counts.turns++;
            int4 link_b = links_b[b];
            Box box_b = box_in_frame_of_a(relation, load_box(query->boxes, trees.y + b));
            if (boxes_overlap(box_a, box_b, relation.scale.y)) {
                counts.overlaps++;
                if (!is_leaf(link_b)) {
                    b = first_child(link_b, b);
                    continue;
                }
                ended = counted_leaf_pair(query, pair, trees, &relation, link_a, link_b, batch, &counts);
                if (ended) break;
            }
            b = escape_index(link_b, b);
        }
    }
    add_turns(query, pair, &counts);
}

KERNELS(leaf, walk_leaves)
