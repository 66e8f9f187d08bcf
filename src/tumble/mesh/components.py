"""Which faces are connected."""

from tumble.core.jit import kernel
from tumble.core.poll import GO_ON, OFTEN, poll
from tumble.core.union_find import root_of, unite


@kernel
def connect(members, offsets, labels):
    """Write the same label for all faces that groups of members connect, the lowest of them."""
    for i in range(labels.size):
        labels[i] = i
    for group in range(offsets.size - 1):
        if group & OFTEN == 0 and poll(0) != GO_ON:
            break
        for k in range(offsets[group] + 1, offsets[group + 1]):
            unite(labels, members[offsets[group]], members[k])
    for i in range(labels.size):
        labels[i] = root_of(labels, i)
