"""The column of contacts: where touching triangles meet and how they come apart, for the pairs of any table."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tumble.query.answer import PairContacts, PairTable
from tumble.query.bodies import Bodies


def with_contacts(table: PairTable, a: Bodies, b: Bodies, pairs: NDArray[np.int64]) -> PairTable:
    """Return a table with the contacts of its triangles; `pairs` are the bodies that each of its queries was about."""
    from tumble.narrow.contact.contact import write_contacts
    from tumble.narrow.contact.segment import POLYGON_SHAPE

    count = len(table.triangles)
    segments, normals, depths = np.empty((count, 2, 3)), np.empty((count, 3)), np.empty(count)
    scratch = np.empty(POLYGON_SHAPE)
    for query in np.flatnonzero(table.hit).tolist():
        rows = table.rows(query)
        sides = []
        for bodies, body in zip((a, b), pairs[query].tolist(), strict=True):
            mesh = bodies.mesh(body)
            sides += [mesh.vertices, mesh.faces, bodies.poses[body]]
        write_contacts(*sides, table.triangles[rows], segments[rows], normals[rows], depths[rows], scratch)
    return replace(table, contacts=contacts_of_arrays(segments, normals, depths))


def contacts_of_arrays(
    segments: NDArray[np.float64], normals: NDArray[np.float64], depths: NDArray[np.float64]
) -> PairContacts:
    """Return the column, read-only; points are the middles of the segments."""
    points = 0.5 * segments[:, 0] + 0.5 * segments[:, 1]
    for array in (segments, points, normals, depths):
        array.flags.writeable = False
    return PairContacts(segments, points, normals, depths)
