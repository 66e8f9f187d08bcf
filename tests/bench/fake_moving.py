"""Libraries that say when bodies touch, for tests of the race: Tumble under other names, right or wrong on purpose."""

import numpy as np

from tumble.bench.peers.moving.contract import MovingPair, StepPeer
from tumble.bench.peers.moving.ours import TumbleMoving, TumbleMovingPair, TumbleStep


class FakeMoving(TumbleMoving):
    """Answers as Tumble does, except that `spoil` has the last word on times."""

    def __init__(self, name="fcl", spoil=None, answers=("impacts", "both move", "free")):
        self.name, self.answers, self.spoil = name, answers, spoil or (lambda times: times)

    def pair(self, a, b):
        return FakeMovingPair(TumbleMovingPair(a, b), self.spoil)


class FakeMovingPair(MovingPair):
    def __init__(self, honest, spoil):
        self.honest, self.spoil = honest, spoil

    def impacts(self, flights):
        return self.spoil(self.honest.impacts(flights))

    def free(self, edges):
        return ~np.isfinite(self.impacts(edges))


class FakeStep(StepPeer):
    def __init__(self, name="ipctk-additive-0.999", share=0.999, spoil=None):
        self.name, self.share, self.spoil = name, share, spoil or (lambda time: time)

    def step(self, start, end, faces):
        ask = TumbleStep().step(start, end, faces)
        return lambda: self.spoil(min(1.0, self.share * ask()))
