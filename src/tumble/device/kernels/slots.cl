/* Paper `binary-stack`, Section 5: an area of slots for each pair of bodies, the number of those in use in its first
   place. The host fills the areas from candidates, to measure what copying all of them costs. */

kernel void to_slots(
    global const uint *candidates, uint count, global uint *slots, uint per_pair)
{
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    volatile global uint *area = slots + 2 * per_pair * candidates[3 * k];
    uint place = 1 + atomic_inc(area);
    if (place < per_pair) {
        area[2 * place] = candidates[3 * k + 1];
        area[2 * place + 1] = candidates[3 * k + 2];
    }
}
