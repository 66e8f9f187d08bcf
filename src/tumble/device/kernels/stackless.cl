/* Paper `stackless`, Section 7: two trees in pre-order, descended in turns without a stack. Two indices and one bit are
   all the state there is, for which the paper has GPUs in mind; going up follows parents. */

KERNELS(stackless, walk_in_turns)
