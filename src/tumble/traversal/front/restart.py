"""When to drop a front and start again from the roots: a rule on counted pairs, so the same everywhere and every time.

A front only moves down. With n pairs before and m after, a frame takes about m + (m - n) / 3 tests, as each pair that
goes down gives up to four; a start from the roots that ends with a front of r pairs takes about 4 r / 3. So a front is
dropped after a frame

    that took more tests than the last start          the meshes have moved far, or much more of them is close
    with less than half of the leaf pairs of then     they have come apart, and the front may be far too low
    that was the 32nd since then                      or it is for another reason

A front that is dropped after its first frame did not pay: then the next 1, 2, 4, … at most 16 frames all start at the
roots, until a front has paid again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SLACK = 256
"""pairs, of fronts so small that it does not matter"""
LONGEST = 32
"""frames for which a front is followed"""
MOST_STARTS = 16
"""frames that start at the roots before a front is tried again"""


@dataclass(frozen=True)
class Restarts:
    """The state of the rule; replaced after each frame."""

    front: int = 0
    """pairs of the front after the last start"""
    leaves: int = 0
    """leaf pairs of that frame"""
    followed: int = 0
    """frames since then"""
    starts: int = 1
    """frames yet to start at the roots"""
    next_starts: int = 1
    """how many there will be when a front does not pay again"""

    @property
    def due(self) -> bool:
        """Whether the next frame is to start at the roots."""
        return self.starts > 0

    def after_start(self, front: int, leaves: int) -> Restarts:
        """Return the record after a frame that started at the roots."""
        return replace(self, front=front, leaves=leaves, followed=0, starts=max(self.starts - 1, 0))

    def after_step(self, before: int, front: int, leaves: int) -> Restarts:
        """Return the record after a frame that led from one front to the next."""
        followed = self.followed + 1
        if 3 * front + (front - before) > 4 * self.front + 3 * SLACK:
            starts = self.next_starts if followed == 1 else 1
            return replace(self, followed=followed, starts=starts, next_starts=min(2 * starts, MOST_STARTS))
        old = followed >= LONGEST or (2 * leaves < self.leaves and front > SLACK)
        return replace(self, followed=followed, starts=int(old), next_starts=1)
