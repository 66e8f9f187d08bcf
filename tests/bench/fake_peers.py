"""Libraries for tests of the race: Tumble under other names, right or wrong on purpose."""

from tumble.bench.peers.contract import Touching
from tumble.bench.peers.ours import TumblePeer
from tumble.bench.peers.points.ours import TumblePoints, TumbleScene


class FakePeer(TumblePeer):
    """Answers as Tumble does, except that `spoil` has the last word on every answer."""

    first_use = "print('ready')"

    def __init__(self, name="fcl", judged=True, most_faces=10**9, spoil=None):
        self.name, self.judged, self.most_faces = name, judged, most_faces
        self.spoil = spoil or (lambda answer: answer)

    def pair(self, a, b):
        return FakePair(super().pair(a, b), self.spoil)

    def crowd(self, solid, count):
        return FakeCrowd(super().crowd(solid, count), self.spoil)


class FakePair:
    def __init__(self, honest, spoil):
        self.honest, self.spoil, self.native = honest, spoil, honest.native

    def first_hits(self, poses):
        return [self.spoil(hit) for hit in self.honest.first_hits(poses)]

    def all_pairs(self, poses):
        return [self.spoil(pairs) for pairs in self.honest.all_pairs(poses)]

    def distances(self, poses):
        return self.spoil(self.honest.distances(poses))

    def signed_distances(self, poses):
        return self.spoil(self.honest.signed_distances(poses))

    def volumes(self, poses):
        return self.spoil(self.honest.volumes(poses))

    def relations(self, poses):
        return [self.spoil(word) for word in self.honest.relations(poses)]

    def within(self, poses, clearance):
        return [self.spoil(bool(distance < clearance)) for distance in self.honest.distances(poses)]

    def pairs_within(self, poses, clearance):
        return [self.spoil(pairs) for pairs in self.honest.pairs_within(poses, clearance)]


class FakeCrowd:
    def __init__(self, honest, spoil):
        self.honest, self.spoil = honest, spoil
        self.native, self.touching = honest.native, honest.touching

    def as_touching(self, found):
        _, pairs = self.honest.as_touching(found)
        return Touching(None, len(self.spoil(range(pairs))))


class FakePoints(TumblePoints):
    """Tumble under another name; `spoil` has the last word on distances."""

    def __init__(self, name="fcpw", most_points=10**9, answers=("closest", "signed"), spoil=None):
        self.name, self.most_points, self.answers = name, most_points, answers
        self.spoil = spoil or (lambda answer: answer)

    def scene(self, vertices, faces):
        return FakeScene(super().scene(vertices, faces).mesh, self.spoil)


class FakeScene(TumbleScene):
    def __init__(self, mesh, spoil):
        super().__init__(mesh)
        self.spoil = spoil

    def distances(self, found):
        return self.spoil(super().distances(found))


def forgetful(answer):
    """Never finds the last pair, and never a hit."""
    return answer[:-1] if hasattr(answer, "__len__") else False
