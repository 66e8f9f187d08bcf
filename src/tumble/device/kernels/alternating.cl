/* Paper `stackless`, Algorithm 3: the same walk with a stack of pairs in private memory.

   The stack is bounded: what does not fit is left to the step without a stack, which finds the same pairs. */

KERNELS(alternating, walk_in_turns)
