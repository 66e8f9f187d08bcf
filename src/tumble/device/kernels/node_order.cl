/* How nodes follow each other in memory, and what their links say: see tumble/hierarchy/layout.py.

   pre-order      the left-most child of i is i + 1, and what follows a leaf is i + 1. So a link is an int4 of the escape
                  index, or -1 - (place of the first triangle) at a leaf; the parent; how many right children follow each
                  other upwards from here; how many triangles. Going up means following parents one by one.
   post-indexed   the right-most child of i is i + 1, so going up a chain of right children is a subtraction, and no
                  parent is kept. The link is that of walk.cl: first child or leaf, escape index, right children,
                  triangles. */

#ifndef PREORDER
#error "PREORDER is missing: 1 for trees in pre-order, 0 for post-indexed ones"
#endif

static inline int is_leaf(int4 link) { return link.x < 0; }

#if PREORDER

static inline uint first_child(int4 link, uint i) { return i + 1; }

static inline uint escape_index(int4 link, uint i) { return link.x < 0 ? i + 1 : (uint)link.x; }

/* The node some steps above i along right children. */
static inline uint level_up(global const int4 *links, uint i, uint steps) {
    for (; steps > 0; steps--) i = (uint)links[i].y;
    return i;
}

#else

static inline uint first_child(int4 link, uint i) { return (uint)link.x; }

static inline uint escape_index(int4 link, uint i) { return (uint)link.y; }

static inline uint level_up(global const int4 *links, uint i, uint steps) { return i - steps; }

#endif
