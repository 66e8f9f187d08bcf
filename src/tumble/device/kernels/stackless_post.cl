/* Paper `stackless`, Section 8.3: the same over post-indexed trees, in which going up reads no node. */

KERNELS(stackless_post, walk_in_turns)
