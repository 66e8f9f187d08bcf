/* Counters that several work-items share. */

/* A counter as it is now. A plain read beside atomic additions would be a race: OpenCL 1.2 has no atomic load, and
   adding nothing is one. */
static inline uint count_now(volatile global uint *counter) { return atomic_or(counter, 0u); }

/* Add to a counter of two words, the lower one first: 64-bit atomics are an extension. */
static inline void add_long(volatile global uint *counter, ulong count) {
    uint low = (uint)count, high = (uint)(count >> 32);
    uint before = low ? atomic_add(counter, low) : 0;
    high += low ? before + low < before : 0;
    if (high) atomic_add(counter + 1, high);
}
