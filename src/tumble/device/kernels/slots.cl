/* Paper `binary-stack`, Section 5: an area of slots for each pair of bodies, the number of those in use in its first
   place. The candidates of a walk are spread into the areas, to measure what copying all of them costs. */

#define PAIR 0x7fffffffu /* the upper bit of a pair's number is CERTAIN, see candidates.cl */

kernel void to_slots(
    global const uint *candidates, uint count, global uint *slots, uint per_pair)
{
    uint k = (uint)get_global_id(0);
    if (k >= count) return;
    volatile global uint *area = slots + (size_t)2 * per_pair * (candidates[(size_t)3 * k] & PAIR);
    uint place = 1 + atomic_inc(area);
    if (place < per_pair) {
        area[2 * place] = candidates[(size_t)3 * k + 1];
        area[2 * place + 1] = candidates[(size_t)3 * k + 2];
    }
}
