"""Where a mesh meets itself in segments: `strata`, for the pairs of triangles of one mesh.

Triangles that share an edge are no pairs of `self_collide`, and meet the line of that edge all the same: so the
neighbours of both triangles are looked at, too, besides all that touch them.
"""

import numpy as np
from numpy.typing import NDArray

from tumble.solid.strata import Candidate, Contacts


class SelfContacts(Contacts):
    """The pairs of triangles of one body that meet, in company of the other body's that touch them."""

    def __init__(self, contacts: Contacts, side: int, pairs: NDArray[np.int64]) -> None:
        self.owners = side, side
        super().__init__(contacts.bodies, np.concatenate([pairs, pairs[:, ::-1]]))
        self._side, self._cross = side, contacts
        self._facets = contacts._facets

    def around(self, candidate: Candidate) -> list[tuple[int, NDArray[np.int64]]]:
        """Return all triangles, by the side of their body, that can meet what two have in common, each once."""
        faces = self.bodies[self._side].surface.faces
        own, other = set(candidate.faces), set()
        for face in candidate.faces:
            own.update(self.partners(0, face).tolist())
            own.update(np.flatnonzero(np.isin(faces, faces[face]).sum(axis=1) > 1).tolist())
            other.update(self._cross.partners(self._side, face).tolist())
        proper = [face for face in own if any(self.facet(self._side, face).normal)]
        return [(self._side, np.array(proper, np.int64)), (1 - self._side, np.array(sorted(other), np.int64))]
