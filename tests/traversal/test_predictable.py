"""Paper `stackless`, Sections 4 to 7 by hand: what lies below a pair on the stack, in plain Python, without kernels.

Full binary trees are numbered as heaps: the children of n are 2 n and 2 n + 1, the root is 1.
"""

import pytest

DEPTH = 4
FIRST_LEAF = 1 << DEPTH


def level(n):
    return n.bit_length() - 1


def is_right(n):
    return n > 1 and n % 2 == 1


def rights(n):
    """The right-child level: how many right children follow each other upwards, this one included."""
    return 1 + rights(n // 2) if is_right(n) else 0


def escape(n):
    """The next node to test; 0 stands for the end."""
    while is_right(n):
        n //= 2
    return n + 1 if n > 1 else 0


def stack_walk(descends_b, overlap):
    """Yield each popped pair and the stack below it: Algorithms 2 and 3."""
    stack = [(1, 1)]
    while stack:
        a, b = stack.pop()
        yield (a, b), tuple(stack)
        if overlap(a, b) and not (a >= FIRST_LEAF and b >= FIRST_LEAF):
            if descends_b(a, b):
                stack += [(a, 2 * b + 1), (a, 2 * b)]
            else:
                stack += [(2 * a + 1, b), (2 * a, b)]


def alternates(a, b):
    return level(a) == level(b)


def by_eight_cases(a, b):
    """Section 7.1; case 6 as in the corrected reading."""
    same = level(a) == level(b)
    if same and not is_right(a):  # 1 and 2
        return escape(a), b
    if not same and not is_right(b):  # 3 and 4
        return a, escape(b)
    if same and not is_right(b):  # 5
        return a // 2, escape(b)
    if not same and not is_right(a):  # 6
        return escape(a), b // 2
    up = 0 if same else 1  # 7 and 8
    if rights(a) <= rights(b) - up:
        return escape(a), b >> (rights(a) + up)
    return a >> (rights(b) - up + 1), escape(b)


def by_one_branch(a, b):
    """The same as the kernels for devices have it: cases 1 to 6 are cases 7 and 8 with right-child levels of 0."""
    up = level(b) - level(a)
    if rights(a) <= rights(b) - up:
        return escape(a), b >> (rights(a) + up)
    return a >> (rights(b) - up + 1), escape(b)


OVERLAPS = {
    "everything": lambda a, b: True,
    "some": lambda a, b: (3 * a + 5 * b) % 7 != 0,
    "few": lambda a, b: (a * b) % 5 < 3,
}


@pytest.mark.parametrize("overlap", OVERLAPS)
@pytest.mark.parametrize("predict", [by_eight_cases, by_one_branch])
def test_the_pair_below_follows_from_the_pair(predict, overlap):
    """Properties 6.1 to 6.8 and all eight cases of Table 1, which must come up."""
    cases = set()
    for (a, b), below in stack_walk(alternates, OVERLAPS[overlap]):
        assert level(b) - level(a) in (0, 1)  # Property 6.1
        cases.add((level(a) == level(b), is_right(a), is_right(b)))
        assert predict(a, b) == (below[-1] if below else (0, 1))
    assert len(cases) == 8 if overlap == "everything" else len(cases) >= 4


def volume_rule(keys_a, keys_b):
    def descends_b(a, b):
        return a >= FIRST_LEAF or (b < FIRST_LEAF and keys_a[level(a)] < keys_b[level(b)])

    return descends_b


def test_volumes_leave_different_pairs_below_the_same_one():
    """Figure 2: A0 > B0 > A1, or B0 > A0 > B1; the nodes alone do not tell."""
    below = []
    for keys_a, keys_b in (([9, 7, 6, 5, 4], [8, 3, 2, 1, 0]), ([8, 3, 2, 1, 0], [9, 7, 6, 5, 4])):
        walk = dict(stack_walk(volume_rule(keys_a, keys_b), OVERLAPS["everything"]))
        below.append(walk[2, 2][-1])
    assert below == [(2, 3), (3, 2)]


@pytest.mark.parametrize(
    "keys", [([9, 7, 6, 5, 4], [8, 3, 2, 1, 0]), ([8, 3, 2, 1, 0], [9, 7, 6, 5, 4]), ([5] * 5, [5] * 5)]
)
@pytest.mark.parametrize("overlap", OVERLAPS)
def test_keys_that_never_grow_tell_the_pair_below(keys, overlap):
    """The argument of `stackless_merge`: the last step left the parent that the rule would not have left first."""
    rule = volume_rule(*keys)

    def predict(a, b):
        while (a, b) != (1, 1):
            last_a = b == 1 or (a > 1 and rule(a // 2, b // 2))
            node = a if last_a else b
            if not is_right(node):
                return (escape(a), b) if last_a else (a, escape(b))
            a, b = (a // 2, b) if last_a else (a, b // 2)
        return None

    for pair, below in stack_walk(rule, OVERLAPS[overlap]):
        assert predict(*pair) == (below[-1] if below else None)


def test_keys_that_grow_do_not():
    """A node that outgrows its parent: the merge is wrong about some step, which is why such trees are refused."""
    with pytest.raises(AssertionError):
        test_keys_that_never_grow_tell_the_pair_below(([5, 9, 6, 5, 4], [8, 3, 9, 1, 0]), "everything")
