"""Which faces are connected: union and find."""

from tumble.core.jit import kernel
from tumble.core.poll import GO_ON, OFTEN, poll


@kernel
def connect(members, offsets, labels):
    """Write the same label for all faces that groups of members connect, by the lowest of them."""
    for i in range(labels.size):
        labels[i] = i
    for group in range(offsets.size - 1):
        if group & OFTEN == 0 and poll(0) != GO_ON:
            break
        first = root_of(labels, members[offsets[group]])
        for k in range(offsets[group] + 1, offsets[group + 1]):
            other = root_of(labels, members[k])
            if other < first:
                first, other = other, first
            labels[other] = first
    for i in range(labels.size):
        labels[i] = root_of(labels, i)


@kernel
def root_of(labels, i):
    """Return the label that stands for a face's component, and shorten the way to it."""
    while labels[i] != i:
        labels[i] = labels[labels[i]]
        i = labels[i]
    return i
