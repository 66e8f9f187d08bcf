/* The last of rising numbers from `low` on, before `high`, that is not larger than x; the first one never is. */
static inline uint last_not_above(global const uint *firsts, uint low, uint high, uint x) {
    while (high - low > 1) {
        uint middle = (low + high) >> 1;
        if (firsts[middle] <= x) low = middle;
        else high = middle;
    }
    return low;
}
