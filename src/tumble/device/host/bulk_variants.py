"""Other ways of searching and writing of `kernels/bulk.cl`: what they are compiled with, and what they read.

search="local"    Section 4 of paper `bsp`: each group copies the first nodes of all trees to local memory, searches
                  them for the tree of a node, and takes a logarithm for its level
search="table"    no search: a table has the row of every node
places="scan"     Section 7: a prefix sum over the group gives places, with one atomic addition for all its pairs
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.device.host.bulk_rounds import OTHER_LOCAL_BYTES
from tumble.device.host.implicit_trees import DeviceTrees
from tumble.device.host.scratch import KEY_BYTES
from tumble.errors import OptionError
from tumble.hierarchy.implicit.layout import Layout
from tumble.query.settings import SEARCHES, BulkSettings

WORD_BYTES = 4


def variant_of(trees: DeviceTrees, settings: BulkSettings) -> tuple[dict[str, int], list[Any]]:
    """Return the macros of a variant, and the arguments that its kernel takes after the trees."""
    options = {"INACTIVE": int(settings.inactive), "SEARCH": SEARCHES.index(settings.search)}
    options["SCAN"] = int(settings.places == "scan")
    layout, upload = trees.layout, trees.device.upload
    if settings.search == "table":
        return options, [trees.keep("rows", lambda: upload(row_of_nodes(layout)))]
    if settings.search == "local":
        options["ROOM"] = _room(trees, settings)
        offsets = trees.keep("offsets", lambda: upload(layout.offset[:-1].astype(np.int32)))
        first_rows = trees.keep("first rows", lambda: upload(layout.first_row.astype(np.int32)))
        return options, [offsets, first_rows, len(trees)]
    return options, []


def _room(trees: DeviceTrees, settings: BulkSettings) -> int:
    """Return the next power of two of the number of trees, so that few numbers compile a kernel."""
    room = 1 << (len(trees) - 1).bit_length()
    left = trees.device.limits.local_bytes - OTHER_LOCAL_BYTES - KEY_BYTES * settings.queue
    if WORD_BYTES * room > left:
        most = left // WORD_BYTES
        raise OptionError(
            f"search='local': {trees.device.info.name} has local memory for {most} trees, not {len(trees)}"
        )
    return room


def row_of_nodes(layout: Layout) -> NDArray[np.uint32]:
    """Return the row of each node."""
    sizes = np.diff(layout.starts, append=layout.nodes)
    return np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)
