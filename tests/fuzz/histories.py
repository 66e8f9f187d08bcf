"""The life of a scene: bodies come, move, are filtered and go; a plain model says which touch at each moment.

All bodies are cubes of size one at whole numbers: two of them touch when no coordinate differs by more than one.
"""

from __future__ import annotations

import pickle

import numpy as np

import tumble
from tumble.broad.choice import BROAD_PHASES
from tumble.errors import InputError
from tumble.scene.filters import ALL_GROUPS, DEFAULT_GROUP

from .bodies import devices
from .ways import some

TREES = ("auto", "boxtree", "aabb")

Random = np.random.Generator
CUBE = tumble.shapes.box()
EMPTY = tumble.Mesh(np.empty((0, 3)), np.empty((0, 3), int))


class Model:
    """What a scene should know: where bodies are, their bits, and what is said about them."""

    def __init__(self) -> None:
        self.places: dict[str, np.ndarray | None] = {}
        self.bits: dict[str, tuple[int, int]] = {}
        self.everything: set[str] = set()
        self.said: dict[frozenset[str], bool] = {}

    def forget(self, name: str) -> None:
        """Take back what was said about a body."""
        self.everything.discard(name)
        self.said = {pair: said for pair, said in self.said.items() if name not in pair}

    def touch(self, a: str, b: str) -> bool:
        """Tell whether two cubes touch; None is the place of a body without triangles."""
        here, there = self.places[a], self.places[b]
        return here is not None and there is not None and bool(np.abs(here - there).max() <= 1)

    def sees(self, a: str, b: str) -> bool:
        """Tell whether groups and masks let two bodies see each other."""
        (group_a, mask_a), (group_b, mask_b) = self.bits[a], self.bits[b]
        return bool(group_a & mask_b and group_b & mask_a)

    def reported(self, a: str, b: str) -> bool:
        """Tell whether a scene reports two bodies."""
        allowed = self.said.get(frozenset((a, b)), a in self.everything or b in self.everything)
        return self.touch(a, b) and self.sees(a, b) and not allowed

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs that are reported, in the order of the bodies."""
        names = list(self.places)
        return [(a, b) for k, a in enumerate(names) for b in names[k + 1 :] if self.reported(a, b)]


def ways(rng: Random) -> str:
    """Return what a case needs compiled."""
    return devices(rng)


def case(rng: Random) -> None:
    """Change a scene many times, and ask it now and then."""
    device = devices(rng)
    tree = "auto" if device != "cpu" else some(rng, TREES)
    scene, model = tumble.Scene(broad_phase=some(rng, BROAD_PHASES), tree=tree), Model()
    names = [f"body {k}" for k in range(int(rng.choice([3, 8, 60])))]
    size = int(rng.choice([1, 3, 8]))
    for _ in range(int(rng.integers(5, 120))):
        change(rng, scene, model, names, size)
        if rng.random() < 0.05:
            scene = scene.copy() if rng.random() < 0.5 else pickle.loads(pickle.dumps(scene))
        if rng.random() < 0.2:
            check(rng, scene, model, device)
    check(rng, scene, model, device)


def place(rng: Random, size: int) -> np.ndarray:
    """Return a place on the grid."""
    return rng.integers(0, size + 1, 3).astype(float)


def change(rng: Random, scene: tumble.Scene, model: Model, names: list[str], size: int) -> None:
    """Change scene and model alike; what makes no sense must be refused and change nothing."""
    name, other = (names[k] for k in rng.integers(0, len(names), 2))
    kind = rng.random()
    if name not in model.places:
        add(rng, scene, model, name, size)
    elif kind < 0.1:
        scene.remove(name)
        model.forget(name)
        del model.places[name], model.bits[name]
    elif kind < 0.2:
        refused(lambda: scene.add(name, CUBE), "a body of the same name")
    elif kind < 0.6:
        move(rng, scene, model, size)
    elif kind < 0.7:
        group, mask = (int(some(rng, (0, 1, 2, 3, ALL_GROUPS))) for _ in range(2))
        scene.set_filter(name, group=group, mask=mask)
        model.bits[name] = group, mask
    elif kind < 0.75:
        scene.allow(name)
        model.everything.add(name)
    elif kind < 0.8:
        scene.disallow(name)
        model.forget(name)
    elif name != other and other in model.places:
        say(rng, scene, model, name, other)


def add(rng: Random, scene: tumble.Scene, model: Model, name: str, size: int) -> None:
    """Add a body: a cube, or rarely one without triangles."""
    at = place(rng, size)
    empty = rng.random() < 0.05
    scene.add(name, EMPTY if empty else CUBE, tumble.translation(*at))
    model.places[name], model.bits[name] = None if empty else at, (DEFAULT_GROUP, ALL_GROUPS)


def move(rng: Random, scene: tumble.Scene, model: Model, size: int) -> None:
    """Move some bodies, perhaps one of them twice; or fail to, because of one wrong name or pose."""
    chosen = [str(name) for name in rng.choice(list(model.places), int(rng.integers(1, 6)))]
    places = [place(rng, size) for _ in chosen]
    poses = np.array([tumble.translation(*at) for at in places])
    if rng.random() < 0.1:
        poses[-1, 0, 0] = some(rng, (np.nan, 2.0))
        refused(lambda: scene.move_many(chosen, poses), "a pose that is not one")
        refused(lambda: scene.move_many([*chosen, "nobody"], [*poses[:-1], None, None]), "an unknown name")
        return
    scene.move_many(chosen, poses)
    for name, at in zip(chosen, places, strict=True):
        model.places[name] = None if model.places[name] is None else at


def say(rng: Random, scene: tumble.Scene, model: Model, a: str, b: str) -> None:
    """Allow or disallow two bodies."""
    pair = frozenset((a, b))
    if rng.random() < 0.6:
        scene.allow(a, b)
        model.said[pair] = True
        return
    scene.disallow(a, b)
    if a in model.everything or b in model.everything:
        model.said[pair] = False
    else:
        model.said.pop(pair, None)


def refused(call: object, what: str) -> None:
    """Require an error of ours."""
    try:
        call()  # type: ignore[operator]
    except InputError:
        return
    raise AssertionError(f"{what} was not refused")


def check(rng: Random, scene: tumble.Scene, model: Model, device: str) -> None:
    """Compare a scene with the model."""
    expected = model.pairs()
    found = [(each.a, each.b) for each in scene.collisions(first=bool(rng.integers(2)), device=device)]
    compare(found, expected, f"collisions on {device}")
    compare(list(scene.names), list(model.places), "names")
    if scene.collides() != bool(expected):
        raise AssertionError(f"collides says {scene.collides()}, {expected} touch")
    if not set(expected) <= set(scene.candidates()):
        raise AssertionError("candidates leave out bodies that touch")
    if model.places:
        name = str(some(rng, model.places))
        with_one = [(name, b) for b in model.places if b != name and model.reported(name, b)]
        compare([(each.a, each.b) for each in scene.collisions_with(name)], with_one, f"collisions_with({name!r})")
    at = place(rng, 3)
    seen = [b for b, here in model.places.items() if here is not None and np.abs(here - at).max() <= 1]
    seen = [b for b in seen if all(model.bits[b]) and b not in model.everything]
    with_mesh = [each.b for each in scene.collisions_with(CUBE, tumble.translation(*at))]
    compare(with_mesh, seen, "collisions_with a mesh")
    between = [(each.a, each.b) for each in scene.collisions_between(scene.copy())]
    free = [name for name in model.places if name not in model.everything]
    compare(between, [(a, b) for a in free for b in free if model.touch(a, b) and model.sees(a, b)], "between")


def compare(found: list[object], expected: list[object], what: str) -> None:
    """Compare two lists."""
    if found != expected:
        missing, extra = (
            [each for each in one if each not in two] for one, two in ((expected, found), (found, expected))
        )
        raise AssertionError(f"{what}: missing {missing[:5]}, too many {extra[:5]}, or another order")
