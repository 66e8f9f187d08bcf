"""When does it pay to build a tree anew? A ledger of measured times.

A refitted tree fits less and less as the mesh moves, and queries take longer. How much longer cannot be read off the
tree: it depends on what the mesh does. So it is measured, at each build: queries in the last frame before it, and in
the first one after it. Half of the gain, as it grew from nothing, is the share of all queries' time that was wasted.
The tree is built anew when the same share of the time since the last build exceeds what a build takes more than a
refit: then the waste between two builds is about what a build costs, as with skis that are rented until the rents would
have bought them. Where building does not help, the share is small, and builds are rare.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

FIRST_SHARE = 0.1
"""of queries' time that is taken for waste before anything is known"""
LEAST_SHARE = 0.01
"""so that the question is asked again: builds take this part of the time at most where they gain nothing"""


@dataclass
class FrameTimings:
    """Where the time of one frame went, in seconds."""

    frame: int
    """0 for the mesh as it was given, then the number of updates"""
    rebuilt: bool
    """whether the tree was built anew, not refitted"""
    update: float
    """all of `update`: checking and copying the vertices, and the tree"""
    tree: float
    """of that, the tree"""
    collide: float = 0.0
    """all calls of `collide` in this frame"""
    self_collide: float = 0.0
    """all calls of `self_collide` and `candidates` in this frame"""

    @property
    def queries(self) -> float:
        """Seconds of all queries in this frame."""
        return self.collide + self.self_collide


@dataclass(frozen=True)
class Ledger:
    """What was measured so far."""

    build_seconds: float = 0.0
    """of the last build"""
    queries: float = 0.0
    """seconds of all queries since then, in frames that are over"""
    before: float = 0.0
    """seconds of queries in the last frame before it; 0 where there were none, or when the gain is known"""
    share: float = FIRST_SHARE

    def after_frame(self, frame: FrameTimings) -> Ledger:
        """Note a frame that is over."""
        if frame.queries <= 0.0:
            return self
        share = self.share
        if self.before > 0.0:  # this was the first frame after a build that asked something
            share = max(0.5 * (1.0 - frame.queries / self.before), LEAST_SHARE)
        return replace(self, queries=self.queries + frame.queries, before=0.0, share=share)

    def rebuilding_pays(self, refit_seconds: float) -> bool:
        """Tell whether what was wasted since the last build exceeds what a build costs more than a refit."""
        waste = self.share * self.queries
        return waste > 0.0 and waste > self.build_seconds - refit_seconds

    def after_build(self, seconds: float, last: FrameTimings) -> Ledger:
        """Note a build, and the last frame before it."""
        return replace(self, build_seconds=seconds, queries=0.0, before=last.queries)
