"""Two small awkward meshes: the fast path every time, and one of all other ways, against the rational judge."""

from __future__ import annotations

import pickle

import numpy as np

import tumble

from .questions import Question, question
from .ways import draw

Random = np.random.Generator


def ways(rng: Random) -> str:
    """Return the name of the way that a case draws."""
    return draw(rng).name


def case(rng: Random) -> None:
    """Ask one question in several ways."""
    way = draw(rng)
    asked = question(rng, 24)
    check_fast(rng, asked)
    check_many(rng, asked)
    way.ask(rng, asked)


def check_fast(rng: Random, asked: Question) -> None:
    """Judge what `collides` and `collide` say by default, also exchanged, pickled and asked again."""
    a, b, poses = asked.a, asked.b, (asked.pose_a, asked.pose_b)
    asked.check_hit(tumble.collides(a, b, *poses), "collides")
    asked.check(tumble.collide(a, b, *poses).pairs, "collide")
    asked.check_first(tumble.collide(a, b, *poses, first=True).pairs, "collide first")
    asked.swapped.check(tumble.collide(b, a, *poses[::-1]).pairs, "collide swapped")
    if rng.random() < 0.2:
        copies = pickle.loads(pickle.dumps((a, b, *poses)))
        asked.check(tumble.collide(*copies).pairs, "collide, all pickled")
        asked.check_hit(tumble.collides(*copies), "collides, all pickled")


def check_many(rng: Random, asked: Question) -> None:
    """Judge the same pose among others in one call."""
    pose = np.eye(4) if asked.pose_b is None else asked.pose_b
    before, after = rng.integers(0, 3, 2)
    poses = np.stack([*[np.eye(4)] * before, pose, *[pose] * after])
    tree, first = str(rng.choice(["auto", "boxtree"])), bool(rng.integers(2))
    found = tumble.collide_many(asked.a, asked.b, poses, asked.pose_a, first=first, tree=tree)
    for k in range(before, len(poses)):
        (asked.check_first if first else asked.check)(
            found.pairs(k), f"collide_many tree={tree} first={first} query {k}"
        )
