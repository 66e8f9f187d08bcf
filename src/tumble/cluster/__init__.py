"""The same calls on a cluster, with the same answers: docs/cluster.md.

with tumble.cluster.local(workers=2) as cluster:          # or connect("tcp://host:8786"), or a distributed.Client
    tumble.collide_many(a, b, poses, client=cluster)
"""

from tumble.cluster.cluster import Cluster, connect, local
from tumble.cluster.rows import map_rows
from tumble.cluster.save import save

__all__ = ["Cluster", "connect", "local", "map_rows", "save"]
