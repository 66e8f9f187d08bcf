"""`manifold`: from touching triangles to the few contact points that a simulator needs, for many body pairs at once.

    touching pairs → segments, joined to curves → patches, each with a normal → at most four points per patch
    curve            flood, patch                 normal                        view, crossings, points

`body_pair` runs these steps for one body pair after another, in the memory of `workspace`. docs/contacts.md says what
the points mean.
"""

from tumble.dynamics.manifold.manifolds import Manifolds, manifold
from tumble.dynamics.manifold.surfaces import Surfaces, gather
from tumble.dynamics.manifold.workspace import MOST_POINTS, POINTS_IN_PATCH

__all__ = ["MOST_POINTS", "POINTS_IN_PATCH", "Manifolds", "Surfaces", "gather", "manifold"]
