/* Triangle pairs on their way out: a few are held back, and then written at once behind all others.

   One atomic addition reserves the room for up to HELD of them, so what arrives is dense whatever a pair of bodies
   finds. A full buffer is no end: the counter goes on, and the host asks again with room for all. More than `most` are
   an end: the host does not ask again, so walks need not go on, and might for hours. */

#define HELD 8
#define CERTAIN 0x80000000u /* in the number of the pair of bodies: these triangles touch for sure */

#define FOUND 0 /* places in `counters` */
#define NEXT 1
#define POOLED 2

typedef struct {
    uint pair[HELD], a[HELD], b[HELD];
    uint count;
    uint most;  /* candidates of all work-items together */
    int over;   /* whether there were more */
} Held;

inline void write_out(Held *held, global uint *candidates, uint capacity, volatile global uint *counters)
{
    if (counters[FOUND] > held->most) { /* it must not wrap round */
        held->over = 1;
    } else if (held->count > 0) {
        uint at = atomic_add(&counters[FOUND], held->count);
        for (uint k = 0; k < held->count && at + k < capacity; k++) {
            candidates[3 * (at + k)] = held->pair[k];
            candidates[3 * (at + k) + 1] = held->a[k];
            candidates[3 * (at + k) + 2] = held->b[k];
        }
        held->over = at + held->count > held->most;
    }
    held->count = 0;
}

inline void hold(
    Held *held, uint pair, uint a, uint b, global uint *candidates, uint capacity, volatile global uint *counters)
{
    held->pair[held->count] = pair;
    held->a[held->count] = a;
    held->b[held->count] = b;
    if (++held->count == HELD) write_out(held, candidates, capacity, counters);
}
