"""When does it pay to build a tree anew? A ledger of measured times.

A refitted tree fits less and less as the mesh moves, and queries take longer. How much longer cannot be read off the
tree: it depends on what the mesh does. So it is measured, at each build: the quickest of the last frames before it, and
of the first ones after it. Half of the gain, as it grew from nothing, is the share of all queries' time that is taken
for waste. The tree is built anew when this share of the time since the last build exceeds what a build takes more than
a refit: then the waste between two builds is about what a build costs, as with skis that are rented until the rents
would have bought them. Where building does not help, the share is small, and builds are rare.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

FIRST_SHARE = 0.1
"""of queries' time that is taken for waste before anything is known"""
LEAST_SHARE = 0.01
"""so that the question is asked again: builds take this part of the time at most where they gain nothing"""
WINDOW = 3
"""frames of which the quickest counts: in any one of them the machine may have been busy with something else"""


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
    recent: tuple[float, ...] = ()
    """the same of the last frames with queries, WINDOW of them at most"""
    before: float = 0.0
    """the least of `recent` when the tree was built; 0 where there were too few, or when the gain is known"""
    share: float = FIRST_SHARE

    def after_frame(self, frame: FrameTimings) -> Ledger:
        """Note a frame that is over."""
        if frame.queries <= 0.0:
            return self
        recent = (*self.recent, frame.queries)[-WINDOW:]
        share, before = self.share, self.before
        if before > 0.0 and len(recent) == WINDOW:
            share, before = max(0.5 * (1.0 - min(recent) / before), LEAST_SHARE), 0.0
        return replace(self, queries=self.queries + frame.queries, recent=recent, before=before, share=share)

    def rebuilding_pays(self, refit_seconds: float) -> bool:
        """Tell whether what was wasted since the last build exceeds what a build costs more than a refit."""
        waste = self.share * self.queries
        return waste > 0.0 and waste > self.build_seconds - refit_seconds

    def after_build(self, seconds: float) -> Ledger:
        """Note a build."""
        before = min(self.recent) if len(self.recent) == WINDOW else 0.0
        return replace(self, build_seconds=seconds, queries=0.0, recent=(), before=before)
