/* The descent stack: one bit for each step down, 0 for a and 1 for b.

   Paper `binary-stack`, Section 4: two words coupled, what is shifted out of the one is shifted into the other. Trees
   whose depths add up to more than 128 get as many words as they need, in private memory. */

#ifndef WORDS
#error "WORDS is missing: how many 64-bit words the descent stack has, 2 or more"
#endif

#if WORDS == 2

typedef struct {
    ulong top, below;
    uint depth;
} Bits;

static inline void clear_bits(Bits *s) {
    s->top = s->below = 0;
    s->depth = 0;
}

static inline void push_bit(Bits *s, uint bit) {
    s->below = s->below << 1 | s->top >> 63;
    s->top = s->top << 1 | bit;
    s->depth++;
}

static inline void pop_bit(Bits *s) {
    s->top = s->top >> 1 | s->below << 63;
    s->below >>= 1;
    s->depth--;
}

static inline uint top_bit(const Bits *s) { return (uint)(s->top & 1); }

#else

typedef struct {
    ulong word[WORDS];
    uint depth;
} Bits;

static inline void clear_bits(Bits *s) { s->depth = 0; }

static inline void push_bit(Bits *s, uint bit) {
    ulong place = (ulong)1 << (s->depth & 63);
    uint at = s->depth >> 6;
    s->word[at] = bit ? s->word[at] | place : s->word[at] & ~place;
    s->depth++;
}

static inline void pop_bit(Bits *s) { s->depth--; }

static inline uint top_bit(const Bits *s) {
    uint at = s->depth - 1;
    return (uint)(s->word[at >> 6] >> (at & 63)) & 1;
}

#endif
