/* Paper `stackless`, Algorithms 3 and 4 with Section 8: two trees descended in turns, b's first.

   The node of a is at the level of b's node, or one above it (`lower` is 1). The pair that follows one below which all is
   done is found without a stack. With the right-child levels r(a) and r(b), b's taken at the level of a:

       r(a) <= r(b) - lower:   a's next sibling comes on the way up before b's:  (escape(a), b moved up r(a) + lower), level
       else:                   b's does:                                         (a moved up r(b) - lower + 1, escape(b)), lower

   These are the paper's cases 7 and 8. Its cases 1 to 6 are the same with a right-child level of 0, so there is one
   branch instead of eight cases, and the level of no node is read.

   A walk may start at any two nodes: it ends at the pair that follows the two, which is known at the start. What is left
   of a walk that is split are the pairs that would follow each other if none overlapped. */

#ifndef STACK
#error "STACK is missing: how many pairs wait on a stack, a power of two; 0 for none"
#endif

typedef struct {
    uint a, b, lower;
} Pair;

static inline int same_pair(Pair p, Pair q) { return p.a == q.a && p.b == q.b; }

/* The pair after one below which everything is done. */
static inline Pair next_pair(
    global const int4 *links_a, global const int4 *links_b, int4 link_a, int4 link_b, Pair at)
{
    int rights_a = link_a.z, rights_b = link_b.z - (int)at.lower;
    if (rights_a <= rights_b) {
        Pair next = {escape_index(link_a, at.a), level_up(links_b, at.b, (uint)rights_a + at.lower), 0};
        return next;
    }
    Pair next = {level_up(links_a, at.a, (uint)(rights_b + 1)), escape_index(link_b, at.b), 1};
    return next;
}

static inline Pair pair_after(global const int4 *links_a, global const int4 *links_b, Pair at) {
    return next_pair(links_a, links_b, links_a[at.a], links_b[at.b], at);
}

#if STACK > 0

/* The pairs on top of the stack. Where more wait, the lowest are overwritten: they can be computed when they are needed,
   so that private memory does not limit the depth of trees. */
typedef struct {
    Pair pairs[STACK];
    uint top, count;
} Waiting;

/* Put the siblings of a left-most child on the stack, the nearest one on top. */
static inline void push_siblings(Waiting *waiting, global const int4 *links, uint child, Pair at, int of_b) {
    uint siblings = 0;
    for (uint each = child; links[each].z == 0; each = escape_index(links[each], each)) siblings++;
    for (uint k = 0; k < siblings && k < STACK; k++) {
        child = escape_index(links[child], child);
        Pair sibling = {of_b ? at.a : child, of_b ? child : at.b, of_b};
        waiting->pairs[(waiting->top + siblings - 1 - k) % STACK] = sibling;
    }
    waiting->top += siblings;
    waiting->count = waiting->count + siblings < STACK ? waiting->count + siblings : STACK;
}

static inline Pair pop_pair(Waiting *waiting) {
    waiting->count--;
    waiting->top--;
    return waiting->pairs[waiting->top % STACK];
}

#endif

/* Section 8.1: finish an overlapping pair of which one node is a leaf by walking the other's subtree along escape
   indices. Return whether the walk can end. */
static inline int uneven_pair(
    const Query *query, uint pair, uint4 trees, const Relation *relation, Pair at, int4 link_a, int4 link_b, Box box_a,
    Box box_b, Batch *batch, Counts *counts)
{
    int in_b = is_leaf(link_a);
    int4 root = in_b ? link_b : link_a;
    uint start = in_b ? trees.y : trees.x, top = in_b ? at.b : at.a;
    uint node = first_child(root, top), end = escape_index(root, top);
    while (node != end) {
        counts->turns++;
        int4 link = query->links[start + node];
        Box box = load_box(query->boxes, start + node);
        if (in_b) box_b = box_in_frame_of_a(*relation, box);
        else box_a = box;
        if (boxes_overlap(box_a, box_b, relation->scale.y)) {
            counts->overlaps++;
            if (!is_leaf(link)) {
                node = first_child(link, node);
                continue;
            }
            if (counted_leaf_pair(query, pair, trees, relation, in_b ? link_a : link, in_b ? link : link_b, batch, counts))
                return 1;
        }
        node = escape_index(link, node);
    }
    return 0;
}

/* Hand what is left of a walk to the pool. Return 0, and the walk must go on, when there is no room for all of it. */
static inline int hand_over(const Query *query, uint pair, uint4 trees, Pair at, Pair end) {
    global const int4 *links_a = query->links + trees.x, *links_b = query->links + trees.y;
    uint count = 0;
    for (Pair each = at; !same_pair(each, end); each = pair_after(links_a, links_b, each)) count++;
    uint place = reserve_tasks(query, count);
    if (place == NOTHING) return 0;
    for (; !same_pair(at, end); at = pair_after(links_a, links_b, at))
        query->pool[place++] = (uint4)(pair, at.a, at.b, at.lower);
    return 1;
}

/* Walk everything below two nodes. A task is a pair of bodies, nodes of a and of b, and whether b's is one level lower. */
static inline void walk_in_turns(const Query *query, uint4 task, Batch *batch) {
    uint pair = task.x, seen_b = NOTHING, limit = query->steps;
    if (is_done(query, task)) return;
    uint4 trees = query->trees[pair];
    global const int4 *links_a = query->links + trees.x, *links_b = query->links + trees.y;
    Relation relation = load_relation(query->relations, pair);
    Pair at = {task.y, task.z, task.w}, end = pair_after(links_a, links_b, at);
    Box box_b;
    Counts counts = {0, 0, 0, 0};
#if STACK > 0
    Waiting waiting;
    waiting.top = waiting.count = 0;
#endif
    do {
        int4 link_a = links_a[at.a], link_b = links_b[at.b];
        /* a walk with a single pair left would hand over all of itself */
        if (limit != 0 && counts.turns >= limit && !same_pair(next_pair(links_a, links_b, link_a, link_b, at), end)) {
            if (hand_over(query, pair, trees, at, end)) break;
            limit = 0; /* a full pool will not get emptier in this round */
        }
        counts.turns++;
        Box box_a = load_box(query->boxes, trees.x + at.a);
        if (at.b != seen_b) { /* b is moved once for the two children of a */
            box_b = box_in_frame_of_a(relation, load_box(query->boxes, trees.y + at.b));
            seen_b = at.b;
        }
        if (boxes_overlap(box_a, box_b, relation.scale.y)) {
            counts.overlaps++;
            int leaf_a = is_leaf(link_a), leaf_b = is_leaf(link_b);
            if (leaf_a && leaf_b) {
                if (counted_leaf_pair(query, pair, trees, &relation, link_a, link_b, batch, &counts)) break;
            } else if (leaf_a || leaf_b) {
                if (uneven_pair(query, pair, trees, &relation, at, link_a, link_b, box_a, box_b, batch, &counts)) break;
            } else {
                int of_b = at.lower == 0;
                uint child = of_b ? first_child(link_b, at.b) : first_child(link_a, at.a);
#if STACK > 0
                push_siblings(&waiting, of_b ? links_b : links_a, child, at, of_b);
#endif
                if (of_b) at.b = child;
                else at.a = child;
                at.lower = (uint)of_b;
                continue;
            }
        }
#if STACK > 0
        if (waiting.count > 0) {
            at = pop_pair(&waiting);
            continue;
        }
#endif
        at = next_pair(links_a, links_b, link_a, link_b, at);
    } while (!same_pair(at, end));
    add_turns(query, pair, &counts);
}
